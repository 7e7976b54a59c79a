import DoseTapDomain
import DoseTapExchange
import DoseTapImporters
import DoseTapTestSupport
import Foundation
import Testing

/// Files that are cut, wrong or hostile.
@Suite struct ImportBadFileTests {
    private static let quoted = "\"a\",b\n1,\"x\ny\"\n"

    @Test(arguments: [
        ("sid,start,stop\n1,2\u{0},3\n", "byte NUL"),
        ("sid,start,stop\n\"1\"x,2,3\n", "Something follows a quoted field"),
        ("sid,start,stop\n\"1,2,3\n", "ends inside a quoted field"),
        ("sid,start,stop\r1,2,3\n", "CR alone"),
        ("", "empty"), ("\n\n", "empty"), ("a,b\n", "no file of Plees"),
    ])
    func `R31.4 what is wrong with a CSV file is named with line and byte`(file: String, says: String) {
        let fault = ImportBench.fault(.plees, file)
        #expect(fault.contains(says), "\(fault)")
    }

    @Test func `R31.4 long fields, rows and a million columns are refused`() {
        let long = String(repeating: "x", count: 10_000_000)
        #expect(ImportBench.fault(.plees, "sid,start,stop\n\(long),2,3\n").contains("more than 64 KiB"))
        let columns = String(repeating: "a,", count: 1_000_000)
        #expect(ImportBench.fault(.plees, columns).contains("more than 4096 fields"))
        let marks = String(repeating: "\"\"", count: 100_000)
        #expect(ImportBench.fault(.plees, "sid,start,stop\n\"\(marks)").contains("more than 64 KiB"))
        let row = String(repeating: String(repeating: "x", count: 60_000) + ",", count: 20)
        #expect(ImportBench.fault(.plees, row).contains("more than 1 MiB"))
        #expect(ImportBench.fault(.ios, [0xFF, 0xFE] + Array("x\u{0}".utf8))?.message.contains("UTF-16") == true)
        // The fault has the line of the field, although the reader has passed the line's end.
        for end in ["\n", "\r\n"] {
            let file = Array("sid,start,stop\(end)1,2,".utf8) + [0xC3, 0x28] + Array("\(end)3,4,5\(end)".utf8)
            let fault = ImportBench.fault(.plees, file)
            #expect(fault?.message.contains("no UTF-8") == true && fault?.line == 2, "\(fault.debugDescription)")
        }
    }

    @Test(arguments: [
        (String(repeating: "[", count: 100_000), "deeper than 64"),
        ("{\"data\":[" + String(repeating: "{\"a\":", count: 100_000), "deeper than 64"),
        ("{\"data\":[{},", "ends too early"), ("{\"data\":[{}]", "missing"), ("{\"data\":[{}]}x", "follows"),
        ("{\"data\" [{}]}", "colon"), ("{data:1}", "key"), ("\"x\"", "no JSON array"), ("[1 2]", "comma"),
        ("[{\"a\":1,\"a\":2}]", "twice"), ("[\"" + String(repeating: "x", count: 2 << 20) + "\"]", "more than 1 MiB"),
    ])
    func `R31.4 what is wrong with a JSON file is named with line and byte`(file: String, says: String) {
        let fault = ImportBench.fault(.oura, file)
        #expect(fault.contains(says) && fault.contains("byte"), "\(fault.prefix(200))")
    }

    @Test(arguments: [
        "<!DOCTYPE HealthData [<!ENTITY a \"aa\"><!ENTITY b \"&a;&a;\">]><HealthData>&b;</HealthData>",
        "<!DOCTYPE HealthData [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><HealthData>&a;</HealthData>",
        "<!DOCTYPE HealthData [<!ENTITY % p SYSTEM \"http://127.0.0.1/\"> %p;]><HealthData></HealthData>",
    ])
    func `R31.9 a declared entity ends the reading`(file: String) {
        #expect(ImportBench.fault(.appleHealth, file).contains("declares an entity"))
    }

