import DoseTapDomain
import DoseTapExchange
import DoseTapImporters
import Testing

/// Rules that hold for the lines of every source.
@Suite struct ImportWriterTests {
    private static func plees(_ rows: String) throws -> [ImportLine] {
        try ImportBench.read(.plees, "sid,start,stop,rating\n" + rows, zone: ImportBench.berlin)
    }

    /// The milliseconds of an instant, as Plees Tracker writes them.
    private static func at(_ text: String) throws -> Int64 { try Instant(iso8601: text).milliseconds }

    @Test func `R31.2 a stream is a header, a line a row, and an end with both counts`() throws {
        let lines = try Self.plees("1,1768428000000,1768456800000,0\n2,x,1,0\n3,1768428000000\n4,1768428000000,x,0\n")
        guard case .header(let header) = lines.first, case .end(let count) = lines.last else {
            throw ExchangeFault(.stream, "no header or no end")
        }
        #expect(header == ImportHeader(source: "plees") && count == ImportCount(records: 1, notTaken: 3))
        #expect(
            ImportBench.refused(lines) == [
                "line 3: its start 'x' is no time", "line 4: it has another number of fields than the first line",
                "line 5: it has no end that is a time",
            ])
        // A file without rows gives a whole stream.
        #expect(try Self.plees("") == [.header(header), .end(ImportCount())])
        #expect(ImportBench.fault(.log, "x").contains("read by the service"))
    }

    @Test func `R31.3 times and lengths that cannot be are named`() throws {
        let day = try Self.at("2026-01-14T22:00:00Z")
        let hour: Int64 = 3_600_000
        let rows = [
            (try Self.at("1999-12-31T23:59:59Z"), try Self.at("2000-01-01T06:00:00Z")),
            (try Self.at("2000-01-01T00:00:00Z"), try Self.at("2000-01-01T06:00:00Z")),
            (try Self.at("2099-12-31T22:00:00Z"), try Self.at("2100-01-01T00:00:00Z")),
            (day, day), (day, day - 1), (day, day + 24 * hour), (day, day + 24 * hour + 1), (Int64.min, Int64.max),
        ]
        let lines = try Self.plees(rows.enumerated().map { "\($0),\($1.0),\($1.1),0\n" }.joined())
        let sleeps = ImportBench.sleeps(lines)
        #expect(sleeps.map(\.row) == ["line 3", "line 7"])
        #expect(sleeps.allSatisfy { $0.offsetMinutes == 60 })
        #expect(
            ImportBench.refused(lines).map { String($0.drop { $0 != ":" }.dropFirst(2)) } == [
                "its time, 1999-12-31T23:59:59.000Z, is not within the years 2000 to 2099",
                "its time, 2100-01-01T00:00:00.000Z, is not within the years 2000 to 2099",
                "it does not end after its start", "it does not end after its start", "it is longer than 24 hours",
                "its time, 0001-01-01T00:00:00.000Z, is not within the years 2000 to 2099",
            ])
    }

    @Test func `R31.3 text is without controls, and a note that is too long is named`() throws {
        func entries(_ note: String) throws -> ([ImportEntry], [String]) {
            let lines = try ImportBench.read(
                .ios,
                "id,event_type,timestamp,session_date,notes\nx,noise,2026-01-14T22:30:00Z,2026-01-14,\"\(note)\"\n")
            return (ImportBench.entries(lines), ImportBench.refused(lines))
        }
        #expect(try entries(" a\r\nb\u{7}c\u{202E}d\t ").0.map(\.note) == ["a\nb c d"])
        #expect(try entries("\u{2066}").0.map(\.note) == [nil])
        let (kept, refused) = try entries(String(repeating: "n", count: 4_001))
        #expect(
            kept.map(\.note) == [nil] && refused.count == 1 && refused[0].hasPrefix("line 2, its note: it has more"))
        #expect(try entries(String(repeating: "n", count: 4_000)).0.map { $0.note?.count } == [4_000])
    }
}
