import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// Programs that a clinic has read and check the packet.
@Suite(.serialized) struct PacketTests {
    /// A record with the person's words in every text field, and the folder that has its key.
    private struct Bench {
        let folder: ScratchFolder
        let cli: CLIHarness

        init(_ recordings: [[String]] = PacketTests.recordings) async throws {
            folder = try ScratchFolder()
            cli = try CLIHarness([
                "XDG_CONFIG_HOME": folder.path("config"), "DOSETAP_SLEEP_EVENTS_CUSTOM": "zqownwordqz",
                "DOSETAP_MEDICATIONS_CUSTOM": "zqownmedicineqz",
            ])
            for line in recordings { try await cli.json(line) }
        }

        /// Makes a packet; a refusal fails the test.
        @discardableResult
        func packet(_ name: String = "packet", _ words: String...) async throws -> JSONValue {
            try await cli.json(["packet", "--yes", "-o", folder.path(name)] + words)
        }

        func text(_ file: String, of packet: String = "packet") throws -> String {
            let path = folder.path("\(packet)/\(file)")
            guard file.hasSuffix(".pdf") else { return try String(contentsOfFile: path, encoding: .utf8) }
            return try TestProgram.check(["pdftotext", "-layout", path, "-"]).text
        }

        func names(_ path: String = "packet") throws -> [String] {
            try FileManager.default.contentsOfDirectory(atPath: folder.path(path)).sorted()
        }

        /// Runs a line of a shell in the packet.
        func shell(_ line: String, in packet: String = "packet") throws -> TestProgram.Outcome {
            try TestProgram.run(["bash", "-c", "cd '\(folder.path(packet))' && \(line)"])
        }

        /// True if the two commands for Linux in READ-ME.txt, run as they stand there, find no fault.
        func isSound(_ packet: String = "packet") throws -> Bool {
            let lines = try text("READ-ME.txt", of: packet).split(separator: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            let signature = try #require(lines.first { $0.hasPrefix("ssh-keygen -Y verify") })
            let sums = try #require(lines.first { $0.hasPrefix("sha256sum -c") })
            return try shell("\(signature) && \(sums) --strict --quiet", in: packet).status == 0
        }
    }

    private static let recordings: [[String]] = [
        ["regimen", "set", "xyrem", "4.5g", "--note", "zq-regimen-qz"],
        ["med", "take", "modafinil", "200", "--note", "zq-medicine-qz"],
        ["med", "take", "zqownmedicineqz", "5mg", "--ago", "30m"],
        ["presleep", "--set", "late_meal=light", "--ago", "170m", "--note", "zq-presleep-qz"],
        ["log", "dose1", "--ago", "160m", "--amount", "2.25g", "--note", "zq-dose-qz"],
        ["log", "bathroom", "--note", "zq-event-qz"], ["log", "zqownwordqz"],
        ["log", "dose2", "--amount", "2.25g", "--note", "zq-second-qz"],
        ["amend", "dose1", "--note", "zq-amended-qz"],
        ["wake", "--note", "zq-wake-qz"], ["checkin", "--set", "mood=good", "--note", "zq-checkin-qz"],
    ]
    /// The files of a packet, without the file that is added only on request.
    private static let files = PacketFile.allCases.filter { $0 != .lab }.map(\.rawValue).sorted()

    @Test func `R33.1 a packet is whole, private and of the nights it says`() async throws {
        let bench = try await Bench()
        let report = try await bench.packet()
        #expect(try SchemaTests.Validator().faults(report, "packet") == [])
        #expect(try bench.names() == Self.files && bench.names("") == ["config", "packet"])
        #expect(report["nights"] == 1 && report["profile"] == "clinic" && report["with"] == [])
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: bench.folder.path(path))[.posixPermissions] as? Int
        }
        #expect(try mode("packet") == 0o700)
        for file in Self.files { #expect(try mode("packet/\(file)") == 0o600, "\(file)") }
        let nights = try TestProgram.check([
            "python3", "-c",
            "import csv, sys; n, d = [list(csv.DictReader(open(f, newline=''))) for f in sys.argv[1:]]; "
                + "print(len(n), n[0]['outcome'], n[0]['dose1_amount_mg'], [r['entry'] for r in d], "
                + "d[1]['judged'], d[1]['time_utc_local'][:13] == n[0]['dose2_time_local'][:13] != '')",
            bench.folder.path("packet/nights.csv"), bench.folder.path("packet/doses.csv"),
        ]).text
        #expect(nights == "1 on_time 2250 ['dose1', 'dose2'] on_time True\n")
        // The packet asks for 90 nights. Dates before the first night on record are not missing.
        #expect(try bench.text("summary.html").contains("no date without one"))
        let manifest = try JSONValue.parse(try bench.text("manifest.json"))
        #expect(manifest["signer"]?["fingerprint"] == report["signer"]?["fingerprint"])
        #expect(manifest["files"]?.arrayValue?.count == 5 && manifest["nights"] == 1)
        // The archive has the same files, unpacked by another program.
        try await bench.packet("packet.zip")
        #expect(try mode("packet.zip") == 0o600)
        let archive = try TestProgram.run([
            "python3", "-m", "zipfile", "-e", bench.folder.path("packet.zip"), bench.folder.path("unpacked"),
        ])
        #expect(archive.status == 0, "\(archive)")
        #expect(try bench.names("unpacked") == Self.files && bench.isSound("unpacked"))
        #expect(try bench.text("doses.csv", of: "unpacked") == bench.text("doses.csv"))
    }

