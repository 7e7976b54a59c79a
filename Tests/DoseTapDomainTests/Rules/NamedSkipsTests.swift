import Foundation
import Testing

/// A test that some machines leave out names the reason.
struct NamedSkipsTests {
    @Test func `each condition of a test says what it needs`() throws {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var silent: [String] = []
        var count = 0
        let walker = try #require(FileManager.default.enumerator(atPath: tests.path))
        for case let path as String in walker where path.hasSuffix(".swift") && !path.hasSuffix("NamedSkipsTests.swift")
        {
            let text = try String(contentsOf: tests.appending(path: path), encoding: .utf8)
            for part in text.components(separatedBy: ".enabled(if: ").dropFirst() {
                count += 1
                // The prefix ends with the call, since a comment follows the condition.
                var depth = 1
                let call = part.prefix { letter in
                    depth += letter == "(" ? 1 : letter == ")" ? -1 : 0
                    return depth > 0
                }
                let isNamed = call.contains(/, *"[^"]*(needs|only|is not|makes)[^"]*"$/)
                if !isNamed { silent.append("\(path): \(call)") }
            }
        }
        #expect(count > 30 && silent == [])
    }
}
