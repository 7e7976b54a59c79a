public import DoseTapDomain
public import SDBus

/// The typed client of the contract: over a bus, or over a socket to a service of one's own.
public struct Client: Sendable {
    /// The connection all calls go by.
    public let connection: Connection
    private let destination: String?

    /// - Parameter connection: to a bus where the service is, or can be activated; or to a peer that serves it.
    public init(_ connection: Connection) {
        self.connection = connection
        destination = connection.isPeer ? nil : Contract.name
    }

    /// How long the answer to a question may take: who asks sits there and waits. A bus that starts the service first
    /// needs some of it.
    public static let questionTimeout: Duration = .seconds(5)
    /// How long the answer to what records or changes something may take: giving up early leaves it unknown.
    public static let timeout: Duration = .seconds(25)
    /// How long a look through ten years of data may take.
    static let longTimeout: Duration = .seconds(600)

    /// Calls a member.
    ///
    /// - Throws: ``ServiceError`` for the service's own errors, ``Unanswered`` when nothing came in time,
    ///   ``SDBus/BusError`` for what else goes wrong on the bus.
    private func call<each Argument: DBusValue, each Reply: DBusValue>(
        _ interface: String, _ member: String, _ arguments: repeat each Argument,
        returning type: (repeat each Reply).Type, timeout: Duration = Client.timeout
    ) async throws -> (repeat each Reply) {
        do {
            return try await connection.call(
                destination, Contract.path, interface, member, repeat each arguments, returning: type,
                timeout: timeout)
        } catch {
            if let own = ServiceError(error) { throw own }
            if error.name == BusError.Name.timeout {
                throw Unanswered(limit: timeout, mayHaveActed: timeout == Client.timeout)
            }
            throw error
        }
    }

    // MARK: Session

    /// Where the night stands, now or at an instant.
    public func status(at instant: Instant? = nil) async throws -> NightStatus {
        var options = VariantEntries()
        if let instant { options["at"] = Variant(UInt64(max(0, instant.microseconds))) }
        let answer = try await call(
            Contract.InterfaceName.session, "Status", options, returning: WireObject.self,
            timeout: Client.questionTimeout)
        return try NightStatus(json: Self.complete(answer.object))
    }

    /// Asks for an action.
    public func submit(_ command: Command, _ options: RequestOptions) async throws -> Receipt {
        let interface = command.interface
        let answer: WireObject
        if let answers = command.answers {
            var options = options.variants
            if let own = command.ownOption { options[own.key] = Variant(own.word) }
            answer = try await call(
                interface, command.member, AnswersOnBus.variants(answers), options, returning: WireObject.self)
        } else if let argument = command.argument {
            answer = try await call(
                interface, command.member, argument, options.variants, returning: WireObject.self)
        } else {
            answer = try await call(interface, command.member, options.variants, returning: WireObject.self)
        }
        return try Receipt(json: answer.object)
    }

    // MARK: History

    /// A page of the nights that a query by dates finds, newest first.
    public func find(_ query: SessionQuery) async throws -> SessionPage {
        try Self.page(
            await call(
                Contract.InterfaceName.history, "FindSessions", query.variants,
                returning: ([WireObject], String).self, timeout: Client.questionTimeout))
    }

    private static func page(_ answer: ([WireObject], String)) throws -> SessionPage {
        SessionPage(nights: try answer.0.map { try NightSummary(json: $0.object) }, next: answer.1)
    }

