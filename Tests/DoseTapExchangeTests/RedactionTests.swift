import DoseTapDomain
import Testing

@testable import DoseTapExchange

@Suite struct RedactionTests {
    /// The whole output of a format, readable: an archive stores its files uncompressed.
    private static func written(
        _ format: Format, _ profile: ExportProfile, identity: Identity = ExchangeBench.identity
    ) throws -> String {
        try ExchangeBench.make(format, PlantedNight.stream, profile: profile, identity: identity)
    }

    private static var uuid: Regex<Substring> { /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/ }

    private static let redacting: [(Format, ExportProfile)] = [
        (.fhir, .clinic), (.fhir, .share), (.fhir, .figures), (.ical, .clinic), (.ical, .share), (.ios, .clinic),
        (.ios, .share),
    ]

    @Test(arguments: redacting + [(.report, .clinic), (.report, .share), (.report, .figures)])
    func `R28.7 no word of the person, and none that the machine says of itself, is left`(
        format: Format, profile: ExportProfile
    ) throws {
        let text = try Self.written(format, profile)
        for place in PlantedNight.words { #expect(!text.contains(PlantedNight.secret(place)), "\(place)") }
        #expect(!text.contains("zq"))
    }

    /// The places for which a format has no field, even in `full`.
    private static let unwritten: [Format: Set<String>] = [
        .fhir: ["surface", "unknown-key", "amended-note", "checkin-again"],
        .ios: [
            "stress-notes", "environment-notes", "pain-notes", "drink", "presleep-stress", "regimen-note",
            "amended-note", "loose-note", "checkin-again",
        ],
    ]

    @Test(arguments: [Format.fhir, .ios])
    func `R28.6 full tells every word it has room for`(format: Format) throws {
        let text = try Self.written(format, .full)
        for place in PlantedNight.words where Self.unwritten[format]?.contains(place) == false {
            #expect(text.contains(PlantedNight.secret(place)), "\(place)")
        }
        #expect(PlantedNight.words.count > (Self.unwritten[format]?.count ?? 0) + 8)
    }

    @Test(arguments: redacting)
    func `R28.8 no id of the record is left, and two files share none`(format: Format, profile: ExportProfile) throws {
        let one = try Self.written(format, profile, identity: .random())
        let other = try Self.written(format, profile, identity: .random())
        for id in PlantedNight.ids { #expect(!one.contains(id)) }
        let ids = Set(one.matches(of: Self.uuid).map(\.output))
        #expect(!ids.isEmpty)
        #expect(ids.isDisjoint(with: other.matches(of: Self.uuid).map(\.output)))
    }

    @Test(arguments: [Format.fhir, .ical, .ios])
    func `R28.9 share has no medicine, amount, zone or date of the record`(format: Format) throws {
        // Identifiers have random digits, so the text is searched without them.
        let text = try Self.written(format, .share).replacing(Self.uuid, with: "")
        for word in [
            "xywav", "XYWAV", "modafinil", "Modafinil", "ritalin", "N07XX04", "68727", "2393795", "2257", "4511",
            "2256",
            "207", "1003", "melatonin", "Berlin", "+01:00", "2026", "2025",
        ] { #expect(!text.contains(word), "\(word)") }
        #expect(text.contains("2000"))
    }

    @Test func `R28.9 the nights of share are numbered without gaps, and intervals stay`() throws {
        let resources = try ExchangeBench.resources(PlantedNight.stream, profile: .share)
        let doses = resources.filter { $0["status"] == "completed" && $0["extension"] != nil }
        let times = try doses.map { try Instant(iso8601: #require($0["effectiveDateTime"]?.stringValue)) }
        // The wall clock said 22:30 and 01:15. The second night, six days later, becomes the next one.
        #expect(
            times.map(\.iso8601) == [
                "2000-01-01T22:30:00.000Z", "2000-01-02T01:15:00.000Z", "2000-01-02T22:30:00.000Z",
            ])
    }

    @Test func `R28.8 R28.9 what is shared has whole minutes: seconds would name the night in another file`() throws {
        let stream = PlantedNight.stream.replacing("2026-01-03T21:30:00.000Z", with: "2026-01-03T21:30:07.123Z")
        let told = try ExchangeBench.make(.fhir, stream, profile: .share)
        #expect(!told.contains(":07") && !told.contains(".123"))
        #expect(try ExchangeBench.make(.fhir, stream, profile: .clinic).contains(":07.123"))
    }

    @Test func `R28.10 figures are counts and medians alone`() throws {
        let resources = try ExchangeBench.resources(PlantedNight.stream, profile: .figures)
        #expect(resources.map { $0["resourceType"] } == ["Patient", "Observation"])
        let parts = resources[1]["component"]?.arrayValue ?? []
        func value(_ word: String) -> JSONValue? {
            let part = parts.first { $0["code"]?["coding"]?.arrayValue?.first?["code"]?.stringValue == word }
            return part?["valueInteger"] ?? part?["valueQuantity"]?["value"]
        }
        #expect(value("nights") == 2 && value("nights_on_time") == 1 && value("nights_skipped") == 1)
        #expect(value("interval_n") == 1 && value("interval_median") == 165 && value("total_sleep_median") == 420)
        #expect(value("nights_late") == 0 && value("naps") == 1)
        #expect(throws: ExchangeFault(.usage, "ical has no place for counts and medians; fhir and report have.")) {
            try Self.written(.ical, .figures)
        }
    }

    @Test func `R13.6 R28.10 figures count no interval where one dose a night is prescribed`() throws {
        var night = try #require(PlantedNight.lines[1]["nights"]?.arrayValue?.first?.objectValue)
        night["outcome"] = "once_nightly"
        let line = JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
        let parts = try ExchangeBench.resources(line, profile: .figures).last?["component"]?.arrayValue ?? []
        func count(_ word: String) -> JSONValue? {
            parts.first { $0["code"]?["coding"]?.arrayValue?.first?["code"] == .string(word) }?["valueInteger"]
        }
        #expect(count("nights_once_nightly") == 1 && count("interval_n") == 0 && count("total_sleep_n") == 1)
    }

    @Test func `R13.7 R28.10 a median of two nights may be a half, and is a quantity`() throws {
        let first = try #require(PlantedNight.lines[1]["nights"]?.arrayValue?.first?.objectValue)
        let lines = [(181, 57), (182, 58)].map { minutes, wellness -> String in
            var night = first
            night["interval_min"] = .integer(Int64(minutes))
            night["interval_ms"] = .integer(Int64(minutes) * 60_000)
            night["wellness_score"] = .integer(Int64(wellness))
            return JSONValue.object(["nights": [.object(night)]]).serialized() + "\n"
        }
        let parts = try ExchangeBench.resources(lines.joined(), profile: .figures).last?["component"]?.arrayValue ?? []
        func median(_ word: String) -> JSONValue? {
            parts.first { $0["code"]?["coding"]?.arrayValue?.first?["code"] == .string("\(word)_median") }?[
                "valueQuantity"]
        }
        #expect(median("interval")?["value"] == 181.5 && median("interval")?["code"] == "min")
        #expect(median("wellness")?["value"] == 57.5 && median("wellness")?["code"] == "1")
        #expect(median("total_sleep")?["value"] == 420)
    }

    @Test(
        arguments: [
            ([], nil), ([3], 3), ([1, 2], 1.5), ([5, 1, 9], 5), ([2, 4, 6, 100], 5), ([200, 300], 100),
        ] as [([Int], Double?)])
    func `R13.7 a median is that of the sorted numbers, halves included`(values: [Int], median: Double?) {
        var distribution = Distribution(to: 100)
        for value in values { distribution.add(value) }
        distribution.add(nil)
        #expect(distribution.median == median && distribution.count == values.count)
    }

    @Test(arguments: [
        ("write to a.b@example.org.", "write to EMAIL_REDACTED."), ("from 192.168.0.1:", "from IP_REDACTED:"),
        ("from fe80::1 and 2001:db8:0:0:0:0:0:1", "from IP_REDACTED and IP_REDACTED"), ("at 07:00", "at 07:00"),
        ("4.5g", "4.5g"), ("1.2.3", "1.2.3"), ("a@b", "a@b"), ("", ""), ("::", "::"),
    ])
    func `R28.7 addresses in text that is left are replaced`(text: String, scrubbed: String) {
        #expect(TextScrubber.scrub(text, ExchangeBench.identity) == scrubbed)
    }

    @Test func `R28.7 a UUID in text that is left is hashed by the salt of the file`() {
        let id = PlantedNight.id(1)
        let one = TextScrubber.scrub("see \(id)", ExchangeBench.identity)
        #expect(one.wholeMatch(of: /see HASH_[0-9a-f]{12}/) != nil)
        #expect(one == TextScrubber.scrub("see \(id.uppercased())", ExchangeBench.identity))
        #expect(one != TextScrubber.scrub("see \(id)", Identity(salt: [1])))
    }

    /// The keys that no redacted file tells: the stock, the lab, and metadata of a receipt and of a regimen, which has a list of
    /// its own.
    private static let leftOut: Set<String> = [
        "inventory", "lab_questions", "lab_plans", "lab_nights", "metadata.dose2_not_recorded", "metadata.until",
    ]

    /// The keys of a shape, with those of the objects in it, that a table takes out because it does not know them.
    private static func unknown(_ shape: Shape, _ table: Treatment.Table, in place: String = "") -> [String] {
        shape.keys.flatMap { key -> [String] in
            let name = place + key.name
            guard let treatment = table(key.name) else { return leftOut.contains(name) ? [] : [name] }
            let inside = key.name + "."
            switch (key.type, treatment) {
            case (.object(let inner), .object(let table)), (.open(let inner), .object(let table)),
                (.list(.object(let inner)), .list(let table)):
                return unknown(inner(), table, in: inside)
            case (.list(.object(let inner)), .entries): return unknown(inner(), Treatment.entry, in: inside)
            default: return []
            }
        }
    }

    @Test func `R28.7 each key of a night and of a prescription has a treatment, so that none is lost unseen`() {
        let line = Shape(
            ShownNights.description.shape.keys + [Key("history", .list(.object { Regimen.shape }))])
        #expect(Self.unknown(line, Treatment.line) == [])
        // A key that no table knows is found.
        let later = Shape([Key("nights", .list(.object { Shape([Key("later_key", .text)]) }))])
        #expect(Self.unknown(later, Treatment.line) == ["nights.later_key"])
    }

    @Test func `R28.11 three nights are shown before and after`() throws {
        let run = try ExchangeRun(.fhir, profile: .clinic, identity: ExchangeBench.identity)
        let lines = try run.preview(LineReader(Array(PlantedNight.stream.utf8)))
        #expect(lines.filter { $0.hasPrefix("Night ") } == ["Night 2026-01-03", "Night 2026-01-09"])
        let before = lines.filter { $0.hasPrefix("  - ") }.joined()
        let after = lines.filter { $0.hasPrefix("  + ") }.joined()
        #expect(before.contains(PlantedNight.secret("dose-note")) && !after.contains("zq"))
        #expect(after.contains("2257"), "a clinic needs the amounts")
        let many = (1...9).map { day in
            String(PlantedNight.stream.split(separator: "\n")[2]).replacing("2026-01-09", with: "2026-02-0\(day)")
                + "\n"
        }
        let shown = try run.preview(LineReader(Array(many.joined().utf8))).filter { $0.hasPrefix("Night ") }
        #expect(shown == ["Night 2026-02-07", "Night 2026-02-08", "Night 2026-02-09"])
        let numbered = try ExchangeRun(.fhir, profile: .share, identity: ExchangeBench.identity)
            .preview(LineReader(Array(PlantedNight.stream.utf8)))
        #expect(numbered.contains("Night 2026-01-09, written as 2000-01-02") && numbered.contains("  + (left out)"))
    }

    @Test func `R28.11 what is shown cannot move a cursor`() throws {
        let stream = PlantedNight.stream.replacing("zq-dose-note-qz", with: "\\u001b[2Jx\\nnight")
        let run = try ExchangeRun(.fhir, profile: .clinic, identity: ExchangeBench.identity)
        let lines = try run.preview(LineReader(Array(stream.utf8)))
        #expect(
            !lines.contains { $0.unicodeScalars.contains { $0.value < 0x20 } } && lines.joined().contains("u001b[2J"))
    }
}
