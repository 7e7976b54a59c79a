import Foundation
import Testing

/// The rules of Rules.md and the tests that hold them.
struct RuleNamesTests {
    private static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    @Test func `each rule is named by a test, and each rule a test names is there`() throws {
        let page = Self.tests.deletingLastPathComponent()
            .appending(path: "Sources/DoseTapDomain/Domain.docc/Rules.md")
        let rules = try String(contentsOf: page, encoding: .utf8)
            .matches(of: /^- \*\*(R\d+\.\d+)\*\*/.anchorsMatchLineEndings()).map { String($0.output.1) }
        #expect(rules.count > 150 && Set(rules).count == rules.count)
        var (mentioned, named): (Set<String>, Set<String>) = ([], [])
        let walker = try #require(FileManager.default.enumerator(atPath: Self.tests.path))
        for case let path as String in walker where path.hasSuffix(".swift") && !path.hasSuffix("RuleNamesTests.swift")
        {
            let text = try String(contentsOf: Self.tests.appending(path: path), encoding: .utf8)
            mentioned.formUnion(text.matches(of: /R\d+\.\d+/).map { String($0.output) })
            for name in text.matches(of: /func `([^`]*)`/) {
                named.formUnion(name.output.1.matches(of: /\bR\d+\.\d+/).map { String($0.output) })
            }
        }
        #expect(rules.filter { !mentioned.contains($0) } == [])
        #expect(named.count > 100 && named.subtracting(rules) == [])
    }
}
