public import DoseTapDomain

/// Nights made by chance, the same for the same seed: the acts of a person half asleep and of a bad machine.
public struct RandomNights: Sendable {
    /// The zones the nights are in.
    public static let zones = [
        "Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns", "America/Santiago", "Asia/Kathmandu",
        "Asia/Tehran", "Australia/Lord_Howe", "Pacific/Chatham", "Pacific/Apia",
    ]
    /// Other zones in which a person may wake up.
    private static let abroad = ["Asia/Tokyo", "America/Los_Angeles", "Europe/Lisbon", "Pacific/Kiritimati"]

    /// The times of the alarm's steps in all of these nights: the usual ones, or times that a person may have set.
    public let ladder: AlarmLadder
    private let zone: Zone
    private let zoneNamed: @Sendable (String) -> Zone?
    private var chance: SplitMix64
    private var steps: [NightScript.Step] = []
    /// The minutes by which a clock is set next. That change may move no reminder.
    private var shift: Int
    /// The instant until which the service is away.
    private var away = Instant.min

    /// - Parameters:
    ///   - zone: the zone in which the nights begin.
    ///   - zoneNamed: finds a zone.
    public init(seed: UInt64, zone: Zone, zoneNamed: @escaping @Sendable (String) -> Zone?) {
        chance = SplitMix64(seed: seed)
        // A log has about fifty such nights.
        shift = Int(seed % 721 * 50 % 721) - 360
        ladder = Self.ladders[Int(seed / 2 % UInt64(Self.ladders.count))]
        self.zone = zone
        self.zoneNamed = zoneNamed
    }

    private static let ladders: [AlarmLadder] = [
        .standard, AlarmLadder(delays: [.speech: .seconds(30), .partner: .seconds(60)]),
        AlarmLadder(delays: [.sound: .seconds(120), .speech: .zero, .hook: .zero]), .standard,
        AlarmLadder(delays: [.sound: .zero, .partner: .seconds(1_200)]),
        AlarmLadder(delays: [.sound: .seconds(600), .speech: .seconds(600), .hook: .seconds(10)]),
    ]

    /// Returns the dates from 2016 to 2036 in whose nights the clocks of a zone change.
    public static func changes(in zone: Zone) -> [CivilDate] {
        dates.filter { date in
            zone.offset(at: moment(12, of: date, in: zone))
                != zone.offset(at: moment(12, of: date.adding(days: 1), in: zone))
        }
    }

    /// Returns a number of dates from 2016 to 2036 in order, at least a night apart. Dates on which clocks change are
    /// chosen first.
    public mutating func dates(_ count: Int) -> [CivilDate] {
        var chosen: Set<CivilDate> = []
        let others = Self.dates.shuffled(using: &chance)
        for date in Self.changes(in: zone).shuffled(using: &chance) + others where chosen.count < count {
            guard !chosen.contains(date.adding(days: -1)), !chosen.contains(date.adding(days: 1)) else { continue }
            chosen.insert(date)
        }
        return chosen.sorted()
    }

    private static let dates: [CivilDate] = {
        guard let first = CivilDate(year: 2016, month: 1, day: 1), let last = CivilDate(year: 2036, month: 12, day: 31)
        else { return [] }
        var dates = [first]
        while let date = dates.last, date < last { dates.append(date.adding(days: 1)) }
        return dates
    }()

    /// The first moment at which the local clock showed, or jumped past, a full hour.
    private static func moment(_ hour: Int, of date: CivilDate, in zone: Zone) -> Instant {
        zone.resolve(LocalDateTime(date: date, time: ClockTime(hour: hour))).first
    }

