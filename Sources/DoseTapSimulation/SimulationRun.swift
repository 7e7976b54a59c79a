internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc
internal import SDBus

/// What `dosetap-simulate` does: a script from standard input through the real engine, store, plugin host and plugins, on a
/// virtual clock. No bus, no journal, no program, and never the person's store.
actor SimulationRun {
    private let json: Bool
    private let environment: [String: String]
    private let loop: EventLoop
    private let zones = ZoneFiles()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(json: Bool, _ environment: [String: String], on loop: EventLoop) {
        self.json = json
        self.environment = environment
        self.loop = loop
    }

    /// - Returns: what is printed.
    func run() async throws -> String {
        let bytes = try Self.input()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw NightScriptFault(line: 0, message: "The script is not valid UTF-8.")
        }
        let zone = zones.current(variable: environment["TZ"]).zone
        let script = try NightScript(text, zone: zone) { [zones] name in try? zones.named(name) }
        let scratch = try ScratchStore(now: script.start, environment: environment)
        let hooks = try XDGDirectories(environment: environment).hooks
        let simulation = scratch.simulation(
            on: loop, from: script.start, in: script.zone, ladder: script.ladder, hooks: hooks)
        let outcome: NightSimulation.Outcome
        do { outcome = try await simulation.run(script) } catch {
            await simulation.stop()
            throw error
        }
        await simulation.stop()
        var verdict = outcome.verdict
        if script.disturbsClocks, verdict.doubtful == 0, let plain = script.undisturbed {
            let other = try ScratchStore(now: plain.start, environment: environment)
            let twin = other.simulation(
                on: loop, from: plain.start, in: plain.zone, ladder: plain.ladder, hooks: hooks)
            verdict.compare(outcome, with: try await twin.run(plain))
            await twin.stop()
        }
        let report = SimulationReport(script, outcome, verdict)
        return json ? JSONValue.object(report.json).serialized() + "\n" : report.text
    }

    /// Standard input, no more of it than a script may have.
    private static func input() throws(NightScriptFault) -> [UInt8] {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= NightScript.bytes {
            let count = read(STDIN_FILENO, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw NightScriptFault(
                    line: 0, message: "The script cannot be read: \(String(cString: strerror(errno))).")
            }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
        }
        throw NightScriptFault(line: 0, message: "A script has at most \(NightScript.bytes / 1_024) KiB.")
    }
}
