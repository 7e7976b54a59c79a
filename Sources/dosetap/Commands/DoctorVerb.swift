internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `doctor`: whether reminders will get through.
struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Whether reminders will get through: every link, and its remedy.",
        discussion: """
            Asks bus, service, store, plugins, disk, notifications, do-not-disturb,
            sound, sleep, wake timer, battery, lid, clock and session, each for two
            seconds at most. Exit code 1 when any of them is red.

            Example: dosetap doctor
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let rows = try ServiceLink.run(context) { client in try await client.doctor() }
        let findings = try rows.map { row in
            try Self.compared(Finding(json: row), version: row["version"]?.stringValue)
        }
        let isReady = !findings.contains { $0.level == .red }
        context.report(
            ["ok": .bool(isReady), "findings": .array(findings.map { .object($0.json) })],
            text: DoctorText.lines(findings, context.terminal.columns))
        if !isReady { throw ExitCode(Failure.Code.failed) }
    }

    /// A service left over from before an upgrade is told by its version.
    private static func compared(_ finding: Finding, version: String?) -> Finding {
        guard let version, version != DoseTap.release else { return finding }
        return Finding(
            id: finding.id, level: .amber, sentence: "dosetapd \(version) answers, this is dosetap \(DoseTap.release)",
            remedy: "systemctl --user restart dosetapd")
    }
}
