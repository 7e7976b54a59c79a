public import DoseTapDomain
public import SDBus

/// The service itself: reminders, plugins, settings, the store.
extension Client {
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

    /// The plugins and their state.
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

    /// Changes a setting in the person's file; the receipt says what is in force then, and why.
    public func set(_ key: String, to value: String) async throws -> JSONObject {
        let none = VariantEntries()
        return try await call(
            Contract.InterfaceName.service, "SetConfig", key, Variant(value), none, returning: WireObject.self
        ).object
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
}
