import Foundation
import Testing

/// The safety file: each hazard has all its parts, and the tests that it names exist.
@Suite struct SafetyPageTests {
    private static func hazards() throws -> [(title: String, text: String)] {
        let page = try String(contentsOfFile: Project.path("Contrib/safety.md"), encoding: .utf8)
        return page.components(separatedBy: "\n## ").dropFirst().map { part in
            let title = String(part.prefix { $0 != "\n" })
            return (title, part.split(separator: /\s+/).joined(separator: " "))
        }
    }

    @Test func `every hazard has its causes, measures, tests and what remains`() throws {
        let titles = try Self.hazards().map(\.title)
        let wanted = [
            "Missed alarm", "Early double", "Wrong time", "Lost record", "False \"not taken\"", "Stale alarm",
            "Leaked diagnosis", "Wrong clock", "Damaged store",
        ]
        #expect(titles == wanted)
        for hazard in try Self.hazards() {
            for part in ["Harm", "Causes", "Measures", "Tests", "Remains"] {
                #expect(hazard.text.contains("- **\(part):** "), "\(hazard.title): \(part)")
            }
        }
    }

    @Test func `every test that a hazard names is there`() throws {
        var checked = 0
        for hazard in try Self.hazards() {
            let named = hazard.text.components(separatedBy: "- **Tests:** ")[1].components(separatedBy: " - **")[0]
            let holders = named.matches(of: /`([^`]+)`/).map { String($0.output.1) }
            #expect(!holders.isEmpty, "\(hazard.title)")
            for holder in holders {
                checked += 1
                let parts = holder.split(separator: ": ", maxSplits: 1).map(String.init)
                let isScript = !parts[0].contains("/")
                let path = isScript ? "Contrib/faults/\(parts[0]).py" : "Tests/\(parts[0]).swift"
                let text = try? String(contentsOfFile: Project.path(path), encoding: .utf8)
                let isThere = text.map { parts.count == 1 || $0.contains("func `\(parts[1])`") } ?? false
                #expect(isThere, "\(hazard.title): \(holder)")
            }
        }
        #expect(checked > 25)
    }
}
