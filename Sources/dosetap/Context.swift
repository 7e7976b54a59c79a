internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc

/// The options every verb has, resolved: the command line first, then the environment.
struct Context: Sendable {
    /// Where the service is looked for.
    enum Bus: String, Sendable, CaseIterable {
        case auto
        case session
        case system
        case none
    }

    let json: Bool
    let plain: Bool
    let quiet: Bool
    let bus: Bus
    let store: String?
    /// The zone asked for; nil is the system's.
    let chosenZone: Zone?
    /// The moment at which the command was given.
    let now: Instant
    private let systemZone = Once<Zone>()
    let askedStatus = Once<NightStatus>()
    let askedClock = Once<ClockStyle?>()
    let askedLanguage = Once<Language?>()
    private let askedStore = Once<String>()
    /// A command that talks to the service twice says once that it may be another program.
    let toldOfOwner = Once<Void>()
    let terminal: Terminal
    let line: CommandLineWords

    init(_ global: GlobalChoices) throws(Failure) {
        json = try Self.flag(global.json, "DOSETAP_JSON")
        plain = try Self.flag(global.plain, "DOSETAP_PLAIN")
        quiet = try Self.flag(global.quiet, "DOSETAP_QUIET")
        SpokenLanguage.speak(json: json)
        line = CommandLineWords(Array(CommandLine.arguments.dropFirst()))
        bus = try Self.bus(global.bus ?? Settings.value("DOSETAP_BUS") ?? Bus.auto.rawValue)
        store = global.store ?? Settings.value("DOSETAP_STORE")
        if let store {
            guard bus == .none else {
                throw .usage(
                    tr("--store needs --bus none: a running service has its store already."),
                    hint: "dosetap --bus none --store \(CommandLineWords.quoted(store))")
            }
            guard !store.isEmpty else { throw .usage(tr("--store needs a path.")) }
        }
        if let name = global.timeZone ?? Settings.value("DOSETAP_TIME_ZONE") {
            do throws(SystemFault) { chosenZone = try ZoneFiles().named(name) } catch {
                throw .zone(name, error)
            }
        } else {
            chosenZone = nil
        }
        now = Instant(microseconds: SystemClock().read().wallMicroseconds)
        terminal = Terminal(plain: plain)
        if !json { terminal.tone() }
        for variable in Settings.mistyped {
            notice(tr("there is no variable \(variable.name). Did you mean \(variable.meant)?"))
        }
    }

    private static func flag(_ given: Bool, _ variable: String) throws(Failure) -> Bool {
        if given { return true }
        return try Settings.flag(variable)
    }

    private static func bus(_ word: String) throws(Failure) -> Bus {
        if let bus = Bus(rawValue: word) { return bus }
        let known = Bus.allCases.map(\.rawValue)
        throw .usage(tr("'\(word)' is no bus: --bus takes \(known.joined(separator: ", "))."))
    }

    /// Whether a question can be asked and answered.
    var canAsk: Bool { terminal.canAsk && !json }

    /// Whether questions are answered by lines and not by keys: for who listens to the screen, and where nothing can be
    /// drawn anew.
    var asksByLines: Bool { plain || terminal.isDumb }

    /// The zone in force: the one asked for, else the system's, with a word on stderr where that is unknown.
    func zone() -> Zone {
        if let chosenZone { return chosenZone }
        return systemZone.value { () -> Zone in
            let system = ZoneFiles().current(variable: Settings.text("TZ"))
            if let fault = system.fault { notice(tr("\(Wire.told(fault.message)) Times are shown and read in UTC.")) }
            return system.zone
        }
    }

    /// Shows times of a night that was recorded in a zone.
    func moments(zoneNamed name: String) -> Moments {
        if let chosenZone { return moments(in: chosenZone) }
        let own = zone()
        if own.identifier == name { return moments(in: own) }
        guard let zone = try? ZoneFiles().named(name) else { return moments(in: own) }
        return Moments(zone: zone, isForeign: true, style: clockStyle)
    }

