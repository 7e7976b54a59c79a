internal import DoseTapDomain
internal import DoseTapExchange

/// Gadgetbridge: its database, or the archive with it. Each maker has tables of its own, and the same number means different
/// stages in them: each table has a map, and a number outside the map is unknown.
enum GadgetbridgeImporter: Importer {
    /// The largest size of a database that is unpacked from an archive into memory, in bytes.
    static let mostUnpacked = 64 << 20

    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        let head = try file.bytes(at: 0, count: 16)
        var file = file
        if ZipFile.isOne(head) {
            let archive = try ZipFile(file)
            guard let member = archive.named("Gadgetbridge", "Gadgetbridge.db").max(by: { $0.size < $1.size }) else {
                throw ExchangeFault(.stream, sent("The archive has no database of Gadgetbridge."))
            }
            file = try archive.file(member, most: mostUnpacked)
        }
        guard SQLiteFile.isOne(try file.bytes(at: 0, count: 16)) else {
            throw ExchangeFault(.stream, sent("It is no database of Gadgetbridge."))
        }
        let database = try SQLiteFile(file)
        var others: [String] = []
        for table in unread where try database.hasRows(table) { others.append(table) }
        let unread = others.isEmpty ? [] : [sent("What stands in \(others.joined(separator: ", ")) is not read.")]
        try writer.begin(database.notes + unread)
        let devices = try devices(database)
        var isAny = false
        for family in families {
            if try family.read(database, devices, into: &writer) { isAny = true }
        }
        for table in MinuteTable.all {
            if try table.read(database, devices, into: &writer) { isAny = true }
        }
        guard isAny else {
            let known = (families.map(\.name) + MinuteTable.all.map(\.name)).joined(separator: ", ")
            let none = sent("The database has no sleep in the tables that are known: \(known).")
            throw ExchangeFault(.stream, ([none] + unread).joined(separator: " "))
        }
    }

    /// Tables with sleep that are not read. In the first a number means another stage with each device; the second has bytes in
    /// the maker's own format. Gadgetbridge makes the tables of all makers in every database.
    private static let unread = ["GENERIC_SLEEP_STAGE_SAMPLE", "HUAMI_SLEEP_SESSION_SAMPLE"]

    private static let families: [SessionTables] = [
        SessionTables(
            name: "XIAOMI", sessions: "XIAOMI_SLEEP_TIME_SAMPLE", stages: "XIAOMI_SLEEP_STAGE_SAMPLE",
            map: [0: .awake, 2: .deep, 3: .light, 4: .rem, 5: .awake], stageSeconds: nil,
            durations: [
                "DEEP_SLEEP_DURATION": .deep, "LIGHT_SLEEP_DURATION": .light, "REM_SLEEP_DURATION": .rem,
                "AWAKE_DURATION": .awake,
            ]),
        SessionTables(
            name: "COLMI", sessions: "COLMI_SLEEP_SESSION_SAMPLE", stages: "COLMI_SLEEP_STAGE_SAMPLE",
            map: [2: .light, 3: .deep, 4: .rem, 5: .awake], stageSeconds: 60, durations: [:]),
        SessionTables(
            name: "CMF", sessions: "CMF_SLEEP_SESSION_SAMPLE", stages: "CMF_SLEEP_STAGE_SAMPLE",
            map: [1: .deep, 2: .light, 3: .rem], stageSeconds: 1, durations: [:]),
    ]

    struct Device: Sendable {
        let name: String
        /// True for a Mi Band of the first generation. Its numbers differ from those of later bands in the same table.
        let isFirstBand: Bool
    }

    /// The devices by their numbers.
    private static func devices(_ database: SQLiteFile) throws(ExchangeFault) -> [Int64: Device] {
        guard let columns = try database.columns(of: "DEVICE"), let id = columns["_ID"], let name = columns["NAME"]
        else { return [:] }
        // The column has the type's name since 2023. Older databases have a number, which is 10 for the first Mi Band.
        let type = columns["TYPE_NAME"] ?? columns["TYPE"]
        var devices: [Int64: Device] = [:]
        try database.rows(of: "DEVICE", [id, name] + (type.map { [$0] } ?? [])) { values throws(ExchangeFault) in
            if let number = values[0].integer, let text = values[1].text {
                let type = values.count > 2 ? values[2].text : nil
                devices[number] = Device(name: PlainText.line(text), isFirstBand: type == "MIBAND" || type == "10")
            }
            return devices.count < 1_000
        }
        return devices
    }
}

