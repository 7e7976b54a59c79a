import DoseTapPlugins
import DoseTapTestSupport
import Foundation
import Testing

@Suite struct CatalogTests {
    private static let path = Project.path("Config/systemd/catalog/dosetap.catalog")

    /// The entries of the catalog's source: id, subject and text.
    private static func entries() throws -> [String: (subject: String, text: String)] {
        let source = try String(contentsOfFile: path, encoding: .utf8)
        var found: [String: (subject: String, text: String)] = [:]
        for part in source.components(separatedBy: "\n-- ").dropFirst() {
            let id = String(part.prefix(32))
            let subject = part.split(separator: "\n").first { $0.hasPrefix("Subject: ") }.map { $0.dropFirst(9) } ?? ""
            #expect(found[id] == nil, "\(id) stands twice")
            found[id] = (String(subject), part)
        }
        return found
    }

    @Test func `the catalog explains every journal message and no other`() throws {
        #expect(try Set(Self.entries().keys) == Set(JournalMessage.allCases.map(\.rawValue)))
    }

    @Test(arguments: JournalMessage.allCases)
    func `an entry refers only to fields its message carries`(message: JournalMessage) throws {
        let entry = try #require(try Self.entries()[message.rawValue])
        #expect(message.rawValue.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(!entry.subject.isEmpty && entry.subject.count <= 80)
        let used = Set(entry.text.matches(of: /@([A-Z0-9_]+)@/).map { String($0.output.1) })
        #expect(used.isSubset(of: message.fields), "\(used)")
    }

    @Test(arguments: [JournalMessage.windowClosed, .sleptThrough, .reminderDropped, .sessionClosed])
    func `after the window nothing says take`(message: JournalMessage) throws {
        let entry = try #require(try Self.entries()[message.rawValue])
        #expect(!entry.text.lowercased().contains(/\btake|\btaken/))
    }

    @Test(.enabled(if: Testbed.isActive, "needs a journald of its own: run Contrib/test"))
    func `journalctl compiles the catalog and prints every explanation`() throws {
        let scratch = NSTemporaryDirectory() + "catalog-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: scratch) }
        for directory in ["usr/lib/systemd/catalog", "var/lib/systemd/catalog"] {
            try FileManager.default.createDirectory(
                atPath: scratch + "/" + directory, withIntermediateDirectories: true)
        }
        try FileManager.default.copyItem(
            atPath: Self.path, toPath: scratch + "/usr/lib/systemd/catalog/dosetap.catalog")
        let update = try Command.check(["journalctl", "--root=\(scratch)", "--update-catalog"])
        #expect(update.errors == "")
        let listed = try Command.check(["journalctl", "--root=\(scratch)", "--list-catalog"]).text
        for message in JournalMessage.allCases { #expect(listed.contains(message.rawValue)) }
        let dumped = try Command.check(["journalctl", "--root=\(scratch)", "--dump-catalog"]).text
        #expect(dumped.contains("The window for dose 2 has closed\n"))
    }
}
