internal import DoseTapDomain
internal import DoseTapText

/// The nights of one week or month in a list.
struct NightGroup: Sendable {
    let key: String
    let nights: [NightSummary]

    /// Groups in the order of their first night.
    static func of(_ nights: [NightSummary], by grouping: Grouping) -> [NightGroup] {
        var keys: [String] = []
        var byKey: [String: [NightSummary]] = [:]
        for night in nights {
            let key = grouping.key(of: night.sessionDate)
            if byKey[key] == nil { keys.append(key) }
            byKey[key, default: []].append(night)
        }
        return keys.map { NightGroup(key: $0, nights: byKey[$0] ?? []) }
    }

    private var figures: NightFigures {
        NightFigures(nights.map { MeasuredNight(night: $0, sleep: SleepDiary(.init())) })
    }

    /// Which nights, and how they went.
    var json: JSONObject {
        let figures = figures
        return [
            "key": .string(key), "nights": .array(nights.map { .string($0.sessionID.text) }),
            "on_time": .integer(Int64(figures.onTime)), "of": .integer(Int64(figures.judged)),
            "mean_interval_min": figures.intervals.average.mean.map(JSONValue.number) ?? .null,
        ]
    }

    /// The heading over its nights.
    var heading: String { HistoryText.heading(key, figures) }
}
