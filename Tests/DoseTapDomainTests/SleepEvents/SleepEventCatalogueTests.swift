import DoseTapDomain
import Testing

/// R8.1, R8.2: the words of sleep events.
struct SleepEventCatalogueTests {
    static let words = [
        "in_bed", "lights_out", "wake_temp", "wake_final", "bathroom", "water", "snack", "nap_start", "nap_end",
        "anxiety", "dream", "heart_racing", "noise", "temperature", "pain",
    ]

    @Test func `R8.1 there are fifteen types, each with a name, three with a cooldown`() {
        let types = SleepEventCatalogue.standard.types
        #expect(types.map(\.word) == Self.words)
        #expect(types.filter { $0.cooldownSeconds > 0 }.map(\.word) == ["bathroom", "water", "snack"])
        #expect(types.allSatisfy { $0.cooldownSeconds == 0 || $0.cooldownSeconds == 60 })
        let spellings = types.flatMap { [$0.word] + $0.aliases }
        #expect(Set(spellings).count == spellings.count)
        for type in types {
            #expect(SleepEventCatalogue.standard.type(named: type.displayName) == type)
            #expect(SleepEventCatalogue.displayName(of: type.word) == type.displayName)
            #expect(type.word == SleepEventWord.finalWake || type.colourHex?.wholeMatch(of: /#[0-9A-F]{6}/) != nil)
        }
    }

    @Test(
        arguments: [
            ("bathroom", "bathroom"), (" Bathroom\n", "bathroom"), ("BATHROOM", "bathroom"), ("🚽", "bathroom"),
            ("Lights Out", "lights_out"), ("lights-out", "lights_out"), ("lightsOut", "lights_out"),
            ("lights  – out", "lights_out"), ("_lights_out_", "lights_out"), ("🌙", "lights_out"),
            ("In Bed", "in_bed"), ("inBed", "in_bed"), ("Brief Wake", "wake_temp"), ("waketemp", "wake_temp"),
            ("Wake", "wake_final"), ("wake up", "wake_final"), ("WakeUp", "wake_final"), ("☀️", "wake_final"),
            ("☀", "wake_final"), ("Final Wake", "wake_final"), ("wakeFinal", "wake_final"), ("restless", "anxiety"),
            ("Temp", "temperature"), ("heartRacing", "heart_racing"), ("Heart\u{A0}Racing", "heart_racing"),
            ("napStart", "nap_start"), ("Nap-End", "nap_end"), ("nap", nil), ("", nil), ("dose1", nil), ("skip", nil),
        ] as [(String, String?)])
    func `R8.1 spellings that mean a type`(text: String, word: String?) {
        #expect(SleepEventCatalogue.standard.type(named: text)?.word == word)
    }

    @Test(arguments: [
        ("bathrom", ["bathroom"]), ("watr", ["water"]), ("Lihgts Out", ["lights_out"]), ("breif-wake", ["wake_temp"]),
        ("nap", []), ("nap strat", ["nap_start"]), ("dose-3", ["dose1", "dose2"]), ("xtra", ["extra"]),
        ("xylophone", []),
    ])
    func `R8.1 an unknown word is refused with the nearest of all that can be logged`(text: String, near: [String]) {
        var machine = SimulatedMachine.evening()
        guard case .unknown(let unknown)? = machine.failure(.logSleepEvent(text)) else {
            Issue.record("\(text) is known")
            return
        }
        #expect(unknown.what == "sleep event" && unknown.nearest == near)
        #expect(machine.log.isEmpty)
    }

    @Test(arguments: [
        "", "   ", "a\u{7}b", "a\u{202E}b", String(repeating: "x", count: 65),
    ])
    func `R8.1 a word has bounds`(text: String) {
        var machine = SimulatedMachine.evening()
        switch machine.failure(.logSleepEvent(text)) {
        case .invalidInput, .unknown: break
        case let other: Issue.record("\(String(describing: other))")
        }
        #expect(machine.log.isEmpty)
    }

    @Test func `R8.2 types of one's own are logged in any spelling and have no cooldown`() throws {
        var machine = SimulatedMachine.evening()
        machine.sleepEvents = try SleepEventCatalogue(custom: ["Leg Cramps", "Übelkeit"])
        #expect(machine.sleepEvents.custom.map(\.word) == ["leg_cramps", "übelkeit"])
        #expect(machine.sleepEvents.custom.map(\.displayName) == ["Leg Cramps", "Übelkeit"])
        let first = try machine.perform(.logSleepEvent("leg-cramps"))
        machine.pass(.seconds(11))
        #expect(try !machine.perform(.logSleepEvent("LEG CRAMPS")).isDuplicate)
        machine.pass(.seconds(11))
        machine.sleepEvents = .standard
        #expect(machine.night?.sleepEvents.map(\.type) == ["leg_cramps", "leg_cramps"], "what was recorded stays")
        guard case .unknown? = machine.failure(.logSleepEvent("leg cramps")) else {
            Issue.record("it is in no list any more")
            return
        }
        let again = try machine.perform(.amend(first.primary.id)) { $0.note = "left" }
        #expect(!again.isDuplicate)
    }

    @Test(arguments: [
        ["a", "b", "c", "d", "e", "f", "g", "h", "i"], [""], ["  "], [String(repeating: "x", count: 33)],
        ["leg, cramps"],
        ["bath\u{7}"], ["💤"], ["Bathroom"], ["brief wake"], ["wake"], ["dose1"], ["Extra"], ["hunger", "Hunger"],
    ])
    func `R8.2 a name that does not do is refused with the reason`(names: [String]) {
        do throws(SleepEventNameError) {
            _ = try SleepEventCatalogue(custom: names)
            Issue.record("\(names) was taken")
        } catch { #expect(!error.description.isEmpty) }
    }

    @Test func `R8.2 eight names of 32 characters do`() throws {
        let names = (1...8).map { String(repeating: "x", count: 31) + "\($0)" }
        #expect(try SleepEventCatalogue(custom: names).custom.count == 8)
    }
}
