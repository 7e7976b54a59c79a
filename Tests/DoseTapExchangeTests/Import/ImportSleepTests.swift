import DoseTapDomain
import DoseTapExchange
import DoseTapImporters
import DoseTapTestSupport
import Foundation
import Testing

/// Sleep records of other programs, compared with an independent reader of the same file.
@Suite struct ImportSleepTests {
    @Test(arguments: 1...4)
    func `R31.9 sleeps of Apple Health are what iterparse and a line of minutes give`(seed: Int) throws {
        let file = try ImportBench.made("apple-health", seed: seed)
        let lines = try ImportBench.read(.appleHealth, file)
        let told = ImportBench.told(ImportBench.sleeps(lines)).sorted()
        let expected = try ImportBench.told("sleeps", "apple-health", file)
        #expect(told == expected.sorted())
        #expect(told.count > 40 && ImportBench.refused(lines).isEmpty)
        for sleep in ImportBench.sleeps(lines) { #expect(Self.isOnOneLine(sleep), "\(sleep.row)") }
    }

    @Test(arguments: 1...3)
    func `R31.10 sleeps of Gadgetbridge are what SQL by hand gives, each maker by its own numbers`(seed: Int) throws {
        let file = try ImportBench.made("gadgetbridge", seed: seed)
        let lines = try ImportBench.read(.gadgetbridge, file)
        #expect(
            ImportBench.told(ImportBench.sleeps(lines)).sorted()
                == (try ImportBench.told("sleeps", "gadgetbridge", file)).sorted())
        let refused = ImportBench.refused(lines)
        #expect(refused.count { $0.hasSuffix("it has no end after its start") } == 9)
        #expect(refused.count { $0.contains("has the same start and ends no earlier") } == 3)
        #expect(
            refused.count { $0.hasSuffix("of its sleeps: they have less than 5 minutes") } == 2 && refused.count == 14)
    }

    @Test func `R31.10 sleeps of a row for each minute: awake between, open where not worn, two hours part them`()
        throws
    {
        // Minutes: 100 asleep, 5 awake, 60 not worn, 50 asleep; 120 without a row, 10 asleep; 121 without a row, 10
        // asleep.
        var kinds: [(Int, Int)] = []
        var minute = 0
        func add(_ count: Int, _ kind: Int?) {
            if let kind { kinds += (minute..<minute + count).map { ($0, kind) } }
            minute += count
        }
        for (count, kind) in [
            (30, 1), (100, 9), (5, 1), (60, 3), (30, 11), (20, 0), (120, nil), (10, 9), (121, nil), (10, 0), (10, 9),
        ] as [(Int, Int?)] { add(count, kind) }
        let rows = kinds.map { "(\(1_768_428_000 + $0 * 60), 1, \($1))" }.joined(separator: ", ")
        let file = try ImportBench.database(
            """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, RAW_KIND INTEGER);
            INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES \(rows), (NULL, 1, 9), (1768428000, NULL, 9);
            """)
        let lines = try ImportBench.read(.gadgetbridge, file)
        #expect(
            ImportBench.sleeps(lines).map(ImportBench.course) == [
                "light 0–100, awake 100–105, deep 165–215, light 335–345", "light 0–10",
            ])
        #expect(ImportBench.sleeps(lines).map { $0.start.seconds - 1_768_428_000 } == [1_800, 30_360])
        #expect(
            ImportBench.refused(lines) == ["MI_BAND_ACTIVITY_SAMPLE, 2 of its rows: they have no time or no device"])
    }

    @Test func `R31.10 one number is sleep with the first Mi Band and none with later ones`() throws {
        let rows = [1, 2].flatMap { device in (0..<10).map { "(\(1_768_428_000 + $0 * 60), \(device), 4)" } }
        for type in [
            "TYPE INTEGER); INSERT INTO DEVICE VALUES (1, 'Old', 10), (2, 'New', 11);",
            "TYPE_NAME TEXT); INSERT INTO DEVICE VALUES (1, 'Old', 'MIBAND'), (2, 'New', 'MIBAND3');",
        ] {
            let file = try ImportBench.database(
                """
                CREATE TABLE DEVICE (_id INTEGER PRIMARY KEY, NAME TEXT, \(type)
                CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, RAW_KIND INTEGER);
                INSERT INTO MI_BAND_ACTIVITY_SAMPLE VALUES \(rows.joined(separator: ", "));
                """)
            let sleeps = ImportBench.sleeps(try ImportBench.read(.gadgetbridge, file))
            #expect(sleeps.map(\.device) == ["Old"] && sleeps.map(ImportBench.course) == ["deep 0–10"])
        }
    }

    @Test func `R31.10 sleep that never ends is one that is too long, whatever it takes`() throws {
        let file = try ImportBench.database(
            """
            CREATE TABLE MI_BAND_ACTIVITY_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, RAW_KIND INTEGER);
            WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
              INSERT INTO MI_BAND_ACTIVITY_SAMPLE SELECT 1768428000 + i * 60, 1, 9 + i % 2 * 2 FROM n;
            """)
        let lines = try ImportBench.read(.gadgetbridge, file)
        #expect(ImportBench.sleeps(lines).isEmpty)
        #expect(
            ImportBench.refused(lines).count == 1
                && ImportBench.refused(lines)[0].hasSuffix("it is longer than 24 hours"))
    }

    @Test func `R31.10 a sleep within another one of the device is named`() throws {
        let scratch = try ScratchFolder()
        let hours = [(1, 0, 8), (1, 2, 6), (1, 3, 7), (1, 7, 9), (2, 3, 7), (1, 30, 31)]
        let rows = hours.map { device, start, end in
            "(\(1_768_428_000_000 + start * 3_600_000), \(device), \(1_768_428_000_000 + end * 3_600_000))"
        }
        try TestProgram.check([
            "sqlite3", scratch.path("db"),
            "CREATE TABLE CMF_SLEEP_SESSION_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER);"
                + "INSERT INTO CMF_SLEEP_SESSION_SAMPLE VALUES \(rows.joined(separator: ", "))",
        ])
        let lines = try ImportBench.read(
            .gadgetbridge, Array(try Data(contentsOf: URL(fileURLWithPath: scratch.path("db")))))
        // The rows are numbered in the order of their times.
        #expect(ImportBench.sleeps(lines).map { ($0.end - $0.start).wholeMinutes } == [480, 120, 60, 240])
        #expect(
            ImportBench.refused(lines).allSatisfy { $0.hasSuffix("it lies within CMF_SLEEP_SESSION_SAMPLE, row 1") })
        #expect(ImportBench.refused(lines).count == 2)
    }

    @Test func `R31.10 a sleep that cannot be hides no other one`() throws {
        let file = try ImportBench.database(
            """
            CREATE TABLE CMF_SLEEP_SESSION_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER);
            INSERT INTO CMF_SLEEP_SESSION_SAMPLE VALUES (1768424400000, 1, 4291747200000),
              (1768425000000, 1, 1768598000000), (1768428000000, 1, 1768456800000), (1768428000000, 1, 1768600800000);
            """)
        let lines = try ImportBench.read(.gadgetbridge, file)
        #expect(ImportBench.sleeps(lines).map { ($0.end - $0.start).wholeMinutes } == [480])
        let refused = ImportBench.refused(lines)
        #expect(refused.count == 3 && refused.count { $0.hasSuffix("it is longer than 24 hours") } == 2)
        #expect(refused.count { $0.hasSuffix("is not within the years 2000 to 2099") } == 1)
    }

    @Test func `R31.3 whole minutes that were rounded up come off the largest stage`() throws {
        let file = try ImportBench.database(
            """
            CREATE TABLE XIAOMI_SLEEP_TIME_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER,
              DEEP_SLEEP_DURATION INTEGER, LIGHT_SLEEP_DURATION INTEGER, REM_SLEEP_DURATION INTEGER);
            INSERT INTO XIAOMI_SLEEP_TIME_SAMPLE VALUES (1768428000000, 1, 1768456800000, 90, 300, 90),
              (1768528000000, 1, 1768556800000, 90, 300, 91), (1768628000000, 1, 1768656800000, 90, 300, 93);
            """)
        let lines = try ImportBench.read(.gadgetbridge, file)
        #expect(
            ImportBench.sleeps(lines).map(\.course) == [
                .durations([.deep: 5_400, .light: 18_000, .rem: 5_400]),
                .durations([.deep: 5_400, .light: 17_940, .rem: 5_460]),
            ])
        #expect(
            ImportBench.refused(lines) == ["XIAOMI_SLEEP_TIME_SAMPLE, row 3: its stages together are longer than it"])
    }

    @Test func `R31.10 stages that cannot be read, or lie in no sleep, are counted`() throws {
        let file = try ImportBench.database(
            """
            CREATE TABLE COLMI_SLEEP_SESSION_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, WAKEUP_TIME INTEGER);
            INSERT INTO COLMI_SLEEP_SESSION_SAMPLE VALUES (1768428000000, 1, 1768456800000);
            CREATE TABLE COLMI_SLEEP_STAGE_SAMPLE (TIMESTAMP INTEGER, DEVICE_ID INTEGER, STAGE INTEGER, DURATION INTEGER);
            INSERT INTO COLMI_SLEEP_STAGE_SAMPLE VALUES (1768428000000, 1, 2, 60), (1768428000000, 2, 2, 60),
              (1768456800000, 1, 2, 60), (NULL, 1, 2, 60), (1768438000000, 1, 2, 0), (1768438000000, 1, 2, 'x');
            """)
        let lines = try ImportBench.read(.gadgetbridge, file)
        #expect(ImportBench.sleeps(lines).map(ImportBench.course) == ["light 0–60"])
        #expect(
            ImportBench.refused(lines) == [
                "COLMI_SLEEP_STAGE_SAMPLE, 3 of its rows: they have no time or no length",
                "COLMI_SLEEP_STAGE_SAMPLE, 2 of its rows: they lie in no sleep that is taken",
            ])
    }

    @Test(arguments: 1...2)
    func `R31.11 sleeps of Plees Tracker are what Python's csv gives`(seed: Int) throws {
        let file = try ImportBench.made("plees", seed: seed)
        let lines = try ImportBench.read(.plees, file)
        let sleeps = ImportBench.sleeps(lines)
        #expect(sleeps.contains { $0.note == "two, \"words\"" } && sleeps.contains { $0.note == nil })
        #expect(ImportBench.refused(lines).count { $0.contains("its rating: ") } == 1)
        #expect(ImportBench.told(sleeps).sorted() == (try ImportBench.told("sleeps", "plees", file)).sorted())
        #expect(sleeps.allSatisfy { $0.grade == .told && $0.id != nil })
    }

    @Test func `R31.11 a number of awakenings of Plees Tracker is named once, and its sleep is taken`() throws {
        let lines = try ImportBench.read(
            .plees,
            "sid,start,stop,rating,comment,wakes\n1,1768341600000,1768370400000,0,\"ok\",0\n"
                + "2,1768428000000,1768456800000,0,\"comment\",2\n3,1768514400000,1768543200000,0,,3\n")
        #expect(ImportBench.sleeps(lines).count == 3)
        #expect(
            ImportBench.refused(lines) == [
                "line 3, its awakenings: a mere number of awakenings has no place in the record; others are not named"
            ])
    }

    private static func isOnOneLine(_ sleep: ImportedSleep) -> Bool {
        guard case .stages(let all) = sleep.course else { return true }
        let spans = all.filter { $0.stage != .inBed }
        return zip(spans, spans.dropFirst()).allSatisfy {
            $0.end <= $1.start && ($0.end < $1.start || $0.stage != $1.stage)
        }
            && spans.allSatisfy { sleep.start <= $0.start && $0.start < $0.end && $0.end <= sleep.end }
    }

    private static func apple(_ records: [(String, String, String)]) -> String {
        "<HealthData>"
            + records.map { value, start, end in
                "<Record type=\"HKCategoryTypeIdentifierSleepAnalysis\" sourceName=\"W\" startDate=\"\(start)\" "
                    + "endDate=\"\(end)\" value=\"HKCategoryValueSleepAnalysis\(value)\"/>"
            }.joined() + "</HealthData>"
    }

    @Test func `R31.9 a night of Apple Health goes through a clock change by its offsets`() throws {
        let sleeps = ImportBench.sleeps(
            try ImportBench.read(
                .appleHealth,
                Self.apple([
                    ("InBed", "2026-10-25 00:00:00 +0200", "2026-10-25 03:00:00 +0100"),
                    ("AsleepCore", "2026-10-25 02:10:00 +0200", "2026-10-25 02:20:00 +0100"),
                ])))
        #expect(sleeps.map(ImportBench.course) == ["in_bed 0–240, light 130–200"])
        #expect(sleeps.first?.offsetMinutes == 120)
    }

    @Test func `R31.9 a zone that a person named comes before the offsets of the export`() throws {
        let file = Self.apple([("Asleep", "2026-01-05 02:00:00 +0200", "2026-01-05 03:00:00 +0200")])
        let bare = try ImportBench.read(.appleHealth, file)
        #expect(ImportBench.sleeps(bare).map(\.offsetMinutes) == [120])
        #expect(ImportBench.notes(bare).count == 1 && ImportBench.notes(bare)[0].contains("--zone"))
        let zoned = try ImportBench.read(.appleHealth, file, zone: ImportBench.berlin)
        #expect(ImportBench.sleeps(zoned).map(\.offsetMinutes) == [60] && ImportBench.notes(zoned).isEmpty)
    }

    @Test func `R31.9 records that cannot be are named, and what a person entered is told`() throws {
        let told = Self.apple([
            ("Awake", "1900-01-01 00:00:00 +0000", "1900-01-01 01:00:00 +0000"),
            ("Awake", "2106-01-01 00:00:00 +0000", "2106-01-01 01:00:00 +0000"),
            ("Awake", "2026-01-01 02:00:00 +0000", "2026-01-01 01:00:00 +0000"),
            ("Awake", "2026-01-01 02:00:00", "2026-01-01 03:00:00 +0000"),
            ("Asleep", "2026-01-05 02:00:00 +0000", "2026-01-05 03:00:00 +0000"),
        ]).replacing(
            "/></HealthData>", with: "><MetadataEntry key=\"HKWasUserEntered\" value=\"1\"/></Record></HealthData>")
        let lines = try ImportBench.read(.appleHealth, told)
        #expect(
            ImportBench.refused(lines).map { String($0.drop { $0 != ":" }.dropFirst(2)) } == [
                "its times are not within the years 2000 to 2099", "its times are not within the years 2000 to 2099",
                "it does not end after its start", "it has no startDate that is a time",
            ])
        #expect(ImportBench.sleeps(lines).map(\.grade) == [.told])
    }

    @Test func `R31.8 of two stages at one time the more exact one counts, then the one that began last`() throws {
        func at(_ minute: Int) -> Instant { Instant(seconds: 1_768_428_000) + .minutes(minute) }
        func course(_ spans: [(ImportedSleep.Stage, Int, Int)]) -> [String] {
            StageLine.flat(spans.map { ImportedSleep.Span($0, at($1), at($2)) }).map { span in
                "\(span.stage.rawValue) \((span.start - at(0)).wholeMinutes)–\((span.end - at(0)).wholeMinutes)"
            }
        }
        #expect(
            course([(.inBed, 0, 100), (.light, 10, 50), (.awake, 20, 30)])
                == ["in_bed 0–100", "light 10–20", "awake 20–30", "light 30–50"])
        #expect(
            course([(.asleep, 0, 60), (.unknown, 0, 90), (.deep, 50, 60)])
                == ["asleep 0–50", "deep 50–60", "unknown 60–90"])
        #expect(
            course([(.light, 0, 10), (.light, 10, 20), (.light, 30, 30), (.rem, 40, 50)])
                == ["light 0–20", "rem 40–50"])
        #expect(course([]).isEmpty)
    }

    @Test func `R31.12 Sleep as Android begins at its Id and lasts its hours, whatever its local times say`() throws {
        let head = "Id,Tz,From,To,Sched,Hours,Rating,Comment,Framerate,Snore,Noise,Cycles,DeepSleep,LenAdjust,Geo"
        let file = """
            \(head),"7:00"
            "1606420800000","Europe/London","26. 11. 2020 20:00","27. 11. 2020 7:00","","11.000","0.0","by hand","1","-1","-1.0","-1","-1.0","-1.0","","0.0"
            \(head),"1:00","Event","Event","Event"
            "1603589400000","Europe/London","25. 10. 2020 1:30","25. 10. 2020 1:20","","0.8333","0.0","a \\n b","1","-1","-1.0","5","0.25","-30","","0.0","LIGHT_START-1603589400000","LIGHT_END-1603591200000","DEEP_START-1603591200000"
            ,,,,,,,,,,,,,,,0.1
            \(head)
            "1606520800000","x","","","","8.0","0.0","","1","-1","-1.0","-1","0.25","-30",""
            "1606720800000","x","","","","8.0","0.0","","1","-1","-1.0","-1","2","9223372036854775807",""
            "x","x","","","","8.0","0.0","","1","-1","-1.0","-1","0.25","-30",""
            "1606620800000","x","","","","nan","0.0","","1","-1","-1.0","-1","0.25","-30",""

            """
        let lines = try ImportBench.read(.sleepAsAndroid, file)
        let sleeps = ImportBench.sleeps(lines)
        #expect(sleeps.map(\.grade) == [.told, .estimated, .estimated, .estimated])
        #expect(sleeps.map { ($0.end - $0.start).wholeMinutes } == [660, 49, 480, 480])
        #expect(sleeps.map(\.offsetMinutes) == [0, 0, nil, nil])
        #expect(ImportBench.course(sleeps[1]) == "light 0–30, unknown 30–49")
        #expect(sleeps[0].course == .durations([.asleep: 39_600]))
        #expect(sleeps[2].course == .durations([.asleep: 20_250, .deep: 6_750, .awake: 1_800]))
        #expect(sleeps[3].course == .durations([.asleep: 28_800]))
        #expect(
            ImportBench.refused(lines) == [
                "line 9: its Id 'x' is no time", "line 10: its Hours 'nan' are no length of a sleep",
            ])
    }

    @Test func `R31.12 a record that tells its times awake alone is asleep between them`() throws {
        let file = """
            Id,Tz,From,To,Sched,Hours,Rating,Comment,LenAdjust,Event,Event
            "1606420800000","x","","","","8.0","0.0","","-30.0","AWAKE_START-1606424400000","AWAKE_END-1606428000000"
            "1606520800000","x","","","","8.0","0.0","","-30.0"
            "1606620800000","x","","","","8.0","0.0","","-1e300"
            "1606720800000","x","","","","8.0","0.0","","-inf"

            """
        let sleeps = ImportBench.sleeps(try ImportBench.read(.sleepAsAndroid, file))
        #expect(sleeps.first.map(ImportBench.course) == "asleep 0–60, awake 60–120, asleep 120–480")
        #expect(
            sleeps.dropFirst().map(\.course) == [
                .durations([.asleep: 27_000, .awake: 1_800]), .durations([.asleep: 0, .awake: 28_800]),
                .durations([.asleep: 28_800]),
            ])
    }

    private static let fitbit = """
        {"sleep":[{"logId":1,"startTime":"2026-10-24T23:30:00.000","endTime":"2026-10-25T04:30:00.000","duration":21600000,
        "isMainSleep":true,"timeInBed":360,"type":"stages","levels":{"data":[
        {"dateTime":"2026-10-24T23:30:00.000","level":"light","seconds":9000},
        {"dateTime":"2026-10-25T02:00:00.000","level":"deep","seconds":3600},
        {"dateTime":"2026-10-25T02:00:00.000","level":"rem","seconds":9000}],
        "shortData":[{"dateTime":"2026-10-24T23:40:00.000","level":"wake","seconds":60}]}},
        {"logId":2,"startTime":"2026-01-02T13:00:00","endTime":"2026-01-02T13:30:00","isMainSleep":false,"type":"classic",
        "minutesAsleep":25,"minutesAwake":5},
        {"logId":3,"startTime":"2026-01-02T13:00:00"}]}
        """

    @Test func `R31.13 Fitbit needs a zone, counts its seconds through a clock change, and knows naps`() throws {
        #expect(ImportBench.fault(.fitbit, Self.fitbit).contains("--zone"))
        let lines = try ImportBench.read(.fitbit, Self.fitbit, zone: ImportBench.berlin)
        let sleeps = ImportBench.sleeps(lines)
        #expect(sleeps.map(\.part) == [.main, .nap] && sleeps.map(\.offsetMinutes) == [120, 60])
        #expect(
            ImportBench.course(sleeps[0])
                == "in_bed 0–360, light 0–10, awake 10–11, light 11–150, deep 150–210, rem 210–360")
        #expect(sleeps[1].course == .durations([.asleep: 1_500, .awake: 300]))
        #expect(ImportBench.refused(lines) == ["record 3, line 9: it has no startTime or endTime that is a time"])
        // The archive of an account has the same records in an array.
        let array = "[" + Self.fitbit.dropFirst(10).dropLast(2) + "]"
        #expect(ImportBench.sleeps(try ImportBench.read(.fitbit, array, zone: ImportBench.berlin)).count == 2)
    }

    @Test(arguments: [("05:30", "2026-10-25T00:30:00Z", 120), ("06:30", "2026-10-25T01:30:00Z", 60)])
    func `R31.13 Fitbit begins in the second pass of an hour where it counts from there`(
        end: String, start: String, offset: Int
    ) throws {
        let file = """
            [{"logId":1,"startTime":"2026-10-25T02:30:00.000","endTime":"2026-10-25T\(end):00.000","duration":14400000,
            "type":"stages","levels":{"data":[{"dateTime":"2026-10-25T02:30:00.000","level":"light","seconds":14400},
            {"dateTime":"x","level":"light","seconds":60}]}}]
            """
        let lines = try ImportBench.read(.fitbit, file, zone: ImportBench.berlin)
        let sleeps = ImportBench.sleeps(lines)
        #expect(sleeps.map(\.start) == [try Instant(iso8601: start)] && sleeps.map(\.offsetMinutes) == [offset])
        #expect(sleeps.map(ImportBench.course) == ["light 0–240"])
        #expect(ImportBench.refused(lines).count == 1 && ImportBench.refused(lines)[0].contains("1 of its stages"))
    }

    @Test func `R31.13 a part of Oura's records says that there are more`() throws {
        #expect(ImportBench.notes(try ImportBench.read(.oura, "{\"data\":[],\"next_token\":null}")).isEmpty)
        let notes = ImportBench.notes(try ImportBench.read(.oura, "{\"data\":[],\"next_token\":\"x\"}"))
        #expect(notes.count == 1 && notes[0].contains("next_token"))
    }

    @Test func `R31.13 Oura tells a digit five minutes; what is not the long sleep is a nap`() throws {
        let file = """
            {"data":[{"id":"o1","bedtime_start":"2026-01-14T23:00:00+01:00","bedtime_end":"2026-01-15T00:03:00+01:00",
            "type":"long_sleep","sleep_phase_5_min":"44222111333429"},
            {"id":"o2","bedtime_start":"2026-01-15T13:00:00-05:30","bedtime_end":"2026-01-15T13:30:00-05:30",
            "type":"late_nap","deep_sleep_duration":300,"light_sleep_duration":1200},
            {"id":"o3","type":"deleted","bedtime_start":"2026-01-15T13:00:00Z","bedtime_end":"2026-01-15T13:30:00Z"},
            {"id":"o4","bedtime_start":"2026-01-15T13:00:00","bedtime_end":"2026-01-15T13:30:00Z"}],"next_token":null}
            """
        let lines = try ImportBench.read(.oura, file)
        let sleeps = ImportBench.sleeps(lines)
        #expect(sleeps.map(\.part) == [.main, .nap] && sleeps.map(\.offsetMinutes) == [60, -330])
        #expect(
            ImportBench.course(sleeps[0])
                == "in_bed 0–63, awake 0–10, light 10–25, deep 25–40, rem 40–55, awake 55–60, light 60–63")
        #expect(sleeps[1].course == .durations([.deep: 300, .light: 1_200]))
        #expect(ImportBench.refused(lines).count == 2)
    }
}
