internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import Glibc
internal import Logging
internal import SDBus
internal import SystemdJournal

/// `dosetapd --simulate`: a script from standard input through the real engine, store, plugin host and plugins, on a virtual
/// clock. No bus, no journal, no program, and never the person's store.
actor SimulationRun {
    /// Exit codes: the script is wrong; a reminder was missed, early or told twice.
    static let wrongScript: Int32 = 65
    static let unsound: Int32 = 1

    private let options: SimulationOptions
    private let environment: [String: String]
    private let loop: EventLoop
    private let zones = ZoneFiles()

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    init(_ options: SimulationOptions, _ environment: [String: String], on loop: EventLoop) {
        self.options = options
        self.environment = environment
        self.loop = loop
    }

    func run() async -> Int32 {
        do {
            if let nights = options.nights { return try await many(nights) }
            return try await one()
        } catch let fault as NightScriptFault {
            Daemon.complain("\(fault.description)\n")
            return Self.wrongScript
        } catch let fault as SystemFault {
            Daemon.complain("\(fault.message)\n")
            return 1
        } catch let error as StoreError {
            Daemon.complain("The store of the simulation failed: \(error.context).\n")
            return 1
        } catch let spinning as NightSimulation.Spinning {
            Daemon.complain("The service asked to be called without an end at \(spinning.now.iso8601).\n")
            return 1
        } catch {
            Daemon.complain("The simulation failed: \(error).\n")
            return 1
        }
    }

    // MARK: One night

    private func one() async throws -> Int32 {
        let bytes = try Self.input()
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw NightScriptFault(line: 0, message: "The script is not valid UTF-8.")
        }
        let zone = zones.current(variable: environment["TZ"]).zone
        let script = try NightScript(text, zone: zone) { [zones] name in try? zones.named(name) }
        let scratch = try ScratchStore(now: script.start, environment: environment)
        let hooks = try XDGDirectories(environment: environment).hooks
        let simulation = simulation(
            scratch, from: script.start, in: script.zone, ladder: script.ladder, hooks: hooks)
        let outcome: NightSimulation.Outcome
        do { outcome = try await simulation.run(script) } catch {
            await simulation.stop()
            throw error
        }
        await simulation.stop()
        var verdict = outcome.verdict
        if script.disturbsClocks, verdict.doubtful == 0, let plain = script.undisturbed {
            let other = try ScratchStore(now: plain.start, environment: environment)
            let twin = self.simulation(other, from: plain.start, in: plain.zone, ladder: plain.ladder, hooks: hooks)
            verdict.compare(outcome, with: try await twin.run(plain))
            await twin.stop()
        }
        let report = SimulationReport(script, outcome, verdict)
        Daemon.print(options.json ? JSONValue.object(report.json).serialized() + "\n" : report.text)
        return 0
    }

    /// - Parameter hooks: where the person's own programs lie, which are named and not run.
    private func simulation(
        _ scratch: borrowing ScratchStore, from start: Instant, in zone: Zone, ladder: AlarmLadder = .standard,
        hooks: [String] = []
    ) -> NightSimulation {
        let machine = SimulatedMachine(VirtualClock(start, zone: zone))
        let desktop = SimulatedDesktop(on: loop, machine, ladder: ladder, hookFolders: hooks, folder: scratch.folder)
        return NightSimulation(
            NightSimulation.Parts(
                executor: loop, machine: machine, store: scratch.store, plugins: { desktop.plugins($0) },
                logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }))
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

    // MARK: Many nights

    /// Nights of one log, one after the other, before the next log is begun.
    private static let nightsPerLog = 250

    /// Nights by chance, each zone in turn; every full log has all the nights in which the clocks of its zone change. A log
    /// is a matter of its seed and of how many nights it has, so that one with a fault can be run again on its own.
    private func many(_ count: Int) async throws -> Int32 {
        var (left, log) = (count, 0)
        var (verdict, disturbed) = (NightVerdict(), 0)
        while left > 0 {
            let seed = options.seed &+ UInt64(log)
            let name = RandomNights.zones[Int(seed % UInt64(RandomNights.zones.count))]
            let zone = try zones.named(name)
            var random = RandomNights(seed: seed, zone: zone) { [zones] name in try? zones.named(name) }
            let dates = random.dates(min(left, Self.nightsPerLog))
            guard let first = dates.first else { break }
            let beginning = random.night(on: first)
            let scratch = try ScratchStore(now: beginning.start, environment: environment)
            let simulation = simulation(
                scratch, from: beginning.start, in: zone, ladder: random.ladder, hooks: [try scratch.makeHooks()])
            let other = try ScratchStore(now: beginning.start, environment: environment)
            let twin = self.simulation(
                other, from: beginning.start, in: zone, ladder: random.ladder, hooks: [try other.makeHooks()])
            for date in dates {
                let script = date == first ? beginning : random.night(on: date)
                let again = "--seed \(seed) --nights \(dates.count): \(date)"
                let found = try await judged(script, again, simulation, twin)
                verdict.add(found)
                if script.disturbsClocks { disturbed += 1 }
            }
            await simulation.stop()
            await twin.stop()
            left -= dates.count
            log += 1
        }
        let told = count - left
        if options.json {
            var object: JSONObject = ["nights": .integer(Int64(told)), "seed": .string("\(options.seed)")]
            object["summary"] = .object(SimulationReport.json(verdict))
            object["clocks"] = [
                "disturbed": .integer(Int64(disturbed)), "doubtful": .integer(Int64(verdict.doubtful)),
                "compared": .integer(Int64(verdict.compared)),
            ]
            Daemon.print(JSONValue.object(object).serialized() + "\n")
        } else {
            Daemon.print(
                "\(told) nights, seed \(options.seed)\n"
                    + "Clocks: disturbed in \(disturbed) nights, in doubt in \(verdict.doubtful); \(verdict.compared) compared with"
                    + " the same night undisturbed\n" + SimulationReport.summary(verdict, nil))
        }
        return verdict.isSound ? 0 : Self.unsound
    }

    /// Runs a night, and the same night with clocks that nobody sets where those of the night leave no doubt. One with a
    /// fault is printed, so that it can be looked at on its own, or in its log.
    private func judged(
        _ script: NightScript, _ again: String, _ simulation: NightSimulation, _ twin: NightSimulation
    ) async throws -> NightVerdict {
        var verdict: NightVerdict
        do {
            let outcome = try await simulation.run(script)
            verdict = outcome.verdict
            if script.disturbsClocks, verdict.doubtful == 0, let plain = script.undisturbed {
                verdict.compare(outcome, with: try await twin.run(plain))
            }
        } catch {
            Daemon.complain("# again: \(again)\n# \(error)\n\(script.text)\n")
            throw error
        }
        if !verdict.isSound {
            let faults = verdict.complaints.map { "# \($0)\n" }.joined()
            Daemon.complain("# again: \(again)\n\(faults)\(script.text)\n")
        }
        return verdict
    }
}
