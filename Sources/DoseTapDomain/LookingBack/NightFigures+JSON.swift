/// Figures as JSON; null is unknown.
extension NightFigures {
    /// Keys as in `Config/schemas/v1/stats.json`.
    public var json: JSONObject {
        var object = JSONObject()
        object["nights"] = .integer(Int64(nights))
        var counts = JSONObject()
        for outcome in NightOutcome.allCases { counts[outcome.rawValue] = .integer(Int64(outcomes[outcome] ?? 0)) }
        counts["optimal"] = .integer(Int64(optimal))
        object["counts"] = .object(counts)
        object["compliance"] = [
            "on_time": .integer(Int64(onTime)), "of": .integer(Int64(judged)), "percent": .orNull(compliancePercent),
        ]
        object["interval"] = .object(intervals.json)
        object["night_score"] = .object(score.json)
        object["wellness_score"] = .object(wellness.json)
        object["sleep"] = .object(
            JSONObject(SleepDiary.keys.map { ($0, .object((sleep[$0] ?? Average([Int]())).json)) }))
        return object
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        nights = try reader.integer("nights")
        let counts = try reader.nested("counts")
        outcomes = [:]
        for outcome in NightOutcome.allCases {
            let count = try counts.optionalInteger(outcome.rawValue) ?? 0
            if count > 0 { outcomes[outcome] = count }
        }
        optimal = try counts.optionalInteger("optimal") ?? 0
        intervals = try Spread(try reader.nested("interval"))
        score = try Average(try reader.nested("night_score"))
        wellness = try Average(try reader.nested("wellness_score"))
        let measures = try reader.nested("sleep")
        sleep = [:]
        for key in SleepDiary.keys {
            sleep[key] = try measures.optionalNested(key).map(Average.init) ?? Average([Int]())
        }
    }
}

extension NightFigures.Average {
    var json: JSONObject { ["count": .integer(Int64(count)), "mean": .orNull(mean)] }

    init(_ reader: PayloadReader) throws(PayloadError) {
        count = try reader.integer("count")
        mean = try reader.optionalNumber("mean")
    }
}

extension NightFigures.Spread {
    var json: JSONObject {
        [
            "count": .integer(Int64(average.count)), "mean_min": .orNull(average.mean), "median_min": .orNull(median),
            "shortest_min": .orNull(least), "longest_min": .orNull(most),
        ]
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        average = NightFigures.Average([Double]())
        average.count = try reader.integer("count")
        average.mean = try reader.optionalNumber("mean_min")
        median = try reader.optionalNumber("median_min")
        least = try reader.optionalNumber("shortest_min")
        most = try reader.optionalNumber("longest_min")
    }
}

extension JSONValue {
    /// A number, or null.
    static func orNull(_ number: Double?) -> JSONValue { number.map(JSONValue.number) ?? .null }
}
