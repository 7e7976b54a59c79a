import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@testable import DoseTapPlugins

/// K2: programs that misbehave are ended with all their processes, and have no effect on others.
@Suite struct ProgramTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let what: String
        let script: String
        var limit: Duration = .seconds(20)
        let end: ProgramResult.End
        var output = ""

        var testDescription: String { what }
    }

    static let cases: [Case] = [
        Case(what: "reads its input", script: "cat; wc -c < /dev/stdin", end: .exited(0), output: "hello 6 "),
        Case(what: "fails", script: "echo no light >&2; exit 3", end: .exited(3), output: "no light "),
        Case(what: "dies by a signal", script: "kill -SEGV $$", end: .signalled(11)),
        Case(what: "never ends", script: "sleep 1000", limit: .milliseconds(200), end: .timedOut(.milliseconds(200))),
        Case(
            what: "will not end", script: "trap '' TERM INT HUP; while :; do sleep 1000; done",
            limit: .milliseconds(200),
            end: .timedOut(.milliseconds(200))),
        Case(what: "floods", script: "exec head -c 100000000 /dev/zero", end: .flooded),
        Case(what: "closes everything", script: "exec <&- >&- 2>&-; exit 4", end: .exited(4)),
        Case(
            what: "sees no descriptor of ours",
            script: "for n in {3..99}; do [ ! -e /proc/$$/fd/$n ] || echo $n; done; echo none", end: .exited(0),
            output: "none "),
    ]

    @Test(arguments: cases)
    func `K2: every program comes to a named end`(row: Case) async throws {
        let bench = try await ProgramBench()
        let path = try bench.script("hook", row.script)
        let result = await bench.runner.run(
            Program(purpose: "hook", path: path, input: .bytes(Array("hello\n".utf8)), limit: row.limit))
        #expect(result.end == row.end)
        if !row.output.isEmpty { #expect(result.output == row.output) }
        #expect(result.output.utf8.count <= Program.keptOutput)
        bench.stop()
    }

    @Test func `K2: whatever a program leaves behind ends with it`() async throws {
        let bench = try await ProgramBench()
        let path = try bench.script("hook", "sleep 1000 & echo $! > \(bench.folder.path("child"))")
        let result = await bench.runner.run(Program(purpose: "hook", path: path))
        #expect(result.end == .exited(0))
        let child = bench.text("child")
        #expect(!child.isEmpty && ProgramBench.isGone(child))
        bench.stop()
    }

    @Test func `K2: a program that is stopped is gone at once, with its children`() async throws {
        let bench = try await ProgramBench()
        let changes = try FileChange(in: bench.folder.path(""))
        let path = try bench.script("hook", "sleep 1000 & echo $! $$ > \(bench.folder.path("ids")); wait")
        let run = await bench.runner.start(Program(purpose: "hook", path: path))
        while !bench.text("ids").hasSuffix("\n") { try changes.next() }
        await run.stop()
        #expect(await run.finished().end == .stopped)
        for id in bench.text("ids").split(separator: " ") { #expect(ProgramBench.isGone(String(id))) }
        bench.stop()
    }

    @Test func `K2: what cannot be started says why`() async throws {
        let bench = try await ProgramBench()
        let path = try bench.script("hook", "exit 0", mode: 0o600)
        let missing = await bench.runner.run(Program(purpose: "hook", path: path + "-no"))
        let closed = await bench.runner.run(Program(purpose: "hook", path: path))
        for (result, why) in [(missing, "No such file"), (closed, "Permission denied")] {
            guard case .notStarted(let said) = result.end else {
                Issue.record("\(result)")
                continue
            }
            #expect(said.contains(why))
        }
        let large = [UInt8](repeating: 0, count: Program.mostInput + 1)
        let refused = await bench.runner.run(Program(purpose: "hook", path: "/bin/true", input: .bytes(large)))
        #expect("\(refused.end)".hasPrefix("could not be started"))
        bench.stop()
    }

    @Test func `K2: no program goes on without its limit, also where no timer can be had`() async {
        // The test runs in its own process, because the limit of descriptors holds for the whole process.
        await #expect(processExitsWith: .success) {
            let bench = try await ProgramBench()
            let loop = bench.loop
            let path = try bench.script("hook", "sleep 1000")
            let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
            var limit = rlimit()
            getrlimit(resource, &limit)
            let usual = limit
            let started = Recorder<Int32>()
            let program = Program(purpose: "hook", path: path, limit: .milliseconds(300))
            let run = ProgramRun(program, on: loop)
            await run.begin { (program, input, output) async throws(BusError) -> any RunningProgram in
                let spawned = try await SpawnedProgram(program, environment: [], input: input, output: output, on: loop)
                started.append(spawned.processID)
                // From here on the process can open no descriptor.
                var none = rlimit(rlim_cur: 0, rlim_max: usual.rlim_max)
                setrlimit(resource, &none)
                return spawned
            }
            let result = await run.finished()
            setrlimit(resource, &limit)
            #expect(result.end == .timedOut(program.limit))
            let child = try #require(started.elements.first)
            #expect(ProgramBench.isGone("\(child)"))
            bench.stop()
        }
    }

    @Test func `K2: what was asked to end can be ended at once`() async throws {
        let bench = try await ProgramBench()
        let told = Recorder<String>()
        let run = ProgramRun(Program(purpose: "hook", path: "/bin/true"), on: bench.loop)
        await run.begin { (_, _, _) async throws(BusError) -> any RunningProgram in Deaf(told: told) }
        await run.stop()
        await run.kill()
        #expect(told.elements == ["terminate", "kill"])
        bench.stop()
    }

    /// A program that reacts to no signal.
    private struct Deaf: RunningProgram {
        let told: Recorder<String>

        func end() async -> ProgramResult.End {
            _ = try? await told.wait { $0.contains("abandon") }
            return .stopped
        }

        func terminate() async { told.append("terminate") }
        func kill() async { told.append("kill") }
        func abandon() async { told.append("abandon") }
    }
}
