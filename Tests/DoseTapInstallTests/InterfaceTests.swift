import DoseTapTestSupport
import Foundation
import Testing

/// Tests of the interface file. Python parses the XML, because Foundation's parser is a library of its own on Linux.
@Suite struct InterfaceTests {
    private static let reader = """
        import sys, xml.etree.ElementTree as T
        for i in T.parse(sys.argv[1]).getroot():
            for m in i:
                args = [a.get('name') + ':' + a.get('type') + ':' + a.get('direction', '') for a in m.iter('arg')]
                print(i.get('name'), m.tag, m.get('name'), m.get('type', ''), ' '.join(args))
        """

    private func members() throws -> [[String]] {
        let file = Project.path("Config/dbus-1/interfaces/org.dosetap.DoseTap1.xml")
        return try Command.check(["python3", "-c", Self.reader, file]).text.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
    }

    @Test func `every member of the contract has prose`() throws {
        let text = try String(
            contentsOfFile: Project.path("Config/dbus-1/interfaces/org.dosetap.DoseTap1.xml"), encoding: .utf8)
        let all = try members()
        #expect(all.count > 60)
        for member in all { #expect(text.contains("\(member[2]):"), "\(member[2]) is not described") }
    }

    @Test func `every call that records something takes options last and gives a receipt`() throws {
        let recording = try members().filter { $0[1] == "method" && $0.contains("receipt:a{sv}:out") }
        #expect(recording.count > 20)
        for method in recording { #expect(method.suffix(2) == ["options:a{sv}:in", "receipt:a{sv}:out"]) }
    }
}
