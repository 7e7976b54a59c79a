extension NightScript {
    /// The script as text, which reads back as the same night.
    public var text: String {
        var lines = ["zone \(zone.identifier)", "start \(start.iso8601)"]
        lines += Self.lines(from: .standard, to: rules).map { "set " + $0 }
        lines += Self.lines(ladder)
        var rules = rules
        for step in steps {
            let words: [String]
            if case .rules(let new) = step.act {
                let changed = Self.lines(from: rules, to: new).map { "set " + $0 }
                // A line that sets the values in force is a step, too.
                words = changed.isEmpty ? ["set target_minutes \(new.targetMinutes)"] : changed
                rules = new
            } else {
                words = [Self.words(step.act)]
            }
            lines += words.map { "\(step.at.iso8601) \($0)" }
        }
        lines.append("until \(end.iso8601)")
        return lines.joined(separator: "\n") + "\n"
    }

    private static func lines(_ ladder: AlarmLadder) -> [String] {
        EscalationStep.allCases.filter { ladder.delays[$0] != AlarmLadder.standard.delays[$0] }.map { rung in
            "set \(rung.scriptKey) \(ladder.delays[rung].map { "\($0.wholeSeconds)" } ?? "off")"
        }
    }

    private static func lines(from old: NightRules, to new: NightRules) -> [String] {
        let before = old.json.objectValue ?? JSONObject()
        return (new.json.objectValue ?? JSONObject()).compactMap { entry in
            guard before[entry.key] != entry.value else { return nil }
            return "\(entry.key) \(entry.value.stringValue ?? entry.value.serialized())"
        }
    }

    /// Returns the words by which a line names an act.
    public static func words(_ act: Act) -> String {
        switch act {
        case .asks(let command, let options, let ago):
            ([command.scriptWords] + (options.amountText.map { [$0] } ?? [])
                + (options.confirmations.isEmpty
                    ? [] : ["--confirm", options.confirmations.map(\.rawValue).sorted().joined(separator: ",")])
                + (ago.map { ["--ago", seconds($0)] } ?? [])).joined(separator: " ")
        case .suspend(let length): "suspend \(seconds(length))"
        case .crash(let length): "crash \(seconds(length))"
        case .reboot(let length, let synchronised):
            "reboot \(seconds(length))" + (synchronised ? "" : " unsynchronised")
        case .clock(let step, let synchronised): "clock \(signed(step))" + (synchronised ? " synchronised" : "")
        case .pause(let length): "pause \(seconds(length))"
        case .rtc(let error): "rtc \(signed(error))"
        case .slew(let shift): "slew \(signed(shift))"
        case .travel(let zone): "travel \(zone.identifier)"
        case .channel(let channel, let isDead): (isDead ? "no-" : "") + channel.rawValue
        case .rules: "set"
        }
    }

    private static func seconds(_ length: Duration) -> String { "\(length.wholeSeconds)s" }

    private static func signed(_ shift: Duration) -> String {
        shift < .zero ? "-" + seconds(.zero - shift) : "+" + seconds(shift)
    }
}

extension AlarmLadder {
    /// Reads the ladder from the settings.
    ///
    /// - Parameter settings: the settings that are set, each with `key` and `value`; all others have their defaults.
    public init(settings: [JSONObject]) {
        self = .standard
        for rung in EscalationStep.allCases {
            guard let value = settings.first(where: { $0["key"]?.stringValue == rung.scriptKey })?["value"] else {
                continue
            }
            let seconds = value.integerValue ?? value.stringValue.flatMap(Int64.init)
            delays[rung] = seconds.map { .seconds($0) }
        }
    }
}

extension EscalationStep {
    /// The key in the settings by which a script sets the delay of the step.
    var scriptKey: String {
        switch self {
        case .sound: "ladder.sound_after"
        case .speech: "ladder.speech_after"
        case .hook: "ladder.hooks_after"
        case .partner: "ladder.partner_after"
        }
    }
}

extension Command {
    /// The verb of a script; a comment for commands that no script has.
    fileprivate var scriptWords: String {
        switch self {
        case .logDose(.dose1): "log dose1"
        case .logDose(.dose2): "log dose2"
        case .logDose(.extra): "log extra"
        case .logSleepEvent(let word): "log \(word)"
        case .snooze: "snooze"
        case .skipDose2: "skip"
        case .logFinalWake: "wake"
        case .saveCheckIn: "checkin"
        case .undo: "undo"
        default: "# not of a script"
        }
    }
}

extension NightScript {
    /// Returns a recorded night as a script: its rules, and its entries at the times at which they count. Reminders are
    /// left to the simulation.
    ///
    /// - Parameter ladder: the delays of the alarm's steps, of which the record says nothing.
    /// - Returns: nil for a night without an entry that can be replayed.
    public static func text(replaying night: NightRecord, ladder: AlarmLadder = .standard) -> String? {
        let zone = night.summary.timeZone
        let lines = night.entries.compactMap { entry -> String? in
            guard let words = words(of: entry) else { return nil }
            return "\(entry.timestamp.iso8601) \(words)"
        }
        guard let first = night.entries.first(where: { words(of: $0) != nil }), !lines.isEmpty else { return nil }
        let rules = Self.lines(from: .standard, to: night.rules ?? .standard).map { "set " + $0 } + Self.lines(ladder)
        return (["zone \(zone)", "start \(first.timestamp.iso8601)"] + rules + lines).joined(separator: "\n") + "\n"
    }

    /// Questions that were answered then are answered again: the night is replayed, not judged anew.
    private static let answered =
        "--confirm "
        + Confirmation.allCases.filter { $0 != .clockSuspect }
        .map(\.rawValue).joined(separator: ",")

    private static func words(of entry: NightRecord.Entry) -> String? {
        let amount = entry.metadata["amount_mg"]?.integerValue.map { " \($0)mg" } ?? ""
        return switch entry.type {
        case "dose1": "log dose1\(amount) \(answered)"
        case "dose2": "log dose2\(amount) \(answered)"
        case "extra", "extra_dose": "log extra\(amount) \(answered)"
        case "dose2_skipped": "skip \(answered)"
        case NightRecord.notRecorded: nil
        case "snooze": "snooze \(answered)"
        case "wake_final": "wake \(answered)"
        case EntityType.checkin.rawValue: "checkin \(answered)"
        case let word where EntityType(rawValue: word)?.isStandalone == true: nil
        default: "log \(entry.type) \(answered)"
        }
    }
}