    /// The interval means of weeks or months, newest first.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean] {
        let answer = try await call(
            Contract.InterfaceName.history, "Intervals", IntervalOptions.variants(span, by: grouping),
            returning: ([String], [UInt32], [Double], [Double], [Double]).self, timeout: Client.questionTimeout)
        return IntervalColumns.intervals(answer.0, answer.1, answer.2, answer.3, answer.4)
    }

    /// A page of nights by when they began, newest first.
    public func nights(_ query: SessionQuery) async throws -> SessionPage {
        func microseconds(_ instant: Instant?) -> UInt64 { UInt64(max(0, instant?.microseconds ?? 0)) }
        let (from, to, limit) = (microseconds(query.from), microseconds(query.to), UInt32(clamping: query.limit))
        let answer =
            if let event = query.event {
                try await call(
                    Contract.InterfaceName.history, "SessionsWith", event, from, to, limit, query.cursor,
                    returning: ([WireObject], String).self, timeout: Client.questionTimeout)
            } else {
                try await call(
                    Contract.InterfaceName.history, "Sessions", from, to, limit, query.cursor,
                    returning: ([WireObject], String).self, timeout: Client.questionTimeout)
            }
        return try Self.page(answer)
    }

    /// The nights a date, a session id or an entry id means.
    public func show(_ name: String) async throws -> [NightRecord] { try await shown(name).nights }

    /// As ``show(_:)``, with a pre-sleep log that belongs to no night.
    public func shown(_ name: String) async throws -> ShownNights {
        let answer = try await call(
            Contract.InterfaceName.history, "Show", name, returning: WireObject.self,
            timeout: Client.questionTimeout)
        return try ShownNights(json: answer.object)
    }

    /// Why an event stands in the log.
    ///
    /// - Parameter id: its id, or the first characters of it, 8 or more.
    public func why(_ id: String) async throws -> Explanation {
        let answer = try await call(
            Contract.InterfaceName.history, "Why", id, returning: WireObject.self, timeout: Client.questionTimeout)
        return try Explanation(json: answer.object)
    }

    /// Figures of nights gone by.
    public func statistics(_ query: StatisticsQuery) async throws -> NightStatistics {
        let answer = try await call(
            Contract.InterfaceName.history, "Stats", query.variants, returning: WireObject.self,
            timeout: Client.questionTimeout)
        return try NightStatistics(json: NightStatistics.complete(answer.object))
    }

    // MARK: Medications

    /// The medicines taken last, newest first.
    ///
    /// - Parameter limit: at most so many, 1 to 1,000.
    public func medications(limit: Int) async throws -> [NightRecord.Entry] {
        let answer = try await call(
            Contract.InterfaceName.medications, "List", UInt32(clamping: limit), returning: [WireObject].self,
            timeout: Client.questionTimeout)
        return try answer.map { try NightRecord.Entry(json: $0.object) }
    }

    /// The medicines that can be recorded.
    public func medicationCatalogue() async throws -> [JSONObject] {
        let answer = try await call(
            Contract.InterfaceName.medications, "Catalogue", returning: [WireObject].self,
            timeout: Client.questionTimeout)
        return answer.map(\.object)
    }

    /// What is prescribed: `active` where something is, `date` for which, and `history`, the newest first.
    public func regimen() async throws -> JSONObject {
        let answer = try await call(
            Contract.InterfaceName.medications, "Regimen", returning: WireObject.self, timeout: Client.questionTimeout)
        return answer.object
    }

    // MARK: Inventory

    /// What there is of the medicines of the night, how long it lasts, and the cups that stand ready.
    ///
    /// - Parameter limit: how long the answer may take.
    public func inventory(within limit: Duration = Client.questionTimeout) async throws -> JSONObject {
        let answer = try await call(
            Contract.InterfaceName.inventory, "Show", returning: WireObject.self, timeout: limit)
        return answer.object
    }

    // MARK: Data

    /// `Check`, `Verify` or `Rebuild`.
    public func examine(_ member: Examination) async throws -> JSONObject {
        let interface = Contract.InterfaceName.data
        let none = VariantEntries()
        let answer =
            switch member {
            case .check, .verify:
                try await call(
                    interface, member.rawValue, returning: WireObject.self, timeout: Client.longTimeout)
            case .rebuild:
                try await call(
                    interface, member.rawValue, none, returning: WireObject.self, timeout: Client.longTimeout)
            }
        return answer.object
    }

    /// Ways of looking at the store.
    public enum Examination: String, Sendable {
        case check = "Check"
        case verify = "Verify"
        case rebuild = "Rebuild"
    }

    // MARK: Reminders

    /// Tonight's reminders and what became of them, in order of time.
    public func reminders() async throws -> [ReminderRecord] {
        let answer = try await call(
            Contract.InterfaceName.reminders, "List", returning: [WireObject].self, timeout: Client.questionTimeout)
        return try answer.map { try ReminderRecord(json: $0.object) }
    }

    /// Says that the reminder told last under an id was seen; that stops nothing.
    public func acknowledge(reminder id: String) async throws -> JSONObject {
        let none = VariantEntries()
        return try await call(
            Contract.InterfaceName.reminders, "Acknowledge", id, none, returning: WireObject.self
        ).object
    }

    /// Tries a channel for real.
    public func test(channel: String) async throws {
        let none = VariantEntries()
        _ = try await call(Contract.InterfaceName.reminders, "Test", channel, none, returning: WireObject.self)
    }

    // MARK: Service

    /// The plugins and how they are doing.
    public func plugins() async throws -> [JSONObject] {
        let answer = try await call(
            Contract.InterfaceName.service, "Plugins", returning: [WireObject].self,
            timeout: Client.questionTimeout)
        return answer.map(\.object)
    }

    /// Every link of the chain between a reminder and the person; asked anew. Beside the keys of ``DoseTapDomain/Finding``
    /// the link `service` has its `version`.
    ///
    /// - Parameter limit: how long the answer may take.
    public func doctor(within limit: Duration = Client.questionTimeout) async throws -> [JSONObject] {
        try await call(
            Contract.InterfaceName.service, "Doctor", returning: [WireObject].self, timeout: limit
        ).map(\.object)
    }

    /// Figures in OpenMetrics text.
    public func metrics() async throws -> String {
        try await call(
            Contract.InterfaceName.service, "Metrics", returning: String.self, timeout: Client.questionTimeout)
    }

    /// Switches a plugin on or off, for good; the receipt says where that is written.
    public func setPlugin(_ id: String, enabled: Bool) async throws -> JSONObject {
        let none = VariantEntries()
        return try await call(
            Contract.InterfaceName.service, "SetPlugin", id, enabled, none, returning: WireObject.self
        ).object
    }

    /// The settings in force.
    public func config() async throws -> [JSONObject] {
        let answer = try await call(
            Contract.InterfaceName.service, "Config", returning: [WireObject].self,
            timeout: Client.questionTimeout)
        return answer.map(\.object)
    }

    /// Complaints about the settings files; empty when all is well.
    public func checkConfig() async throws -> [JSONObject] {
        let answer = try await call(
            Contract.InterfaceName.service, "CheckConfig", returning: [WireObject].self,
            timeout: Client.questionTimeout)
        return answer.map(\.object)
    }

    /// Reads the settings files anew.
    public func reload() async throws {
        let none = VariantEntries()
        _ = try await call(Contract.InterfaceName.service, "Reload", none, returning: WireObject.self)
    }

    /// Changes of the night from now on: every signal of the service and every change of its properties.
    public func changes() async throws -> AsyncStream<Signal> {
        try await connection.signals(SignalMatch(sender: destination, path: Contract.path))
    }

    /// Puts back the keys that D-Bus leaves out because it knows no null.
    private static func complete(_ object: JSONObject) -> JSONObject {
        var object = object
        if object["errors"] == nil { object["errors"] = .array([]) }
        if object["warnings"] == nil { object["warnings"] = .array([]) }
        return object
    }
}