    /// A night that begins on a date.
    public mutating func night(on date: CivilDate) -> NightScript {
        (steps, away) = ([], .min)
        let start = Self.moment(20, of: date, in: zone) + .seconds(Int.random(in: 0..<14_400, using: &chance))
        let dose1 = start + .seconds(Int.random(in: 60..<3_600, using: &chance))
        var rules = NightRules.standard
        rules.targetMinutes = NightRules.targets.randomElement(using: &chance) ?? 165
        rules.snoozeStepMinutes = Int.random(in: 1...30, using: &chance)
        rules.maximumSnoozes = Int.random(in: 0...10, using: &chance)
        rules.onceNightly = chance.isLucky(1, in: 40)
        let happenings = happenings(from: dose1, rules).sorted { $0.0 < $1.0 }
        for (at, act) in happenings { add(act, at: at) }
        let end = max(dose1 + .hours(17), away)
        return NightScript(zone: zone, start: start, end: end, rules: rules, ladder: ladder, steps: steps)
    }

    private mutating func happenings(from dose1: Instant, _ rules: NightRules) -> [(Instant, NightScript.Act)] {
        let late = chance.isLucky(1, in: 8) ? Duration.minutes(Int.random(in: 1...200, using: &chance)) : nil
        var all: [(Instant, NightScript.Act)] = [(dose1, asks(.logDose(.dose1), ago: late))]
        // The acts of the person.
        if chance.isLucky(3, in: 5) { all.append((dose1 + minutes(100...290), settling())) }
        for _ in 0..<Int.random(in: 0...3, using: &chance) { all.append((dose1 + minutes(140...240), asks(.snooze))) }
        if chance.isLucky(1, in: 4), let (at, _) = all.last {
            all.append((at + .seconds(Int.random(in: 1...70, using: &chance)), asks(.undo)))
        }
        if chance.isLucky(1, in: 3) { all.append((dose1 + minutes(1...400), asks(.logSleepEvent("bathroom")))) }
        if chance.isLucky(1, in: 6) { all.append((dose1 + minutes(30...500), asks(.logFinalWake))) }
        if chance.isLucky(1, in: 10) { all.append((dose1 + minutes(0...300), asks(.logDose(.dose2), sure: true))) }
        // The troubles of the machine.
        for _ in 0..<Int.random(in: 0...3, using: &chance) { all.append((dose1 + near(rules), outage())) }
        if chance.isLucky(1, in: 2) { all += clockTrouble(dose1) }
        if chance.isLucky(1, in: 10) { all += clockTrouble(dose1) }
        if chance.isLucky(1, in: 8), let zone = Self.abroad.randomElement(using: &chance).flatMap(zoneNamed) {
            all.append((dose1 + minutes(0...280), .travel(zone)))
        }
        for channel in SimulatedChannel.allCases where chance.isLucky(1, in: 8) {
            let at = dose1 + minutes(0...230)
            all.append((at, .channel(channel, isDead: true)))
            all.append((at + minutes(1...120), .channel(channel, isDead: false)))
        }
        if chance.isLucky(1, in: 15) {
            var others = rules
            others.targetMinutes = NightRules.targets.randomElement(using: &chance) ?? 165
            if others != rules { all.append((dose1 + minutes(0...240), .rules(others))) }
        }
        return all
    }

    private mutating func settling() -> NightScript.Act {
        chance.isLucky(1, in: 4) ? asks(.skipDose2) : asks(.logDose(.dose2), sure: chance.isLucky(1, in: 2))
    }

    private mutating func outage() -> NightScript.Act {
        switch Int.random(in: 0..<8, using: &chance) {
        case 0...3: .suspend(.seconds(Int.random(in: 1...21_600, using: &chance)))
        case 4...5: .crash(.seconds(chance.isLucky(2, in: 3) ? 1 : Int.random(in: 1...7_200, using: &chance)))
        case 6: .reboot(.seconds(Int.random(in: 20...3_600, using: &chance)))
        default: .crash(.seconds(1))
        }
    }

    /// Returns any moment of the night; half of the time a second before a reminder.
    private mutating func near(_ rules: NightRules) -> Duration {
        guard chance.isLucky(1, in: 2) else { return minutes(0...280) }
        let alarm = Duration.minutes(rules.targetMinutes)
        let plan = ReminderPlan.items(dose1: Instant(seconds: 0), alarm: alarm).map { $0.due - Instant(seconds: 0) }
        return (plan.randomElement(using: &chance) ?? alarm) - .seconds(1)
    }

