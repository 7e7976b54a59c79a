import DoseTapDomain
import Testing

struct HandleTests {
    @Test(arguments: [
        ("dose1", Handle.dose(.dose1)), ("Dose 2", .dose(.dose2)), ("d1", .dose(.dose1)), ("extra", .dose(.extra)),
        ("dose-2", .dose(.dose2)), ("last", .last(nil)), (" LAST ", .last(nil)), ("last bathroom", .last("bathroom")),
        ("last  Lights Out", .last("lights_out")), ("last wake", .last("wake_final")), ("last dose", .last("dose")),
        ("last skip", .last("dose2_skipped")), ("last check-in", .last("checkin")), ("last cup", .last("cup")),
        ("1a2b", .id("1a2b")), ("1A2B", .id("1a2b")), ("019a2f6e-4c1b", .id("019a2f6e-4c1b")),
    ])
    func `R23.8: handles are read`(text: String, expected: Handle) {
        #expect(Handle(text) == expected)
    }

    @Test(arguments: [
        "", " ", "1a2", "bathroom", "xyzw", "dose3", "dose 1 2", "1a2b 3c4d", "ä", "last\n", "1a2b\u{0}",
        String(repeating: "a", count: 37), String(repeating: "last ", count: 20),
    ])
    func `R23.9: other texts are no handle`(text: String) {
        if case .last(let word?) = Handle(text) { #expect(word.utf8.count <= 64) } else { #expect(Handle(text) == nil) }
    }

    @Test func `R23.9: random texts are read within bounds`() {
        var random = SystemRandomNumberGenerator()
        let alphabet = Array("lastdose12 -_abcdefx\t\u{301}🌙".unicodeScalars)
        for _ in 0..<5_000 {
            let length = Int.random(in: 0...80, using: &random)
            var text = String.UnicodeScalarView()
            for _ in 0..<length { text.append(alphabet.randomElement(using: &random) ?? "a") }
            if case .id(let part) = Handle(String(text)) { #expect((4...36).contains(part.utf8.count)) }
        }
    }
}
