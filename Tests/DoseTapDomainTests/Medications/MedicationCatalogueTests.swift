import DoseTapDomain
import Testing

/// R11.2: the medicines that can be recorded.
struct MedicationCatalogueTests {
    @Test func `every medicine is whole, and known by its id and its name`() {
        let all = MedicationCatalogue.standard.medications
        #expect(all.count == 16 && Set(all.map(\.id)).count == 16)
        for one in all {
            #expect(MedicationCatalogue.standard[one.id] == one)
            #expect(MedicationCatalogue.standard[one.displayName.uppercased()] == one)
            #expect(one.usualMilligrams.map(one.strengths.contains) ?? one.isOxybate)
            #expect(one.strengths == one.strengths.sorted() && !one.ingredient.isEmpty)
            for caution in one.cautions { #expect(!caution.text.isEmpty && caution.source.contains("label")) }
        }
        #expect(all.filter(\.isOxybate).map(\.id) == ["xywav", "xyrem", "lumryz"])
        #expect(all.filter(\.isOxybate).allSatisfy { !$0.cautions.isEmpty && $0.usualMilligrams == nil })
    }

    @Test func `a brand has the ingredient of its generic`() {
        func ingredient(_ id: String) -> String? { MedicationCatalogue.standard[id]?.ingredient }
        for (one, other) in [
            ("modafinil", "provigil"), ("armodafinil", "nuvigil"), ("adderall_ir", "adderall_xr"),
            ("ritalin_ir", "concerta"), ("xyrem", "lumryz"), ("xyrem", "xywav"),
        ] {
            #expect(ingredient(one) == ingredient(other) && ingredient(one) != nil)
        }
        #expect(ingredient("modafinil") != ingredient("armodafinil"))
        #expect(ingredient("adderall_ir") != ingredient("vyvanse"))
    }

    @Test(
        arguments: [
            ("Melatonin 3mg/tablet", "melatonin", 3, "3 mg/tablet", "ir"),
            ("Ibuprofen 400mg", "ibuprofen", 400, nil, "ir"),
            ("Cough Syrup 2.5mg/mL", "cough_syrup", nil, "2.5 mg/mL", "liquid"),
            ("Vitamin B12", "vitamin_b12", nil, nil, "ir"),
            (" Magnesium ", "magnesium", nil, nil, "ir"), ("Half 0.5mg/tablet", "half", nil, "0.5 mg/tablet", "ir"),
        ] as [(String, String, Int?, String?, String)])
    func `R11.2 a medicine of one's own`(
        text: String, id: String, usual: Int?, holds: String?, formulation: String
    ) throws {
        let catalogue = try MedicationCatalogue(own: [text])
        let medication = try #require(catalogue[id])
        #expect(medication.usualMilligrams == usual && medication.concentration?.text == holds)
        #expect(medication.formulation.rawValue == formulation && medication.category == .own)
        #expect(catalogue.medications.count == 17)
    }

    @Test(arguments: [
        [""], ["a!"], ["Modafinil"], ["adderall xr"], ["Melatonin", "melatonin 3mg"],
        [String(repeating: "x", count: 49)],
        ["Sodium Oxybate 500mg/mL"], ["GHB"], ["Generic-Oxybate"], ["x 30g"],
        (0..<33).map { "name \($0) x" },
    ])
    func `R11.2 names that do not do`(texts: [String]) {
        #expect(throws: MedicationNameError.self) { try MedicationCatalogue(own: texts) }
    }

    @Test(arguments: [
        ("modafinl", ["modafinil"]),
        ("sodium oxybate", ["xyrem", "lumryz"]),
        ("ritali", ["ritalin_ir", "ritalin_la"]), ("xyram", ["xyrem"]), ("aspirin of long ago", []),
    ])
    func `R11.2 words that are near`(text: String, nearest: [String]) {
        #expect(MedicationCatalogue.standard[text] == nil)
        #expect(MedicationCatalogue.standard.nearest(to: text) == nearest)
    }
}
