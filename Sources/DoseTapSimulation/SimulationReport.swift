package import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapText
internal import SystemdJournal

/// The result of a simulated night, as text and as JSON.
package struct SimulationReport {
    let script: NightScript
    let outcome: NightSimulation.Outcome
    private let verdict: NightVerdict
    private let lines: [SimulatedLine]

    /// - Parameter verdict: of the night, and of the comparison with its twin.
    package init(_ script: NightScript, _ outcome: NightSimulation.Outcome, _ verdict: NightVerdict) {
        self.script = script
        self.outcome = outcome
        self.verdict = verdict
        lines = SimulatedLine.lines(of: outcome.timeline)
    }

    /// The timeline: local time, minutes after dose 1, and the text of each entry.
    package var text: String {
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

    /// The alarm as heard.
    private var alarm: String {
        let (rings, spoken) = (heard("sound"), heard("speech"))
        return rings + spoken == 0 ? "" : "Alarm: rang \(Count.times(rings)), was spoken \(Count.times(spoken))\n"
    }

    private func heard(_ purpose: String) -> Int {
        outcome.timeline.count { entry in
            if case .ran(purpose, _, worked: true) = entry.what { true } else { false }
        }
    }

    /// State of the night at its end.
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
            + "Reminders: \(verdict.notified) told, \(verdict.dropped) dropped; \(faults.joined(separator: ", "))\n"
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
            "told": .integer(Int64(verdict.notified)), "dropped": .integer(Int64(verdict.dropped)),
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

/// One line of a simulation's output.
struct SimulatedLine {
    /// Kind of line; a wire word.
    enum Kind: String, CaseIterable {
        case recorded
        case notified = "told"
        case dropped
        case again
        case withdrawn
        case journal
        case program
        case phase
        case refused
        case failed
        case repeated
        case befell
        case resumed
    }

    let entry: Timeline.Entry
    let kind: Kind
    let text: String
    /// Minutes after dose 1, in true time.
    let minutes: Int64?
    var reminder: ReminderPlan.Item?
    var lateSeconds: Int64?
    var channels: [String]?

    /// The lines of a night, without self-evident ones.
    static func lines(of timeline: [Timeline.Entry]) -> [SimulatedLine] {
        let timeline = inOrder(timeline)
        var maker = Maker(timeline: timeline)
        return timeline.indices.compactMap { maker.line(at: $0) }
    }

    /// Sorts the entries: within one moment events come before actions of plugins, whose order depends on threads.
    private static func inOrder(_ timeline: [Timeline.Entry]) -> [Timeline.Entry] {
        var (ordered, late): ([Timeline.Entry], [Timeline.Entry]) = ([], [])
        var moment = Instant.min
        for entry in timeline {
            if entry.at > moment || entry.what.isBoundary {
                ordered += late
                late = []
            }
            moment = entry.at
            if entry.what.isOfPlugins { late.append(entry) } else { ordered.append(entry) }
        }
        return ordered + late
    }

    private struct Maker {
        let timeline: [Timeline.Entry]
        /// Events up to the line, as the plugins see them.
        var logState = LogState()
        /// Time of dose 1, in true time.
        var dose1: Instant?
        /// The last text in doubt, to leave out equal ones.
        var doubt: String?

        mutating func line(at index: Int) -> SimulatedLine? {
            let entry = timeline[index]
            switch entry.what {
            case .recorded(let event): return recorded(event, entry)
            case .shown(let item, _):
                guard !isTold(item, at: entry.at) else { return nil }
                let wasShown = timeline[..<index].contains { if case .shown(item, _) = $0.what { true } else { false } }
                return line(
                    entry, .again, "On the screen \(wasShown ? "again" : "at last"): \(item.id.rawValue)")
            case .withdrawn(let item, _):
                guard !has(at: entry.at, { if case .shown = $0 { true } else { false } }) else { return nil }
                return line(entry, .withdrawn, "Taken off the screen: \(item.id.rawValue)")
            case .journaled(let text): return line(entry, .journal, text)
            // Rings are counted below, not listed.
            case .ran("hook", let path, _): return line(entry, .program, "Would run \(path)")
            case .ran, .unshown, .said: return nil
            case .phase(let old, let new):
                return line(entry, .phase, "Phase \(old.rawValue) -> \(new.rawValue)")
            case .declined(let command, let failure):
                let sentence = ErrorText.sentence(
                    failure, to: command, moments: Moments(zone: entry.zone, inForce: entry.zone))
                return line(entry, .refused, "\(name(command)): \(ErrorText.typed(sentence))")
            case .failed(let command, let failure): return line(entry, .failed, "\(name(command)): \(failure)")
            case .repeated(let command): return line(entry, .repeated, "\(name(command)): the same tap, nothing new")
            case .befell(let act): return line(entry, .befell, SimulatedLine.sentence(act))
            case .resumed: return index == 0 ? nil : line(entry, .resumed, "The service goes on")
            }
        }

        private mutating func recorded(_ event: Event, _ entry: Timeline.Entry) -> SimulatedLine? {
            if case .doseRecorded(let dose) = event.payload, dose.kind == .dose1 {
                dose1 = entry.at - (event.occurredAt - event.effectiveAt)
            }
            logState.append([event])
            let stored = StoredEvent(sequence: 0, event: event, previousHash: "", hash: "")
            switch event.payload {
            case .reminderDelivered, .reminderAcknowledged: return nil
            case .reminderFired(let payload):
                return notified(ReminderPlan.Item(id: payload.reminder, due: payload.due), event, entry)
            case .reminderDropped(let payload):
                var line = line(
                    entry, .dropped, "Not told: \(payload.reminder.rawValue) (\(payload.reason.rawValue))")
                line.reminder = ReminderPlan.Item(id: payload.reminder, due: payload.due)
                return line
            default:
                let moments = Moments(zone: entry.zone)
                return line(
                    entry, .recorded, JournalEntry(recorded: stored, date: nil, phase: nil, moments: moments).message)
            }
        }

        private mutating func notified(_ item: ReminderPlan.Item, _ event: Event, _ entry: Timeline.Entry)
            -> SimulatedLine?
        {
            guard let session = event.sessionID.flatMap({ logState.session($0) }) else { return nil }
            let due = DueReminder(item, of: session, fired: entry.clock.wall, now: entry.clock)
            let isShown = has(at: entry.at) { if case .shown(item, _) = $0 { true } else { false } }
            let names =
                ["journal"] + (isShown ? [SimulatedChannel.notifications.rawValue] : [])
                + (item.id.urgency == .critical && isHeard(at: entry.at) ? [SimulatedChannel.audio.rawValue] : [])
            let message = JournalEntry(reminder: due).message
            let isSaid = !due.isCertain && item.id.isOfWindow && message == doubt
            if !due.isCertain, item.id.isOfWindow { doubt = message }
            let said = isSaid ? "the same, as \(item.id.rawValue)" : message
            var line = line(entry, .notified, "TOLD \(said) [\(names.joined(separator: ", "))]")
            line.reminder = item
            line.lateSeconds = max(0, due.lateness.wholeSeconds)
            line.channels = names
            return line
        }

        private func isTold(_ item: ReminderPlan.Item, at instant: Instant) -> Bool {
            has(at: instant) { what in
                guard case .recorded(let event) = what, case .reminderFired(let payload) = event.payload else {
                    return false
                }
                return payload.reminder == item.id && payload.due == item.due
            }
        }

        /// Returns true if the alarm rings, also between two rings.
        private func isHeard(at instant: Instant) -> Bool {
            timeline.contains { entry in
                (.zero..<Duration.seconds(8)).contains(instant - entry.at) && entry.what.isHeard
            }
        }

        private func has(at instant: Instant, _ isIt: (Timeline.Happening) -> Bool) -> Bool {
            timeline.contains { $0.at == instant && isIt($0.what) }
        }

        private func line(_ entry: Timeline.Entry, _ kind: Kind, _ text: String) -> SimulatedLine {
            SimulatedLine(
                entry: entry, kind: kind, text: text, minutes: dose1.map { (entry.at - $0).wholeMinutes })
        }

        private func name(_ command: Command) -> String {
            NightScript.words(.asks(command, CommandOptions(surface: .cli), ago: nil))
        }
    }

    private static func sentence(_ act: NightScript.Act) -> String {
        func length(_ duration: Duration) -> String { LocalTimeFormat.interval(duration) }
        return switch act {
        case .asks: ""
        case .suspend(let time): "The machine sleeps for \(length(time))"
        case .crash(let time): "The service is killed, and is away for \(length(time))"
        case .reboot(let time, let synchronised):
            "The machine is started anew, which takes \(length(time))"
                + (synchronised ? "" : "; nothing keeps its clock right")
        case .clock(.zero, synchronised: false): "The clock is set by hand, to the time it showed"
        case .clock(.zero, synchronised: true): "The clock is right, and is kept right from now on"
        case .clock(let step, let synchronised):
            (step < .zero
                ? "The clock is set back by \(length(.zero - step))" : "The clock is set forward by \(length(step))")
                + (synchronised ? " by what keeps it right from now on" : "")
        case .pause(let time): "The virtual machine stands still for \(length(time)), and its clocks with it"
        case .rtc(let error):
            "At its next start the machine's clock is \(length(error < .zero ? .zero - error : error)) "
                + (error < .zero ? "behind" : "ahead")
        case .slew(let shift):
            "The clock runs \(shift < .zero ? "slow" : "fast") until it has shifted by "
                + length(shift < .zero ? .zero - shift : shift)
        case .travel(let zone): "The machine is in \(zone.identifier) now"
        case .channel(let channel, let isDead):
            isDead
                ? "Nothing gets through by \(channel.rawValue)" : "What goes by \(channel.rawValue) gets through again"
        case .rules: "The settings change"
        }
    }

    static let shape = Shape([
        Key("at", .instant, .never, "what the wall clock of the machine showed"),
        Key("local", .text, .never, "the same in the zone in force, with its offset"),
        Key("minutes", .integer(.minutes), .null, "after dose 1, by a clock that nobody sets"),
        Key("kind", .words { Kind.allCases.map(\.rawValue) }), Key("text", .text),
        Key("reminder", .words { ReminderID.allCases.map(\.rawValue) }, .absent), Key("due", .instant, .absent),
        Key("late_seconds", .integer(.seconds), .absent, "how late it was told"),
        Key(
            "channels", .list(.text), .absent,
            "journal; notifications where it was put on the screen then; audio where the alarm could be heard"),
    ])

    var json: JSONObject {
        var object: JSONObject = [
            "at": .instant(entry.clock.wall),
            "local": .string(LocalTimeFormat.iso8601(entry.clock.wall, in: entry.zone)),
            "minutes": minutes.map(JSONValue.integer) ?? .null, "kind": .string(kind.rawValue), "text": .string(text),
        ]
        if let reminder {
            object["reminder"] = .string(reminder.id.rawValue)
            object["due"] = .instant(reminder.due)
        }
        if let lateSeconds { object["late_seconds"] = .integer(lateSeconds) }
        if let channels { object["channels"] = .array(channels.map(JSONValue.string)) }
        return object
    }
}

extension Timeline.Happening {
    /// True for an action of plugins.
    fileprivate var isOfPlugins: Bool {
        switch self {
        case .shown, .unshown, .withdrawn, .said, .ran, .journaled: true
        case .recorded, .phase, .declined, .failed, .repeated, .befell, .resumed: false
        }
    }

    /// True if entries after this one must stay after it.
    fileprivate var isBoundary: Bool {
        switch self {
        case .befell, .resumed: true
        default: false
        }
    }

    /// True if the alarm was played or spoken, and could be heard.
    var isHeard: Bool {
        if case .ran(let purpose, _, worked: true) = self { purpose != "hook" } else { false }
    }
}
