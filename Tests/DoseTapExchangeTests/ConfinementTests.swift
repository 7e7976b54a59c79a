import DoseTapDomain
import DoseTapExchange
import DoseTapTestSupport
import Foundation
import Testing

/// The program as a command starts it, seen from inside and outside.
@Suite struct ConfinementTests {
    private static func run(
        _ words: [String], _ input: String = "", tracer: [String] = []
    ) throws -> TestProgram.Outcome {
        try TestProgram.run(tracer + [ExchangeBench.program] + words, input: Data(input.utf8))
    }

    private static let trials = [
        "open a file for reading", "open a file for writing", "make a file", "make a socket of this machine",
        "make a socket of the network", "run a program", "start a process", "trace a process", "signal a process",
        "make memory that runs", "take a gigabyte", "use another descriptor",
    ]

    @Test func `R28.1 from inside nothing can be opened, connected, started or signalled`() throws {
        let outcome = try Self.run(["--try-confinement"])
        let lines = outcome.text.split(separator: "\n").map { $0.split(separator: ": ", maxSplits: 1) }
        #expect(lines.map { String($0[0]) } == Self.trials, "\(outcome.text)")
        for line in lines { #expect(line.count == 2 && line[1] != "possible", "\(line)") }
        #expect(outcome.status == 0)
    }

    @Test func `R28.1 Landlock alone refuses every file`() throws {
        let outcome = try Self.run(["--try-confinement", "files"])
        try #require(outcome.text.hasPrefix("open"), "no Landlock here: \(outcome.text)")
        #expect(
            outcome.text == """
                open a file for reading: Permission denied
                open a file for writing: Permission denied
                make a file: Permission denied

                """)
    }

    /// The kernel answers as a kernel without the feature would.
    @Test(
        .enabled(if: Strace.isAllowed, "needs a machine where programs may be traced"),
        arguments: [
            ("landlock_create_ruleset", "the kernel has no Landlock"),
            ("seccomp", "the kernel filters no system calls (seccomp)"),
        ])
    func `R28.1 a part that the kernel lacks is told, and the filter goes on`(call: String, says: String) throws {
        let tracer = ["strace", "-f", "-o", "/dev/null", "-e", "inject=\(call):error=ENOSYS"]
        let outcome = try Self.run(["fhir"], PlantedNight.stream, tracer: tracer)
        #expect(outcome.status == 0 && outcome.text.hasSuffix("]}\n"), "\(outcome.errors)")
        #expect(outcome.errors == "dosetap-exchange: Confinement: \(says). The other parts hold.\n")
    }

    @Test(.enabled(if: Strace.isAllowed, "needs a machine where programs may be traced"))
    func `R28.1 it is confined before it reads a byte, and opens nothing after`() throws {
        let scratch = try ScratchFolder()
        let log = scratch.path("calls")
        let outcome = try Self.run(
            ["ios", "--profile", "clinic"], PlantedNight.stream, tracer: ["strace", "-f", "-o", log])
        #expect(outcome.status == 0)
        let calls = try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n")
        let confined = try #require(calls.firstIndex { $0.contains(" seccomp(") })
        #expect(!calls[..<confined].contains { $0.contains(" read(0,") })
        let after = calls[confined...].dropFirst()
        #expect(after.contains { $0.contains(" read(0,") })
        for call in ["open", "socket", "clone", "exec", "connect"] {
            #expect(!after.contains { $0.contains(" \(call)") }, "\(call)")
        }
        #expect(!after.contains { $0.contains("EPERM") }, "the filter lets through all it needs")
    }

    @Test(arguments: ["fhir", "ical", "ios"], ["full", "clinic", "share"])
    func `the program writes what the room writes`(format: String, profile: String) throws {
        let outcome = try Self.run([format, "--profile", profile], PlantedNight.stream)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let again = try Self.run([format, "--profile", profile], PlantedNight.stream)
        #expect((outcome.output == again.output) == (profile == "full"))
        try ExchangeBench.check(
            format, Array(outcome.output), PlantedNight.stream, profile: .init(rawValue: profile) ?? .full)
    }

    @Test func `wrong words, a wrong stream and a closed output have their exit codes`() throws {
        for words in [[], ["pdf"], ["fhir", "--profile"], ["fhir", "--profile", "all"], ["fhir", "--wat"]] {
            let outcome = try Self.run(words)
            #expect(outcome.status == 64 && outcome.errors.contains("Usage: dosetap-exchange"), "\(words)")
        }
        #expect(try Self.run(["ical", "--ndjson"]).status == 64)
        #expect(try Self.run(["ios", "--profile", "figures"]).status == 64)
        let cut = try Self.run(["fhir"], String(PlantedNight.stream.dropLast(9)))
        #expect(cut.status == 65 && cut.errors == "Line 3: The stream ends inside it.\n")
        let closed = try TestProgram.run(
            ["/bin/sh", "-c", "\"$1\" fhir >/dev/full", "sh", ExchangeBench.program],
            input: Data(PlantedNight.stream.utf8))
        #expect(closed.status == 74 && closed.errors.contains("No space left on device"))
        #expect(try Self.run(["--help"]).text.contains("Exit codes"))
        let shown = try Self.run(["fhir", "--profile", "clinic", "--preview"], PlantedNight.stream)
        #expect(shown.status == 0 && shown.text.contains("\n  - ") && shown.text.contains("\n  + "))
    }

    /// A stream of any length needs no more memory than a line.
    @Test func `R28.2 memory does not grow with the stream`() throws {
        let scratch = try ScratchFolder()
        func peak(_ count: Int) throws -> Int {
            let path = scratch.path("stream")
            let line = PlantedNight.stream.split(separator: "\n")[2] + "\n"
            try Data(String(repeating: String(line), count: count).utf8).write(to: URL(fileURLWithPath: path))
            let outcome = try TestProgram.run([
                "python3", "-c",
                """
                import resource, subprocess, sys
                subprocess.run([sys.argv[1], "fhir"], stdin=open(sys.argv[2]), stdout=subprocess.DEVNULL, check=True)
                print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
                """, ExchangeBench.program, path,
            ])
            return try #require(Int(outcome.text.dropLast()), "\(outcome.errors)")
        }
        let (few, many) = (try peak(20), try peak(4_000))
        #expect(many < few + 2_048, "\(few) and \(many) KiB")
    }
}