    @Test(arguments: ["CDATA \"x\"", "CDATA #FIXED \"x\"", "(a|b) \"a\""])
    func `R31.9 a declared default of an attribute ends the reading`(kind: String) {
        let file = "<!DOCTYPE HealthData [<!ATTLIST Record a \(kind)>]><HealthData><Record/></HealthData>"
        #expect(ImportBench.fault(.appleHealth, file).contains("declares a default"))
    }

    @Test func `R31.4 JSON without a list of records is refused by name`() {
        for file in ["{}", "{\"data\":1}", "{\"errors\":[{}]}"] {
            #expect(ImportBench.fault(.oura, file).contains("no sleep of Oura"), "\(file)")
            let fault = ImportBench.fault(.fitbit, Array(file.utf8), zone: .utc)
            #expect(fault?.message.contains("no sleep of Fitbit") == true, "\(file)")
        }
        #expect(ImportBench.fault(.oura, "{\"data\":[]}") == "no fault")
    }

    @Test(arguments: [Int.min, Int.max, 1_081, -1_081])
    func `R31.3 an offset that cannot be is none`(minutes: Int) throws {
        let lines = try ImportBench.read(
            .ios,
            "id,medication_id,taken_at_utc,local_offset_minutes\nm,modafinil,2026-01-14T07:00:00Z,\(minutes)\n"
                + "n,modafinil,2026-01-15T07:00:00Z,-1080\n")
        #expect(ImportBench.entries(lines).map(\.offsetMinutes) == [nil, -1_080])
    }

    @Test(arguments: [
        "CREATE TABLE dose_events(id, event_type, timestamp, CHECK (id = 'y'))",
        "CREATE TABLE dose_events(id, event_type, timestamp);"
            + "CREATE VIRTUAL TABLE pragma_table_xinfo USING fts5(name, hidden)",
    ])
    func `R31.5 no constraint of the file runs, and no virtual table stands in the place of ours`(
        sql: String
    ) throws {
        let file = try ImportBench.database(
            "\(sql); PRAGMA ignore_check_constraints=ON;"
                + "INSERT INTO dose_events VALUES ('x', 'dose1', '2026-01-14T22:30:00Z')")
        #expect(ImportBench.entries(try ImportBench.read(.ios, file)).map(\.id) == ["x"])
    }

    @Test func `R31.10 sleeps that share their stages without end are refused`() throws {
        let file = try ImportBench.database(
            """
            CREATE TABLE CMF_SLEEP_SESSION_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER);
            CREATE TABLE CMF_SLEEP_STAGE_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, STAGE, DURATION INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 3999)
              INSERT INTO CMF_SLEEP_STAGE_SAMPLE SELECT 1768431600000 + i * 1000, 1, 2, 1 FROM n;
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
              INSERT INTO CMF_SLEEP_SESSION_SAMPLE
              SELECT 1768428000000 + i * 1000, 1, 1768471200000 + i * 1000 FROM n;
            """)
        #expect(ImportBench.fault(.gadgetbridge, file)?.message.contains("overlap too much") == true)
    }

    @Test func `R31.10 empty tables of Gadgetbridge are no sleep, and tables that are not read are named`() throws {
        let file = try ImportBench.database(
            """
            CREATE TABLE CMF_SLEEP_SESSION_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER);
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, RAW_KIND INTEGER);
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES (1768428000, 1, 1), (1768428060, 1, 3);
            CREATE TABLE GENERIC_SLEEP_STAGE_SAMPLE (TIMESTAMP INTEGER);
            INSERT INTO GENERIC_SLEEP_STAGE_SAMPLE VALUES (1);
            """)
        let message = try #require(ImportBench.fault(.gadgetbridge, file)).message
        #expect(message.contains("no sleep in the tables"))
        #expect(message.hasSuffix("What stands in GENERIC_SLEEP_STAGE_SAMPLE is not read."))
    }