    /// Shows times of the person's own zone.
    func moments(in zone: Zone) -> Moments { Moments(zone: zone, style: clockStyle) }

    /// Says something beside the answer.
    func notice(_ text: String) {
        guard !quiet else { return }
        let line = "dosetap: \(SafeText.line(text))"
        Output.complain(terminal.paintError(terminal.fittedErrors(line), .yellow))
    }
}

/// How clock times are shown: by the setting `display.clock`, else by the locale.
extension Context {
    private static let setting = "display.clock"

    /// How the person reads a clock.
    var clockStyle: ClockStyle {
        if let style = Self.ofEnvironment ?? askedClock.known ?? nil { return style }
        // As the C library looks for it; an empty variable counts as none.
        let name = Settings.value("LC_ALL") ?? Settings.value("LC_TIME") ?? Settings.value("LANG")
        return name.map(ClockStyle.init(locale:)) ?? .hours24
    }

    /// Asks the service for what is shown how, where a file may hold it: nobody else pays for the call.
    /// - Parameter forPrograms: whether a program that is started next has to know it, whatever this answer is.
    func askDisplay(_ client: Client, forPrograms: Bool = false) async {
        let isKnown =
            Self.ofEnvironment != nil && SpokenLanguage.ofEnvironment != nil
            && (!terminal.paints || Theme.ofEnvironment != nil)
        guard !json || forPrograms, !isKnown, askedClock.known == nil, SettingsFiles.mention("display") else { return }
        let rows = try? await client.config()
        func value(_ key: String) -> String? { rows?.first { $0["key"]?.stringValue == key }?["value"]?.stringValue }
        let style = value(Self.setting).flatMap(ClockStyle.init(rawValue:))
        _ = askedClock.value { style }
        let language = value(SpokenLanguage.setting).flatMap(Language.init(rawValue:))
        _ = askedLanguage.value { language }
        SpokenLanguage.speak(language, json: json)
        terminal.theme.learn(value(Theme.setting).flatMap(Theme.init(rawValue:)))
    }

    /// Tells the programs that are started from here on in which language the person is addressed.
    func handDownLanguage() {
        if SpokenLanguage.ofEnvironment == nil, askedLanguage.known == nil, SettingsFiles.mention("display") {
            _ = try? ServiceLink.run(self, isLast: false) { client in
                await askDisplay(client, forPrograms: true)
            }
        }
        SpokenLanguage.handDown(language)
    }

    /// The language of the person, whatever this answer is in.
    var language: Language {
        let chosen: Language? = SpokenLanguage.ofEnvironment ?? askedLanguage.known ?? nil
        return chosen ?? SpokenLanguage.ofSurroundings
    }

    private static var ofEnvironment: ClockStyle? {
        Settings.value("DOSETAP_DISPLAY_CLOCK").flatMap(ClockStyle.init(rawValue:))
    }
}

/// The zone in which the service shows times; its settings may name another one than the system's.
extension Context {
    /// The zone asked for, else that in force in the service, which is asked once.
    ///
    /// - Throws: ``Failure`` where the service cannot be asked: a time must not be read in the wrong zone.
    func serviceZone() throws(Failure) -> Zone {
        if let chosenZone { return chosenZone }
        return zone(inForce: try serviceStatus())
    }

    /// The local hour at which a night's date begins in the service, which is asked once.
    ///
    /// - Throws: ``Failure`` where the service cannot be asked.
    func rolloverHour() throws(Failure) -> Int { try serviceStatus().rolloverHour }

    /// How the night stands, asked once.
    ///
    /// - Throws: ``Failure`` where the service cannot be asked.
    func serviceStatus() throws(Failure) -> NightStatus {
        try askedStatus.value { () throws(Failure) -> NightStatus in
            try ServiceLink.run(self, isLast: false) { client in try await client.status() }
        }
    }

