import DoseTapDomain
import Testing

struct JSONSerializationTests {
    @Test(
        arguments: [
            (JSONValue.null, "null"), (true, "true"), (false, "false"), (0, "0"),
            (.integer(.min), "-9223372036854775808"),
            (.integer(.max), "9223372036854775807"), (2.25, "2.25"), (1.0, "1.0"), (.number(-0.0), "-0.0"),
            (0.1, "0.1"),
            (.number(1e300), "1e+300"), (.number(.leastNonzeroMagnitude), "5e-324"), (.number(.infinity), "null"),
            (.number(.nan), "null"),
            ("", "\"\""),
            ("a\"b\\c/d", #""a\"b\\c/d""#), ("\u{8}\u{C}\n\r\t", #""\b\f\n\r\t""#),
            ("\u{0}\u{1F}\u{1B}", #""\u0000\u001f\u001b""#),
            ("\u{7F}\u{85}\u{9F}", #""\u007f\u0085\u009f""#), ("\u{2028}\u{2029}", #""\u2028\u2029""#),
            ("é€😀\u{A0}", "\"é€😀\u{A0}\""),
            ([], "[]"), ([:], "{}"), ([1, "a", nil], #"[1,"a",null]"#),
            (["b": 1, "a": [true]], #"{"b":1,"a":[true]}"#),
            (["a\n": 1], #"{"a\n":1}"#),
        ] as [(JSONValue, String)])
    func `values are written`(value: JSONValue, expected: String) {
        #expect(value.serialized() == expected)
        #expect(value.serializedBytes() == Array(expected.utf8))
        #expect(value.description == expected)
    }

    @Test func `pretty text is indented by two blanks`() {
        let value: JSONValue = ["a": [1, [], [:]], "b": ["c": "d"], "e": []]
        let expected = """
            {
              "a": [
                1,
                [],
                {}
              ],
              "b": {
                "c": "d"
              },
              "e": []
            }
            """
        #expect(value.serialized(pretty: true) == expected)
    }

    @Test func `random values come back the same`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        print("seed of JSON round trips: \(seed)")
        var random = SplitMix64(seed: seed)
        for _ in 0..<3000 {
            let value = randomValue(depth: 0, using: &random)
            for pretty in [false, true] {
                let text = value.serialized(pretty: pretty)
                #expect(try JSONValue.parse(text) == value, "seed \(seed)")
                #expect(try JSONValue.parse(text).serialized(pretty: pretty) == text, "seed \(seed)")
            }
        }
    }

    @Test func `random doubles come back bit for bit`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var random = SplitMix64(seed: seed)
        for _ in 0..<20_000 {
            let value = Double(bitPattern: .random(in: 0 ... .max, using: &random))
            guard value.isFinite else { continue }
            let back = try JSONValue.parse(JSONValue.number(value).serialized())
            #expect(back.doubleValue?.bitPattern == value.bitPattern, "seed \(seed)")
            if case .integer = back { Issue.record("\(value) became an integer, seed \(seed)") }
        }
    }

    private func randomValue(depth: Int, using random: inout SplitMix64) -> JSONValue {
        switch Int.random(in: 0..<(depth < 5 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .bool(.random(using: &random))
        case 2: return .integer(.random(in: .min ... .max, using: &random))
        case 3: return .number(.random(in: -1e6...1e6, using: &random))
        case 4, 5: return .string(randomText(using: &random))
        case 6:
            return .array(
                (0..<Int.random(in: 0...4, using: &random)).map { _ in randomValue(depth: depth + 1, using: &random) })
        default:
            var object = JSONObject()
            for _ in 0..<Int.random(in: 0...16, using: &random) {
                object[randomText(using: &random)] = randomValue(depth: depth + 1, using: &random)
            }
            return .object(object)
        }
    }

    private func randomText(using random: inout SplitMix64) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...12, using: &random) {
            let limits: [UInt32] = [0x20, 0x7F, 0x100, 0x2030, 0x10FFFF]
            let limit = limits[Int.random(in: 0..<limits.count, using: &random)]
            if let scalar = Unicode.Scalar(UInt32.random(in: 0...limit, using: &random)) { text.append(scalar) }
        }
        return String(text)
    }
}