extension Command {
    /// The D-Bus member that asks for it.
    public var member: String {
        switch self {
        case .logDose(.dose1): "LogDose1"
        case .logDose(.dose2): "LogDose2"
        case .logDose(.extra): "LogExtraDose"
        case .snooze: "Snooze"
        case .skipDose2: "SkipDose2"
        case .logFinalWake: "LogFinalWake"
        case .logSleepEvent: "LogSleepEvent"
        case .saveCheckIn: "SaveCheckIn"
        case .savePreSleep: "SavePreSleep"
        case .takeMedication: "Take"
        case .setRegimen: "SetRegimen"
        case .inventory(.addBottle): "AddBottle"
        case .inventory(.pour): "Pour"
        case .inventory(.discard): "Discard"
        case .inventory(.correct): "Correct"
        case .undo: "Undo"
        case .amend: "Amend"
        case .delete: "Delete"
        }
    }

    /// The D-Bus interface of that member.
    var interface: String {
        switch self {
        case .logSleepEvent, .saveCheckIn, .savePreSleep: Contract.InterfaceName.diary
        case .takeMedication, .setRegimen: Contract.InterfaceName.medications
        case .inventory: Contract.InterfaceName.inventory
        case .logDose, .snooze, .skipDose2, .logFinalWake, .undo, .amend, .delete: Contract.InterfaceName.session
        }
    }

    /// What the member takes before its options: the entry or the type it names.
    var argument: String? {
        switch self {
        case .amend(let id), .delete(let id), .inventory(.discard(let id)): id.text
        case .logSleepEvent(let type): type
        case .takeMedication(let id): id
        case .logDose, .snooze, .skipDose2, .logFinalWake, .saveCheckIn, .savePreSleep, .setRegimen,
            .inventory(.addBottle), .inventory(.pour), .inventory(.correct), .undo:
            nil
        }
    }

    /// The answers, the regimen or what is said of the stock that the member takes before its options.
    var answers: JSONObject? {
        switch self {
        case .saveCheckIn(let answers, _), .savePreSleep(let answers, _): answers
        case .setRegimen(let draft): draft
        case .inventory(.addBottle(let draft)), .inventory(.pour(let draft)), .inventory(.correct(let draft)): draft
        case .logDose, .snooze, .skipDose2, .logFinalWake, .logSleepEvent, .takeMedication, .inventory(.discard), .undo,
            .amend, .delete:
            nil
        }
    }

    /// The option that only this member has.
    var ownOption: (key: String, word: String)? {
        switch self {
        case .saveCheckIn(_, let night?): ("night", night)
        case .savePreSleep(_, let completion): ("completion", completion.rawValue)
        case .logDose, .snooze, .skipDose2, .logFinalWake, .logSleepEvent, .saveCheckIn, .takeMedication, .setRegimen,
            .inventory, .undo, .amend, .delete:
            nil
        }
    }
}
