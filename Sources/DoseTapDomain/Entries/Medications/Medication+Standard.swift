extension Medication {
    /// All that every machine knows, in the order in which they are listed.
    static let standard: [Medication] = stimulants + wakefulness + oxybates

    private static let sixStrengths = [5, 10, 15, 20, 25, 30]

    private static let stimulants: [Medication] = [
        stimulant("adderall_ir", "Adderall", "mixed amphetamine salts", .immediate, 10, sixStrengths, warning: 60),
        stimulant("adderall_xr", "Adderall XR", "mixed amphetamine salts", .extended, 20, sixStrengths, warning: 480),
        stimulant("ritalin_ir", "Ritalin", "methylphenidate", .immediate, 10, [5, 10, 15, 20], warning: 60),
        stimulant("ritalin_la", "Ritalin LA", "methylphenidate", .extended, 20, [10, 20, 30, 40], warning: 480),
        stimulant("concerta", "Concerta", "methylphenidate", .extended, 36, [18, 27, 36, 54], warning: 1_440),
        stimulant(
            "vyvanse", "Vyvanse", "lisdexamfetamine", .extended, 30, [10, 20, 30, 40, 50, 60, 70], warning: 1_440),
        stimulant("dexedrine", "Dexedrine", "dextroamphetamine", .immediate, 10, [5, 10, 15], warning: 0),
    ]

    private static let wakefulness: [Medication] = [
        agent("modafinil", "Modafinil", "modafinil", 200, [100, 200], warning: 720),
        agent("provigil", "Provigil", "modafinil", 200, [100, 200], warning: 720),
        agent("armodafinil", "Armodafinil", "armodafinil", 150, [50, 150, 200, 250], warning: 720),
        agent("nuvigil", "Nuvigil", "armodafinil", 150, [50, 150, 200, 250], warning: 720),
        agent(
            "sunosi", "Sunosi", "solriamfetol", 75, [75, 150],
            cautions: [Caution(text: "Not within 9 hours of bedtime.", source: "Sunosi label, copy by pillsync")]),
        agent(
            "wakix", "Wakix", "pitolisant", 35, [5, 9, 18, 35], category: .histamineModulator,
            cautions: [
                Caution(
                    text: "A new dose is reached in weekly steps: 8.9, 17.8, 35.6 mg.",
                    source: "Wakix label, copy by pillsync")
            ]),
    ]

    private static let oxybates: [Medication] = [
        oxybate(
            "xywav", "XYWAV", "calcium, magnesium, potassium and sodium oxybates", .liquid, label: xywavLabel,
            own: [twoDoses(xywavLabel)]),
        oxybate("xyrem", "Xyrem", "sodium oxybate", .liquid, label: xyremLabel, own: [twoDoses(xyremLabel)]),
        oxybate(
            "lumryz", "Lumryz", "sodium oxybate", .extended, label: lumryzLabel,
            own: [
                Caution(text: "Once at bedtime: there is no second dose.", source: lumryzLabel),
                Caution(text: "To be drunk within 30 minutes of mixing.", source: lumryzLabel),
            ]),
    ]

    private static let xyremLabel = "Xyrem label, DailyMed set 926eb076-a4a8-45e4-91ef-411f0aa4f3ca"
    private static let xywavLabel = "Xywav label, DailyMed set 1e0ae43a-037f-42af-8e23-a0e51d75abe8"
    private static let lumryzLabel = "Lumryz label, DailyMed set 10e5e40c-52f3-4c73-8a34-2c29c690a934, December 2025"

    private static func stimulant(
        _ id: String, _ name: String, _ generic: String, _ formulation: Formulation, _ usual: Int, _ strengths: [Int],
        warning: Int
    ) -> Medication {
        Medication(
            id: id, displayName: name, genericName: generic, ingredient: SleepEventWord.normalised(generic),
            category: .stimulant, formulation: formulation, usualMilligrams: usual, strengths: strengths,
            warningMinutes: warning, concentration: nil, cautions: [])
    }

    private static func agent(
        _ id: String, _ name: String, _ generic: String, _ usual: Int, _ strengths: [Int], warning: Int = 0,
        category: Category = .wakefulnessAgent, cautions: [Caution] = []
    ) -> Medication {
        Medication(
            id: id, displayName: name, genericName: generic, ingredient: generic, category: category,
            formulation: .immediate, usualMilligrams: usual, strengths: strengths, warningMinutes: warning,
            concentration: nil, cautions: cautions)
    }

    /// No usual dose: how much of an oxybate was taken is said by the person or the regimen, or it is unknown.
    private static func oxybate(
        _ id: String, _ name: String, _ generic: String, _ formulation: Formulation, label: String, own: [Caution]
    ) -> Medication {
        let isLiquid = formulation == .liquid
        return Medication(
            id: id, displayName: name, genericName: generic, ingredient: oxybateIngredient, category: .sodiumOxybate,
            formulation: formulation, usualMilligrams: nil,
            strengths: isLiquid ? [2_250, 3_000, 3_750, 4_500] : [4_500, 6_000, 7_500, 9_000], warningMinutes: 0,
            concentration: isLiquid ? Concentration(unit: .milliliter, thousandths: 500_000) : nil,
            cautions: own + [
                Caution(text: "Not with alcohol, nor with medicines for sleeping or calming.", source: label),
                Caution(text: "Two hours or more after eating.", source: label),
                Caution(text: "No driving or dangerous work for at least 6 hours after a dose.", source: label),
            ])
    }

    static let oxybateIngredient = "oxybate"

    private static func twoDoses(_ label: String) -> Caution {
        Caution(text: "The second dose 2.5 to 4 hours after the first; a missed one is skipped.", source: label)
    }
}
