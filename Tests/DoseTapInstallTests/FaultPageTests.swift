import DoseTapTestSupport
import Foundation
import Testing

/// The page of faults: its tests and scripts exist, and every fault that is cited elsewhere has a row.
@Suite struct FaultPageTests {
    /// A fault, and the tests and scripts that its row names.
    private struct Row {
        let number: String
        let holders: [String]
    }

    private static func rows() throws -> [Row] {
        let page = try String(contentsOfFile: Project.path("Contrib/faults/fault-matrix.md"), encoding: .utf8)
        return page.components(separatedBy: "\n- **").dropFirst().compactMap { part in
            guard let number = part.prefixMatch(of: /[A-K]\d+/)?.output else { return nil }
            let item = part.components(separatedBy: "\n\n")[0]
            let held = item.components(separatedBy: "Held by:").dropFirst().joined(separator: " ")
            let holders = held.components(separatedBy: "\n  Figure")[0].split(separator: /\s+/).joined(separator: " ")
            return Row(number: String(number), holders: holders.matches(of: /`([^`]+)`/).map { String($0.output.1) })
        }
    }

    /// The paths of the test files by their names on the page, such as `DoseTapStoreTests/ChainTests`.
    private static func tests() throws -> [String: String] {
        let root = Project.path("Tests")
        var found: [String: String] = [:]
        let walker = try #require(FileManager.default.enumerator(atPath: root))
        for case let path as String in walker where path.hasSuffix(".swift") {
            found[String(path.dropLast(6))] = try String(contentsOfFile: root + "/" + path, encoding: .utf8)
        }
        return found
    }

    @Test func `without a folder for its notes no script is run`() throws {
        let run = try Command.run(
            ["bash", Project.path("Contrib/faults/run"), "none-of-them"],
            environment: ProcessInfo.processInfo.environment.merging(["TMPDIR": "/nonexistent"]) { $1 })
        #expect(run.status == 1 && run.text.isEmpty && run.errors.contains("mktemp"), "\(run)")
    }

    @Test func `each fault has one row`() throws {
        let last = ["A": 10, "B": 8, "C": 7, "D": 5, "E": 9, "F": 9, "G": 8, "H": 7, "I": 3, "J": 6, "K": 10]
        let wanted = last.sorted { $0.key < $1.key }.flatMap { letter, count in (1...count).map { "\(letter)\($0)" } }
        #expect(try Self.rows().map(\.number) == wanted)
    }

    @Test func `every test and script that a row names is there`() throws {
        let tests = try Self.tests()
        for row in try Self.rows() {
            for holder in row.holders {
                let (name, words) = Self.parts(holder)
                if let text = tests[name], let words {
                    #expect(text.contains("`\(words)`"), "\(row.number): \(holder)")
                } else if let text = tests[name] {
                    let cited = try Regex("\\b\(row.number)\\b")
                    #expect(text.contains(cited), "\(row.number): \(holder)")
                } else {
                    let path = name.contains("/") ? name : "Contrib/faults/\(name).py"
                    #expect(FileManager.default.fileExists(atPath: Project.path(path)), "\(row.number): \(holder)")
                }
            }
        }
    }

    /// The file of a holder and, behind a colon, the words of its test.
    private static func parts(_ holder: String) -> (name: String, words: String?) {
        let parts = holder.split(separator: ": ", maxSplits: 1).map(String.init)
        return (parts[0], parts.count > 1 ? parts[1] : nil)
    }

    @Test func `every test and script that cites a fault stands in its row`() throws {
        var holders: [String: Set<String>] = [:]
        for row in try Self.rows() { holders[row.number] = Set(row.holders.map { Self.parts($0).name }) }
        var cited = 0
        for (name, text) in try Self.tests() {
            for label in text.matches(of: /func `((?:[A-KR]\d+(?:\.\d+)?[,:]? )+)/) {
                for number in label.output.1.matches(of: /\b[A-K]\d+\b/).map({ String($0.output) }) {
                    cited += 1
                    #expect(holders[number]?.contains(name) == true, "\(number) in \(name)")
                }
            }
        }
        let folder = Project.path("Contrib/faults")
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasSuffix(".py") {
            let text = try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
            guard let list = text.firstMatch(of: /\(faults? ([A-K0-9, ]+)\)/) else { continue }
            for number in list.output.1.matches(of: /[A-K]\d+/).map({ String($0.output) }) {
                cited += 1
                #expect(holders[number]?.contains(String(file.dropLast(3))) == true, "\(number) in \(file)")
            }
        }
        #expect(cited > 100)
    }
}
