/// The `stats --json` object, also what D-Bus `Stats` answers.
extension NightStatistics {
    /// Keys as in `Config/schemas/v1/stats.json`; null is unknown.
    public var json: JSONObject {
        var object = figures.json
        object["from"] = first.map { .string($0.text) } ?? .null
        object["to"] = last.map { .string($0.text) } ?? .null
        object["target_min"] = .integer(Int64(targetMinutes))
        object["trend"] =
            trend.map {
                [
                    "direction": .string($0.direction.rawValue),
                    "earlier_mean_min": .number(NightFigures.tenth($0.earlierMinutes)),
                    "later_mean_min": .number(NightFigures.tenth($0.laterMinutes)),
                ]
            } ?? .null
        object["recommended_interval_min"] = recommendedMinutes.map { .integer(Int64($0)) } ?? .null
        var zones = JSONObject()
        for zone in Effectiveness.Zone.allCases {
            guard let figures = self.zones[zone] else { continue }
            zones[zone.rawValue] = [
                "total_sleep_min": .object(figures.totalSleep.json), "wellness_score": .object(figures.wellness.json),
            ]
        }
        object["zones"] = .object(zones)
        object["intervals"] = .array(
            intervals.map { ["session_date": .string($0.date.text), "interval_min": .integer($0.minutes)] })
        object["groups"] = .array(
            groups.map { group in
                var figures = JSONObject()
                figures["key"] = .string(group.key)
                for entry in group.figures.json { figures[entry.key] = entry.value }
                return .object(figures)
            })
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("statistics", json)
        figures = try NightFigures(reader)
        first = reader.value("from") == nil ? nil : try reader.date("from")
        last = reader.value("to") == nil ? nil : try reader.date("to")
        targetMinutes = try reader.integer("target_min")
        trend = nil
        if let found = try reader.optionalNested("trend") {
            trend = Effectiveness.Trend(
                direction: try found.word("direction"), earlierMinutes: try found.number("earlier_mean_min"),
                laterMinutes: try found.number("later_mean_min"))
        }
        recommendedMinutes = try reader.optionalInteger("recommended_interval_min")
        zones = [:]
        let found = try reader.nested("zones")
        for zone in Effectiveness.Zone.allCases {
            guard let figures = try found.optionalNested(zone.rawValue) else { continue }
            zones[zone] = ZoneFigures(
                totalSleep: try .init(try figures.nested("total_sleep_min")),
                wellness: try .init(try figures.nested("wellness_score")))
        }
        intervals = []
        for value in try reader.list("intervals") {
            let interval = try PayloadReader("interval", json: value)
            intervals.append(
                Interval(date: try interval.date("session_date"), minutes: Int64(try interval.integer("interval_min"))))
        }
        groups = []
        for value in try reader.list("groups") {
            let group = try PayloadReader("group", json: value)
            groups.append(Group(key: try group.string("key"), figures: try NightFigures(group)))
        }
    }
}
