import DoseTapDomain
import DoseTapExchange
import DoseTapTestSupport
import Foundation
import Testing

/// A fault of a stream is reported with its line. The program guesses no value.
@Suite struct StreamTests {
    private static let line = String(PlantedNight.stream.split(separator: "\n")[1])
    private static let next = String(PlantedNight.stream.split(separator: "\n")[2])

    static let wrong: [(stream: String, line: Int, says: String)] = [
        ("{\"nights\":[]", 1, "ends inside"),
        (line + "\n" + line.prefix(700), 2, "ends inside"),
        (line + "\n" + line.prefix(700) + "\n", 2, "ends too early at byte 700"),
        ("\n", 1, "ends too early"),
        ("[]\n", 1, "no object"),
        ("{\"format\":\"dosetap-log\",\"store_id\":\"x\"}\n", 1, "neither nights nor regimens"),
        ("{\"nights\":{}}\n", 1, "no valid 'nights'"),
        ("{\"nights\":[{}]}\n", 1, "no valid 'session_id'"),
        ("{\"history\":3}\n", 1, "no list"),
        ("{\"history\":[3]}\n", 1, "no object"),
        ("{\"nights\":[],\"nights\":[]}\n", 1, "twice"),
        ("{\"nights\":[\"\u{0}\"]}\n", 1, "control character"),
        ("\u{FEFF}{\"nights\":[]}\n", 1, "unexpected byte 239"),
        (String(repeating: "[", count: 100_000) + "\n", 1, "deeper than 32"),
        ("{\"nights\":" + String(repeating: "[", count: 200) + "\n", 1, "deeper than 32"),
        (line.replacing("2026-01-03T21:30:00.000Z", with: "yesterday") + "\n", 1, "no valid"),
        (next + "\n" + line + "\n", 2, "The night of 2026-01-03 begins before the night"),
        (line + "\n" + String(repeating: " ", count: LineReader.longestLine + 1) + "\n", 2, "more than 1048576 bytes"),
    ]

    @Test(arguments: wrong)
    func `R28.2 a cut or wrong stream is named with its line`(stream: String, line: Int, says: String) throws {
        for format in Format.allCases {
            let fault = #expect(throws: ExchangeFault.self) { try ExchangeBench.bytes(format, stream) }
            #expect(fault?.kind == .stream && fault?.line == line, "\(fault.map(String.init(describing:)) ?? "")")
            #expect(fault?.message.contains(says) == true, "\(fault?.message ?? "")")
        }
    }

    @Test func `R28.2 bytes that are no UTF-8 are named`() throws {
        var output = Output { _ in 0 }
        let run = try ExchangeRun(.fhir, identity: ExchangeBench.identity)
        let fault = #expect(throws: ExchangeFault.self) {
            try run.write(LineReader(Array("{\"nights\":[\"".utf8) + [0xFF] + Array("\"]}\n".utf8)), to: &output)
        }
        #expect(fault?.message.contains("not valid UTF-8") == true)
    }

    @Test func `R28.2 a stream that cannot be read and an output that cannot be written are named`() throws {
        let run = try ExchangeRun(.fhir, identity: ExchangeBench.identity)
        var output = Output { _ in 0 }
        let unread = #expect(throws: ExchangeFault.self) { try run.write(LineReader { _ in -5 }, to: &output) }
        #expect(unread?.description == "Line 1: The stream cannot be read: Input/output error.")
        var full = Output { _ in 28 }
        let unwritten = #expect(throws: ExchangeFault.self) {
            try run.write(LineReader(Array(PlantedNight.stream.utf8)), to: &full)
        }
        #expect(unwritten?.kind == .output && unwritten?.message.contains("No space left") == true)
    }

    @Test(arguments: [1, 2, 7, 65_536])
    func `lines come out whole however the stream arrives`(step: Int) throws {
        let bytes = Array((Self.line + "\n\n" + Self.next + "\n").utf8)
        var place = 0
        var reader = LineReader { room in
            let count = min(step, room.count, bytes.count - place)
            room.copyBytes(from: bytes[place..<place + count])
            place += count
            return count
        }
        var lines: [String] = []
        while let line = try reader.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        #expect(lines == [Self.line, "", Self.next] && reader.count == 3)
    }

    @Test(arguments: 1...40)
    func `R28.2 a bent stream ends in a whole file or a named error`(seed: Int) throws {
        var random = SplitMix64(seed: UInt64(seed))
        var bytes = Array(PlantedNight.stream.utf8)
        for _ in 0..<3 {
            let place = Int.random(in: bytes.indices, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + 40))
            case 2: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 40)], at: place)
            default: bytes[place] = bytes.randomElement(using: &random) ?? 0
            }
        }
        for format in Format.allCases {
            for profile in ExportProfile.allCases where profile != .figures || format.hasFigures {
                let run = try ExchangeRun(format, profile: profile, identity: ExchangeBench.identity)
                var output = Output { _ in 0 }
                do throws(ExchangeFault) { try run.write(LineReader(bytes), to: &output) } catch {
                    #expect(error.kind == .stream && error.line > 0, "\(error)")
                }
            }
        }
    }
}
