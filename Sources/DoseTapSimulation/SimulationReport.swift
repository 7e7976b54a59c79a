package import DoseTapDomain
internal import DoseTapEngine

/// What a simulated night came to, as text and as JSON.
package struct SimulationReport {
    let script: NightScript
    let outcome: NightSimulation.Outcome
    private let verdict: NightVerdict
    private let lines: [SimulatedLine]

    /// - Parameter verdict: of the night, and of the comparison with the same night undisturbed.
    init(_ script: NightScript, _ outcome: NightSimulation.Outcome, _ verdict: NightVerdict) {
        self.script = script
        self.outcome = outcome
        self.verdict = verdict
        lines = SimulatedLine.lines(of: outcome.timeline)
    }

    /// A timeline: local time, minutes after dose 1, what happened.
    var text: String {
        var text = script.notes.map { "Note: \($0)\n" }.joined()
        var day = ""
        let width = lines.map { Moments(zone: $0.entry.zone).cell($0.entry.clock.wall).count }.max() ?? 0
        for line in lines {
            let (wall, zone) = (line.entry.clock.wall, line.entry.zone)
            let date = "\(Moments.date(zone.date(at: wall))) \(zone.identifier)"
            if date != day {
                text += "\(date)\n"
                day = date
            }
            let minutes = Self.padded(line.minutes.map { "\($0)" } ?? "")
            let clock = Moments(zone: zone).cell(wall)
            let space = String(repeating: " ", count: max(0, width - clock.count))
            text += "  \(clock)\(space)  \(minutes)  \(line.text)\n"
        }
        return text + Self.summary(verdict, state) + alarm
    }

    /// What of the alarm was heard.
    private var alarm: String {
        let (rings, spoken) = (heard("sound"), heard("speech"))
        return rings + spoken == 0 ? "" : "Alarm: rang \(Self.times(rings)), was spoken \(Self.times(spoken))\n"
    }

    private static func times(_ count: Int) -> String { count == 1 ? "once" : "\(count) times" }

    private func heard(_ purpose: String) -> Int {
        outcome.timeline.count { entry in
            if case .ran(purpose, _, worked: true) = entry.what { true } else { false }
        }
    }

    /// How the night stands at its end.
    private var state: String {
        if let ended = outcome.night?.terminalState, outcome.night?.isOpen == false {
            return "ended, \(ended.rawValue)"
        }
        return outcome.night == nil ? "none" : "open, \(outcome.status.window.phase.rawValue)"
    }

    private static func padded(_ minutes: String) -> String {
        String(repeating: " ", count: max(0, 4 - minutes.count)) + minutes
    }

    package static func summary(_ verdict: NightVerdict, _ night: String?) -> String {
        let faults = NightVerdict.Fault.allCases.map { fault in
            "\(verdict.count(fault)) \(fault.rawValue)"
        }
        return (night.map { "Night: \($0)\n" } ?? "")
            + "Reminders: \(verdict.told) told, \(verdict.dropped) dropped; \(faults.joined(separator: ", "))\n"
            + (verdict.misled == 0
                ? "" : "  \(verdict.misled) told or recorded by a clock that was wrong without a sign\n")
            + verdict.complaints.map { "  \($0)\n" }.joined()
    }

    /// The keys of `simulate --json`.
    package static let shape = Shape(
        "simulate", "simulate --json",
        [
            Key("zone", .text), Key("start", .instant), Key("end", .instant),
            Key("notes", .list(.text), .never, "how the script was understood"),
            Key("timeline", .list(.object { SimulatedLine.shape })),
            Key(
                "night",
                .object {
                    Shape([
                        Key("session_date", .date, .null), Key("phase", .words { Phase.allCases.map(\.rawValue) }),
                        Key("terminal_state", .words { TerminalState.allCases.map(\.rawValue) }, .null),
                        Key("open", .bool),
                    ])
                }),
            Key(
                "alarm",
                .object {
                    Shape([
                        Key("rings", .integer(), .never, "how often the tone was played and could be heard"),
                        Key("spoken", .integer()),
                    ])
                }),
            Key("summary", .object { summary }),
        ])

    private static let summary = Shape(
        [
            Key("told", .integer()), Key("dropped", .integer()),
            Key(
                "misled", .integer(), .never,
                """
                told to take dose 2, or taken unasked, while the window was not open: no fault, nothing that the machine can \
                read says so
                """),
        ] + NightVerdict.Fault.allCases.map { Key($0.rawValue, .integer(), .never, $0.meaning) } + [
            Key("complaints", .list(.text), .never, "the first few faults, a sentence each")
        ])

    /// The object of the JSON contract.
    var json: JSONObject {
        [
            "zone": .string(script.zone.identifier), "start": .instant(script.start), "end": .instant(script.end),
            "notes": .array(script.notes.map(JSONValue.string)),
            "timeline": .array(lines.map { .object($0.json) }),
            "night": [
                "session_date": outcome.night.map { .string($0.date.text) } ?? .null,
                "phase": .string(outcome.status.window.phase.rawValue),
                "terminal_state": outcome.night?.terminalState.map { .string($0.rawValue) } ?? .null,
                "open": .bool(outcome.night?.isOpen ?? false),
            ],
            "alarm": ["rings": .integer(Int64(heard("sound"))), "spoken": .integer(Int64(heard("speech")))],
            "summary": .object(Self.json(verdict)),
        ]
    }

    package static func json(_ verdict: NightVerdict) -> JSONObject {
        var object: JSONObject = [
            "told": .integer(Int64(verdict.told)), "dropped": .integer(Int64(verdict.dropped)),
            "misled": .integer(Int64(verdict.misled)),
        ]
        for fault in NightVerdict.Fault.allCases { object[fault.rawValue] = .integer(Int64(verdict.count(fault))) }
        object["complaints"] = .array(verdict.complaints.map(JSONValue.string))
        return object
    }
}

extension NightVerdict.Fault {
    fileprivate var meaning: String {
        switch self {
        case .moved: "told at another moment than with a clock that nobody sets, though the clocks leave no doubt"
        case .asked: "a question about the time too many, or too few"
        case .saysTake: "words that say to take dose 2 in doubt or after the close, or that hide the doubt"
        case .missed, .early, .twice, .late, .afterClose, .afterResolved: ""
        }
    }
}
