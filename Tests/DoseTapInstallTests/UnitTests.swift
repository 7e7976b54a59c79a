import DoseTapTestSupport
import Foundation
import Testing

@Suite struct UnitTests {
    private let unit = Project.path("Config/systemd/user/dosetapd.service")

    private func analyze(_ arguments: [String]) throws -> Command.Outcome {
        let runtime = NSTemporaryDirectory() + "analyze-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: runtime) }
        try FileManager.default.createDirectory(
            atPath: runtime, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var environment = ProcessInfo.processInfo.environment
        environment["XDG_RUNTIME_DIR"] = runtime
        return try Command.run(["systemd-analyze", "--user"] + arguments, environment: environment)
    }

    /// The exposures that are left, with the words by which the unit gives the reason.
    private static let left: [(name: String, said: String)] = [
        ("SystemCallFilter=~@privileged", "adjtimex(2)"), ("SystemCallFilter=~@clock", "adjtimex(2)"),
        ("ProtectClock=", "ProtectClock="), ("User=/DynamicUser=", "User="), ("RemoveIPC=", "RemoveIPC="),
        ("SupplementaryGroups=", "SupplementaryGroups="), ("ProtectProc=", "ProtectProc="),
        ("ProcSubset=", "ProcSubset="), ("RestrictAddressFamilies=~AF_UNIX", "AF_UNIX"),
        ("ProtectHome=", "ProtectHome="), ("ProtectKernelLogs=", "ProtectKernelLogs="),
        ("RootDirectory=/RootImage=", "RootDirectory="),
    ]

    @Test(.enabled(if: Testbed.isActive, "needs systemd of a test bed: run Contrib/test"))
    func `the unit's exposure is at most 1 point 3, and it says why each point is left`() throws {
        let outcome = try analyze(["security", "--offline=true", "--threshold=13", unit])
        #expect(outcome.status == 0, "\(outcome.errors)\(outcome.text.suffix(200))")
        let worse = try analyze(["security", "--offline=true", "--threshold=1", unit])
        #expect(worse.status != 0, "the threshold works at all")
        let said = try String(contentsOfFile: unit, encoding: .utf8).components(separatedBy: "still counts, and why:")[
            1]
        for line in outcome.text.split(separator: "\n").dropFirst() where !line.hasPrefix("✓") && !line.hasPrefix("→") {
            let name = String(line.trimmingPrefix { $0 == "✗" || $0 == " " }.prefix { $0 != " " })
            let known = Self.left.first { $0.name == name }
            #expect(known.map { said.contains($0.said) } == true, "\(line)")
        }
    }

    @Test(.enabled(if: Testbed.isActive, "needs systemd of a test bed: run Contrib/test"))
    func `systemd finds nothing wrong with the unit`() throws {
        // The program exists and there are no man pages, so any error output is about the unit itself.
        let scratch = NSTemporaryDirectory() + "unit-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        let text = try String(contentsOfFile: unit, encoding: .utf8)
            .replacing("ExecStart=/usr/bin/dosetapd", with: "ExecStart=/bin/true")
        let copy = scratch + "/dosetapd.service"
        try Data(text.utf8).write(to: URL(fileURLWithPath: copy))
        let outcome = try analyze(["verify", "--man=no", copy])
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test(arguments: [
        "Type=notify", "NotifyAccess=main", "BusName=org.dosetap.DoseTap1", "Restart=always", "RestartSec=1",
        "RestartPreventExitStatus=75", "StartLimitIntervalSec=0", "WantedBy=default.target", "PrivateUsers=yes",
        "BindPaths=%h/.local/share/dosetap", "BindPaths=%t/dosetap", "UMask=0077", "LimitCORE=0", "PrivateMounts=yes",
        "MemorySwapMax=0", "WatchdogSec=5min",
    ])
    func `the unit says`(line: String) throws {
        let lines = try String(contentsOfFile: unit, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0 == line })
    }

    @Test func `the unit names no directory by a specifier whose meaning changed`() throws {
        #expect(!(try String(contentsOfFile: unit, encoding: .utf8)).contains("%S"))
    }

    @Test func `the activation file hands over to the unit`() throws {
        let file = Project.path("Config/dbus-1/services/org.dosetap.DoseTap1.service")
        let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
        #expect(lines.contains("Name=org.dosetap.DoseTap1"))
        #expect(lines.contains("SystemdService=dosetapd.service"))
    }
}
