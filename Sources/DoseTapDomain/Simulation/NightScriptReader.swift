/// Reads a script from its first line to its last.
struct NightScriptReader {
    private let zoneNamed: (String) -> Zone?
    /// The zone the person is in.
    var zone: Zone
    private var firstZone: Zone
    var rules = NightRules.standard
    private var firstRules = NightRules.standard
    private var ladder = AlarmLadder.standard
    private var start: Instant?
    private var until: Instant?
    private var dose1: Instant?
    /// The line and the end of the last outage.
    private var outage: (line: Int, end: Instant)?
    private var steps: [NightScript.Step] = []
    private var notes: [String] = []
    private var line = 0

    init(zone: Zone, zoneNamed: @escaping (String) -> Zone?) {
        self.zone = zone
        firstZone = zone
        self.zoneNamed = zoneNamed
    }

    mutating func read(_ text: String) throws(NightScriptFault) -> NightScript {
        guard text.utf8.count <= NightScript.bytes else {
            throw NightScriptFault(line: 0, message: "A script has at most \(NightScript.bytes / 1_024) KiB.")
        }
        for line in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            self.line += 1
            let words = line.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" }
            guard let first = words.first else { continue }
            guard self.line <= NightScript.lines else {
                throw NightScriptFault(line: 0, message: "A script has at most \(NightScript.lines) lines.")
            }
            guard line.unicodeScalars.allSatisfy({ !$0.isControlOrBidirectional }) else {
                throw fault("The line holds a control or text-direction character.")
            }
            try read(String(first), words.dropFirst().map(String.init))
        }
        return try script()
    }

    private func script() throws(NightScriptFault) -> NightScript {
        guard let start else {
            throw NightScriptFault(
                line: 0, message: "The script does not say when it begins: write for example start 2026-10-24 22:30.")
        }
        let last = outage?.end ?? steps.last?.at ?? start
        let end = until ?? max(last, start + NightScript.usualLength)
        guard end >= last else {
            throw NightScriptFault(line: 0, message: "The script ends before the last thing in it is over.")
        }
        guard end - start <= NightScript.longest else {
            throw NightScriptFault(line: 0, message: "A script covers at most 14 days.")
        }
        return NightScript(
            zone: firstZone, start: start, end: end, rules: firstRules, ladder: ladder, steps: steps, notes: notes)
    }

    private mutating func read(_ first: String, _ rest: [String]) throws(NightScriptFault) {
        switch first {
        case "zone":
            guard start == nil else { throw fault("The zone comes before the start; later on, travel.") }
            guard rest.count == 1 else { throw fault("Write for example zone Europe/Berlin.") }
            zone = try zone(rest[0])
            firstZone = zone
        case "start":
            guard start == nil else { throw fault("The script began before.") }
            start = try begin(rest.joined(separator: " "))
        case "set":
            try set(rest)
            if start == nil || steps.isEmpty { firstRules = rules } else { try add(.rules(rules), at: now()) }
        case "until":
            guard rest.count == 1 else { throw fault("Write for example until 07:00.") }
            guard until == nil else { throw fault("The script says twice until when.") }
            until = try time(rest[0])
        default:
            guard until == nil else { throw fault("Nothing comes after until.") }
            let at = try time(first)
            guard let verb = rest.first else { throw fault("What happens at \(first)?") }
            try act(verb, Array(rest.dropFirst()), at: at)
        }
    }

    private mutating func act(_ verb: String, _ rest: [String], at: Instant) throws(NightScriptFault) {
        guard verb == "set" else {
            let act = try NightScriptWords(reader: self, verb: verb, rest: rest).act()
            if case .travel(let zone) = act { self.zone = zone }
            if case .asks(.logDose(.dose1), _, let ago) = act { dose1 = at - (ago ?? .zero) }
            return try add(act, at: at)
        }
        guard !EscalationStep.allCases.contains(where: { $0.scriptKey == rest.first }) else {
            throw fault("The alarm's ladder is set for the whole night, in a line without a time.")
        }
        try set(rest)
        try add(.rules(rules), at: at)
    }

    private mutating func add(_ act: NightScript.Act, at: Instant) throws(NightScriptFault) {
        if let outage, at < outage.end {
            throw fault("That lies in the time the service is away by line \(outage.line).")
        }
        steps.append(NightScript.Step(line: line, at: at, act: act))
        if act.outage > .zero { outage = (line, at + act.outage) } else { outage = nil }
    }

    private mutating func set(_ words: [String]) throws(NightScriptFault) {
        guard words.count == 2 else { throw fault("Write for example set target_minutes 180.") }
        if let rung = EscalationStep.allCases.first(where: { $0.scriptKey == words[0] }) {
            return try set(rung, words[1])
        }
        guard var object = rules.json.objectValue, let known = object[words[0]] else {
            let keys = (rules.json.objectValue?.keys ?? []) + EscalationStep.allCases.map(\.scriptKey)
            throw fault("There is no setting '\(words[0].prefix(40))' here: \(keys.joined(separator: ", ")).")
        }
        switch known {
        case .integer: object[words[0]] = Int64(words[1]).map(JSONValue.integer)
        case .bool: object[words[0]] = ["true": true, "false": false][words[1]].map(JSONValue.bool)
        default: object[words[0]] = .string(words[1])
        }
        guard object[words[0]] != nil, let rules = try? NightRules(PayloadReader("rules", object)), rules.isInRange
        else { throw fault("'\(words[1].prefix(40))' is no value for \(words[0]).") }
        self.rules = rules
    }

    private mutating func set(_ rung: EscalationStep, _ word: String) throws(NightScriptFault) {
        guard steps.isEmpty else { throw fault("The alarm's ladder is set before anything happens.") }
        let seconds = Int(word)
        guard word == "off" || seconds.map((0...AlarmLadder.mostSeconds).contains) == true else {
            throw fault("'\(word.prefix(40))' is neither 0 to \(AlarmLadder.mostSeconds) seconds nor off.")
        }
        ladder.delays[rung] = seconds.map { .seconds($0) }
    }

    func fault(_ message: String) -> NightScriptFault { NightScriptFault(line: line, message: message) }

    func zone(_ name: String) throws(NightScriptFault) -> Zone {
        guard let zone = zoneNamed(name) else { throw fault("There is no time zone '\(name.prefix(60))'.") }
        return zone
    }

    func duration(_ text: String) throws(NightScriptFault) -> Duration {
        do throws(TimeParseError) { return try TimeExpression.parseDuration(text) } catch {
            throw fault(error.description)
        }
    }
}

