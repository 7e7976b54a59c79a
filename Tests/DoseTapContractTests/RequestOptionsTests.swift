import DoseTapContract
import DoseTapDomain
import SDBus
import Testing

@Suite struct RequestOptionsTests {
    @Test func `every option travels there and back`() throws {
        var options = RequestOptions()
        options.at = Instant(seconds: 1_768_429_800)
        options.timeZone = "Europe/Berlin"
        options.confirmations = [.early, .overLimit]
        options.key = "key"
        options.amountMilligrams = 4_500
        options.note = "a note"
        options.reason = "a reason"
        options.dryRun = true
        options.surface = .cli
        #expect(options.variants.count == 9)
        #expect(try RequestOptions(options.variants) == options)
        #expect(try RequestOptions([:]) == RequestOptions())
        #expect(RequestOptions().variants.count == 0)
    }

    /// Each key with a value of another type.
    static let wrong: [(String, Variant)] = [
        ("at", Variant("now")), ("at", Variant(Int64(5))), ("at", Variant(UInt32(5))), ("time_zone", Variant(true)),
        ("confirm", Variant("early")), ("confirm", Variant([UInt32(1)])), ("key", Variant(UInt32(1))),
        ("amount_mg", Variant(Int32(-1))), ("amount_mg", Variant("2250")), ("amount_mg", Variant(2250.0)),
        ("note", Variant([String]())), ("reason", Variant(false)), ("dry_run", Variant(UInt32(1))),
        ("surface", Variant(UInt8(1))),
    ]

    @Test(arguments: wrong)
    func `a wrong type is refused by name`(key: String, value: Variant) throws {
        let error = try #require(throws: ServiceError.self) { try RequestOptions([key: value]) }
        #expect(error.kind == .invalidInput)
        #expect(error.message.contains("'\(key)'"))
    }

    @Test(arguments: ["At", "confirmations", "amounts", "dry-run", "", "surface ", "😴"])
    func `an unknown key is refused by name, with those that are known`(key: String) throws {
        let error = try #require(throws: ServiceError.self) { try RequestOptions([key: Variant(true)]) }
        #expect(error.kind == .invalidInput)
        #expect(error.message == "Unknown option '\(key)'.")
        #expect(error.details["known"]?.arrayValue?.contains("amount_mg") == true)
    }

    @Test func `unknown words are refused, and cut to a bearable length`() throws {
        let long = String(repeating: "x", count: 60_000)
        for (key, value) in [("confirm", Variant([long])), ("surface", Variant(long)), (long, Variant(true))] {
            let error = try #require(throws: ServiceError.self) { try RequestOptions([key: value]) }
            #expect(error.kind == .invalidInput)
            #expect(error.message.count < 120)
        }
        #expect(throws: ServiceError.self) { try RequestOptions(["surface": Variant("service")]) }
        #expect(throws: ServiceError.self) { try RequestOptions(["at": Variant(UInt64.max)]) }
    }

    @Test(
        arguments: [
            (["right"], true), (["wrong", "wrong"], false), (["right", "wrong"], nil), (["wrong", "right"], nil),
        ] as [([String], Bool?)])
    func `the clock is either right or wrong, not both`(words: [String], isRight: Bool?) throws {
        let value = Variant(words.map { "clock_suspect=\($0)" })
        guard let isRight else {
            let error = try #require(throws: ServiceError.self) { try RequestOptions(["confirm": value]) }
            #expect(
                error.kind == .invalidInput && error.details["known"] == ["clock_suspect=right", "clock_suspect=wrong"])
            return
        }
        let options = try RequestOptions(["confirm": value])
        #expect(options.isClockRight == isRight)
        #expect(try RequestOptions(options.variants) == options)
    }

    @Test func `a time of 0 is none`() throws {
        #expect(try RequestOptions(["at": Variant(UInt64(0))]).at == nil)
    }
}
