import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import FoundationXML
import SDBus
import Testing

@Suite(.serialized) struct ContractTests {
    @Test func `a night over the bus, with the typed client`() async throws {
        let bench = try await ServiceBench.start()
        #expect(try await bench.client.status().window.phase == .noDose1)
        let refused = await bench.refusal(.logDose(.dose2))
        #expect(refused?.kind == .refused && refused?.details["reason"] == .string("dose1_required"))

        let taken = ServiceBench.now - .minutes(165)
        let first = try await bench.submit(.logDose(.dose1)) {
            $0.at = taken
            $0.amountMilligrams = 2_250
            $0.key = "first"
        }
        #expect(first.phase == .active && first.doseIndex == 1 && first.timestamp == taken)
        let again = try await bench.submit(.logDose(.dose1)) {
            $0.at = taken
            $0.amountMilligrams = 2_250
            $0.key = "first"
        }
        #expect(again.duplicate && again.eventID == first.eventID)
        try await bench.submit(.snooze)
        try await bench.submit(.undo)
        let second = try await bench.submit(.logDose(.dose2))
        #expect(second.intervalMinutes == 165)
        let extra = await bench.refusal(.logDose(.extra))
        #expect(extra?.confirmations == [.early, .extra, .extraUnderstood])
        let amended = try await bench.submit(.amend(second.eventID)) { $0.note = "later" }
        #expect(amended.target == second.eventID)
        try await bench.submit(.logFinalWake)
        let status = try await bench.client.status()
        #expect(status.window.phase == .finalizing && status.intervalMinutes == 165)
        #expect(try await bench.client.status(at: taken + .minutes(10)).window.phase == .beforeWindow)
        let show = try await bench.client.show(String(first.eventID.text.prefix(18)))
        #expect(show.first?.entries.map(\.type) == ["dose1", "dose2", "wake_final"])
        let page = try await bench.client.find(SessionQuery(limit: 5))
        #expect(page.nights.count == 1 && page.next.isEmpty)
        for member in [Client.Examination.check, .verify, .rebuild] {
            #expect(try await bench.client.examine(member)["ok"] == .bool(true))
        }
        #expect(try await bench.client.plugins().first?["id"] == .string("journal"))
        #expect(try await bench.client.config().isEmpty == false)
        try await bench.client.reload()
        try await bench.submit(.delete(second.eventID))
        #expect(try await bench.stop() == 0)
        let log = try await StoredLog.read(bench.store)
        // Without dose 2 the reminders are due again at once. The service may tell them before it stops.
        #expect(log.last { !$0.event.type.rawValue.hasPrefix("reminder_") }?.event.type == .entryDeleted)
        #expect(log.first { $0.event.type == .doseRecorded }?.event.origin?.command != nil)
    }

    @Test func `the same night from outside, with busctl`() async throws {
        let bench = try await ServiceBench.start()
        let first = try bench.call("LogDose1", "a{sv}", "2", "key", "s", "k", "note", "s", "from outside")
        #expect(first.status == 0 && first.text.contains("\"phase\":{\"type\":\"s\",\"data\":\"before_window\"}"))
        let early = try bench.call("LogDose2", "a{sv}", "0")
        #expect(early.status != 0 && early.errors.contains("Too early"))
        let skip = try bench.call("SkipDose2", "a{sv}", "1", "reason", "s", "tired")
        #expect(skip.status == 0)
        let phase = try bench.busctl(
            "get-property", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.session, "Phase")
        #expect(phase.text == "s \"completed\"\n")
        let dose = try bench.busctl(
            "get-property", Contract.name, "/org/dosetap/DoseTap1", Contract.InterfaceName.session, "Dose1Time",
            "Dose2Skipped")
        #expect(dose.text.contains("b true") && !dose.text.hasPrefix("t 0\n"))
        #expect(try bench.call("Undo", "a{sv}", "0").status == 0)
        #expect(try bench.call("Status", "a{sv}", "0").text.contains("before_window"))
        try await bench.stop()
    }

