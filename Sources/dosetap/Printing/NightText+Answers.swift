internal import DoseTapDomain

extension NightText {
    /// Answers in a line: what was asked in a word, and what was answered.
    ///
    /// - Parameter all: also what was answered with no.
    static func answers(
        _ values: JSONObject, _ kind: Questionnaire.Kind, _ moments: Moments, all: Bool = false
    ) -> String {
        let questionnaire = Questionnaire.of(kind)
        return questionnaire.restored(values).values.compactMap { entry -> String? in
            if entry.value == false, !all { return nil }
            let item = questionnaire[entry.key]
            let name = name(of: entry.key, item)
            if item?.kind == .instant, let instant = entry.value.instantValue {
                return "\(name) \(moments.dateAndClock(instant))"
            }
            let answer = AnswerLabel.text(entry.value, item)
            return SafeText.line(entry.value == true ? name : "\(name): \(answer)")
        }.joined(separator: ", ")
    }

    /// The key as people say it; a unit that stands beside the answer is not said twice.
    private static func name(of key: String, _ item: Questionnaire.Item?) -> String {
        var words = key.split(separator: "_").map(String.init)
        if case .whole(_, _, let unit)? = item?.kind, words.count > 1, words.last == unit { words.removeLast() }
        if item?.kind == .instant, words.count > 1, words.last == "at" { words.removeLast() }
        return words.joined(separator: " ")
    }

    /// The measures of the sleep logState that are known; nil for none.
    static func sleep(_ logState: SleepDiary) -> String? {
        func minutes(_ value: Int?) -> String? { value.map { Words.minutes(Int64($0)) } }
        let parts = [
            minutes(logState.timeInBedMinutes).map { "\($0) in bed" },
            minutes(logState.totalSleepMinutes).map { "\($0) asleep" },
            logState.sleepEfficiencyPercent.map { "\($0) % of it" },
            minutes(logState.sleepOnsetLatencyMinutes).map { "asleep after \($0)" },
            logState.awakenings.map { "woke up \($0 == 1 ? "once" : "\($0) times")" },
            minutes(logState.wakeAfterSleepOnsetMinutes).map { "awake for \($0)" },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Pre-sleep logs and medicines that belong to no night.
    static func stock(_ entries: [NightRecord.Entry], _ context: Context) -> [String] {
        guard !entries.isEmpty else { return [] }
        let moments = context.moments(in: context.shownZone())
        return ["Inventory:"] + entries.flatMap { lines($0, moments, context.terminal.columns) }
    }

    static func loose(_ entries: [NightRecord.Entry], _ context: Context) -> [String] {
        guard !entries.isEmpty else { return [] }
        let moments = context.moments(in: context.shownZone())
        return entries.flatMap { entry in
            ["\(moments.dateAndClock(entry.timestamp)), it belongs to no night"]
                + lines(entry, moments, context.terminal.columns)
        }
    }
}
