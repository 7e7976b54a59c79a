import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// The real programs on a machine with a policy in its real place (R37.3).
@Suite(.enabled(if: geteuid() == 0, "needs root for a mount: run Contrib/test"))
struct PolicyVerbTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
        try FileManager.default.createDirectory(atPath: folder.path("etc/dosetap"), withIntermediateDirectories: true)
        try FileManager.default.createDirectory(atPath: folder.path("home"), withIntermediateDirectories: false)
    }

    private func policy(_ text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.path("etc/dosetap/policy.yaml")))
    }

    /// Runs the command where the policy lies over the machine's /etc.
    private func run(_ words: String) throws -> (status: Int32, text: String) {
        let mount = "mount -t overlay overlay -o lowerdir='\(folder.path("etc"))':/etc /etc"
        let places = "HOME='\(folder.path("home"))' XDG_CONFIG_HOME='\(folder.path("home/config"))'"
        let run =
            "env \(places) DOSETAP_PRIVACY_DETAILS=true"
            + " '\(Tool.program.path)' --bus none --store '\(folder.path("home/x.db"))'"
        let outcome = try Command.run(["unshare", "--mount", "sh", "-c", "\(mount) && \(run) \(words) 2>&1"])
        return (outcome.status, outcome.text)
    }

    private var written: String? {
        try? String(contentsOfFile: folder.path("home/config/dosetap/config.yaml"), encoding: .utf8)
    }

    @Test func `R37.3 what the policy sets is shown as locked, and a change is refused with its file`() throws {
        try policy("privacy:\n  details: false\nplugins:\n  hooks:\n    enabled: false\n")
        let shown = try run("config show").text
        #expect(shown.contains("privacy.details: false  (/etc/dosetap/policy.yaml, locked)"), "\(shown)")
        #expect(shown.contains("plugins.hooks.enabled: false  (/etc/dosetap/policy.yaml, locked)"), "\(shown)")
        #expect(try run("config show --json").text.contains(#""locked":true"#))
        for words in [
            "config set privacy.details true", "config set plugins.hooks.enabled true", "plugins enable hooks",
            "plugins disable hooks",
        ] {
            let refused = try run(words)
            #expect(
                refused.status == 1
                    && refused.text.contains("policy of this machine, /etc/dosetap/policy.yaml, sets")
                    && refused.text.contains(" config show"), "\(words): \(refused)")
        }
        #expect(written == nil)
        #expect(try run("config set snooze.max 2").status == 0 && written?.contains("max: 2") == true)
        #expect(try run("plugins").text.contains("hooks"))
        #expect(try run("log dose1").status == 0)
    }

    @Test func `R37.4 an error of the policy is told with its line, and doses are recorded`() throws {
        try policy("privacy:\n  details: flase\nsnooze:\n  max: 0\n")
        let checked = try run("config check")
        #expect(
            checked.status == 1 && checked.text.contains(":2:12: “privacy.details”"),
            "\(checked)")
        #expect(
            checked.text.contains("policy.yaml:4:8: “snooze.max”: a policy cannot set it"), "\(checked)")
        #expect(try run("config show").text.contains("privacy.details: false  (/etc/dosetap/policy.yaml, locked)"))
        #expect(try run("log dose1").status == 0)
        let status = try run("status").text
        #expect(status.contains("Not in force: privacy.details, snooze.max"), "\(status)")
    }
}
