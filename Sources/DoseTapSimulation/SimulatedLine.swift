internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapText
internal import SystemdJournal

/// One line of what a simulation prints.
struct SimulatedLine {
    /// What kind of line; a wire word.
    enum Kind: String, CaseIterable {
        case recorded
        case told
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
    /// Minutes after dose 1, by a clock that nobody sets.
    let minutes: Int64?
    var reminder: ReminderPlan.Item?
    var lateSeconds: Int64?
    var channels: [String]?

    /// The lines of a night. What goes without saying is left out.
    static func lines(of timeline: [Timeline.Entry]) -> [SimulatedLine] {
        let timeline = inOrder(timeline)
        var maker = Maker(timeline: timeline)
        return timeline.indices.compactMap { maker.line(at: $0) }
    }

    /// Of one moment what was recorded comes before what plugins did: which of them is first is a matter of threads.
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
        /// What was recorded up to the line, as the plugins see it.
        var diary = Diary()
        /// When dose 1 was taken, by a clock that nobody sets.
        var dose1: Instant?
        /// What was said last in doubt, where all reminders say the same.
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
            // Each ring would be a line; they are counted below.
            case .ran("hook", let path, _): return line(entry, .program, "Would run \(path)")
            case .ran, .unshown, .said: return nil
            case .phase(let old, let new):
                return line(entry, .phase, "Phase \(old.rawValue) -> \(new.rawValue)")
            case .declined(let command, let failure):
                let sentence = ErrorText.sentence(failure, to: command, moments: Moments(zone: entry.zone))
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
            diary.append([event])
            let stored = StoredEvent(sequence: 0, event: event, previousHash: "", hash: "")
            switch event.payload {
            case .reminderDelivered, .reminderAcknowledged: return nil
            case .reminderFired(let payload):
                return told(ReminderPlan.Item(id: payload.reminder, due: payload.due), event, entry)
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

        private mutating func told(_ item: ReminderPlan.Item, _ event: Event, _ entry: Timeline.Entry) -> SimulatedLine?
        {
            guard let session = event.sessionID.flatMap({ diary.session($0) }) else { return nil }
            let deadline = Deadline(item, of: session, fired: entry.clock.wall, now: entry.clock)
            let isShown = has(at: entry.at) { if case .shown(item, _) = $0 { true } else { false } }
            let names =
                ["journal"] + (isShown ? [SimulatedChannel.notifications.rawValue] : [])
                + (item.id.urgency == .critical && isHeard(at: entry.at) ? [SimulatedChannel.audio.rawValue] : [])
            let message = JournalEntry(reminder: deadline).message
            let isSaid = !deadline.isCertain && item.id.isOfWindow && message == doubt
            if !deadline.isCertain, item.id.isOfWindow { doubt = message }
            let said = isSaid ? "the same, as \(item.id.rawValue)" : message
            var line = line(entry, .told, "TOLD \(said) [\(names.joined(separator: ", "))]")
            line.reminder = item
            line.lateSeconds = max(0, deadline.lateness.wholeSeconds)
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

        /// Whether the alarm rings: between two rings, too.
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

    /// The object of the JSON contract.
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
    /// Whether plugins did it.
    fileprivate var isOfPlugins: Bool {
        switch self {
        case .shown, .unshown, .withdrawn, .said, .ran, .journaled: true
        case .recorded, .phase, .declined, .failed, .repeated, .befell, .resumed: false
        }
    }

    /// Whether what comes after it comes after it.
    fileprivate var isBoundary: Bool {
        switch self {
        case .befell, .resumed: true
        default: false
        }
    }

    /// Whether the alarm was played or spoken, and could be heard.
    var isHeard: Bool {
        if case .ran(let purpose, _, worked: true) = self { purpose != "hook" } else { false }
    }
}