/// A table of sleeps with their ends, and a table of stages. A stage has a length, or lasts to the next stage.
struct SessionTables: Sendable {
    /// The largest number of stages of a sleep, before they are brought onto one line.
    private static let mostStages = 5_000
    /// The largest number of stages that sleeps may share, beyond one other sleep for each stage.
    private static let mostShared = 100_000

    let name: String
    let sessions: String
    let stages: String
    let map: [Int64: ImportedSleep.Stage]
    /// The seconds in a unit of a stage's length; nil if a stage lasts to the next one.
    let stageSeconds: Int64?
    /// The columns of the sleeps that have the minutes of a stage.
    let durations: [String: ImportedSleep.Stage]

    private struct Session {
        let row: String
        let device: Int64
        let start: Instant
        let end: Instant
        let seconds: [ImportedSleep.Stage: Int]
    }

    private struct Stage {
        let device: Int64
        let start: Instant
        let stage: ImportedSleep.Stage
        let length: Duration?
    }

    /// The stages that were handed out to sleeps.
    private struct Handed {
        var count = 0
        var isTaken: [Bool]

        init(count: Int) { isTaken = Array(repeating: false, count: count) }
    }

    /// - Returns: true if the database has a row of a sleep.
    func read(
        _ database: SQLiteFile, _ devices: [Int64: GadgetbridgeImporter.Device], into writer: inout ImportWriter
    ) throws(ExchangeFault) -> Bool {
        guard let columns = try database.columns(of: sessions) else { return false }
        var found: [Session] = []
        let (marks, unreadable) = try marks(database)
        let (time, wake, device) = try named(columns, "TIMESTAMP", "WAKEUP_TIME", "DEVICE_ID")
        let lengths = durations.compactMap { column, stage in columns[column].map { ($0, stage) } }
        var number = 0
        var refused: [(String, String)] = []
        try database.rows(of: sessions, [time, wake, device] + lengths.map(\.0), by: "\"\(time)\"") {
            values throws(ExchangeFault) in
            number += 1
            guard number <= 100_000, refused.count <= 100_000 else {
                throw ExchangeFault(.stream, sent("\(sessions) has more than 100,000 rows."))
            }
            let row = "\(sessions), row \(number)"
            guard let start = Self.instant(values[0]) else {
                refused.append((row, sent("its TIMESTAMP is no time")))
                return true
            }
            guard let end = Self.instant(values[1]), end > start else {
                refused.append((row, sent("it has no end after its start")))
                return true
            }
            var seconds: [ImportedSleep.Stage: Int] = [:]
            for (place, length) in lengths.enumerated() {
                if let minutes = values[3 + place].integer, (0...2_160).contains(minutes) {
                    seconds[length.1] = Int(minutes) * 60
                }
            }
            found.append(
                Session(row: row, device: values[2].integer ?? 0, start: start, end: end, seconds: seconds))
            return true
        }
        for (row, reason) in refused { try writer.notTaken(row, reason) }
        if unreadable > 0 {
            try writer.notTaken("\(stages), \(unreadable) of its rows", sent("they have no time or no length"))
        }
        try write(found, marks, devices, into: &writer)
        return number > 0
    }

    /// Returns all stages by device and time, and the number of unreadable rows.
    private func marks(_ database: SQLiteFile) throws(ExchangeFault) -> ([Stage], unreadable: Int) {
        guard let columns = try database.columns(of: stages) else { return ([], 0) }
        let (time, stage, device) = try named(columns, "TIMESTAMP", "STAGE", "DEVICE_ID", in: stages)
        let length = stageSeconds == nil ? nil : columns["DURATION"]
        guard stageSeconds == nil || length != nil else {
            throw ExchangeFault(.stream, sent("\(stages) in the database has no column DURATION."))
        }
        var marks: [Stage] = []
        var unreadable = 0
        try database.rows(of: stages, [time, stage, device] + (length.map { [$0] } ?? [])) {
            values throws(ExchangeFault) in
            guard marks.count + unreadable < 1_000_000 else {
                throw ExchangeFault(.stream, sent("\(stages) has more than 1,000,000 rows."))
            }
            let start = Self.instant(values[0])
            let lasts = stageSeconds.flatMap { unit in
                values.count > 3 ? values[3].integer.flatMap { (1...129_600).contains($0) ? $0 * unit : nil } : nil
            }
            guard let start, stageSeconds == nil || lasts != nil else {
                unreadable += 1
                return true
            }
            marks.append(
                Stage(
                    device: values[2].integer ?? 0, start: start,
                    stage: values[1].integer.flatMap { map[$0] } ?? .unknown, length: lasts.map { .seconds($0) }))
            return true
        }
        marks.sort { ($0.device, $0.start) < ($1.device, $1.start) }
        return (marks, unreadable)
    }

