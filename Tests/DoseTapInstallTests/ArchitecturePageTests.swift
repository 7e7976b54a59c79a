import Foundation
import Testing

/// The page on the architecture: its arrows match the imports in the code, and the files that it names exist.
@Suite struct ArchitecturePageTests {
    private static func page() throws -> String {
        try String(contentsOfFile: Project.path("Contrib/ARCHITECTURE.md"), encoding: .utf8)
    }

    /// Every path below a folder.
    private static func files(_ folder: String) throws -> [String] {
        let walker = try #require(FileManager.default.enumerator(atPath: Project.path(folder)))
        return walker.compactMap { $0 as? String }
    }

    /// The rooms that the Swift files of a room import.
    private static func imports(of room: String, among rooms: Set<String>) throws -> Set<String> {
        var found: Set<String> = []
        for file in try files("Sources/" + room) where file.hasSuffix(".swift") {
            let text = try String(contentsOfFile: Project.path("Sources/\(room)/\(file)"), encoding: .utf8)
            let lines = text.matches(of: /^(?:public |package |internal )?import (\w+)/.anchorsMatchLineEndings())
            found.formUnion(lines.map { String($0.output.1) })
        }
        return found.intersection(rooms)
    }

    @Test func `the table of rooms has the arrows that the code has`() throws {
        let rooms = Set(try FileManager.default.contentsOfDirectory(atPath: Project.path("Sources")))
        let chapter = try #require(try Self.page().components(separatedBy: "\n## Rooms\n").last)
        var told: [String: Set<String>] = [:]
        for row in chapter.components(separatedBy: "\n## ")[0].matches(
            of: /^\| `([\w-]+)` \| (.+) \|$/.anchorsMatchLineEndings())
        {
            let used = row.output.2.matches(of: /`(\w+)`/).map { String($0.output.1) }
            told[String(row.output.1)] = Set(used)
        }
        #expect(Set(told.keys) == rooms)
        for (room, used) in told {
            let imports = try Self.imports(of: room, among: rooms)
            #expect(used == imports, "\(room)")
        }
    }

    @Test func `every file that the page names is there`() throws {
        let names = try Set((Self.files("Sources") + Self.files("Tests")).map { $0.split(separator: "/").last ?? "" })
        let words = try Self.page().split(separator: /\s+/).joined(separator: " ")
        var checked = 0
        for word in words.matches(of: /`([^` ]+)`/).map({ String($0.output.1) }) {
            if word.wholeMatch(of: /(?:Sources|Tests|Config|Contrib|\.ci)\/.+/) != nil {
                checked += 1
                #expect(FileManager.default.fileExists(atPath: Project.path(word)), "\(word)")
            } else if word.wholeMatch(of: /[\w+]+\.(?:swift|c)/) != nil, word != "Package.swift" {
                checked += 1
                #expect(names.contains(Substring(word)), "\(word)")
            }
        }
        #expect(checked > 80)
    }
}
