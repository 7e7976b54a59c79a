/// The `status --json` object, also what D-Bus `Status` answers.
extension NightStatus {
    /// Keys as in `Config/schemas/v1/status.json`; instants ISO 8601 UTC with milliseconds, nothing is null.
    public var json: JSONObject {
        var object = window.json
        object.add("at", .instant(at))
        object.add("session_id", sessionID.map { .string($0.text) } ?? .null)
        object.add("session_date", sessionDate.map { .string($0.text) } ?? .null)
        object.add("time_zone", .string(timeZone))
        object.add("zone_in_force", .string(zoneInForce))
        object.add("rollover_hour", .integer(Int64(rolloverHour)))
        object.add("dose1_time", .orNull(dose1))
        object.add("dose2_time", .orNull(dose2))
        object.add("dose1_surface", dose1Surface.map(JSONValue.string) ?? .null)
        object.add("dose2_surface", dose2Surface.map(JSONValue.string) ?? .null)
        object.add("certain", .bool(isCertain && window.isCertain))
        window.addDoubt(to: &object)
        object.add("dose2_skipped", .bool(dose2Skipped))
        object.add("outcome", outcome.map { .string($0.rawValue) } ?? .null)
        object.add("pre_sleep", preSleep.map { .object($0.json) } ?? .null)
        object.add("extra_doses", .integer(Int64(extraDoses)))
        object.add("snooze_count", .integer(Int64(snoozeCount)))
        object.add("snooze_limit", .integer(Int64(snoozeLimit)))
        object.add("window_opens", .orNull(windowOpens))
        object.add("window_closes", .orNull(windowCloses))
        object.add("alarm_time", .orNull(alarm))
        object.add("interval_min", intervalMinutes.map(JSONValue.integer) ?? .null)
        object.add("nap_open_since", .orNull(napOpenSince))
        object.add("terminal_state", terminalState.map { .string($0.rawValue) } ?? .null)
        object.add("checkin_pending", .bool(checkInPending))
        object.add("next_reminder", nextReminder.map { .object($0.json) } ?? .null)
        object.add("date", .string(date.text))
        object.add("present_date", .string(presentDate.text))
        object.add("next", next.map { .object($0.json) } ?? .null)
        object.add("previous", previous.map { .object($0.json) } ?? .null)
        object.add("clearance", .array(clearance.map { .object($0.json) }))
        object.add("warnings", warnings.json)
        return object
    }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        let reader = PayloadReader("status", json)
        at = try reader.instant("at")
        window = try WindowState(reader)
        sessionID = try reader.optionalString("session_id").map(SessionID.init)
        sessionDate = try reader.value("session_date") == nil ? nil : reader.date("session_date")
        timeZone = try reader.string("time_zone")
        zoneInForce = try reader.optionalString("zone_in_force") ?? timeZone
        rolloverHour = try reader.optionalInteger("rollover_hour") ?? 18
        dose1 = try reader.optionalInstant("dose1_time")
        dose2 = try reader.optionalInstant("dose2_time")
        dose1Surface = try reader.optionalString("dose1_surface")
        dose2Surface = try reader.optionalString("dose2_surface")
        // Doubt about the clocks is the window's own; without it the log is in doubt.
        isCertain = reader.value("certain")?.boolValue ?? true || !window.isCertain
        dose2Skipped = try reader.bool("dose2_skipped")
        outcome = try reader.optionalWord("outcome")
        preSleep = try reader.optionalNested("pre_sleep").map(PreSleep.init)
        extraDoses = try reader.integer("extra_doses")
        snoozeCount = try reader.integer("snooze_count")
        snoozeLimit = try reader.integer("snooze_limit")
        windowOpens = try reader.optionalInstant("window_opens")
        windowCloses = try reader.optionalInstant("window_closes")
        alarm = try reader.optionalInstant("alarm_time")
        intervalMinutes = try reader.optionalInteger("interval_min").map { Int64($0) }
        napOpenSince = try reader.optionalInstant("nap_open_since")
        terminalState = try reader.optionalWord("terminal_state")
        checkInPending = reader.value("checkin_pending")?.boolValue ?? false
        nextReminder = nil
        if let item = try reader.optionalNested("next_reminder") {
            nextReminder = ReminderPlan.Item(id: try item.word("id"), due: try item.instant("at"))
        }
        date = try reader.date("date")
        presentDate = try reader.date("present_date")
        next = try reader.optionalNested("next").map(NextStep.Told.init)
        previous = nil
        if let night = try reader.optionalNested("previous") { previous = try NightSummary(night) }
        clearance = []
        if reader.value("clearance") != nil {
            for value in try reader.list("clearance") {
                clearance.append(try Clearance(PayloadReader("clearance", json: value)))
            }
        }
        warnings = try reader.warnings()
    }
}

