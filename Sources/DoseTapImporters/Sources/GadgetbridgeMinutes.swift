internal import DoseTapDomain
internal import DoseTapExchange

/// A table of Gadgetbridge with one row for each minute of the day; some minutes are of sleep.
///
/// The numbers are those that Gadgetbridge's own sample providers read (`HuamiExtendedSampleProvider`,
/// `MiBand2SampleProvider`, `MiBandSampleProvider`).
struct MinuteTable: Sendable {
    /// The meaning of a row for its minute.
    enum Minute {
        case stage(ImportedSleep.Stage)
        /// The same as the row before.
        case asBefore
        /// No information: the device was not worn, or the number is unknown.
        case nothing
    }

    /// The largest time without sleep inside one sleep, as in Gadgetbridge's own view.
    private static let gap: Duration = .hours(2)
    /// The fewest minutes of a sleep, as in Gadgetbridge's own view.
    private static let leastMinutes = 5
    private static let mostRows = 10_000_000
    private static let mostDevices = 1_000

    let name: String
    let table: String
    /// The columns that ``minute`` reads.
    let columns: [String]
    /// Reads the values of the columns. `isFirstBand` is true for a Mi Band of the first generation.
    let minute: @Sendable (_ values: [Int64?], _ isFirstBand: Bool) -> Minute

    static let all = [
        MinuteTable(
            name: "HUAMI", table: "HUAMI_EXTENDED_ACTIVITY_SAMPLE",
            columns: ["RAW_KIND", "DEEP_SLEEP", "REM_SLEEP"]
        ) { values, _ in
            // 120 is sleep, and 64 is a run. The thresholds are Gadgetbridge's; the highest bit has another meaning.
            guard values[0] == 120 else { return values[0] == 64 ? .stage(.awake) : .nothing }
            if let rem = values[2], rem & 127 > 55 { return .stage(.rem) }
            if let deep = values[1], deep & 127 > 42 { return .stage(.deep) }
            return .stage(.light)
        },
        MinuteTable(name: "MI_BAND", table: "MI_BAND_ACTIVITY_SAMPLE", columns: ["RAW_KIND"]) { values, isFirstBand in
            guard let kind = values[0], kind >= 0 else { return .nothing }
            if isFirstBand {
                switch kind {
                case 4: return .stage(.deep)
                case 5: return .stage(.light)
                case 1, 2: return .stage(.awake)
                default: return .nothing
                }
            }
            switch kind & 15 {
            case 9: return .stage(.light)
            case 11: return .stage(.deep)
            case 0, 10: return .asBefore
            // Walking, running, riding, and getting up.
            case 1, 2, 4, 12: return .stage(.awake)
            default: return .nothing
            }
        },
    ]

    /// A sleep that may continue.
    private struct Sleep {
        let start: Instant
        /// The end of the last minute of sleep.
        var end: Instant
        var minutes = 0
        var spans: [ImportedSleep.Span] = []
    }

    /// The state of a device: its open sleep and its last minute.
    private struct Course {
        var sleep: Sleep?
        var before: (at: Instant, minute: Minute)?
    }

    /// - Returns: true if the table has a sleep.
    func read(
        _ database: SQLiteFile, _ devices: [Int64: GadgetbridgeImporter.Device], into writer: inout ImportWriter
    ) throws(ExchangeFault) -> Bool {
        guard let found = try database.columns(of: table) else { return false }
        var names: [String] = []
        for column in ["TIMESTAMP", "DEVICE_ID"] + columns {
            guard let name = found[column] else {
                throw ExchangeFault(.stream, sent("\(table) in the database has no column \(column)."))
            }
            names.append(name)
        }
        var courses: [Int64: Course] = [:]
        var (rows, unreadable, short) = (0, 0, 0)
        var sleeps: [(device: Int64, sleep: Sleep)] = []
        try database.rows(of: table, names, by: "\"\(names[0])\"") { values throws(ExchangeFault) in
            rows += 1
            guard rows <= Self.mostRows else {
                throw ExchangeFault(.stream, sent("\(table) has more than 10,000,000 rows."))
            }
            guard let seconds = values[0].integer, let at = Self.instant(seconds), let device = values[1].integer else {
                unreadable += 1
                return true
            }
            guard courses[device] != nil || courses.count < Self.mostDevices else {
                throw ExchangeFault(.stream, sent("\(table) has more than 1,000 devices."))
            }
            let minute = self.minute(values.dropFirst(2).map(\.integer), devices[device]?.isFirstBand ?? false)
            if let sleep = Self.step(&courses[device, default: Course()], minute, at) { sleeps.append((device, sleep)) }
            guard sleeps.count <= 100_000 else {
                throw ExchangeFault(.stream, sent("\(table) has more than 100,000 sleeps."))
            }
            return true
        }
        for (device, course) in courses.sorted(by: { $0.key < $1.key }) {
            if let sleep = course.sleep { sleeps.append((device, sleep)) }
        }
        for (device, sleep) in sleeps {
            guard sleep.minutes >= Self.leastMinutes else {
                short += 1
                continue
            }
            let spans = sleep.spans.filter { $0.start < sleep.end }.map {
                ImportedSleep.Span($0.stage, $0.start, min($0.end, sleep.end))
            }
            try writer.sleep(
                ImportedSleep(
                    row: "\(table), from \(sleep.start.iso8601)",
                    id: Identity.derived("gadgetbridge/\(name)/\(device)/\(sleep.start.milliseconds)"),
                    device: devices[device]?.name ?? name, start: sleep.start, end: sleep.end, part: .unknown,
                    grade: .estimated, course: .stages(StageLine.flat(spans))))
        }
        if unreadable > 0 {
            try writer.notTaken("\(table), \(unreadable) of its rows", sent("they have no time or no device"))
        }
        if short > 0 {
            try writer.notTaken(
                "\(table), \(short) of its sleeps", sent("they have less than \(Self.leastMinutes) minutes"))
        }
        return !sleeps.isEmpty
    }

    /// Takes over a minute.
    ///
    /// - Returns: a sleep that ended before this minute.
    private static func step(_ course: inout Course, _ minute: Minute, _ at: Instant) -> Sleep? {
        var over: Sleep?
        if let sleep = course.sleep, at - sleep.end > gap {
            over = sleep
            course.sleep = nil
        }
        var minute = minute
        if case .asBefore = minute {
            // A minute hours ago tells nothing of this one.
            minute = course.before.flatMap { at - $0.at <= gap ? $0.minute : nil } ?? .nothing
        }
        course.before = (at, minute)
        guard case .stage(let stage) = minute else { return over }
        let isSleep = stage != .awake
        guard isSleep || course.sleep != nil else { return over }
        var sleep = course.sleep ?? Sleep(start: at, end: at)
        let end = at + .minutes(1)
        // A sleep that is too long is refused as a whole, so it needs no more spans.
        if at - sleep.start <= ImportWriter.longestSleep {
            if let last = sleep.spans.indices.last, sleep.spans[last].stage == stage, sleep.spans[last].end == at {
                sleep.spans[last].end = end
            } else {
                sleep.spans.append(ImportedSleep.Span(stage, at, end))
            }
        }
        if isSleep {
            sleep.end = end
            sleep.minutes += 1
        }
        course.sleep = sleep
        return over
    }

    /// Returns an instant from seconds since 1970.
    private static func instant(_ seconds: Int64) -> Instant? {
        (1..<10_000_000_000).contains(seconds) ? Instant(seconds: seconds) : nil
    }
}
