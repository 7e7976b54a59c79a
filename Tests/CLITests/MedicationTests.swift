import DoseTapDomain
import Testing

@Suite struct MedicationTests {
    static let own = ["DOSETAP_MEDICATIONS_CUSTOM": "Melatonin 3mg/tablet, Magnesium"]

    @Test(
        arguments: [
            (["modafinil"], "modafinil 200 mg"), (["Adderall", "XR"], nil),
            (["Adderall XR", "15mg"], "adderall_xr 15 mg"),
            (["melatonin", "2", "tablets"], "melatonin 6 mg"), (["sunosi", "0.075g", "--ago", "20m"], "sunosi 75 mg"),
        ] as [([String], String?)])
    func `med take records a medicine in any spelling`(arguments: [String], shown: String?) async throws {
        let cli = try CLIHarness()
        let text = try await cli.run(words: ["med", "take"] + arguments, environment: Self.own)
        guard let shown else {
            #expect(text.code == 64)
            return
        }
        #expect(text.code == 0, "\(text.err)")
        #expect(text.out.hasPrefix("Recorded: \(shown) at ") && text.out.contains("\nWrong? dosetap undo, or "))
        let list = try await cli.json("med", "list")["entries"]?.arrayValue
        #expect(list?.count == 1 && list?.first?["type"] == "medication")
        #expect(try await cli.run("med", "list").out.contains(shown))
        #expect(try await cli.json("db", "check")["ok"] == true)
    }