extension NightStatus.PreSleep {
    var json: JSONObject { ["at": .instant(at), "completion_state": .string(completion.rawValue)] }

    init(_ reader: PayloadReader) throws(PayloadError) {
        at = try reader.instant("at")
        completion = try reader.word("completion_state")
    }
}

extension ReminderPlan.Item {
    /// One reminder as JSON; its place after dose 1 is added by the plan.
    public var json: JSONObject {
        var object = JSONObject()
        object.add("id", .string(id.rawValue))
        object.add("at", .instant(due))
        object.add("urgency", .string(id.urgency.rawValue))
        return object
    }
}

extension NightSummary {
    /// One night as JSON; the keys are the column names of `sleep_sessions`, and what follows from its doses.
    public var json: JSONObject {
        var object = JSONObject()
        object.add("session_id", .string(sessionID.text))
        object.add("session_date", .string(sessionDate.text))
        object.add("start_utc", .instant(start))
        object.add("end_utc", .orNull(end))
        object.add("terminal_state", terminalState.map { .string($0.rawValue) } ?? .null)
        object.add("dose1_time", .orNull(dose1))
        object.add("dose2_time", .orNull(dose2))
        object.add("dose2_skipped", .bool(dose2Skipped))
        object.add("extra_doses", .integer(Int64(extraDoses)))
        object.add("snooze_count", .integer(Int64(snoozeCount)))
        object.add("interval_min", intervalMinutes.map(JSONValue.integer) ?? .null)
        object.add("interval_ms", interval.map { .integer($0.wholeMilliseconds) } ?? .null)
        object.add("on_time", onTime.map(JSONValue.bool) ?? .null)
        object.add("time_zone", .string(timeZone))
        object.add("wellness_score", wellnessScore.map { .integer(Int64($0)) } ?? .null)
        object.add("pre_sleep", preSleep.map { .string($0.rawValue) } ?? .null)
        object.add("outcome", outcome.map { .string($0.rawValue) } ?? .null)
        object.add("night_score", nightScore.map { .integer(Int64($0)) } ?? .null)
        return object
    }

    /// Whole minutes between the doses, truncated.
    public var intervalMinutes: Int64? { interval?.wholeMinutes }

    /// Whether dose 2 was on time (R5); nil without both doses.
    public var onTime: Bool? { interval.map(DoseWindow.isOnTime) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) { try self.init(PayloadReader("night", json)) }

    init(_ reader: PayloadReader) throws(PayloadError) {
        self.init(
            sessionID: SessionID(try reader.string("session_id")), sessionDate: try reader.date("session_date"),
            start: try reader.instant("start_utc"), end: try reader.optionalInstant("end_utc"),
            dose1: try reader.optionalInstant("dose1_time"), dose2: try reader.optionalInstant("dose2_time"),
            dose2Skipped: try reader.bool("dose2_skipped"), extraDoses: try reader.integer("extra_doses"),
            snoozeCount: try reader.integer("snooze_count"),
            interval: try reader.optionalInteger("interval_ms").map(Duration.milliseconds),
            terminalState: try reader.optionalWord("terminal_state"), timeZone: try reader.string("time_zone"),
            wellnessScore: try reader.optionalInteger("wellness_score"),
            preSleep: try reader.optionalWord("pre_sleep"),
            outcome: try reader.optionalString("outcome").flatMap(NightOutcome.init),
            nightScore: try reader.optionalInteger("night_score"))
    }
}

extension JSONValue {
    /// An instant as ISO 8601 text, or null.
    static func orNull(_ instant: Instant?) -> JSONValue { instant.map(JSONValue.instant) ?? .null }
}
