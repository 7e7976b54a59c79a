public import DoseTapDomain
public import DoseTapEngine

/// All plugins, in the order in which they are started. A new plugin is one file and one line here.
public enum Roster {
    private static let all = [
        Line(JournalPlugin.init),
        Line(NotificationsPlugin.init),
        Line(AwakePlugin.init),
        Line(AlarmPlugin.init),
        Line(HooksPlugin.init),
    ]

    /// One plugin, not yet made.
    private struct Line {
        let manifest: PluginManifest
        let make: @Sendable (PluginEnvironment) -> any Plugin

        init<Made: RosterPlugin>(_ make: @escaping @Sendable (PluginEnvironment) -> Made) {
            manifest = Made.manifest
            self.make = make
        }
    }

    /// The manifests of all plugins.
    public static var manifests: [PluginManifest] { all.map(\.manifest) }

    /// All settings, in the order of the configuration file.
    public static var settings: [SettingRow] { ServiceSettings.rows(plugins: manifests.flatMap(\.settings)) }

    /// Makes the plugins.
    ///
    /// - Parameters:
    ///   - isWanted: returns true for a plugin to be made.
    ///   - environment: returns the environment of a plugin.
    package static func plugins(
        where isWanted: (PluginManifest) -> Bool = { _ in true }, _ environment: (PluginManifest) -> PluginEnvironment
    ) -> [any Plugin] {
        all.filter { isWanted($0.manifest) }.map { $0.make(environment($0.manifest)) }
    }
}
