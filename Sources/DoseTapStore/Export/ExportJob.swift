import Crypto
import DoseTapDomain
import GRDB

/// One export: reads page after page, makes lines or rows of them, and writes these. The job has a thread of its own, and only
/// that thread waits for the reader.
actor ExportJob {
    static let cancelled = StoreError(code: .interrupted, context: "the export was ended")

    private nonisolated let thread: StoreThread
    private let request: ExportRequest
    private let head: Store.ExportHead
    private let store: Store
    private var stream: CallersStream?
    private let zone: @Sendable (String) -> Zone?
    private var report: ExportReport

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(
        _ request: ExportRequest, _ head: Store.ExportHead, _ store: Store,
        _ zone: @escaping @Sendable (String) -> Zone?
    ) throws(StoreError) {
        thread = try StoreThread.start()
        (self.request, self.head, self.store, self.zone) = (request, head, store, zone)
        report = head.report(request)
    }

    deinit { thread.stop() }

    /// - Parameter make: makes the stream, on this job's thread: opening and closing may wait for a disk, too.
    func run(_ make: @Sendable () throws -> CallersStream) async throws -> ExportReport {
        defer { stream = nil }
        do {
            stream = try make()
            switch request.content {
            case .log: try await writeLog()
            case .nights, .table(ExportContent.nightTable): try await writeNights()
            case .lab: try await writeLab()
            case .table(let name):
                guard let table = ExportTable(name) else {
                    throw StoreError(code: .internal, context: "exporting", underlying: "no table of this name")
                }
                try await write(table)
            }
        } catch is CallersStream.Gone {
            report.isComplete = false
        }
        if request.content != .log { report.isMoved = try await store.exportHead() != head }
        return report
    }

    /// Reads a page, again if it gave way to more urgent work.
    private func page<Page: Sendable>(_ read: @Sendable () async throws -> Page) async throws -> Page {
        try await StoreError.beginningAgain(cancelled: Self.cancelled, read)
    }

    private func write(_ bytes: [UInt8]) throws {
        try stream?.write(bytes)
        report.bytes += Int64(bytes.count)
    }

    private func writeLog() async throws {
        var sum = SHA256()
        func write(_ bytes: [UInt8]) throws {
            sum.update(data: bytes)
            try self.write(bytes)
        }
        try write(LogText.beginning(head.storeID, head.chain) + Self.lineEnd)
        var place: Int64 = 0
        while place < head.chain.sequence {
            let (store, head, after) = (store, head, place)
            let found = try await page { try await store.exportLog(after: after, of: head) }
            guard let last = found.last.flatMap(Int64.fromDatabaseValue) else { break }
            try write(found.bytes)
            report.rows += found.rows
            place = last
        }
        guard place == head.chain.sequence else {
            throw StoreError(
                code: .damaged, context: "the log ends before its head",
                underlying: "event \(place) of \(head.chain.sequence)")
        }
        try self.write(LogText.end(events: report.rows, sum.finalize()) + Self.lineEnd)
    }

    private static func line(_ object: JSONObject) -> [UInt8] {
        Array(JSONValue.object(object).serialized().utf8) + lineEnd
    }

    private static let lineEnd = [UInt8(ascii: "\n")]

    private func write(_ table: ExportTable) async throws {
        var csv = CSVWriter(isExact: true)
        csv.header(table.header)
        try write(csv.take())
        var place: DatabaseValue? = table.table == .nightMeasures ? "".databaseValue : Int64.min.databaseValue
        while let after = place {
            let (store, head, request, zone) = (store, head, request, zone)
            let found = try await page {
                try await store.export(table, after: after, request, of: head, zone: zone)
            }
            try write(found.bytes)
            report.rows += found.rows
            place = found.last
        }
    }

    /// Writes the nights as lines, with lines for the days between them that have entries, or as rows of a table.
    private func writeNights() async throws {
        var csv = CSVWriter(isExact: request.isExact)
        if request.content.isTable {
            csv.header(NightCSV.header)
            try write(csv.take())
        }
        let store = store
        let all = try await page { try await store.entries([.regimen], .newest(.max)) }
        var regimens = LogState()
        regimens.merge(all.compactMap(StandaloneEntry.init(events:)))
        let sources = SleepSources(order: request.sleepOrder, dates: try await page { try await store.sleepDates() })
        var days = request.content.isTable ? [] : try await days()
        var unread: [Store.StoredNight] = []
        // The nights of the last days, to which a session may belong (R8.11).
        var around = LogState()
        var place = (start: "", id: "")
        while true {
            let (head, span, after) = (head, request.span, place)
            let nights = try await page { try await store.exportNights(after: after, span, of: head) }
            guard let last = nights.last else { break }
            for night in nights {
                if unread.last?.date != night.date { try writeNoted(&unread) }
                try await write(&days, before: night.date)
                guard let record = Self.record(night, &around, regimens, sources) else {
                    report.notes.append(Self.unreadable(night.date))
                    // The entries of the date can be read. They stand in another night of that date, if there is one.
                    unread.append(night)
                    continue
                }
                report.rows += 1
                if request.content.isTable {
                    NightCSV.write(record, in: zone(record.summary.timeZone), to: &csv)
                    try write(csv.take())
                } else {
                    try write(Self.line(record.json))
                }
            }
            place = try Self.next(after: place, (last.start, last.id))
        }
        try writeNoted(&unread)
        try await write(&days, before: "~")
    }

    /// Writes the entries on the date of nights that cannot be read. A table of nights has no place for them.
    private func writeNoted(_ nights: inout [Store.StoredNight]) throws {
        if !request.content.isTable { for night in nights { try writeEntries(night.entries) } }
        nights.removeAll()
    }

    /// A session date with entries that belong to no night.
    private struct Day {
        let date: String
        /// True for a date without a night. On other dates only the logs are without a night.
        var isWithoutNight = false
        /// The events about each pre-sleep log of the date.
        var logs: [[Event]] = []
    }

    /// Returns the days, latest first.
    private func days() async throws -> [Day] {
        let (store, head, span) = (store, head, request.span)
        var days: [String: Day] = [:]
        for date in try await page({ try await store.exportDays(span, of: head) }) {
            days[date] = Day(date: date, isWithoutNight: true)
        }
        for log in try await page({ try await store.exportLogs(span, of: head) }) {
            guard let entry = StandaloneEntry(events: log), entry.isActive else { continue }
            let zone = zone(entry.event.timeZone) ?? .utc
            let date = SessionDate.key(of: entry.at, in: zone, rolloverHour: request.rolloverHour)
            if span.contains(date) { days[date.text, default: Day(date: date.text)].logs.append(log) }
        }
        return days.values.sorted { $0.date > $1.date }
    }

    /// Writes the days before a session date, each as `show` prints a date without a night.
    private func write(_ days: inout [Day], before date: String) async throws {
        while let day = days.last, day.date < date {
            days.removeLast()
            let store = store
            var events = day.logs
            if day.isWithoutNight, let date = try? SessionDate(text: day.date) {
                events += try await page { try await store.entries(EntityType.shownInNight, .day(date)) }
            }
            try writeEntries(events)
        }
    }

    /// Writes one line for entries without a night, each given by the events about it.
    private func writeEntries(_ events: [[Event]]) throws {
        let entries = events.compactMap(StandaloneEntry.init(events:))
        guard !entries.isEmpty else { return }
        var shown = ShownNights()
        for entry in entries { shown.add(entry) }
        try write(Self.line(shown.json))
    }

    private func writeLab() async throws {
        var place = (start: "", id: "")
        while true {
            let (store, head, span, after) = (store, head, request.span, place)
            let nights = try await page { try await store.exportLab(after: after, span, of: head) }
            guard let last = nights.last else { return }
            for night in nights {
                guard let values = night.values else {
                    report.notes.append(Self.unreadable(night.date.text))
                    continue
                }
                report.rows += 1
                try write(Self.line(values.json))
            }
            place = try Self.next(after: place, (last.start, last.id))
        }
    }

    private static func unreadable(_ date: String) -> String {
        sent("the night of \(date) cannot be read and is not in the export")
    }

    /// Returns the place of the next page. A text with NUL, which only a changed table has, would lead to the same page for
    /// ever.
    private static func next(
        after place: (start: String, id: String), _ last: (start: String, id: String)
    ) throws(StoreError) -> (start: String, id: String) {
        guard last != place, !(last.start + last.id).utf8.contains(0) else {
            throw StoreError(
                code: .damaged, context: "the table of nights cannot be read; rebuild it from the log",
                underlying: "the order of the nights")
        }
        return last
    }

    /// Makes the record that `Show` answers with.
    private static func record(
        _ night: Store.StoredNight, _ around: inout LogState, _ regimens: LogState, _ sources: SleepSources
    ) -> NightRecord? {
        guard let session = Session(events: night.events) else { return nil }
        around.forget(before: session.start - LogState.joinsBefore)
        around.merge([session])
        return NightRecord(
            session, behind: around.night(behind: session),
            standalone: night.entries.compactMap(StandaloneEntry.init(events:)),
            regimen: regimens.regimen(on: session.date)?.regimen, sources: sources)
    }
}
