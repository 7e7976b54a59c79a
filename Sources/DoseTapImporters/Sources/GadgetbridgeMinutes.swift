internal import DoseTapDomain
internal import DoseTapExchange

/// A table of Gadgetbridge with a row for each minute of the day, of which some are of sleep.
///
/// The numbers are those that Gadgetbridge's own sample providers read (`HuamiExtendedSampleProvider`,
/// `MiBand2SampleProvider`, `MiBandSampleProvider`).
struct MinuteTable: Sendable {
    /// What a row says of its minute.
    enum Minute {
        case stage(ImportedSleep.Stage)
        /// The same as the row before.
        case asBefore
        /// Nothing: the device was not worn, or the number is unknown.
        case nothing
    }

    /// More time without sleep than this parts two sleeps, as in Gadgetbridge's own view.
    private static let gap: Duration = .hours(2)
    /// A sleep has as many minutes at least, as there.
    private static let leastMinutes = 5
    private static let mostRows = 10_000_000
    private static let mostDevices = 1_000

    let name: String
    let table: String
    /// The columns that ``minute`` reads.
    let columns: [String]
    /// The values of the columns; whether the device is a Mi Band of the first generation.
    let minute: @Sendable (_ values: [Int64?], _ isFirstBand: Bool) -> Minute

    static let all = [
        MinuteTable(
            name: "HUAMI", table: "HUAMI_EXTENDED_ACTIVITY_SAMPLE",
            columns: ["RAW_KIND", "DEEP_SLEEP", "REM_SLEEP"]
        ) { values, _ in
            // 64 is a run, and 120 sleep. The thresholds are Gadgetbridge's; the bits above 127 mean something else.
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

    /// A sleep that may go on.
    private struct Sleep {
        let start: Instant
        /// Of its last minute of sleep.
        var end: Instant
        var minutes = 0
        var spans: [ImportedSleep.Span] = []
    }

    /// What was read of a device so far.
    private struct Course {
        var sleep: Sleep?
        var before: (at: Instant, minute: Minute)?
    }

    /// - Returns: whether the table has a sleep.
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

    /// Takes a minute into account.
    ///
    /// - Returns: a sleep that is over by then.
    private static func step(_ course: inout Course, _ minute: Minute, _ at: Instant) -> Sleep? {
        var over: Sleep?
        if let sleep = course.sleep, at - sleep.end > gap {
            over = sleep
            course.sleep = nil
        }
        var minute = minute
        if case .asBefore = minute {
            // What was said hours ago says nothing of now.
            minute = course.before.flatMap { at - $0.at <= gap ? $0.minute : nil } ?? .nothing
        }
        course.before = (at, minute)
        guard case .stage(let stage) = minute else { return over }
        let isSleep = stage != .awake
        guard isSleep || course.sleep != nil else { return over }
        var sleep = course.sleep ?? Sleep(start: at, end: at)
        let end = at + .minutes(1)
        // One that is too long is refused as a whole.
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

    /// Seconds since 1970.
    private static func instant(_ seconds: Int64) -> Instant? {
        (1..<10_000_000_000).contains(seconds) ? Instant(seconds: seconds) : nil
    }
}
