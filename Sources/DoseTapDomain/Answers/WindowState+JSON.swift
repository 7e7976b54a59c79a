/// The `window --json` object; `status --json` begins with the same keys.
extension WindowState {
    /// Seconds are truncated. What it reads is `init(_:)`: the action and the doubt have several keys.
    static let description = RecordDescription(
        "window", "window --json", WindowState.over(.noDose1, .completed, nil),
        [
            .word("phase", get: { $0.phase }),
            .value(
                "primary", .object { Shape([Key("action", .words { PrimaryAction.words }), seconds("remaining_s")]) },
                get: { window in
                    var primary = JSONObject()
                    primary.add("action", .string(window.primary.word))
                    primary.add("remaining_s", seconds(window.primary.remaining))
                    return .object(primary)
                }),
            .value(
                "snooze",
                .object {
                    Shape([
                        Key("enabled", .bool),
                        Key("reason", .words { SnoozeOffer.Reason.allCases.map { $0.rawValue } }, .null),
                    ])
                },
                get: { window in
                    var snooze = JSONObject()
                    snooze.add("enabled", .bool(window.snooze == .on))
                    snooze.add("reason", window.snooze.reason.map { .string($0.rawValue) } ?? .null)
                    return .object(snooze)
                }),
            .value(
                "skip", .object { Shape([Key("enabled", .bool)]) },
                get: { window in
                    var skip = JSONObject()
                    skip.add("enabled", .bool(window.skipEnabled))
                    return .object(skip)
                }),
            .value(
                "elapsed_s", .integer(.seconds), "since dose 1; where the clocks leave doubt the least", null: .null,
                get: { seconds($0.elapsed) }),
            .value(
                "remaining_s", .integer(.seconds), "until the window closes", null: .null,
                get: { seconds($0.remaining) }),
            .value(
                "errors", .list(.words { WindowError.allCases.map { $0.rawValue } }),
                get: { .array($0.errors.map { .string($0.rawValue) }) }),
        ])

    /// What `status` adds: the other figures, where the clocks leave doubt.
    static let doubt: [Field<WindowState>] = [
        .value(
            "elapsed_most_s", .integer(.seconds), "where the clocks leave doubt the most", null: .null,
            get: { seconds($0.doubt?.longer) }),
        .value(
            "elapsed_by_clock_s", .integer(.seconds), "where the clocks leave doubt what the computer's clock says",
            null: .null, get: { seconds($0.doubt?.byWall) }),
    ]

    /// The keys of ``description``.
    public var json: JSONObject { Self.description.json(self) }

    private var doubt: ElapsedTime? { time.flatMap { $0.isCertain ? nil : $0 } }

    private static func seconds(_ key: String) -> Key { Key(key, .integer(.seconds), .null) }

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
