import DoseTapDomain
@testable import DoseTapExchange
import Testing

@Suite struct StudioTests {
    @Test(arguments: 1...2)
    func `R28.13 the bundle of nights of chance is what an independent reader makes of them`(seed: Int) throws {
        let stream = ExchangeBench.random(seed: UInt64(seed) * 65_537)
        for profile in [ExportProfile.full, .clinic, .share] {
            try ExchangeBench.check(
                "ios", ExchangeBench.bytes(.ios, stream, profile: profile), stream, profile: profile)
        }
    }

    @Test func `R28.13 rows have the words of the app, quoted right`() throws {
        let stream = PlantedNight.stream.replacing("zq-event-note-qz", with: "=1+1, \\\"loud\\\"\\nnoise")
            .replacing("zq-wake-note-qz", with: "-2")
        let night = try NightsLine(
            NightStream.Line(
                number: 1, object: try #require(try JSONValue.parse(stream.split(separator: "\n")[1].utf8).objectValue))
        )
        let rows = StudioRows.events(night.nights[0])
        #expect(rows.contains("zq_ownword,2026-01-03T22:10:00.000Z,\"'=1+1, \"\"loud\"\"\nnoise\",2026-01-03\n"))
        #expect(rows.contains("wake_final,2026-01-04T06:00:00.000Z,'-2,2026-01-03\n"))
        #expect(rows == rows.sorted())
        let session = "2026-01-03T21:30:00.000Z,2026-01-04T00:15:00.000Z,165,165,ok,,,88,\n"
        #expect(StudioRows.session(night.nights[0]) == session)
    }

    @Test func `R28.13 a quotation mark before a combining character is doubled, too`() {
        #expect(StudioRows.row(["a\"\u{301},=1", "b"]) == "\"a\"\"\u{301},=1\",b\n")
    }

    @Test func `R28.13 more than a bundle holds is refused by name`() throws {
        var format = StudioFormat(most: 2 << 20)
        var output = Output { _ in 0 }
        let text = String(PlantedNight.stream.split(separator: "\n")[1])
            .replacing("zq-wake-note-qz", with: String(repeating: "w", count: 900_000))
        let night = try NightsLine(
            NightStream.Line(number: 1, object: try #require(try JSONValue.parse(text.utf8).objectValue)))
        for _ in 0..<2 { try format.take(night, into: &output) }
        let fault = #expect(throws: ExchangeFault.self) { try format.take(night, into: &output) }
        #expect(fault?.kind == .usage && fault?.message.contains("more than 2 MiB") == true)
    }

    @Test(arguments: [("", 0), ("123456789", 0xCBF4_3926), ("a", 0xE8B7_BE43)] as [(String, UInt32)])
    func `the checksum is CRC-32`(text: String, sum: UInt32) {
        #expect(ZipArchive.checksum(Array(text.utf8)) == sum)
    }
}
