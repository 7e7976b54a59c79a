import DoseTapDomain
import Testing

@testable import DoseTapWeb

/// The messages between `dosetap` and the program that serves its page.
@Suite struct ControlTests {
    @Test func `R36.2 the head of a word is read whole, and what is none ends the talk`() throws {
        #expect(try Control.head([]) == nil && Control.head([0x50]) == nil && Control.head([0x50, 0, 0, 0]) == nil)
        let head = try #require(try Control.head([0x50, 0, 1, 2, 3, 9, 9]))
        #expect(head.answer == .page && head.length == 0x010203)
        #expect(try Control.head([0x43, 0, 0, 0, 0])?.answer == .changed)
        // A report has at most 64 MiB.
        #expect(try Control.head([0x46, 4, 0, 0, 0])?.length == Control.most)
        for bytes in [[0x46, 4, 0, 0, 1], [0x46, 255, 255, 255, 255], [0x41, 0, 0, 0, 0], [0x00], [0xFF, 1]]
            as [[UInt8]]
        {
            #expect(throws: Control.Malformed.self) { try Control.head(bytes) }
        }
    }

    @Test func `R36.2 whatever bytes come, a head is a word within the limit, a fault, or not there yet`() {
        var state: UInt64 = 36
        for _ in 0..<200_000 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            let count = Int(state >> 60) % 9
            var bytes = (0..<count).map { UInt8(truncatingIfNeeded: state >> (8 * UInt64($0 % 8))) }
            // Most heads begin with a word, since random bytes do so once in a hundred.
            if let first = bytes.first, first < 128 { bytes[0] = [0x50, 0x46, 0x43][Int(first) % 3] }
            do throws(Control.Malformed) {
                if let head = try Control.head(bytes) {
                    #expect(head.answer.rawValue == bytes[0] && (0...Control.most).contains(head.length))
                } else {
                    #expect(bytes.count < Control.headBytes)
                }
            } catch { #expect(!bytes.isEmpty) }
        }
    }
}
