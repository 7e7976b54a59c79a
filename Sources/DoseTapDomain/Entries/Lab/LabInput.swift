/// The input of the lab. The input is checked, with faults in sentences, before the record is looked at.
enum LabInput {
    static let question = ["exposure", "outcome", "nights", "from_date"]
    static let plan = ["routine", "outcome", "pairs", "seed", "from_date"]
    static let night = ["plan_id", "night_date", "kept"]

    /// Checks keys and words. Input about a dose is refused with a sentence of its own, and so is a plan of alcohol.
    static func check(_ said: JSONObject, _ keys: [String]) throws(CommandFailure) {
        if let stray = said.keys.first(where: { !keys.contains($0) }) {
            if LabRoutine.isAboutDoses(stray) { throw .invalidInput(LabRoutine.noDoses) }
            throw .invalidInput(sent("the lab is told no '\(stray.prefix(40))'"))
        }
        if keys.contains("routine"), let word = said["routine"]?.stringValue, LabRoutine(rawValue: word) == nil {
            if LabRoutine.isAboutDoses(word) { throw .invalidInput(LabRoutine.noDoses) }
            if word.lowercased().contains("alcohol") {
                throw .invalidInput(sent("alcohol is not planned: the labels of oxybates warn of both together"))
            }
        }
        try word(said, keys, "exposure", LabExposure.allCases.map(\.rawValue))
        try word(said, keys, "routine", LabRoutine.allCases.map(\.rawValue))
        try word(said, keys, "outcome", LabOutcome.allCases.map(\.rawValue))
        try word(said, keys, "kept", LabKept.allCases.map(\.rawValue))
    }

    private static func word(
        _ said: JSONObject, _ keys: [String], _ key: String, _ known: [String]
    ) throws(CommandFailure) {
        guard keys.contains(key) else { return }
        guard let word = said[key]?.stringValue, known.contains(word) else {
            if key == "exposure", let word = said[key]?.stringValue, LabRoutine.isAboutDoses(word) {
                throw .invalidInput(LabRoutine.noDoses)
            }
            throw .invalidInput(sent("\(key) is one of \(known.joined(separator: ", "))"))
        }
    }

    /// Returns the first night that has not begun, and fills that night in if none is said.
    static func first(
        _ said: inout JSONObject, _ decision: CommandDecision, _ what: String
    ) throws(CommandFailure) -> SessionDate {
        guard decision.options.at == nil else {
            throw .invalidInput(sent("\(what) begins with a night, not at a time"))
        }
        let first = decision.firstComingDate
        said["from_date"] = said["from_date"] ?? .string(first.text)
        return first
    }

    static func fault(_ error: PayloadError) -> CommandFailure {
        switch error.key {
        case "nights":
            .invalidInput(
                sent("a question waits for \(LabLimits.nights.lowerBound) to \(LabLimits.nights.upperBound) nights"))
        case "pairs":
            .invalidInput(
                sent("a plan has \(LabLimits.pairs.lowerBound) to \(LabLimits.pairs.upperBound) pairs of nights"))
        case "seed": .invalidInput(sent("the seed is a whole number from 0 to \(LabLimits.seeds.upperBound)"))
        case "from_date", "night_date": .invalidInput(sent("a night is a date, YYYY-MM-DD"))
        default: .invalidInput(error.description)
        }
    }
}

extension CommandDecision {
    /// The first night of which nothing can be known: the record has nothing of that night, and the time at which the person plans
    /// to wake has not come. The date alone would last until the hour of rollover.
    fileprivate var firstComingDate: SessionDate {
        let date = date(of: at)
        let local = context.zone.local(at)
        let isOver = local.date > date.civil && local.time >= context.rules.wake
        let isTold =
            logState.sessions.contains { $0.date == date }
            || logState.preSleepLogs.contains { $0.isActive && self.date(of: $0.at) == date }
        return isOver || isTold ? SessionDate(date.civil.adding(days: 1)) : date
    }
}

extension JSONObject {
    /// Returns the same entries in the order of another object, with further entries at the end.
    func sorted(as other: JSONObject) -> JSONObject {
        JSONObject(
            other.compactMap { entry in self[entry.key].map { (entry.key, $0) } }
                + filter { other[$0.key] == nil }.map { ($0.key, $0.value) })
    }
}
