/// A property of a night that the lab can ask about, as the record knows it (R34.1). The raw value is the word on the
/// command line and on D-Bus.
public enum LabExposure: String, Hashable, Sendable, CaseIterable {
    /// The time between dose 1 and dose 2, as counted.
    case interval
    /// A late meal of any size, of the pre-sleep log.
    case lateMeal = "late_meal"
    /// Any alcohol, of the pre-sleep log.
    case alcohol
    /// Lights out, else going to bed, by the clock of the night.
    case bedtime
    /// The share of dose 1 in both doses.
    case split
    /// Half an hour of screens or more before bed, of the pre-sleep log.
    case screens

    /// True if a night either has the property or not.
    public var isYesNo: Bool {
        switch self {
        case .lateMeal, .alcohol, .screens: true
        case .interval, .bedtime, .split: false
        }
    }

    /// The size of one step, in the unit of the exposure: 30 minutes, an hour in minutes, 10 percent; 1 for a property that is yes
    /// or no. Effects are told for one step.
    public var step: Double {
        switch self {
        case .interval: 30
        case .bedtime: 60
        case .split: 10
        case .lateMeal, .alcohol, .screens: 1
        }
    }
}

/// A measure of the day after a night (R34.2).
public enum LabOutcome: String, Hashable, Sendable, CaseIterable {
    /// `feel_rested` of the check-in, 1 to 5.
    case rested
    /// `mental_clarity`, 1 to 10.
    case clarity
    /// The wellness score, 0 to 100.
    case wellness
    /// `grogginess`, 0 (none) to 4.
    case grogginess
    /// Minutes of the recorded naps of the day.
    case napMinutes = "nap_minutes"

    /// The smallest difference that matters, in the unit of the outcome.
    public var margin: Double {
        switch self {
        case .rested, .grogginess: 0.5
        case .clarity: 1
        case .wellness: 5
        case .napMinutes: 15
        }
    }
}

/// The routines that may be planned: a closed list (R34.7). No routine is about a dose.
public enum LabRoutine: String, Hashable, Sendable, CaseIterable {
    case screens
    case lateMeal = "late_meal"
    case caffeineEnd = "caffeine_end"
    case room
    case nap
    case bedtimeEarlier = "bedtime_earlier"
    case bedtimeLater = "bedtime_later"

    /// The exposure that the routine is about; nil if the record does not know one.
    public var exposure: LabExposure? {
        switch self {
        case .screens: .screens
        case .lateMeal: .lateMeal
        case .bedtimeEarlier, .bedtimeLater: .bedtime
        case .caffeineEnd, .room, .nap: nil
        }
    }

    /// The reason why nothing is asked or planned about prescribed doses.
    public static let noDoses =
        sent(
            "the lab plans no change of doses, amounts or intervals: what is prescribed is changed with the prescriber only"
        )

    /// Returns true if a word is about prescribed doses.
    public static func isAboutDoses(_ word: String) -> Bool {
        let words = [
            "dose", "dosing", "interval", "amount", "regimen", "split", "medic", "mg", "oxybate", "xyrem", "xywav",
            "lumryz", "window", "titrat",
        ]
        let word = word.lowercased()
        return words.contains { word.contains($0) }
    }
}

/// One of the two ways of a routine.
public enum LabArm: String, Hashable, Sendable, CaseIterable {
    /// The night with the routine.
    case a
    /// The night as usual.
    case b
}

/// The way of a plan that was kept in a night.
public enum LabKept: String, Hashable, Sendable, CaseIterable {
    case a
    case b
    case neither
}

/// The verdicts of the lab. No verdict says that one thing brings about the other.
public enum LabVerdict: String, Hashable, Sendable, CaseIterable {
    /// The p-value is at most ``LabLimits/level``, also after Holm.
    case goesWith = "goes_with"
    /// The interval lies within the differences that do not matter.
    case noDifference = "no_difference"
    /// The verdict in every other case.
    case cannotTell = "cannot_tell"
}

/// The reason why the lab cannot tell.
public enum LabReason: String, Hashable, Sendable, CaseIterable {
    /// Fewer known nights than ``LabLimits/fewestNights``.
    case fewNights = "few_nights"
    /// Fewer than ``LabLimits/fewestOfEach`` nights with, or without.
    case fewOfEach = "few_of_each"
    /// The exposure hardly varies beside trend, weekday and regimen.
    case noSpread = "no_spread"
    /// The outcome hardly varies.
    case noChange = "no_change"
    /// A day is so much like the one before it that the nights say little.
    case alike
    /// Too few nights for each regimen.
    case manyRegimens = "many_regimens"
    /// The interval has no end on one side: no difference can be left out there.
    case open
    /// The interval holds 0 and differences that matter.
    case wide
    /// The verdict would be ``LabVerdict/goesWith`` if this were the only question.
    case manyQuestions = "many_questions"
    /// Too few days that follow one another, so that nobody knows how much a day is like the one before it.
    case fewInARow = "few_in_a_row"
    /// Fewer known pairs than ``LabLimits/fewestPairs``.
    case fewPairs = "few_pairs"
}

/// Numbers of the lab.
public enum LabLimits {
    /// The fewest known nights for an answer.
    public static let fewestNights = 60
    /// The numbers of nights that a question may wait for.
    public static let nights = fewestNights...730
    /// The fewest nights with and without, for a question that is yes or no; below and above the mean, for any other.
    public static let fewestOfEach = 15
    /// The numbers of pairs that a plan may have.
    public static let pairs = fewestPairs...180
    public static let fewestPairs = 14
    /// The correlation of a day with the next one above which nothing is told.
    public static let mostAlike = 0.8
    /// Known days with a known day before them, below which that correlation is unknown.
    public static let fewestInARow = 15
    /// The share of cases in which a link may be found that does not exist.
    public static let level = 0.05
    /// Questions this many days apart are judged together.
    public static let familyDays = 180
    /// The seeds that every reader of JSON reads without loss.
    public static let seeds = 0...9_007_199_254_740_991
    /// The most days ahead at which a plan may begin.
    public static let daysAhead = 60

    /// Returns the number of people, of a hundred with a link of r 0.3, whose link so many nights find: by simulation, with one
    /// question.
    public static func power(nights: Int) -> Int { nights < 75 ? 38 : nights < 135 ? 48 : 79 }
}