    @Test func `signals and changed properties are seen from outside`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1))
        try await bench.awaitPhase(.beforeWindow)
        try await bench.awaitRecorded(.doseRecorded)
        let seen = try await bench.signals.wait { signals in
            signals.contains { $0.member == "PropertiesChanged" }
        }
        let changed = try #require(seen.first { $0.member == "PropertiesChanged" })
        #expect(changed.arguments.first?.stringValue == Contract.InterfaceName.session)
        #expect("\(changed.arguments)".contains("before_window"))
        let recorded = try #require(seen.first { $0.member == "EventRecorded" })
        #expect(recorded.interface == Contract.InterfaceName.session)
        try await bench.stop()
    }

    /// A member as the interface file and the service describe it.
    private struct Member: Hashable, Comparable, CustomStringConvertible {
        var description: String
        static func < (left: Member, right: Member) -> Bool { left.description < right.description }
    }

    private final class Interfaces: NSObject, XMLParserDelegate {
        var members: [Member] = []
        private var interface = ""
        private var current = ""
        private var arguments: [String] = []

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            switch name {
            case "interface": interface = attributes["name"] ?? ""
            case "method", "signal", "property":
                current = "\(interface) \(name) \(attributes["name"] ?? "") \(attributes["type"] ?? "")"
                arguments = []
                if name == "property" { current += attributes["access"] ?? "" }
            case "arg":
                let direction = attributes["direction"] ?? (current.contains(" signal ") ? "out" : "in")
                arguments.append("\(attributes["name"] ?? "")=\(attributes["type"] ?? "")/\(direction)")
            default: break
            }
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard ["method", "signal", "property"].contains(name), interface.hasPrefix(Contract.name) else { return }
            members.append(Member(description: "\(current)(\(arguments.joined(separator: ", ")))"))
        }

        static func members(_ xml: Data) -> [Member] {
            let reader = Interfaces()
            let parser = XMLParser(data: xml)
            parser.delegate = reader
            guard parser.parse() else { return [] }
            return reader.members.sorted()
        }
    }

    private static func written() throws -> [Member] {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        return Interfaces.members(
            try Data(contentsOf: root.appending(path: "Config/dbus-1/interfaces/org.dosetap.DoseTap1.xml")))
    }

    private static func served(by bench: ServiceBench) throws -> [Member] {
        let answer = try bench.busctl(
            "--json=short", "call", Contract.name, "/org/dosetap/DoseTap1", "org.freedesktop.DBus.Introspectable",
            "Introspect")
        let object = try #require(try JSONSerialization.jsonObject(with: answer.output) as? [String: Any])
        return Interfaces.members(Data(try #require((object["data"] as? [String])?.first).utf8))
    }

    @Test func `a service that cannot open its store answers every method of the contract with the reason`()
        async throws
    {
        let folder = try ScratchFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path("dosetap.db"), withIntermediateDirectories: true)
        let bench = try await ServiceBench.startUnable(in: folder)
        /// The member without its return types, because no call returns here.
        func takes(_ member: Member) -> Member? {
            guard member.description.contains(" method ") else { return nil }
            let parts = member.description.split(separator: "(", maxSplits: 1)
            let taken = parts[1].dropLast().split(separator: ", ").filter { $0.hasSuffix("/in") }
            return Member(description: "\(parts[0])(\(taken.joined(separator: ", ")))")
        }
        let written = Set(try Self.written().compactMap(takes))
        let served = Set(try Self.served(by: bench).compactMap(takes))
        #expect(written.count > 40)
        #expect(written.subtracting(served).isEmpty, "\(written.subtracting(served).sorted())")
        #expect(served.subtracting(written).isEmpty, "\(served.subtracting(written).sorted())")
        let refusal = await #expect(throws: ServiceError.self) { _ = try await bench.client.status() }
        let reason = try #require(refusal)
        #expect(reason.kind == .storeUnavailable)
        for (interface, method) in [("Medications", "Regimen"), ("Inventory", "Show"), ("Service", "Metrics")] {
            let answer = try bench.busctl(
                "call", Contract.name, "/org/dosetap/DoseTap1", "\(Contract.name).\(interface)", method)
            #expect(answer.status != 0 && answer.errors.contains(reason.message), "\(method): \(answer.errors)")
        }
        #expect(try await bench.stop() == 1)
    }

    @Test func `what the service introspects is the interface file, member by member`() async throws {
        let bench = try await ServiceBench.start()
        let served = try Self.served(by: bench)
        let written = try Self.written()
        #expect(served.count > 25)
        let missing = Set(written).subtracting(served).sorted()
        let unwritten = Set(served).subtracting(written).sorted()
        #expect(missing.isEmpty, "in the file only: \(missing)")
        #expect(unwritten.isEmpty, "served only: \(unwritten)")
        try await bench.stop()
    }

    /// Calls that the service must refuse: member, arguments of busctl, a part of the error.
    static let invalid: [(String, [String], String)] = [
        ("LogDose1", ["a{sv}", "1", "att", "t", "5"], "Unknown option 'att'"),
        ("LogDose1", ["a{sv}", "1", "at", "s", "now"], "'at' has the wrong type"),
        ("LogDose1", ["a{sv}", "1", "at", "t", "18446744073709551615"], "year 9999"),
        ("LogDose1", ["a{sv}", "1", "amount_mg", "u", "0"], "outside"),
        ("LogDose1", ["a{sv}", "1", "amount_mg", "u", "4000000"], "outside"),
        ("LogDose1", ["a{sv}", "1", "time_zone", "s", "../../etc/passwd"], "no time zone"),
        ("LogDose1", ["a{sv}", "1", "time_zone", "s", "Mars/Olympus"], "no time zone"),
        ("LogDose1", ["a{sv}", "1", "surface", "s", "service"], "surface"),
        ("LogDose1", ["a{sv}", "1", "confirm", "as", "1", "yes"], "Unknown confirmation 'yes'"),
        ("LogDose1", ["a{sv}", "1", "key", "s", ""], "Key must have"),
        ("LogDose1", ["a{sv}", "1", "note", "s", "\u{202E}evil"], "text-direction"),
        ("LogDose1", ["a{sv}", "1", "note", "s", "\u{1B}[2J"], "control"),
        ("LogDose1", ["a{sv}", "1", "note", "s", String(repeating: "n", count: 4_001)], "longer than 4000"),
        ("LogDose1", ["a{sv}", "1", "reason", "s", String(repeating: "r", count: 70_000)], "longer than the 65536"),
        ("LogDose1", ["s", "x"], "Invalid arguments"), ("LogDose1", [], "Invalid arguments"),
        ("LogDose1", ["a{sv}", "1", "key", "v", "v", "v", "v", "s", "deep"], "'key' has the wrong type"),
        ("Nonsense", [], "Unknown method"), ("Amend", ["sa{sv}", "", "0"], "no entry"),
        ("Amend", ["sa{sv}", "'; DROP TABLE events;--", "1", "note", "s", "x"], "no entry"),
        ("Delete", ["sa{sv}", "0190a000-0000-7000-8000-000000000000", "0"], "no entry"),
        ("Status", ["a{sv}", "1", "when", "t", "1"], "option 'when'"),
        ("Undo", ["a{sv}", "0"], "Nothing was recorded"),
    ]

    @Test func `G2, G3: nothing that is wrong is recorded, and the service lives on`() async throws {
        let bench = try await ServiceBench.start()
        for (member, arguments, text) in Self.invalid {
            let outcome = try TestProgram.run(
                [
                    "timeout", "20", "busctl", "--address=\(bench.bus.address)", "call", Contract.name,
                    "/org/dosetap/DoseTap1", Contract.InterfaceName.session, member,
                ] + arguments)
            #expect(outcome.status != 0, "\(member) \(arguments.joined(separator: " ").prefix(80))")
            #expect(outcome.errors.contains(text), "\(member): \(outcome.errors.prefix(200))")
        }
        let huge = String(repeating: "x", count: 1 << 20)
        let error = await bench.refusal(.logDose(.dose1)) { $0.note = huge }
        #expect(error?.kind == .invalidInput)
        #expect(try await bench.client.status().window.phase == .noDose1)
        #expect(try await bench.stop() == 0)
        #expect(try await StoredLog.read(bench.store).isEmpty)
    }

    @Test func `fifty clients at once record one dose`() async throws {
        let bench = try await ServiceBench.start()
        let results = Recorder<Receipt?>()
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask {
                    var options = RequestOptions()
                    options.key = "client-\(number)"
                    results.append(try? await bench.client.submit(.logDose(.dose1), options))
                }
            }
        }
        #expect(results.elements.compactMap(\.self).count { !$0.duplicate } == 1)
        try await bench.stop()
        #expect(try await StoredLog.read(bench.store).count { $0.event.type == .doseRecorded } == 1)
    }
}