    /// Returns a trouble of the machine's clocks.
    private mutating func clockTrouble(_ dose1: Instant) -> [(Instant, NightScript.Act)] {
        let (before, at) = (dose1 - .seconds(30), dose1 + minutes(0...280))
        let (later, length) = (at + minutes(1...120), length())
        let either = chance.isLucky(1, in: 2) ? length : .zero - length
        let isCorrected = chance.isLucky(2, in: 3)
        func corrected(_ act: NightScript.Act) -> [(Instant, NightScript.Act)] { isCorrected ? [(later, act)] : [] }
        switch Int.random(in: 0..<12, using: &chance) {
        // Set back by hand.
        case 0...1:
            let back = nextShift()
            let length = back < .zero ? .zero - back : back
            return [(at, .clock(.zero - length))] + corrected(.clock(length, synchronised: chance.isLucky(1, in: 2)))
        // Wrong at dose 1, and set right by the first synchronisation.
        case 2...4:
            let shift = nextShift()
            return [(before, .clock(.zero - shift)), (at, .clock(shift, synchronised: true))]
        // Set ahead by hand.
        case 5:
            return [(at, .clock(length))] + corrected(.clock(.zero - length, synchronised: chance.isLucky(1, in: 2)))
        // Set by a time server that is wrong, or that was.
        case 6: return [(at, .clock(either, synchronised: true))]
        // A virtual machine stands still; its host sets the clock right.
        case 7:
            let pause = minutes(1...120)
            return [(at, .pause(pause))] + (isCorrected ? [(at + pause, .clock(pause, synchronised: true))] : [])
        case 8:
            let slew = Duration.seconds(Int.random(in: 1...1_800, using: &chance))
            return [(at, .slew(chance.isLucky(1, in: 2) ? slew : .zero - slew))]
        // Started anew without a network, or with a hardware clock that is wrong.
        case 9:
            return [(at, .reboot(.seconds(Int.random(in: 20...3_600, using: &chance)), synchronised: false))]
                + corrected(.clock(.zero, synchronised: true))
        case 10:
            return [(at, .rtc(either)), (at, .reboot(.seconds(Int.random(in: 20...3_600, using: &chance))))]
                + corrected(.clock(.zero - either, synchronised: true))
        // Nothing vouches for the clock all night.
        default: return [(before, .clock(.zero))]
        }
    }

    /// Returns the next change of a clock that may move no reminder: each minute from -6 h to +6 h, one after the
    /// other.
    private mutating func nextShift() -> Duration {
        defer { shift = shift == 360 ? -360 : shift + 1 }
        return .minutes(shift)
    }

    /// Returns the length of a change of a clock: up to six hours, sometimes a little, or half a day.
    private mutating func length() -> Duration {
        guard chance.isLucky(1, in: 4) else { return minutes(0...360) }
        return .seconds([1, 10, 59, 60, 61, 300, 43_200].randomElement(using: &chance) ?? 1)
    }

    private mutating func minutes(_ range: ClosedRange<Int>) -> Duration {
        .seconds(Int.random(in: (range.lowerBound * 60)...(range.upperBound * 60), using: &chance))
    }

    private mutating func asks(
        _ command: Command, sure: Bool = false, ago: Duration? = nil
    ) -> NightScript.Act {
        var options = CommandOptions(surface: .cli)
        // The person has answered every question in advance, or none.
        if sure { options.confirmations = Set(Confirmation.allCases) }
        return .asks(command, options, ago: ago)
    }

    private mutating func add(_ act: NightScript.Act, at: Instant) {
        let at = max(at, away, steps.last?.at ?? at)
        steps.append(NightScript.Step(line: 0, at: at, act: act))
        away = at + act.outage
    }
}

extension SplitMix64 {
    /// Returns true with a chance of `wins` in `tries`.
    fileprivate mutating func isLucky(_ wins: Int, in tries: Int) -> Bool {
        Int.random(in: 0..<tries, using: &self) < wins
    }
}
