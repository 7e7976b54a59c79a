import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@testable import DoseTapPlugins

/// Programs as units of a real service manager. `Tests/Support/user-manager.sh` runs these tests.
@Suite(.serialized, .enabled(if: ServiceManager.isReal, "needs a service manager of its own: run Contrib/test as root"))
struct TransientUnitTests {
    private func managed() async throws -> ProgramBench {
        let loop = try EventLoop.spawn(name: "programs")
        return try await ProgramBench(on: Connection.open(.session, on: loop))
    }

    static let cases: [(script: String, end: ProgramResult.End, output: String?)] = [
        ("echo $(cat) $(wc -c < /dev/stdin)", .exited(0), "hello 6 "),
        ("exit 7", .exited(7), ""), ("kill -SEGV $$", .signalled(11), ""),
        ("trap '' TERM; while :; do sleep 1000; done", .timedOut(.milliseconds(300)), ""),
        ("exec head -c 100000000 /dev/zero", .flooded, nil),
        ("grep -o 'dosetap-hook-[^/]*service' /proc/self/cgroup | cut -c1-13 | sort -u", .exited(0), "dosetap-hook- "),
    ]

    @Test(arguments: cases.indices)
    func `K2: a unit comes to the same named end as a child`(index: Int) async throws {
        let bench = try await managed()
        let (script, end, output) = Self.cases[index]
        let path = try bench.script("hook", script)
        var program = Program(purpose: "hook", path: path, input: .bytes(Array("hello\n".utf8)))
        if case .timedOut(let limit) = end { program.limit = limit }
        let result = await bench.runner.run(program)
        #expect(result.end == end)
        if let output { #expect(result.output == output) }
        bench.stop()
    }

    @Test func `K2: what a unit is told reaches it as it is`() async throws {
        let bench = try await managed()
        let path = try bench.script("$HOME %h", #"printf '%s|' "$@""#)
        let words = ["$HOME", "${HOME} a", "%h", #"'q' "q" \x41 \"#, "ü; $$", ""]
        let result = await bench.runner.run(Program(purpose: "hook", path: path, arguments: words))
        #expect(result.end == .exited(0) && result.output == words.map { $0 + "|" }.joined(), "\(result)")
        bench.stop()
    }

    @Test func `K2: not even a session of its own outlives a unit`() async throws {
        let bench = try await managed()
        let path = try bench.script("hook", "setsid sleep 1000 & echo $! > \(bench.folder.path("child")); sleep 0.2")
        #expect(await bench.runner.run(Program(purpose: "hook", path: path)).end == .exited(0))
        let child = bench.text("child")
        #expect(!child.isEmpty && ProgramBench.isGone(child))
        let units = try DoseTapTestSupport.Command.check([
            "systemctl", "--user", "list-units", "--all", "--plain", "dosetap-*",
        ])
        #expect(!units.text.contains("dosetap-hook"))
        bench.stop()
    }

    @Test func `K2: a unit that is stopped ends at once`() async throws {
        let bench = try await managed()
        let changes = try FileChange(in: bench.folder.path(""))
        let path = try bench.script("hook", "echo $$ > \(bench.folder.path("id")); sleep 1000")
        let run = await bench.runner.start(Program(purpose: "hook", path: path))
        while !bench.text("id").hasSuffix("\n") { try changes.next() }
        await run.stop()
        #expect(await run.finished().end == .stopped)
        #expect(ProgramBench.isGone(bench.text("id")))
        bench.stop()
    }
}

private enum ServiceManager {
    static var isReal: Bool {
        let environment = ProcessInfo.processInfo.environment
        let folder = environment["XDG_RUNTIME_DIR"] ?? ""
        return environment["DOSETAP_TEST_MANAGER"] == "1" && access(folder + "/systemd/private", F_OK) == 0
    }
}
