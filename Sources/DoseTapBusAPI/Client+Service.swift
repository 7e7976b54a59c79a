public import DoseTapDomain
public import SDBus

/// The service itself: reminders, plugins, settings, the store.
extension Client {
    /// Tonight's reminders and what became of them, in order of time.
    public func reminders() async throws -> [ReminderRecord] {
        try await call(Contract.Reminders.list, ()).map { try ReminderRecord(json: $0.object) }
    }

    /// Says that the reminder told last under an id was seen; that stops nothing.
    public func acknowledge(reminder id: String) async throws -> JSONObject {
        try await call(Contract.Reminders.acknowledge, (id, [:])).object
    }

    /// Tries a channel for real.
    public func test(channel: String) async throws { _ = try await call(Contract.Reminders.test, (channel, [:])) }

    /// The plugins and their state.
    public func plugins() async throws -> [JSONObject] {
        try await call(Contract.Service.plugins, ()).map { Schemas.pluginReport.completed($0.object) }
    }

    /// Every link of the chain between a reminder and the person; asked anew. Beside the keys of ``DoseTapDomain/Finding``
    /// the link `service` has its `version`.
    ///
    /// - Parameter limit: how long the answer may take.
    public func doctor(within limit: Duration = Client.questionTimeout) async throws -> [JSONObject] {
        try await call(Contract.Service.doctor, (), within: limit).map(\.object)
    }

    /// Switches a plugin on or off, for good; the receipt says where that is written.
    public func setPlugin(_ id: String, enabled: Bool) async throws -> JSONObject {
        try await call(Contract.Service.setPlugin, (id, enabled, [:])).object
    }

    /// The settings in force.
    public func config() async throws -> [JSONObject] { try await call(Contract.Service.config, ()).map(\.object) }

    /// Changes a setting in the person's file; the receipt says what is in force then, and why.
    public func set(_ key: String, to value: String) async throws -> JSONObject {
        try await call(Contract.Service.setConfig, (key, Variant(value), [:])).object
    }

    /// Complaints about the settings files; empty when all is well.
    public func checkConfig() async throws -> [JSONObject] {
        try await call(Contract.Service.checkConfig, ()).map(\.object)
    }

    /// Reads the settings files anew.
    public func reload() async throws { _ = try await call(Contract.Service.reload, [:]) }

    /// Changes of the night from now on: every signal of the service and every change of its properties.
    public func changes() async throws -> AsyncStream<Signal> {
        try await connection.signals(SignalMatch(sender: destination, path: Contract.path))
    }

    /// `Check`, `Verify` or `Rebuild`.
    public func examine(_ member: Examination) async throws -> JSONObject {
        let report =
            switch member {
            case .check: try await call(Contract.Data.check, ())
            case .verify: try await call(Contract.Data.verify, ())
            case .rebuild: try await call(Contract.Data.rebuild, [:])
            }
        return StoreReport.description.shape.completed(report.object)
    }

    /// Ways of looking at the store.
    public enum Examination: Sendable { case check, verify, rebuild }
}