/// Times.
extension NightScriptReader {
    /// Returns the last moment that the script spoke of.
    private func now() throws(NightScriptFault) -> Instant {
        guard let start else { throw fault("Say first when the script begins: start 2026-10-24 22:30.") }
        return outage?.end ?? steps.last?.at ?? start
    }

    private mutating func begin(_ text: String) throws(NightScriptFault) -> Instant {
        do throws(TimeParseError) {
            let expression = try TimeExpression(text)
            switch expression.form {
            case .instant(let instant): return instant
            case .date(let date, _) where (1970...9000).contains(date.year):
                switch try expression.resolve(now: Instant(seconds: 0), in: zone) {
                case .instant(let instant): return instant
                case .repeated(let earlier, _):
                    notes.append("line \(line): \(text) comes twice in \(zone.identifier); the first is meant.")
                    return earlier
                }
            default: throw TimeParseError.malformed(text)
            }
        } catch {
            throw fault("\(error.description) A start has a date: start 2026-10-24 22:30.")
        }
    }

    /// Reads `HH:MM` ahead, `+150m` after dose 1 or the start, or an instant with its offset.
    private mutating func time(_ text: String) throws(NightScriptFault) -> Instant {
        let now = try now()
        let at = try time(text, after: now)
        guard at >= now else {
            if let outage, at < outage.end {
                throw fault("That lies in the time the service is away by line \(outage.line).")
            }
            throw fault("\(text) lies before the line above: lines stand in order of time.")
        }
        guard at - (start ?? at) <= NightScript.longest else { throw fault("A script covers at most 14 days.") }
        return at
    }

    private mutating func time(_ text: String, after now: Instant) throws(NightScriptFault) -> Instant {
        if text.hasPrefix("+") { return (dose1 ?? start ?? now) + (try duration(String(text.dropFirst()))) }
        do throws(TimeParseError) {
            let expression = try TimeExpression(text)
            if case .instant(let instant) = expression.form { return instant }
        } catch { throw fault(error.description) }
        do throws(TimeParseError) { return try ahead(try ClockTime(text: text), of: now, text) } catch {
            throw fault(
                "'\(text.prefix(40))' is neither HH:MM, nor +150m, nor an instant such as 2026-01-14T22:30:00Z.")
        }
    }

    /// Returns the next moment at which the local clock shows a time; for a time that the clock leaves out the jump.
    private mutating func ahead(_ time: ClockTime, of now: Instant, _ text: String) throws(TimeParseError) -> Instant {
        let today = zone.date(at: now)
        for days in -1...3 {
            guard let local = LocalDateTime(date: today.adding(days: days), hour: time.hour, minute: time.minute) else {
                continue
            }
            switch zone.resolve(local) {
            case .unique(let instant): if instant >= now { return instant }
            case .repeated(let earlier, let later):
                if earlier >= now {
                    notes.append(
                        "line \(line): \(text) comes twice that night in \(zone.identifier); the first is meant.")
                    return earlier
                }
                if later >= now {
                    notes.append(
                        "line \(line): \(text) comes twice that night in \(zone.identifier); the second is meant.")
                    return later
                }
            case .skipped(let jump):
                guard jump >= now else { continue }
                notes.append(
                    "line \(line): the clocks of \(zone.identifier) are put forward past \(text) that night; the moment they are is meant."
                )
                return jump
            }
        }
        throw .outOfRange(text)
    }
}

extension NightScript {
    /// Reads a script; dosetap(1) tells the form.
    ///
    /// - Parameters:
    ///   - zone: the zone of a script that names none.
    ///   - zoneNamed: finds a zone; nil if no zone has that name.
    /// - Throws: ``NightScriptFault`` with the line.
    public init(_ text: String, zone: Zone, zoneNamed: @escaping (String) -> Zone?) throws(NightScriptFault) {
        var reader = NightScriptReader(zone: zone, zoneNamed: zoneNamed)
        self = try reader.read(text)
    }
}

extension NightRules {
    /// True if every setting has a value that can be set.
    fileprivate var isInRange: Bool {
        Self.targets.contains(targetMinutes) && (1...30).contains(snoozeStepMinutes)
            && (0...10).contains(maximumSnoozes)
            && (1...12).contains(checkInCutoffHours) && (0...23).contains(rolloverHour)
            && (3...600).contains(undoWindowSeconds)
    }
}
