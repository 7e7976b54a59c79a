/// What the lab can ask about: something a night had, as the record knows it (R34.1). The raw value is the word on the
/// command line and on D-Bus.
public enum LabExposure: String, Hashable, Sendable, CaseIterable {
    /// Between dose 1 and dose 2, as counted.
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

    /// It was so in a night, or it was not.
    public var isYesNo: Bool {
        switch self {
        case .lateMeal, .alcohol, .screens: true
        case .interval, .bedtime, .split: false
        }
    }

    /// What one step of it is, in its unit: 30 minutes, an hour in minutes, 10 percent; 1 where it is yes or no. Effects are
    /// told for one step.
    public var step: Double {
        switch self {
        case .interval: 30
        case .bedtime: 60
        case .split: 10
        case .lateMeal, .alcohol, .screens: 1
        }
    }
}

/// How the day after a night was (R34.2).
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

    /// The smallest difference that matters, in its unit.
    public var margin: Double {
        switch self {
        case .rested, .grogginess: 0.5
        case .clarity: 1
        case .wellness: 5
        case .napMinutes: 15
        }
    }
}

/// What may be planned on purpose: a closed list of routines (R34.7). None is about a dose.
public enum LabRoutine: String, Hashable, Sendable, CaseIterable {
    case screens
    case lateMeal = "late_meal"
    case caffeineEnd = "caffeine_end"
    case room
    case nap
    case bedtimeEarlier = "bedtime_earlier"
    case bedtimeLater = "bedtime_later"

    /// What of the record it is about; nil for what the record does not know.
    public var exposure: LabExposure? {
        switch self {
        case .screens: .screens
        case .lateMeal: .lateMeal
        case .bedtimeEarlier, .bedtimeLater: .bedtime
        case .caffeineEnd, .room, .nap: nil
        }
    }

    /// Why nothing is asked or planned about what is prescribed.
    public static let noDoses =
        sent(
            "the lab plans no change of doses, amounts or intervals: what is prescribed is changed with the prescriber only"
        )

    /// Whether somebody asks for a plan about what is prescribed.
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
    /// With the routine.
    case a
    /// As usual.
    case b
}

/// What was kept of a plan in a night.
public enum LabKept: String, Hashable, Sendable, CaseIterable {
    case a
    case b
    case neither
}

/// What the lab can say. None of them says that one thing brings about the other.
public enum LabVerdict: String, Hashable, Sendable, CaseIterable {
    /// The interval leaves out 0.
    case goesWith = "goes_with"
    /// The interval lies within the differences that do not matter.
    case noDifference = "no_difference"
    /// Anything else.
    case cannotTell = "cannot_tell"
}

/// Why the lab cannot tell.
public enum LabReason: String, Hashable, Sendable, CaseIterable {
    /// Fewer known nights than ``LabLimits/fewestNights``.
    case fewNights = "few_nights"
    /// Fewer than ``LabLimits/fewestOfEach`` nights with, or without.
    case fewOfEach = "few_of_each"
    /// What is asked about hardly varies beside trend, weekday and regimen.
    case noSpread = "no_spread"
    /// The outcome hardly varies.
    case noChange = "no_change"
    /// A day is so much like the one before it that the nights say little.
    case alike
    /// Too few nights for each regimen.
    case manyRegimens = "many_regimens"
    /// No effect can be left out on one side.
    case open
    /// The interval holds 0 and differences that matter.
    case wide
    /// It would go with it if this were the only question.
    case manyQuestions = "many_questions"
    /// Too few days that follow one another, so that nobody knows how much a day is like the one before it.
    case fewInARow = "few_in_a_row"
    /// Fewer known pairs than ``LabLimits/fewestPairs``.
    case fewPairs = "few_pairs"
}

/// Numbers of the lab.
public enum LabLimits {
    /// Known nights below which nothing is told.
    public static let fewestNights = 60
    /// How many nights a question may wait for.
    public static let nights = fewestNights...730
    /// Nights with and nights without, of a question that is yes or no; below and above the mean of any other.
    public static let fewestOfEach = 15
    /// Pairs of a plan.
    public static let pairs = fewestPairs...180
    public static let fewestPairs = 14
    /// Correlation of a day with the next one above which nothing is told.
    public static let mostAlike = 0.8
    /// Known days with a known day before them, below which that correlation is unknown.
    public static let fewestInARow = 15
    /// How often a link may be found that is none.
    public static let level = 0.05
    /// Questions this many days apart are judged together.
    public static let familyDays = 180
    /// Seeds, so that every reader of JSON has them whole.
    public static let seeds = 0...9_007_199_254_740_991
    /// How far ahead a plan may begin, in days.
    public static let daysAhead = 60

    /// How often, of a hundred people with a link of r 0.3, so many nights find it: by simulation, with one question.
    public static func power(nights: Int) -> Int { nights < 75 ? 38 : nights < 135 ? 48 : 79 }
}