    @Test func `R33.1 the setting packet_nights says how many nights there are where none are chosen`() async throws {
        let bench = try await Bench()
        let at = Instant(seconds: Int64(Date().timeIntervalSince1970) - 5 * 86_400).iso8601
        try await bench.cli.json("log", "dose1", "--at", at, "--confirm", "long_ago")
        #expect(try await bench.packet()["nights"] == 2)
        let few = try await bench.cli.run(
            "packet", "-o", bench.folder.path("few"), "--yes", "--json", environment: ["DOSETAP_PACKET_NIGHTS": "2"])
        #expect(try JSONValue.parse(few.out)["nights"] == 1, "\(few)")
        let wrong = try await bench.cli.run("packet", "-o", bench.folder.path("none"), "--yes", "--nights", "3701")
        #expect(wrong.code != 0 && wrong.err.contains("--nights goes from 1 to 3700"), "\(wrong)")
    }

    @Test func `R33.1 all of a packet counts the same nights, and an entry by day alone is none`() async throws {
        let bench = try await Bench([["log", "dose1", "--ago", "30m"]])
        let at = Instant(seconds: Int64(Date().timeIntervalSince1970) - 5 * 86_400).iso8601
        try await bench.cli.json("log", "water", "--at", at)
        let report = try await bench.packet()
        #expect(report["nights"] == 1, "\(report)")
        #expect(try JSONValue.parse(try bench.text("manifest.json"))["nights"] == 1)
        for file in ["READ-ME.txt", "summary.html"] {
            #expect(try bench.text(file).contains("1 night on record"), "\(file)")
        }
        // The table has a row for what was recorded by day, and the text beside it says so.
        let lines = try bench.text("nights.csv").split(whereSeparator: \.isNewline)
        #expect(lines.count == 3, "\(lines)")
        #expect(try bench.text("READ-ME.txt").contains("entry by day alone has a row, too"))
        let said = try await bench.cli.run("packet", "--yes", "-o", bench.folder.path("said"))
        #expect(said.code == 0 && said.out.hasPrefix("Made: 1 night, "), "\(said)")
    }

