/// The `window --json` object; `status --json` begins with the same keys.
extension WindowState {
    /// Keys as in `Config/schemas/v1/window.json`; seconds truncated.
    public var json: JSONObject {
        var primary = JSONObject()
        primary.add("action", .string(self.primary.word))
        primary.add("remaining_s", Self.seconds(self.primary.remaining))
        var snooze = JSONObject()
        snooze.add("enabled", .bool(self.snooze == .on))
        snooze.add("reason", self.snooze.reason.map { .string($0.rawValue) } ?? .null)
        var skip = JSONObject()
        skip.add("enabled", .bool(skipEnabled))
        var object = JSONObject()
        object.add("phase", .string(phase.rawValue))
        object.add("primary", .object(primary))
        object.add("snooze", .object(snooze))
        object.add("skip", .object(skip))
        object.add("elapsed_s", Self.seconds(elapsed))
        object.add("remaining_s", Self.seconds(remaining))
        object.add("errors", .array(errors.map { .string($0.rawValue) }))
        return object
    }

    /// What `status` adds: the other figures, where the clocks leave doubt.
    func addDoubt(to object: inout JSONObject) {
        let doubt = time.flatMap { $0.isCertain ? nil : $0 }
        object.add("elapsed_most_s", Self.seconds(doubt?.longer))
        object.add("elapsed_by_clock_s", Self.seconds(doubt?.byWall))
    }

    private static func seconds(_ duration: Duration?) -> JSONValue {
        duration.map { .integer($0.wholeSeconds) } ?? .null
    }

    private static func time(_ reader: PayloadReader) throws(PayloadError) -> ElapsedTime? {
        guard let shorter = try reader.optionalInteger("elapsed_s").map({ Duration.seconds($0) }) else { return nil }
        guard let longer = try reader.optionalInteger("elapsed_most_s").map({ Duration.seconds($0) }) else {
            return ElapsedTime(certain: shorter)
        }
        let byWall = try reader.optionalInteger("elapsed_by_clock_s").map { Duration.seconds($0) } ?? longer
        return ElapsedTime(
            counted: byWall == shorter ? longer : shorter, byWall: byWall, further: [shorter, longer])
    }

    init(_ reader: PayloadReader) throws(PayloadError) {
        let primary = try reader.nested("primary")
        let snooze = try reader.nested("snooze")
        let left: Duration = .seconds(try primary.optionalInteger("remaining_s") ?? 0)
        let action: PrimaryAction
        switch try primary.string("action") {
        case "take_now": action = .takeNow
        case "take_before_window_ends": action = .takeBeforeWindowEnds(left)
        case "waiting_until_earliest": action = .waitingUntilEarliest(left)
        case "take_with_override": action = .takeWithOverride
        default: action = .disabled
        }
        var errors: [WindowError] = []
        for value in try reader.list("errors") {
            if let error = value.stringValue.flatMap(WindowError.init(rawValue:)) { errors.append(error) }
        }
        self.init(
            phase: try reader.word("phase"), primary: action,
            snooze: try snooze.bool("enabled") ? .on : .off(try snooze.optionalWord("reason") ?? .completed),
            skipEnabled: try reader.nested("skip").bool("enabled"),
            elapsed: try Self.time(reader),
            remaining: try reader.optionalInteger("remaining_s").map { .seconds($0) }, errors: errors)
    }
}