    /// As ``serviceZone()``, in the middle of a conversation; where the service does not answer, the system's.
    func serviceZone(_ client: Client) async -> Zone {
        if let chosenZone { return chosenZone }
        guard let status = try? await client.status() else { return zone() }
        return zone(inForce: status)
    }

    /// As ``serviceZone()``, for showing times of what lies in no night; where the service does not answer, the system's.
    func shownZone() -> Zone { (try? serviceZone()) ?? zone() }

    /// The zone asked for, else the one in force by a status.
    func zone(inForce status: NightStatus) -> Zone {
        if let chosenZone { return chosenZone }
        let own = zone()
        guard own.identifier != status.zoneInForce else { return own }
        return (try? ZoneFiles().named(status.zoneInForce)) ?? own
    }
}

/// Where the store lies.
extension Context {
    /// The value of a setting: of this command's variable, else that in force in the service; its default where the service
    /// has no such setting.
    ///
    /// - Throws: ``Failure`` for a variable with none of its values, and where the service cannot be asked.
    func setting<Value>(_ setting: Setting<Value>) throws(Failure) -> Value {
        let row = setting.row
        if let given = Settings.value(row.variable) {
            guard let value = row.kind.value(given) else {
                throw .usage(tr("\(row.variable) cannot be '\(SafeText.line(String(given.prefix(40))))'."))
            }
            var values = SettingValues()
            values[row] = value
            return values[setting]
        }
        let text = try ServiceLink.run(self, isLast: false) { client in
            try await client.config().first { $0["key"]?.stringValue == row.key }?["value"]?.stringValue
        }
        var values = SettingValues()
        if let value = text.flatMap(row.kind.value) { values[row] = value }
        return values[setting]
    }

    static var directories: XDGDirectories? {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"] {
            environment[name] = Settings.value(name)
        }
        return try? XDGDirectories(environment: environment)
    }

    /// The store that was named, else the person's own; nil without a home.
    var ownStore: String? { store.map(ChildService.absolute) ?? Self.directories?.store }

    /// The store of the service, which is asked once; where none is on the bus, or it does not answer, ``ownStore``. A
    /// service on the system bus may be another user's, and its folder is not the person's.
    var storeInUse: String? {
        guard bus != .system, case .bus = ServiceLink.Route(self) else { return ownStore }
        let asked = try? askedStore.value { () throws(Failure) -> String in
            try ServiceLink.run(self, isLast: false) { client in try await client.storePath() }
        }
        guard let asked, asked.hasPrefix("/") else { return ownStore }
        return asked
    }
}

extension Context {
    /// The answer: one object, or text.
    func report(_ object: @autoclosure () -> JSONObject, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(object()).serialized())
        } else {
            Output.print(terminal.fitted(text()).joined(separator: "\n"))
        }
    }

    /// A status, and first that nothing can reach the person; its other warnings go to stderr where the answer is text.
    func report(_ status: NightStatus, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(AdviceText.complete(status).json).serialized())
        } else {
            Output.print(terminal.fitted(silenceLines(status.warnings) + text()).joined(separator: "\n"))
            notice(status.warnings)
        }
    }

    /// That nothing can reach the person, and what is wrong with the store, for the first lines of an answer.
    func silenceLines(_ warnings: [Warning]) -> [String] {
        // Of a service that ends with this command it is said on stderr, before the answer.
        let silence = warnings.silence.flatMap { $0.code == .noService ? nil : $0 }
        return ([silence].compactMap { $0 } + warnings.filter { $0.code == .store })
            .map { terminal.paint(line.addressed(SafeText.line(AdviceText.sentence($0))), .red) }
    }

    /// The other warnings, beside the answer.
    func notice(_ warnings: [Warning]) {
        for warning in warnings where !warning.isSilence && warning.code != .store {
            notice(line.addressed(AdviceText.sentence(warning)))
        }
    }
}