    private func write(
        _ found: [Session], _ marks: [Stage], _ devices: [Int64: GadgetbridgeImporter.Device],
        into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        var possible: [Session] = []
        for session in found {
            // Refused sleeps are removed before the comparison: one with a wrong end would hide all others.
            if let reason = ImportWriter.refusal(session.start, session.end) {
                try writer.notTaken(session.row, reason)
            } else {
                possible.append(session)
            }
        }
        let sorted = possible.sorted { ($0.device, $0.start, $0.end) < ($1.device, $1.start, $1.end) }
        var longest: Session?
        var handed = Handed(count: marks.count)
        for (place, session) in sorted.enumerated() {
            // A device writes a night again after the night grew: the longer row contains the shorter one.
            let twin = sorted.indices.contains(place + 1) ? sorted[place + 1] : nil
            if let twin, twin.device == session.device, twin.start == session.start {
                try writer.notTaken(session.row, sent("\(twin.row) has the same start and ends no earlier"))
                continue
            }
            if let longest, longest.device == session.device, longest.end >= session.end {
                try writer.notTaken(session.row, sent("it lies within \(longest.row)"))
                continue
            }
            longest = session
            let device = devices[session.device]?.name ?? name
            guard let spans = try spans(session, marks, &handed) else {
                try writer.notTaken(session.row, sent("it has more than \(Self.mostStages) stages"))
                continue
            }
            let course: ImportedSleep.Course =
                if !spans.isEmpty {
                    .stages(spans)
                } else if session.seconds.values.contains(where: { $0 > 0 }) {
                    .durations(session.seconds)
                } else {
                    .stages([ImportedSleep.Span(.asleep, session.start, session.end)])
                }
            try writer.sleep(
                ImportedSleep(
                    row: session.row,
                    id: Identity.derived("gadgetbridge/\(name)/\(session.device)/\(session.start.milliseconds)"),
                    device: device, start: session.start, end: session.end, part: .unknown, grade: .estimated,
                    course: course))
        }
        let loose = handed.isTaken.count { !$0 }
        if loose > 0 {
            try writer.notTaken("\(stages), \(loose) of its rows", sent("they lie in no sleep that is taken"))
        }
    }

    /// Returns the stages within a sleep; nil if there are too many.
    ///
    /// - Parameter handed: the stages handed out so far, and their number.
    private func spans(
        _ session: Session, _ marks: [Stage], _ handed: inout Handed
    ) throws(ExchangeFault) -> [ImportedSleep.Span]? {
        // A binary search for the first mark of the device at or after the start: marks are in order.
        var (low, high) = (0, marks.count)
        while low < high {
            let middle = (low + high) / 2
            if (marks[middle].device, marks[middle].start) < (session.device, session.start) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        var spans: [ImportedSleep.Span] = []
        while low < marks.count, marks[low].device == session.device, marks[low].start < session.end {
            guard spans.count < Self.mostStages else { return nil }
            guard handed.count < 2 * marks.count + Self.mostShared else {
                throw ExchangeFault(
                    .stream, sent("The sleeps in \(sessions) overlap too much to tell their stages apart."))
            }
            handed.count += 1
            handed.isTaken[low] = true
            let mark = marks[low]
            low += 1
            let next = low < marks.count && marks[low].device == mark.device ? marks[low].start : session.end
            let end = min(session.end, mark.length.map { mark.start + $0 } ?? next)
            if mark.start < end { spans.append(ImportedSleep.Span(mark.stage, mark.start, end)) }
        }
        return StageLine.flat(spans)
    }

    private func named(
        _ columns: [String: String], _ first: String, _ second: String, _ third: String, in table: String? = nil
    ) throws(ExchangeFault) -> (String, String, String) {
        guard let first = columns[first], let second = columns[second], let third = columns[third] else {
            throw ExchangeFault(
                .stream, sent("\(table ?? sessions) in the database has no columns \(first), \(second) and \(third)."))
        }
        return (first, second, third)
    }

    /// Reads milliseconds since 1970, or seconds if the number is too small for milliseconds.
    private static func instant(_ value: SQLiteFile.Value) -> Instant? {
        guard let number = value.integer, number > 0 else { return nil }
        return number < 10_000_000_000 ? Instant(seconds: number) : Instant(milliseconds: number)
    }
}
