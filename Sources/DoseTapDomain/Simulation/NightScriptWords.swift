/// The words of one line after its time, which name an act.
struct NightScriptWords {
    let reader: NightScriptReader
    let verb: String
    let rest: [String]

    /// Every word a line can have after its time.
    static let verbs = [
        "log", "snooze", "skip", "wake", "checkin", "undo", "suspend", "crash", "reboot", "pause", "clock", "rtc",
        "slew",
        "travel", "set", "no-notifications", "notifications", "no-audio", "audio",
    ]

    /// The time for which a killed service is away where the script says no other.
    private static let restart: Duration = .seconds(1)
    /// The time that a machine takes to start.
    private static let boot: Duration = .seconds(60)
    /// The largest step of a clock at a time.
    private static let furthest: Duration = .hours(48)
    private static let furthestSlewed: Duration = .hours(1)

    func act() throws(NightScriptFault) -> NightScript.Act {
        switch verb {
        case "log": try log()
        case "snooze": try asks(.snooze, rest)
        case "skip": try asks(.skipDose2, rest)
        case "wake": try asks(.logFinalWake, rest)
        case "undo": try asks(.undo, rest)
        case "checkin": try asks(.saveCheckIn(JSONObject(), night: nil), rest)
        case "suspend": .suspend(try outage(nil, rest))
        case "crash": .crash(try outage(Self.restart, rest))
        case "reboot": try reboot()
        case "pause": .pause(try outage(nil, rest))
        case "clock": try clock()
        case "rtc": .rtc(try shift(rest, "rtc -10m", atMost: Self.furthest))
        case "slew": try slew()
        case "travel": try travel()
        default: try channel()
        }
    }

    private func log() throws(NightScriptFault) -> NightScript.Act {
        guard let what = rest.first else { throw reader.fault("Log what? For example log dose1 2.25g.") }
        let command: Command =
            switch what {
            case "dose1": .logDose(.dose1)
            case "dose2": .logDose(.dose2)
            case "extra": .logDose(.extra)
            default: .logSleepEvent(what)
            }
        var options = Array(rest.dropFirst())
        guard case .logDose = command, let amount = options.first, !amount.hasPrefix("--") else {
            return try asks(command, options)
        }
        options.removeFirst()
        do throws(AmountError) {
            let read = try Amount(text: amount)
            // The content of a millilitre is known at the recording.
            if !read.unit.needsConcentration { _ = try read.milligrams(nil) }
        } catch { throw reader.fault("\(error.description).") }
        return try asks(command, options, amount: amount)
    }

    private func asks(
        _ command: Command, _ words: [String], amount: String? = nil
    ) throws(NightScriptFault) -> NightScript.Act {
        var options = CommandOptions(surface: .cli)
        options.amountText = amount
        var ago: Duration?
        var words = words[...]
        while let word = words.popFirst() {
            guard let value = words.popFirst() else { throw reader.fault("'\(word.prefix(40))' says nothing here.") }
            switch word {
            case "--confirm":
                for part in value.split(separator: ",") {
                    guard let confirmation = Confirmation(rawValue: String(part)) else {
                        let known = Confirmation.allCases.map(\.rawValue).joined(separator: ", ")
                        throw reader.fault("There is no confirmation '\(part.prefix(40))': \(known).")
                    }
                    options.confirmations.insert(confirmation)
                }
            case "--ago": ago = try reader.duration(value)
            default: throw reader.fault("'\(word.prefix(40))' says nothing here: --confirm or --ago.")
            }
        }
        return .asks(command, options, ago: ago)
    }

    private func reboot() throws(NightScriptFault) -> NightScript.Act {
        let isDenied = rest.last == "unsynchronised"
        return .reboot(try outage(Self.boot, isDenied ? rest.dropLast() : rest), synchronised: !isDenied)
    }

    private func outage(_ usual: Duration?, _ words: [String]) throws(NightScriptFault) -> Duration {
        guard let length = words.isEmpty ? usual : try reader.duration(words.joined(separator: " ")) else {
            throw reader.fault("How long? For example \(verb) 20m.")
        }
        guard length >= .seconds(1), length <= NightScript.longest else {
            throw reader.fault("A \(verb) takes at least a second and at most 14 days.")
        }
        return length
    }

    private func clock() throws(NightScriptFault) -> NightScript.Act {
        let isSynchronised = rest.count == 2 && rest[1] == "synchronised"
        return .clock(
            try shift(isSynchronised ? Array(rest.prefix(1)) : rest, "clock +3h or clock -90s", atMost: Self.furthest),
            synchronised: isSynchronised)
    }

    private func slew() throws(NightScriptFault) -> NightScript.Act {
        let shift = try shift(rest, "slew -90s", atMost: Self.furthestSlewed)
        guard shift != .zero else { throw reader.fault("A clock is slewed by at least a second.") }
        return .slew(shift)
    }

    /// Reads a duration with its sign.
    private func shift(
        _ words: [String], _ example: String, atMost furthest: Duration
    ) throws(NightScriptFault) -> Duration {
        guard words.count == 1, let sign = words[0].first, sign == "+" || sign == "-" else {
            throw reader.fault("By how much? For example \(example).")
        }
        let length = try reader.duration(String(words[0].dropFirst()))
        guard length <= furthest else {
            throw reader.fault("At most \(LocalTimeFormat.interval(furthest)) at a time.")
        }
        return sign == "+" ? length : .zero - length
    }

    private func travel() throws(NightScriptFault) -> NightScript.Act {
        guard rest.count == 1 else { throw reader.fault("Where to? For example travel America/New_York.") }
        return .travel(try reader.zone(rest[0]))
    }

    private func channel() throws(NightScriptFault) -> NightScript.Act {
        let isDead = verb.hasPrefix("no-")
        guard let channel = SimulatedChannel(rawValue: String(isDead ? verb.dropFirst(3) : verb[...])) else {
            let near = Suggestions.to(String(verb.prefix(64)), in: Self.verbs)
            let meant = near.isEmpty ? "" : " Did you mean " + near.map { "'\($0)'" }.joined(separator: " or ") + "?"
            throw reader.fault("There is nothing called '\(verb.prefix(40))'.\(meant)")
        }
        guard rest.isEmpty else { throw reader.fault("Nothing comes after \(verb).") }
        return .channel(channel, isDead: isDead)
    }
}
