internal import DoseTapDomain

/// What people ask of the plugins.
extension PluginHost {
    /// How the plugins are doing.
    public func reports() -> [PluginReport] {
        runners.indices.map { index in runners[index].report(isHanging: overdue(index) > 0) }
    }

    /// Whether any plugin that is switched on tells reminders.
    var tellsReminders: Bool { runners.contains(where: \.tellsReminders) }

    /// Whether a plugin is switched on.
    func isEnabled(_ id: String) -> Bool { runners.contains { $0.manifest.id == id && $0.isEnabled } }

    /// Switches a plugin on or off; on, it goes on from where it stopped reading and is told the reminder that stands.
    ///
    /// - Returns: false when there is no such plugin.
    public func set(_ id: String, enabled: Bool) -> Bool {
        guard let index = runners.firstIndex(where: { $0.manifest.id == id }) else { return false }
        guard runners[index].isEnabled != enabled else { return true }
        runners[index].isEnabled = enabled
        runners[index].forgetFailures()
        start(index, .settings) { plugin in
            await plugin.switched(on: enabled)
        } done: { _, _ in
        }
        read(index)
        tellStanding(index)
        return true
    }

    /// The channels that can be tried, of plugins that are switched on.
    public var channels: [String] { runners.filter(\.isEnabled).flatMap(\.manifest.channels).sorted() }

    /// The plugin that has a channel and is switched off; nil when there is none.
    public func disabledPlugin(with channel: String) -> String? {
        runners.first { !$0.isEnabled && $0.manifest.channels.contains(channel) }?.manifest.id
    }

    /// Tries a channel for real, marked as a test.
    ///
    /// - Returns: false when no plugin that is switched on has the channel.
    /// - Throws: what the plugin throws; ``PluginFailure/hanging``; ``PluginFailure/beingTested``, for a plugin tries one
    ///   channel at a time.
    public func test(_ channel: String) async throws -> Bool {
        guard let index = runners.firstIndex(where: { $0.isEnabled && $0.manifest.channels.contains(channel) }) else {
            return false
        }
        guard !calls.values.contains(where: { $0.plugin == index && $0.purpose == .test && !$0.isOverdue }) else {
            throw PluginFailure.beingTested
        }
        try await call(index, .test) { plugin in try await plugin.test(channel) }
        return true
    }
}
