internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `doctor`: whether reminders will get through.
struct DoctorVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check whether reminders can reach you, and what to do.",
        discussion: """
            These parts are checked, each for two seconds at most: bus, service, store,
            plugins, disk, notifications, do-not-disturb, sound, sleep, wake timer,
            battery, lid, clock and session. The exit code is 1 if any part is red, and
            6 if no service answers.

            Example: dosetap doctor
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let rows: [JSONObject]
        do { rows = try ServiceLink.run(context) { client in try await client.doctor() } } catch {
            guard error.exitCode == Failure.Code.unreachable else { throw error }
            Self.report(ServiceLink.reach(context).findings, context)
            throw ExitCode(error.exitCode)
        }
        let findings = try rows.map { row in
            try Self.compared(Finding(json: row), version: row["version"]?.stringValue)
        }
        if !Self.report(findings, context) { throw ExitCode(Failure.Code.failed) }
    }

    /// - Returns: whether nothing is red.
    @discardableResult
    private static func report(_ findings: [Finding], _ context: Context) -> Bool {
        let isReady = !findings.contains { $0.level == .red }
        context.report(
            ["ok": .bool(isReady), "findings": .array(findings.map { .object($0.json) })],
            text: DoctorText.lines(findings, context.terminal.page))
        return isReady
    }

    /// A service left over from before an upgrade is told by its version.
    private static func compared(_ finding: Finding, version: String?) -> Finding {
        guard let version, version != DoseTap.release else { return finding }
        return Finding(
            id: finding.id, level: .amber, sentence: "dosetapd \(version) answers, this is dosetap \(DoseTap.release)",
            remedy: "systemctl --user restart dosetapd")
    }
}