    @Test func `R21.9 R33.1 a packet of a damaged record says so, without a place of the machine`() async throws {
        let bench = try await Bench([["log", "dose1", "--ago", "170m"]])
        try await bench.packet("whole")
        // All pages but the first, which tells whose file it is.
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.cli.store))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA7, count: 65_536))
        try handle.close()
        #expect(try await bench.cli.run("log", "dose2").code == 0)
        let notes = try await bench.packet()["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(notes.contains { $0.contains("is damaged and is not in the export") }, "\(notes)")
        let sentence = "The record is damaged or not complete"
        for file in ["READ-ME.txt", "summary.html"] {
            #expect(try bench.text(file).contains(sentence), "\(file)")
            #expect(try !bench.text(file, of: "whole").contains(sentence), "\(file)")
        }
        for file in Self.files { #expect(try !bench.text(file).contains(bench.cli.store), "\(file)") }
        #expect(try bench.isSound())
    }

    @Test func `R33.3 ssh-keygen accepts the packet, and none that is changed, of another purpose or key`() async throws
    {
        let bench = try await Bench()
        let report = try await bench.packet()
        #expect(try bench.isSound())
        let fingerprint = try #require(report["signer"]?["fingerprint"]?.stringValue)
        let shown = try bench.shell("ssh-keygen -l -f signer.pub").text
        #expect(shown == "256 \(fingerprint) dosetap (ED25519)\n", "\(shown)")
        #expect(try bench.text("READ-ME.txt").contains(fingerprint))

        func verify(_ more: String) throws -> TestProgram.Outcome {
            try bench.shell("ssh-keygen -Y verify -I packet@dosetap.org \(more) -s SHA256SUMS.sig < SHA256SUMS")
        }
        let good = try verify("-f signer.pub -n packet@dosetap.org")
        #expect(good.status == 0 && good.text.contains("Good \"packet@dosetap.org\" signature"), "\(good)")
        // The signature fails for another purpose and for another key.
        #expect(try verify("-f signer.pub -n file").status != 0)
        _ = try bench.shell("ssh-keygen -q -t ed25519 -N '' -f ../other -C dosetap")
        _ = try bench.shell("sed 's/^/packet@dosetap.org /' ../other.pub > ../other.signers")
        #expect(try verify("-f ../other.signers -n packet@dosetap.org").status != 0)
        // A changed byte in any file is found, also in the list of sums and in the signature.
        for file in Self.files where file != "signer.pub" {
            let path = bench.folder.path("packet/\(file)")
            let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            var changed = bytes
            changed[changed.count / 2] ^= 1
            try changed.write(to: URL(fileURLWithPath: path))
            if file != "READ-ME.txt" {
                #expect(try !bench.isSound(), "\(file)")
            } else {
                #expect(try bench.shell("sha256sum -c SHA256SUMS").status != 0)
            }
            try bytes.write(to: URL(fileURLWithPath: path))
        }
        #expect(try bench.isSound())
        // New sums for a changed file have no valid signature.
        let forged = try bench.shell(
            "echo x >> doses.csv; sha256sum *.csv *.json *.pub *.txt > SHA256SUMS; sha256sum -c SHA256SUMS")
        #expect(forged.status == 0)
        #expect(try verify("-f signer.pub -n packet@dosetap.org").status != 0)
    }

    @Test func `R33.4 the key stays, is private, and one that is lost is replaced and told`() async throws {
        let bench = try await Bench()
        let first = try await bench.packet("first")["signer"]
        #expect(first?["new"] == true && first?["place"] == "file" && first?["replaces"] == nil)
        let second = try await bench.packet("second")["signer"]
        #expect(second?["new"] == false && second?["fingerprint"] == first?["fingerprint"])
        let settings = bench.folder.path("config/dosetap")
        let keys = try FileManager.default.contentsOfDirectory(atPath: settings).filter { $0.hasPrefix("signing-key-") }
        #expect(keys.count == 1)
        let key = "\(settings)/\(keys.first ?? "")"
        #expect(try FileManager.default.attributesOfItem(atPath: key)[.posixPermissions] as? Int == 0o600)
        // The digits of the key are in no file of the packet.
        let digits = try String(contentsOfFile: key, encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
        #expect(digits.count == 64)
        for file in Self.files { #expect(try !bench.text(file, of: "first").contains(digits), "\(file)") }

        // With the list of signers damaged or absent no packet is made, and no file is changed.
        let record = "\(settings)/packet-signers"
        let lines = try String(contentsOfFile: record, encoding: .utf8)
        for damaged in ["x \(lines)", nil] {
            try damaged.map { try Data($0.utf8).write(to: URL(fileURLWithPath: record)) }
                ?? FileManager.default.removeItem(atPath: record)
            let refused = try await bench.cli.run("packet", "--yes", "-o", bench.folder.path("third"))
            #expect(refused.code != 0 && refused.err.contains("packet-signers"), "\(refused)")
            #expect(FileManager.default.contents(atPath: record).map { String(decoding: $0, as: UTF8.self) } == damaged)
            #expect(try !bench.names("").contains("third") && bench.isSound("first"))
        }
        try Data(lines.utf8).write(to: URL(fileURLWithPath: record))
        #expect(try await bench.packet("again")["signer"]?["fingerprint"] == first?["fingerprint"])

        // A key file with something else in it is named, with both ways out. Nothing is signed, and the file stays.
        for content in ["garbage\n", String(repeating: "ab", count: 32) + "\n"] {
            try Data(content.utf8).write(to: URL(fileURLWithPath: key))
            let error = try await bench.cli.run("packet", "--yes", "--json", "-o", bench.folder.path("third"))
                .json["error"]
            let message = error?["message"]?.stringValue ?? ""
            #expect(message.hasPrefix("The file \(key) no longer has the key that signs packets"), "\(message)")
            #expect(message.hasSuffix("sees another signer.") && !message.contains("keyring"), "\(message)")
            #expect(error?["hint"]?.stringValue?.hasPrefix("put the key back into \(key), or remove that file") == true)
            #expect(try String(contentsOfFile: key, encoding: .utf8) == content)
            #expect(try !bench.names("").contains("third"))
        }
        try Data((digits + "\n").utf8).write(to: URL(fileURLWithPath: key))
        #expect(try await bench.packet("back")["signer"]?["fingerprint"] == first?["fingerprint"])

        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: key)
        // The service makes a readable key private when it starts. A symbolic link stays wrong, and causes no new key.
        try FileManager.default.moveItem(atPath: key, toPath: key + ".moved")
        try FileManager.default.createSymbolicLink(atPath: key, withDestinationPath: key + ".moved")
        let refused = try await bench.cli.run("packet", "--yes", "-o", bench.folder.path("third"))
        #expect(refused.code != 0 && refused.err.contains("symbolic link"), "\(refused)")
        #expect(try !bench.names("").contains("third"))
        // A lost key is replaced, and the packet tells the old fingerprint.
        try FileManager.default.removeItem(atPath: key)
        let outcome = try await bench.cli.run("packet", "--yes", "-o", bench.folder.path("third"))
        let old = try #require(first?["fingerprint"]?.stringValue)
        #expect(outcome.code == 0 && outcome.out.contains("is lost") && outcome.out.contains(old), "\(outcome)")
        #expect(try bench.isSound("third"))
        #expect(try bench.text("READ-ME.txt", of: "third").contains(old))
        let fourth = try await bench.packet("fourth")["signer"]
        #expect(fourth?["new"] == false && fourth?["replaces"]?.stringValue == old)
    }

    @Test func `R33.2 no word of the person is in a packet unless it is asked for`() async throws {
        let bench = try await Bench()
        try await bench.packet()
        let planted = Self.recordings.joined().filter { $0.hasPrefix("zq") && $0.hasSuffix("qz") }
        let all = try Self.files.map { try bench.text($0) }.joined()
        #expect(planted.count == 11)
        for word in planted + ["zq-"] { #expect(!all.contains(word), "\(word)") }
        #expect(!all.lowercased().contains("modafinil"))
        // The clinic needs the prescribed and the taken doses.
        #expect(all.contains("2250") && all.lowercased().contains("xyrem"))
        let id = try #require(
            try await bench.cli.json("history")["nights"]?.arrayValue?.first?["session_id"]?.stringValue)
        #expect(!all.contains(id))

        try await bench.packet("with", "--with", "notes,medicines")
        let told = try Self.files.map { try bench.text($0, of: "with") }.joined()
        #expect(told.lowercased().contains("modafinil"))
        for word in planted where !["zq-dose-qz", "zq-regimen-qz"].contains(word) {
            #expect(told.contains(word), "\(word)")
        }
        try await bench.packet("medicines", "--with", "medicines")
        let named = try Self.files.map { try bench.text($0, of: "medicines") }.joined()
        #expect(named.lowercased().contains("modafinil") && !named.contains("zq-medicine-qz"))
    }

    @Test func `R33.2 what the lab was asked, and its answers, are in a packet that is asked for them`() async throws {
        let bench = try await Bench([["log", "dose1", "--ago", "30m"]])
        try await bench.packet("none", "--with", "lab")
        #expect(try bench.text("lab.txt", of: "none").hasSuffix("Nothing was asked.\n"))
        let asked = try await bench.cli.json("lab", "ask", "late_meal", "rested", "--note", "zq-lab-qz")
        try await bench.cli.json("lab", "plan", "screens", "clarity", "--seed", "7")
        let report = try await bench.packet("with", "--with", "lab")
        #expect(try SchemaTests.Validator().faults(report, "packet") == [])
        #expect(report["with"] == ["lab"] && report["files"]?.arrayValue?.contains("lab.txt") == true)
        #expect(try bench.names("with") == (Self.files + ["lab.txt"]).sorted() && bench.isSound("with"))
        let text = try bench.text("lab.txt", of: "with")
        #expect(text.contains("0 of 60 nights are known") && text.contains("0 of 14 pairs are known"), "\(text)")
        let id = try #require(asked["event_id"]?.stringValue)
        for word in ["zq-lab-qz", id, "Night of", "dosetap lab"] { #expect(!text.contains(word), "\(word)") }
        #expect(try Advice.found(in: text) == [])
        #expect(try bench.text("READ-ME.txt", of: "with").contains("lab.txt "))
        #expect(try !bench.text("READ-ME.txt", of: "none").contains("zq-"))
        try await bench.packet("without")
        #expect(
            try bench.names("without") == Self.files && !bench.text("READ-ME.txt", of: "without").contains("lab.txt"))
    }

    @Test func `R33.5 one record gives the same files, but for the time and the signature`() async throws {
        let bench = try await Bench()
        try await bench.packet("one")
        try await bench.packet("two")
        let timed = ["manifest.json", "SHA256SUMS", "SHA256SUMS.sig"]
        func dateless(_ file: String, of packet: String) throws -> String {
            try bench.text(file, of: packet).replacing(/Made on \d{4}-\d\d-\d\d/, with: "")
        }
        for file in Self.files where !timed.contains(file) {
            let (one, two) = (try dateless(file, of: "one"), try dateless(file, of: "two"))
            #expect(one == two && !one.isEmpty, "\(file)")
        }
        func timeless(_ packet: String) throws -> JSONValue {
            var object = try #require(try JSONValue.parse(try bench.text("manifest.json", of: packet)).objectValue)
            object["made_at"] = nil
            // The program that prints writes its own time into a PDF.
            let files = object["files"]?.arrayValue?.filter { $0["name"] != "summary.pdf" }
            object["files"] = files.map(JSONValue.array)
            return .object(object)
        }
        #expect(try timeless("one") == timeless("two"))
        // A changed record gives the same entries other identifiers.
        try await bench.cli.json("log", "noise")
        try await bench.packet("three")
        let uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/
        func ids(_ packet: String) throws -> Set<Substring> {
            Set(try bench.text("bundle.fhir.json", of: packet).matches(of: uuid).map(\.output))
        }
        #expect(try !ids("one").isEmpty && ids("one").isDisjoint(with: ids("three")))
    }

    @Test func `R33.6 what is told is shown and asked about; without an answer nothing is made, no key either`()
        async throws
    {
        let bench = try await Bench()
        let path = bench.folder.path("packet")
        let error = try await bench.cli.error(4, "packet", "-o", path)
        #expect(error["kind"] == "requires_confirmation")
        for (answer, code) in [("n", 1), ("", 1)] {
            let session = try TerminalSession(["packet", "-o", path], bench.cli.environment)
            let outcome = try await session.run([("Return does not.", answer)])
            #expect(outcome.code == Int32(code) && outcome.screen.contains("zq-amended-qz"), "\(outcome)")
            #expect(outcome.screen.contains("without notes, without other medicines"))
        }
        #expect(try bench.names("").allSatisfy { $0 == "config" })
        let settings = try? FileManager.default.contentsOfDirectory(atPath: bench.folder.path("config/dosetap"))
        #expect(settings?.contains { $0.hasPrefix("signing") || $0.hasPrefix("packet") } != true)
        let session = try TerminalSession(["packet", "-o", path], bench.cli.environment)
        let outcome = try await session.run([("Return does not.", "y")])
        #expect(outcome.code == 0 && outcome.screen.contains("Read this out at the visit: SHA256:"), "\(outcome)")
        #expect(try bench.isSound())
    }

    @Test func `R33.7 without a program that prints the packet has the page alone, and says so`() async throws {
        let bench = try await Bench([["log", "dose1"]])
        let path = bench.folder.path("packet")
        let outcome = try await bench.cli.run(
            words: ["packet", "--yes", "-o", path], environment: ["PATH": bench.folder.path("nothing")])
        #expect(outcome.code == 0 && outcome.out.contains("There is no summary.pdf"), "\(outcome)")
        #expect(try bench.names() == Self.files.filter { $0 != "summary.pdf" } && bench.isSound())
        #expect(try !bench.text("READ-ME.txt").contains("summary.pdf"))
        try await bench.packet("printed")
        #expect(
            try bench.names("printed") == Self.files && bench.text("READ-ME.txt", of: "printed").contains("summary.pdf")
        )
        #expect(try bench.text("summary.pdf", of: "printed").contains("Night record, summary for a clinician"))
    }

    @Test func `R33.7 a packet of a watch's nights alone has their sleep in the summary and in FHIR`() async throws {
        let bench = try await Bench([])
        let watch = """
            {"data":[{"id":"a","day":"2026-01-12","bedtime_start":"2026-01-11T22:30:00+01:00",\
            "bedtime_end":"2026-01-12T06:30:00+01:00","type":"long_sleep","total_sleep_duration":25200,\
            "deep_sleep_duration":5000,"light_sleep_duration":14000,"rem_sleep_duration":6200,"awake_time":1800,\
            "time_in_bed":28800}]}
            """
        try Data(watch.utf8).write(to: URL(fileURLWithPath: bench.folder.path("oura.json")))
        try await bench.cli.json("import", "oura", bench.folder.path("oura.json"))
        try await bench.packet()
        let summary = try bench.text("summary.html")
        #expect(summary.contains("1 record of sleep belongs to no night") && summary.contains("420 ± – (1)"))
        #expect(try bench.text("bundle.fhir.json").contains("\"resourceType\":\"Observation\""))
    }

    @Test func `R33.1 what cannot be is refused by name, and nothing that is there is harmed`() async throws {
        let bench = try await Bench([["log", "dose1"]])
        for words in [
            [], ["-o", ""], ["-o", "/"], ["-o", "."], ["-o", ".."], ["-o", bench.folder.path("no/such/folder")],
            ["-o", bench.folder.path("no/such.zip")], ["-o", bench.folder.path("p"), "--with", "moon"],
            ["-o", bench.folder.path("p"), "--with", ""], ["-o", bench.folder.path("p"), "--nights", "0"],
            ["-o", bench.folder.path("p"), "--nights", "3", "--from", "2026-01-01"],
        ] {
            let refused = try await bench.cli.run(words: ["packet", "--yes"] + words)
            #expect(refused.code == 64, "\(words): \(refused)")
        }
        for ending in ["tar", "tar.gz", "TGZ", "7z"] {
            let name = bench.folder.path("p." + ending)
            let refused = try await bench.cli.error(64, "packet", "--yes", "--with", "notes", "-o", name)
            let next = "dosetap packet --yes --with notes -o \(bench.folder.path("p.zip"))"
            #expect(refused["hint"]?.stringValue == next, "\(refused)")
            #expect(refused["message"]?.stringValue?.hasPrefix("'.\(ending.lowercased())' is") == true, "\(refused)")
        }
        let early = try await bench.cli.error(
            2, "packet", "--yes", "-o", bench.folder.path("p"), "--from", "2020-01-01", "--to", "2020-02-01")
        #expect(early["kind"] == "nothing_to_do")
        #expect(try bench.names("") == ["config"] || bench.names("").isEmpty)
        // A packet of the same name is replaced on request, any other folder never.
        try await bench.packet()
        let before = try bench.text("manifest.json")
        #expect(try await bench.cli.run("packet", "--yes", "-o", bench.folder.path("packet")).code == 64)
        #expect(try bench.text("manifest.json") == before)
        try await bench.packet("packet/", "--force")
        #expect(try bench.text("manifest.json") != before && bench.isSound())
        try Data("mine".utf8).write(to: URL(fileURLWithPath: bench.folder.path("packet/mine")))
        let held = try await bench.cli.run("packet", "--yes", "--force", "-o", bench.folder.path("packet"))
        #expect(held.code == 64 && held.err.contains("something else than a packet"), "\(held)")
        #expect(try bench.text("mine") == "mine")
        // An archive of another program stays, an archive of a packet is replaced.
        let other = bench.folder.path("other.zip")
        _ = try TestProgram.check(["python3", "-m", "zipfile", "-c", other, bench.folder.path("packet/mine")])
        let foreign = try Data(contentsOf: URL(fileURLWithPath: other))
        let kept = try await bench.cli.run("packet", "--yes", "--force", "-o", other)
        #expect(kept.code == 64 && kept.err.contains("something else than a packet"), "\(kept)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: other)) == foreign)
        try FileManager.default.removeItem(atPath: other)
        try await bench.packet("other.zip")
        try await bench.packet("other.zip", "--force")
        try FileManager.default.removeItem(atPath: other)
        for kind in ["config", "p.zip"] {
            if kind == "p.zip" {
                try FileManager.default.createDirectory(
                    atPath: bench.folder.path(kind), withIntermediateDirectories: true)
            }
            let refused = try await bench.cli.run("packet", "--yes", "--force", "-o", bench.folder.path(kind))
            #expect(refused.code == 64, "\(kind): \(refused)")
        }
        #expect(try bench.names("").sorted() == ["config", "p.zip", "packet"])
    }
}