    @Test func `R31.9 another document, and one that is cut, are refused`() throws {
        #expect(ImportBench.fault(.appleHealth, "<x/>").contains("no export of Apple Health"))
        #expect(ImportBench.fault(.appleHealth, "no XML").contains("cut or wrong"))
        let long = "<HealthData><Record a=\"" + String(repeating: "x", count: 3 << 20) + "\"/></HealthData>"
        #expect(ImportBench.fault(.appleHealth, long).contains("more than 1 MiB"))
        let names = "<HealthData>" + (0..<600_000).map { "<r\($0)/>" }.joined() + "</HealthData>"
        #expect(ImportBench.fault(.appleHealth, names).contains("more than 32 MiB"))
        #expect(ImportBench.fault(.appleHealth, String(repeating: "<a>", count: 100_000)).contains("too deep"))
        let file = try ImportBench.made("apple-health", seed: 1)
        for end in stride(from: 1, to: file.count - 2, by: 997) {
            #expect(ImportBench.fault(.appleHealth, Array(file[..<end]))?.kind == .stream, "\(end)")
        }
    }

    @Test(arguments: ["ios", "gadgetbridge"])
    func `R31.5 a database that is cut or changed is read or refused, never more`(kind: String) throws {
        let source = try #require(ImportSource(rawValue: kind))
        let file = try ImportBench.made(kind)
        #expect(ImportBench.fault(source, file) == nil)
        for end in stride(from: 1, to: file.count - 1, by: file.count / 60) {
            #expect(ImportBench.fault(source, Array(file[..<end]))?.kind == .stream, "\(end)")
        }
        var random = RandomBytes(seed: 31)
        for _ in 0..<300 {
            var changed = file
            for _ in 0..<4 { changed[random.below(file.count)] = UInt8(random.below(256)) }
            if let fault = ImportBench.fault(source, changed) { #expect(fault.kind == .stream, "\(fault)") }
        }
    }

    @Test func `R31.5 a log that is cut or changed gives what was committed before, or a named fault`() throws {
        let (file, log) = try ImportBench.database(
            "CREATE TABLE dose_events(id TEXT, event_type TEXT, timestamp TEXT);"
                + "INSERT INTO dose_events VALUES ('a', 'dose1', '2026-01-14T22:30:00Z');",
            logged: (0..<40).map { "INSERT INTO dose_events VALUES ('b\($0)', 'dose2', '2026-01-15T01:30:00Z');" }
                .joined())
        func count(_ log: [UInt8]) throws -> Int {
            do { return ImportBench.entries(try ImportBench.read(.ios, file, log: log)).count } catch {
                let fault = try #require(error as? ExchangeFault)
                #expect(fault.kind == .stream && !fault.message.isEmpty)
                return -1
            }
        }
        #expect(try count(log) == 41 && count([]) == 1)
        // A commit has 4,120 bytes here. Whole commits count, in their order.
        var last = 1
        for end in stride(from: 0, to: log.count, by: 1_009) {
            let read = try count(Array(log[..<end]))
            #expect(read >= last, "\(end)")
            last = read
        }
        #expect(last > 30)
        var random = RandomBytes(seed: 41)
        for _ in 0..<150 {
            var changed = log
            for _ in 0..<3 { changed[random.below(log.count)] = UInt8(random.below(256)) }
            #expect((-1...41).contains(try count(changed)))
        }
        // The headers claim another page size, and pages far beyond the end.
        for place in [8, 24 + 0, 24 + 4, 24 + 7] {
            var changed = log
            for byte in 0..<4 where place + byte < changed.count { changed[place + byte] = 0xFF }
            _ = try count(changed)
        }
    }

    @Test(arguments: [
        (
            "CREATE TABLE x(a); CREATE VIEW dose_events AS SELECT 1 id, 'dose1' event_type, '' timestamp FROM x",
            "no ordinary table"
        ),
        ("CREATE VIRTUAL TABLE dose_events USING fts5(event_type, timestamp)", "no ordinary table"),
        ("CREATE TABLE dose_events(id, event_type, timestamp AS (hex(zeroblob(1000000000))))", "calculates its column"),
        ("CREATE TABLE dose_events(id, timestamp)", "no column event_type"),
        ("CREATE TABLE other(id)", "none of the tables"),
    ])
    func `R31.5 views, virtual tables and generated columns are refused by name`(sql: String, says: String) throws {
        let scratch = try ScratchFolder()
        try TestProgram.check(["sqlite3", scratch.path("db"), sql])
        let file = Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("db"))))
        let fault = try #require(ImportBench.fault(.ios, file))
        #expect(fault.message.contains(says), "\(fault)")
    }

    @Test func `R31.5 values of the wrong type are named`() throws {
        let scratch = try ScratchFolder()
        try TestProgram.check([
            "sqlite3", scratch.path("db"),
            """
            CREATE TABLE dose_events(id, event_type, timestamp, metadata);
            INSERT INTO dose_events VALUES (x'00', 5, x'FF', 1), (1, 'dose1', 5, NULL), (NULL, NULL, NULL, NULL),
              (2, 'dose1', '2026-01-01T00:00:00Z', 7);
            """,
        ])
        let lines = try ImportBench.read(
            .ios, Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("db")))))
        #expect(ImportBench.entries(lines).count == 1 && ImportBench.refused(lines).count == 3)
    }

    @Test func `R31.6 an archive that unpacks to a bomb is refused, and names are no paths`() throws {
        let zip = try ImportBench.made("zip")
        let fault = try #require(ImportBench.fault(.appleHealth, zip))
        #expect(fault.message.contains("more than 200 times"), "\(fault)")
        #expect(ImportBench.fault(.gadgetbridge, zip)?.message.contains("no database") == true)
        #expect(ImportBench.fault(.ios, zip)?.message.contains("neither events.csv") == true)
        for end in stride(from: 4, to: zip.count - 1, by: max(1, zip.count / 200)) {
            #expect(ImportBench.fault(.ios, Array(zip[..<end]))?.kind == .stream, "\(end)")
        }
    }

    /// Archives that Python packs: deflated, stored, written to a pipe (sizes follow the data), and with the wide sizes
    /// of ZIP64.
    @Test(
        arguments: [
            ("apple-health", "apple_health_export/export.xml"), ("gadgetbridge", "database/Gadgetbridge"),
            ("plees-as-saa", "sleep-export.csv"),
        ], ["deflated", "stored", "piped", "wide"])
    func `R31.6 a file in an archive reads as the file does`(kind: (String, String), form: String) throws {
        let saa =
            "Id,Tz,From,To,Sched,Hours,Rating,Comment\n\"1606420800000\",\"x\",\"\",\"\",\"\",\"8.0\",\"0\",\"\"\n"
        let file = kind.0 == "plees-as-saa" ? Array(saa.utf8) : try ImportBench.made(kind.0, seed: 3)
        let source = ImportSource(rawValue: kind.0) ?? .sleepAsAndroid
        let scratch = try ScratchFolder()
        try Data(file).write(to: URL(fileURLWithPath: scratch.path("file")))
        let script = """
            import sys, zipfile
            class Pipe:
                def __init__(self, file): self.file = file
                def write(self, data): return self.file.write(data)
                def flush(self): self.file.flush()
            name, form = sys.argv[2:]
            data = open(sys.argv[1], "rb").read()
            method = zipfile.ZIP_STORED if form == "stored" else zipfile.ZIP_DEFLATED
            with open(sys.argv[1] + ".zip", "wb") as file:
                with zipfile.ZipFile(Pipe(file) if form == "piped" else file, "w", method) as archive:
                    archive.writestr("a folder/", "")
                    with archive.open(name, "w", force_zip64=form == "wide") as member: member.write(data)
                    archive.writestr("readme.txt", "x" * 1000)
                    archive.comment = b"a comment at the end"
            """
        try TestProgram.check(["python3", "-c", script, scratch.path("file"), kind.1, form])
        let zip = Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("file.zip"))))
        let lines = try ImportBench.read(source, zip)
        #expect(lines == (try ImportBench.read(source, file)) && ImportBench.sleeps(lines).count > 0)
    }

    @Test func `R31.6 too many members and a wrong list are refused`() throws {
        let scratch = try ScratchFolder()
        let script = """
            import sys, zipfile
            with zipfile.ZipFile(sys.argv[1], "w") as archive:
                for number in range(int(sys.argv[2])): archive.writestr(f"m{number}", "")
            """
        for (count, says) in [(1_000, "neither events.csv"), (1_001, "1000 are the most"), (0, "neither events.csv")] {
            try TestProgram.check(["python3", "-c", script, scratch.path("zip"), String(count)])
            let zip = Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("zip"))))
            #expect(ImportBench.fault(.ios, zip)?.message.contains(says) == true, "\(count)")
        }
    }

    @Test func `R31.6 a changed byte of an archive never goes unseen in what is read`() throws {
        let stream = ExchangeBench.random(seed: 11)
        let bundle = try ExchangeBench.bytes(.ios, stream)
        let whole = try ImportBench.read(.ios, bundle)
        var random = RandomBytes(seed: 7)
        for _ in 0..<200 {
            var changed = bundle
            changed[random.below(bundle.count)] ^= UInt8(1 + random.below(255))
            guard ImportBench.fault(.ios, changed) == nil else { continue }
            // The change is in bytes that are not read: dates, names, the other members.
            let entries = ImportBench.entries(try ImportBench.read(.ios, changed))
            #expect(entries.isEmpty || Set(entries.map(\.at)).isSubset(of: ImportBench.entries(whole).map(\.at)))
        }
    }

    // MARK: The program

    private static func run(_ words: [String], _ file: [UInt8], tracer: [String] = []) throws -> TestProgram.Outcome {
        let scratch = try ScratchFolder()
        try Data(file).write(to: URL(fileURLWithPath: scratch.path("file")))
        return try TestProgram.run(
            tracer + [
                "/bin/sh", "-c", "file=$1; shift; exec \"$@\" < \"$file\"", "sh", scratch.path("file"),
                ExchangeBench.program, "import",
            ] + words)
    }

    @Test(arguments: ["ios", "gadgetbridge", "apple-health", "plees"])
    func `R31.1 the confined program writes what the room writes`(kind: String) throws {
        let source = try #require(ImportSource(rawValue: kind))
        let file = try ImportBench.made(kind, seed: 5)
        let outcome = try Self.run([kind], file)
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        #expect(try ImportBench.lines(Array(outcome.output)) == ImportBench.read(source, file))
    }

    @Test func `R31.1 wrong words and files have their exit codes and names`() throws {
        for words in [[], ["log"], ["wat"], ["plees", "--zone"], ["plees", "--wat", "x"]] {
            let outcome = try Self.run(words, [])
            #expect(outcome.status == 64 && outcome.errors.contains("Usage: dosetap-exchange import"), "\(words)")
        }
        #expect(try Self.run(["fitbit", "--zone", "Not/AZone"], Array("[]".utf8)).status == 64)
        #expect(try Self.run(["fitbit"], Array("[]".utf8)).status == 64)
        #expect(try Self.run(["fitbit", "--zone", "Europe/Berlin"], Array("[]".utf8)).status == 0)
        let wrong = try Self.run(["plees", "--name", "my\nfile.csv"], Array("x\n".utf8))
        #expect(wrong.status == 65 && wrong.errors.hasPrefix("my file.csv: Line 1: It is no file of Plees Tracker"))
        let pipe = try TestProgram.run(["/bin/sh", "-c", "echo x | \"$1\" import plees", "sh", ExchangeBench.program])
        #expect(pipe.status == 64 && pipe.errors == "Standard input has to be a file.\n")
    }

    @Test(.enabled(if: Strace.isAllowed, "needs a machine where programs may be traced"))
    func `R31.1 it opens the zone alone, and nothing once it is confined`() throws {
        let scratch = try ScratchFolder()
        let outcome = try Self.run(
            ["ios", "--zone", "Europe/Berlin"], try ImportBench.made("ios"),
            tracer: ["strace", "-f", "-o", scratch.path("calls")])
        #expect(outcome.status == 0, "\(outcome.errors)")
        let calls = try String(contentsOfFile: scratch.path("calls"), encoding: .utf8).split(separator: "\n")
        let confined = try #require(calls.lastIndex { $0.contains(" seccomp(") })
        let after = calls[confined...].dropFirst()
        #expect(after.contains { $0.contains(" read(0,") })
        for call in ["open", "socket", "clone", "exec", "connect"] {
            #expect(!after.contains { $0.contains(" \(call)") }, "\(call)")
        }
        #expect(calls[..<confined].contains { $0.contains("Europe/Berlin") && $0.contains("open") })
    }
}

/// Random numbers, the same for a seed.
struct RandomBytes {
    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    mutating func below(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }
}
