import DoseTapDomain
import Testing

/// R11.7: amounts, units and strengths.
struct AmountTests {
    static let liquid = Concentration(unit: .milliliter, thousandths: 500_000)
    static let tablet = Concentration(unit: .tablet, thousandths: 3_000)

    @Test(
        arguments: [
            ("2.25g", nil, 2_250), ("2250", nil, 2_250), ("2250 mg", nil, 2_250), ("5000mcg", nil, 5),
            ("2,25g", nil, 2_250), ("4,5 g", nil, 4_500),
            ("4.5mL", liquid, 2_250),
            ("4.5 ml", liquid, 2_250), ("2 tablets", tablet, 6), ("0.5 tablet", tablet, 2), ("4.333mL", liquid, 2_167),
            ("1.0mg", nil, 1), ("9mg", nil, 9), ("20", nil, 20), ("9.000g", nil, 9_000), ("0.001g", nil, 1),
        ] as [(String, Concentration?, Int)])
    func `R11.7 an amount in mg`(text: String, concentration: Concentration?, milligrams: Int) throws {
        #expect(try Amount(text: text).milligrams(concentration) == milligrams)
    }

    @Test(
        arguments: [
            ("4.5mL", nil, AmountError.Kind.noConcentration), ("2 tablets", nil, .noConcentration),
            ("2 tablets", liquid, .noConcentration), ("4.5mL", tablet, .noConcentration), ("0.5mg", nil, .fraction),
            ("500mcg", nil, .fraction), ("2.25", nil, .fraction), ("9", nil, .fraction), ("19", nil, .fraction),
            ("2.2505g", nil, .malformed), ("", nil, .malformed),
            ("0g", nil, .malformed),
            ("-1g", nil, .malformed), ("4,500mg", nil, .malformed), ("2,250.5g", nil, .malformed),
            ("2,2,5g", nil, .malformed),
            (",5g", nil, .malformed), ("2,g", nil, .malformed), ("1e3mg", nil, .malformed),
            ("2 spoons", nil, .malformed),
            ("1.2.3g", nil, .malformed), (".5g", nil, .malformed), ("٣g", nil, .malformed),
            ("9999999999mg", nil, .malformed),
            (String(repeating: "1", count: 400), nil, .malformed),
        ] as [(String, Concentration?, AmountError.Kind)])
    func `R11.7 what is no amount says why`(text: String, concentration: Concentration?, kind: AmountError.Kind) {
        do throws(AmountError) {
            let milligrams = try Amount(text: text).milligrams(concentration)
            Issue.record("\(text) was read as \(milligrams) mg")
        } catch { #expect(error.kind == kind && !error.description.isEmpty) }
    }

    @Test func `R11.7 a fraction or a small number without a unit is asked for it`() {
        let error = #expect(throws: AmountError.self) { try Amount(text: "2.25") }
        #expect(error?.description == "2.25 what? Give a unit: 2.25mL, 2.25g or 2250mg")
        let small = #expect(throws: AmountError.self) { try Amount(text: "9") }
        #expect(small?.description == "9 what? Give a unit: 9mL, 9g or 9mg")
    }

    @Test(arguments: [("500mg/mL", "500 mg/mL"), ("0.5g/ml", "500 mg/mL"), ("3 mg / tablets", "3 mg/tablet")])
    func `R11.7 a concentration`(text: String, shown: String) {
        #expect(Concentration(text: text)?.text == shown)
    }

    @Test(arguments: [
        "", "500", "500mg", "500mg/g", "500mL/mL", "/mL", "0mg/mL", "500mg/", "500mg/mL/mL", "101g/tablet",
    ])
    func `R11.7 what is no concentration`(text: String) { #expect(Concentration(text: text) == nil) }

    @Test(arguments: [
        ("2250mg", "2250 mg"), ("2.250g", "2.25 g"), ("0.05mL", "0.05 mL"), ("1.5 tablets", "1.5 tablet"),
    ])
    func `an amount is written without idle zeros`(text: String, shown: String) throws {
        let amount = try Amount(text: text)
        #expect(amount.text == shown)
        #expect(try Amount(text: amount.text) == amount)
    }
}
