internal import DoseTapDomain
internal import DoseTapSimulation
internal import DoseTapSystem
internal import SDBus

/// The program `random-nights`, for tests only: whole nights by chance, each judged, and compared with the same night in
/// which nobody set the clock.
public enum RandomNightsProgram {
    private static let usage = """
        Usage: random-nights [--json] [--nights N] [--seed N]

          --nights N   so many nights, up to 10000000; default 1000
          --seed N     brings the same nights back; default 1
          --json       one JSON object

        Exit codes: 0 nothing wrong, 1 a reminder was missed, early or told twice, or it failed, 64 wrong usage.

        """

    /// Runs the nights.
    ///
    /// - Parameter arguments: without the program's name.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        var (json, nights, seed) = (false, 1_000, UInt64(1))
        var rest = arguments[...]
        while let argument = rest.popFirst() {
            switch argument {
            case "--json": json = true
            case "--nights":
                guard let number = rest.popFirst().flatMap(Int.init), (1...10_000_000).contains(number) else {
                    return wrong("--nights goes from 1 to 10000000")
                }
                nights = number
            case "--seed":
                guard let number = rest.popFirst().flatMap(UInt64.init) else { return wrong("--seed needs a number") }
                seed = number
            case "--help":
                ProgramEdge.say(usage)
                return 0
            default: return wrong("unknown argument '\(argument)'")
            }
        }
        return SimulationProgram.run { [json, nights, seed] loop in
            try await ManyNights(nights: nights, seed: seed, json: json, loop: loop).run()
        }
    }

    private static func wrong(_ what: String) -> Int32 {
        ProgramEdge.complain("random-nights: \(what)\n\(usage)")
        return 64
    }
}

/// The nights of one run.
private struct ManyNights: Sendable {
    let nights: Int
    let seed: UInt64
    let json: Bool
    let loop: EventLoop
    let environment = ProgramEdge.environment
    let zones = ZoneFiles()

    /// The number of nights in one log, before the next log is begun.
    private static let nightsPerLog = 250

    /// Runs nights by chance, each zone in turn. Every full log has all the nights in which the clocks of its zone
    /// change. A log depends only on its seed and its number of nights, so that one with a fault can be run again on
    /// its own.
    func run() async throws -> Int32 {
        var (left, log) = (nights, 0)
        var (verdict, disturbed) = (NightVerdict(), 0)
        while left > 0 {
            let seed = self.seed &+ UInt64(log)
            let name = RandomNights.zones[Int(seed % UInt64(RandomNights.zones.count))]
            let zone = try zones.named(name)
            var random = RandomNights(seed: seed, zone: zone) { [zones] name in try? zones.named(name) }
            let dates = random.dates(min(left, Self.nightsPerLog))
            guard let first = dates.first else { break }
            let beginning = random.night(on: first)
            let scratch = try ScratchStore(now: beginning.start, environment: environment)
            let simulation = scratch.simulation(
                on: loop, from: beginning.start, in: zone, ladder: random.ladder, hooks: [try scratch.makeHooks()])
            let other = try ScratchStore(now: beginning.start, environment: environment)
            let twin = other.simulation(
                on: loop, from: beginning.start, in: zone, ladder: random.ladder, hooks: [try other.makeHooks()])
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
        let told = nights - left
        if json {
            var object: JSONObject = ["nights": .integer(Int64(told)), "seed": .string("\(seed)")]
            object["summary"] = .object(SimulationReport.json(verdict))
            object["clocks"] = [
                "disturbed": .integer(Int64(disturbed)), "doubtful": .integer(Int64(verdict.doubtful)),
                "compared": .integer(Int64(verdict.compared)),
            ]
            ProgramEdge.say(JSONValue.object(object).serialized() + "\n")
        } else {
            ProgramEdge.say(
                "\(told) nights, seed \(seed)\n"
                    + "Clocks: disturbed in \(disturbed) nights, in doubt in \(verdict.doubtful); \(verdict.compared) compared with"
                    + " the same night undisturbed\n" + SimulationReport.summary(verdict, nil))
        }
        return verdict.isSound ? 0 : 1
    }

    /// Runs a night, and the same night with clocks that nobody sets if the clocks of the first leave no doubt. A night
    /// with a fault is printed as a script with its timeline: on its own, with an empty log before it, it may have
    /// none.
    private func judged(
        _ script: NightScript, _ again: String, _ simulation: NightSimulation, _ twin: NightSimulation
    ) async throws -> NightVerdict {
        var verdict: NightVerdict
        let timeline: String
        do {
            let outcome = try await simulation.run(script)
            verdict = outcome.verdict
            if script.disturbsClocks, verdict.doubtful == 0, let plain = script.undisturbed {
                verdict.compare(outcome, with: try await twin.run(plain))
            }
            if verdict.isSound { return verdict }
            timeline = SimulationReport(script, outcome, verdict).text
        } catch {
            ProgramEdge.complain("# again: \(again)\n# \(error)\n\(script.text)\n")
            throw error
        }
        let comment = timeline.split(separator: "\n").map { "# \($0)\n" }.joined()
        ProgramEdge.complain("# again: \(again)\n\(script.text)\(comment)\n")
        return verdict
    }
}
