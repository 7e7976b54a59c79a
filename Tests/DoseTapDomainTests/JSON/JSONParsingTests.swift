import DoseTapDomain
import Testing

struct JSONParsingTests {
    @Test(
        arguments: [
            ("null", JSONValue.null), ("true", true), ("false", false), (" \t\r\n 1 \n", 1), ("0", 0), ("-1", -1),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(9_223_372_036_854_775_808)),
            ("-9223372036854775809", .number(-9_223_372_036_854_775_808)),
            ("123456789012345678901234567890", .number(0x1.8ee90ff6c373ep+96)),
            ("1.0", .number(1)), ("1e2", .number(100)), ("1E+2", .number(100)), ("1e-2", .number(0.01)),
            ("-0", .number(-0.0)),
            ("0.1", .number(0.1)), ("-0.0", .number(-0.0)), ("0e0", .number(0)), ("1e-999", .number(0)),
            ("1.7976931348623157e308", .number(.greatestFiniteMagnitude)), ("5e-324", .number(.leastNonzeroMagnitude)),
            ("\"\"", ""), ("\"a\"", "a"), (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\uD834\uDD1E""#, "\u{1D11E}"), (#""\u0000""#, "\0"), (#""\uFFFF""#, "\u{FFFF}"),
            (#""\udbff\udfff""#, "\u{10FFFF}"),
            ("\"é€😀\u{7F}\"", "é€😀\u{7F}"), ("[]", []), ("[ ]", []), ("[1,[2,[]],3]", [1, [2, []], 3]), ("{}", [:]),
            (#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": nil]]), (#"{"":0}"#, ["": 0]),
            (#"{"a":1,"A":2}"#, ["a": 1, "A": 2]),
            ("[1\n,2\t,\r3 ]", [1, 2, 3]), (#""\u2028\u2029""#, "\u{2028}\u{2029}"), ("\"\u{2028}\"", "\u{2028}"),
        ] as [(String, JSONValue)])
    func `well formed JSON is read`(text: String, expected: JSONValue) throws {
        #expect(try JSONValue.parse(text) == expected)
        #expect(try JSONValue.parse(Array(text.utf8)) == expected)
        #expect(try JSONValue.parse(Substring("x\(text)").dropFirst()) == expected)
    }

    @Test(arguments: [
        ("", JSONError.Reason.unexpectedEnd, 0), (" ", .unexpectedEnd, 1), ("nul", .unexpectedEnd, 3),
        ("nulx", .unexpectedByte(0x78), 3), ("True", .unexpectedByte(0x54), 0), ("NaN", .unexpectedByte(0x4E), 0),
        ("-Infinity", .badNumber, 1), ("Infinity", .unexpectedByte(0x49), 0), ("-", .unexpectedEnd, 1),
        ("+1", .unexpectedByte(0x2B), 0),
        (".5", .unexpectedByte(0x2E), 0), ("01", .badNumber, 0), ("-01", .badNumber, 1), ("00", .badNumber, 0),
        ("1.", .unexpectedEnd, 2),
        ("1.e1", .badNumber, 2), ("1e", .unexpectedEnd, 2), ("1e+", .unexpectedEnd, 3), ("1ex", .badNumber, 2),
        ("0x1", .trailingContent, 1),
        ("1_000", .trailingContent, 1), ("1e999", .numberOutOfRange, 0), ("-1e999", .numberOutOfRange, 0),
        ("[1e400]", .numberOutOfRange, 1), ("1 2", .trailingContent, 2), ("[]]", .trailingContent, 2),
        ("{}x", .trailingContent, 2),
        ("[", .unexpectedEnd, 1), ("[1", .unexpectedEnd, 2), ("[1,", .unexpectedEnd, 3),
        ("[1,]", .unexpectedByte(0x5D), 3),
        ("[,1]", .unexpectedByte(0x2C), 1), ("[1 2]", .unexpectedByte(0x32), 3), ("[1}", .unexpectedByte(0x7D), 2),
        ("{", .unexpectedEnd, 1), ("{1:2}", .unexpectedByte(0x31), 1), ("{a:1}", .unexpectedByte(0x61), 1),
        (#"{"a"}"#, .unexpectedByte(0x7D), 4), (#"{"a":}"#, .unexpectedByte(0x7D), 5),
        (#"{"a":1,}"#, .unexpectedByte(0x7D), 7),
        (#"{"a" 1}"#, .unexpectedByte(0x31), 5), (#"{"a":1 "b":2}"#, .unexpectedByte(0x22), 7),
        (#"{'a':1}"#, .unexpectedByte(0x27), 1),
        (#"{"a":1,"a":2}"#, .duplicateKey("a"), 7), (#"{"a":1,"\u0061":2}"#, .duplicateKey("a"), 7),
        (#"[{"b":{"a":1,"c":2,"a":1}}]"#, .duplicateKey("a"), 19), ("\"", .unexpectedEnd, 1),
        ("\"a", .unexpectedEnd, 2),
        ("\"\\", .unexpectedEnd, 2), ("\"\\x\"", .badEscape, 1), ("\"\\u12\"", .badEscape, 1),
        ("\"\\u12G4\"", .badEscape, 1),
        ("\"\\u", .unexpectedEnd, 3), ("\"\\U0041\"", .badEscape, 1), ("\"\n\"", .controlCharacter, 1),
        ("\"a\\n\tb\"", .controlCharacter, 4),
        ("\"\u{0}\"", .controlCharacter, 1), (#""\uD834""#, .loneSurrogate, 1), (#""\uD834x""#, .loneSurrogate, 1),
        (#""\uD834\n""#, .loneSurrogate, 1), (#""\uDD1E""#, .loneSurrogate, 1), (#""\uDD1E\uDD1E""#, .loneSurrogate, 1),
        (#""a\uD834\uD834""#, .loneSurrogate, 2),
        (#""\uD834\u0041""#, .loneSurrogate, 1), ("// x\n1", .unexpectedByte(0x2F), 0),
        ("[1/**/]", .unexpectedByte(0x2F), 2),
        ("\u{FEFF}1", .unexpectedByte(0xEF), 0), ("1\u{0}", .trailingContent, 1), ("\u{A0}1", .unexpectedByte(0xC2), 0),
        ("undefined", .unexpectedByte(0x75), 0), ("\u{C}1", .unexpectedByte(0x0C), 0),
    ])
    func `what is not JSON is refused with its place`(text: String, reason: JSONError.Reason, offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse(text) }
        #expect(error?.reason == reason)
        #expect(error?.offset == offset)
    }

    @Test(arguments: [
        ([0x80], 1), ([0xC3], 1), ([0xC3, 0x28], 1), ([0xC0, 0xAF], 1), ([0xE2, 0x82], 1), ([0xED, 0xA0, 0x80], 1),
        ([0xF4, 0x90, 0x80, 0x80], 1), ([0xF8, 0x88, 0x80, 0x80, 0x80], 1), ([0xFF], 1), ([0x61, 0xC3, 0xA9, 0xFE], 4),
        ([0x5C, 0x6E, 0xFE], 3), ([0xFE, 0x5C, 0x6E], 1),
    ])
    func `a string that is not UTF-8 is refused at its first bad byte`(bytes: [UInt8], offset: Int) {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse([0x22] + bytes + [0x22]) }
        #expect(error?.reason == .invalidUTF8)
        #expect(error?.offset == offset)
    }

    @Test func `an error says line and column in characters`() {
        let error = #expect(throws: JSONError.self) { try JSONValue.parse("{\n  \"é€\": 1,\n  \"x😀\": tru }") }
        #expect(error?.line == 3)
        #expect(error?.column == 12)
        #expect(error?.description == "The JSON text has an unexpected byte 32 at line 3, column 12 (byte 30).")
        let quoted = #expect(throws: JSONError.self) { try JSONValue.parse("{\"a\u{1b}") }
        #expect(quoted?.description == "A JSON string has an unescaped control character at line 1, column 4 (byte 3).")
    }

    @Test func `nesting up to the limit is read and beyond refused`() throws {
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
        }
        for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
            let each = open.hasPrefix("[{") ? 2 : 1
            #expect(throws: Never.self) { try JSONValue.parse(nested(64 / each, open, close)) }
            let error = #expect(throws: JSONError.self) { try JSONValue.parse(nested(64 / each + 1, open, close)) }
            #expect(error?.reason == .tooDeep(limit: 64))
        }
        let bomb = String(repeating: "[", count: 100_000)
        #expect(throws: JSONError.self) { try JSONValue.parse(bomb) }
        #expect(throws: JSONError.self) { try JSONValue.parse(bomb, limits: JSONLimits(depth: .max)) }
        #expect(throws: Never.self) { try JSONValue.parse("[[1]]", limits: JSONLimits(depth: 2)) }
        #expect(throws: JSONError.self) { try JSONValue.parse("[[1]]", limits: JSONLimits(depth: 1)) }
        #expect(throws: Never.self) { try JSONValue.parse("1", limits: JSONLimits(depth: 0)) }
    }

    @Test func `text up to the size limit is read and beyond refused`() throws {
        let text = "\"" + String(repeating: "a", count: (1 << 20) - 2) + "\""
        #expect(try JSONValue.parse(text).stringValue?.utf8.count == (1 << 20) - 2)
        let error = #expect(throws: JSONError.self) { try JSONValue.parse(text + " ") }
        #expect(error?.reason == .tooLarge(limit: 1 << 20))
        #expect(throws: JSONError.self) { try JSONValue.parse("[1]", limits: JSONLimits(bytes: 2)) }
    }

    @Test func `large objects and arrays are read in time in proportion`() throws {
        let keys = (0..<60_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let clock = ContinuousClock()
        var object: JSONObject?
        let time = try clock.measure { object = try JSONValue.parse("{\(keys)}").objectValue }
        #expect(object?.count == 60_000)
        #expect(object?["k59999"] == 59_999)
        // A search among all earlier keys for each key takes minutes.
        #expect(time < .seconds(60))
        let twice = #expect(throws: JSONError.self) { try JSONValue.parse("{\(keys),\"k7\":0}") }
        #expect(twice?.reason == .duplicateKey("k7"))
    }

    @Test func `a duplicate key of any length makes a short message`() {
        let key =
            String(repeating: "\u{1B}", count: 10).map { _ in "\\u001b" }.joined()
            + String(repeating: "k", count: 100_000)
        let error = #expect(throws: JSONError.self) { try JSONValue.parse("{\"\(key)\":1,\"\(key)\":2}") }
        #expect((error?.description.utf8.count ?? 1000) < 300)
        #expect(error?.description.utf8.allSatisfy { (0x20...0x7E).contains($0) } == true)
    }

    @Test func `damaged JSON is refused or read, never a trap`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of JSON damage: \(seed)")
        var random = SplitMix64(seed: seed)
        let sound = Array(
            #"{"id":"dose1","at":1768447800000,"amount":2.25,"tags":["a\u00e9\n",null,true,[-1e3]],"ö":"😀"}"#.utf8)
        for count in 0..<sound.count {
            #expect(throws: JSONError.self) { try JSONValue.parse(sound.prefix(count)) }
        }
        for _ in 0..<20_000 {
            var bytes = sound
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            // A value that was read must be readable again and be the same.
            guard let value = try? JSONValue.parse(bytes) else { continue }
            #expect(try JSONValue.parse(value.serialized()) == value, "seed \(seed)")
        }
    }
}
