import Testing

@testable import DoseTapPlugins

@Suite struct DoNotDisturbProbeTests {
    static let rows: [(server: String, program: String, said: String, quiet: Bool?)] = [
        ("gnome-shell 43.9", "gsettings", "false\n", true), ("gnome-shell 43.9", "gsettings", "true ", false),
        ("gnome-shell 43.9", "gsettings", "", nil), ("Xfce Notify Daemon 0.7.3", "xfconf-query", "true\n", true),
        ("Xfce Notify Daemon 0.7.3", "xfconf-query", "Property does not exist", nil),
        ("SwayNotificationCenter 0.10", "swaync-client", "false\n", false),
        ("mako 1.7.1", "makoctl", "default\ndo-not-disturb\n", true), ("mako 1.7.1", "makoctl", "default\n", false),
        ("mako 1.7.1", "makoctl", "", nil),
    ]

    @Test(arguments: rows)
    func `do-not-disturb is asked with the desktop's own program`(
        row: (server: String, program: String, said: String, quiet: Bool?)
    ) throws {
        let question = try #require(DoNotDisturbProbe.of(row.server))
        #expect(question.program == row.program && question.read(row.said) == row.quiet)
        #expect(
            DoNotDisturbProbe.of("dunst 1.9")?.program == nil && DoNotDisturbProbe.of("Plasma 5.27")?.program == nil)
    }
}