    @Test func `the receipt of a medicine has the keys of every receipt, cautions and warning`() async throws {
        let cli = try CLIHarness()
        let first = try await cli.json("med", "take", "sunosi", "--ago", "1h")
        #expect(
            CLIHarness.keys(first) == [
                "event_id", "type", "session_id", "session_date", "timestamp", "phase", "dose_index", "metadata",
                "duplicate", "interval_min", "time_zone", "handle", "warnings",
            ])
        #expect(first["type"] == "medication" && first["session_id"]?.isNull == true && first["session_date"] != nil)
        let cautions = first["metadata"]?["cautions"]?.arrayValue
        #expect(cautions?.count == 1 && cautions?.first?["source"]?.stringValue?.contains("label") == true)
        #expect(try await cli.run("med", "take", "sunosi").out.contains("\nCaution: Not within 9 hours of bedtime. ("))
        _ = try await cli.json("med", "take", "modafinil", "--ago", "2h")
        let second = try await cli.run("med", "take", "provigil")
        #expect(second.out.contains("\nAnother dose of the same ingredient is on record 2 h apart, within 12 h.\n"))
    }

    @Test func `the same ingredient within five minutes needs a confirmation`() async throws {
        let cli = try CLIHarness()
        let first = try await cli.json("med", "take", "modafinil", "--ago", "3m")
        let asked = try await cli.error(4, "med", "take", "provigil")
        #expect(asked["confirmations"] == ["duplicate"] && asked["standing_id"] == first["event_id"])
        #expect(asked["hint"] == "dosetap med list")
        #expect(asked["confirm_with"]?.stringValue?.hasSuffix("med take provigil --confirm duplicate") == true)
        let more = try await cli.json("med", "take", "provigil", "--confirm", "duplicate")
        #expect(more["metadata"]?["confirmed_duplicate"] == true)
        #expect(try await cli.json("med", "list")["entries"]?.arrayValue?.count == 2)
    }

    @Test func `an oxybate is a dose of the night`() async throws {
        let cli = try CLIHarness()
        let dose = try await cli.json("med", "take", "xywav", "4.5mL", "--ago", "20m")
        #expect(dose["type"] == "dose1" && dose["metadata"]?["amount_mg"] == 2_250)
        #expect(dose["metadata"]?["medication_id"] == "xywav" && dose["phase"] == "before_window")
        let early = try await cli.error(4, "med", "take", "xywav", "4.5mL")
        #expect(early["confirmations"] == ["early"] && early["minutes_to_open"] == 130)
        #expect(try await cli.json("med", "list")["entries"] == .array([]))
    }

    @Test func `a medicine is amended, deleted, undone, explained and shown`() async throws {
        let cli = try CLIHarness()
        let id = try #require(try await cli.json("med", "take", "wakix", "--ago", "10m")["event_id"]?.stringValue)
        #expect(try await cli.json("amend", id, "--amount", "18mg", "--note", "half")["target"]?.stringValue == id)
        let entry = try await cli.json("med", "list")["entries"]?.arrayValue?.first
        #expect(entry?["metadata"]?["dose_mg"] == 18 && entry?["metadata"]?["note"] == "half")
        let why = try await cli.json("why", id)
        #expect(why["entity_type"] == "medication" && why["standing"] == "amended")
        #expect(try await cli.run("show", id).out.contains("wakix"))
        _ = try await cli.json("undo")
        #expect(try await cli.json("delete", String(id.prefix(18)))["type"] == "entry_deleted")
        #expect(try await cli.error(3, "delete", id)["kind"] == "not_found")
        #expect(try await cli.run("med", "list").out == "No medicine is on record.\n")
        #expect(try await cli.json("db", "rebuild")["ok"] == true)
    }

    @Test(
        arguments: [
            (["modafinl"], "dosetap med take modafinil"), (["aspirin"], "dosetap med catalogue"), ([""], nil),
            (["modafinil", "2", "tablets"], nil), (["modafinil", "5mL"], nil),
            (["modafinil", "lots"], "dosetap med take --help"),
            (["modafinil", "0.5mg"], "dosetap med take --help"), (["modafinil", "21g"], nil), (["magnesium"], nil),
            (["modafinil", "--ago", "soon"], nil), ([String(repeating: "x", count: 65)], nil),
            (["sodium oxybate"], "dosetap med catalogue"), (["xyrm"], "dosetap med catalogue"),
        ] as [([String], String?)])
    func `what is wrong exits with 64 and says why`(arguments: [String], hint: String?) async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run(words: ["med", "take"] + arguments + ["--json"], environment: Self.own)
        #expect(outcome.code == 64, "\(arguments)")
        let error = try #require(try outcome.json["error"])
        #expect(error["kind"] == "invalid_input" && error["message"]?.stringValue?.isEmpty == false)
        if let hint { #expect(error["hint"]?.stringValue == hint) }
        #expect(try await cli.json("med", "list")["entries"] == .array([]))
    }

    @Test func `the catalogue lists every medicine, one of them with its cautions`() async throws {
        let cli = try CLIHarness()
        let all = try await cli.run(words: ["med", "catalogue", "--json"], environment: Self.own).json["medications"]?
            .arrayValue
        #expect(all?.count == MedicationCatalogue.standard.medications.count + 2)
        #expect(all?.last?["medication_id"] == "magnesium" && all?.last?["category"] == "own")
        let text = try await cli.run("med", "catalogue", "xyrem")
        #expect(text.code == 0 && text.out.hasSuffix("Follow your prescriber.\n"))
        #expect(text.out.contains("500 mg/mL") && text.out.contains("Xyrem label"))
        let wrong = try await cli.error(64, "med", "catalogue", "xyrm")
        #expect(wrong["hint"]?.stringValue == "dosetap med catalogue xyrem")
        _ = try await cli.error(64, "med", "list", "--limit", "0")
    }

    @Test(arguments: [("Sodium Oxybate 5mg/mL", "xyrem"), ("Modafinil", "meaning"), ("a!", "letters")])
    func `medicines of one's own that do not do are told by the settings`(names: String, text: String) async throws {
        let cli = try CLIHarness()
        let checked = try await cli.run("config", "check", environment: ["DOSETAP_MEDICATIONS_CUSTOM": names])
        #expect(checked.code == 1 && checked.out.contains("DOSETAP_MEDICATIONS_CUSTOM") && checked.out.contains(text))
    }
}
