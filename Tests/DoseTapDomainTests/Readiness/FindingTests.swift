import DoseTapDomain
import Testing

@Suite struct FindingTests {
    /// The facts of a machine without a fault.
    static var well: ChainFacts {
        var facts = ChainFacts(isOnBus: true, version: "1", health: "ok")
        facts.plugins = .known([.init(id: "alarm", isOn: true, reminds: true, trouble: nil)])
        facts.freeBytes = .known(1 << 34)
        facts.backups = .known(.init(isOn: true, age: .hours(5), events: 9, isNew: false, trouble: nil))
        facts.notifications = .known(.present("dunst 1.9"))
        facts.doNotDisturb = .known(false)
        facts.player = "pw-play"
        facts.volume = .known(.init(percent: 60, isMuted: false))
        facts.wake = .known(nil)
        facts.power = .known(.init(hasBattery: true, isOnBattery: false, percent: 80))
        facts.lid = .known(.init(isPresent: true, action: "ignore", actionOnPower: ""))
        facts.clock = .known(true)
        facts.linger = .known(true)
        return facts
    }

    typealias Change = @Sendable (inout ChainFacts) -> Void

    private static let suspending = ChainFacts.Answer.known(
        ChainFacts.Lid(isPresent: true, action: "suspend", actionOnPower: ""))

    /// A link, its level, and the change of the facts that gives this level.
    static let changes: [(String, Finding.Level, Change)] = [
        ("store", .amber, { $0.health = "warning" }),
        ("backup", .green, { $0.backups = .known(.init(isOn: true, age: nil, events: 9, isNew: true, trouble: nil)) }),
        ("backup", .green, { $0.backups = .known(.init(isOn: false, age: nil, events: 9, isNew: true, trouble: nil)) }),
        (
            "backup", .green,
            { $0.backups = .known(.init(isOn: true, age: .hours(900), events: 9, isNew: false, trouble: nil)) }
        ),
        (
            "backup", .amber,
            { $0.backups = .known(.init(isOn: true, age: .hours(72), events: 9, isNew: true, trouble: nil)) }
        ),
        (
            "backup", .amber,
            { $0.backups = .known(.init(isOn: true, age: .hours(5), events: 9, isNew: true, trouble: "no space")) }
        ),
        ("store", .red, { $0.health = "no_space" }), ("disk", .red, { $0.freeBytes = .known((16 << 20) - 1) }),
        ("disk", .amber, { $0.freeBytes = .known(16 << 20) }), ("disk", .green, { $0.freeBytes = .known(256 << 20) }),
        ("disk", .unknown, { $0.freeBytes = .unknown("no such folder") }),
        ("notifications", .red, { $0.notifications = .known(.absent) }),
        ("notifications", .unknown, { $0.notifications = .known(.startable) }),
        ("notifications", .red, { $0.notifications = .known(.silent("it does not answer")) }),
        ("notifications", .red, { $0.screenFailure = "no room" }),
        ("audio", .red, { $0.soundFailure = "paplay ended with 1" }), ("audio", .red, { $0.lacksSoundServer = true }),
        ("audio", .red, { ($0.player, $0.lacksSoundCard) = ("aplay", true) }),
        ("do_not_disturb", .red, { $0.doNotDisturb = .known(true) }),
        ("do_not_disturb", .unknown, { $0.doNotDisturb = .unknown("x") }), ("audio", .amber, { $0.player = nil }),
        ("audio", .amber, { ($0.player, $0.chosenPlayer) = (nil, "mpv") }),
        ("audio", .amber, { ($0.chosenPlayer, $0.lacksChosenPlayer) = ("mpv", true) }),
        ("audio", .green, { ($0.player, $0.chosenPlayer) = ("mpv", "/home/me/bin/mpv") }),
        ("audio", .amber, { ($0.chosenPlayer, $0.playerFault) = ("mpv", "others may write to it") }),
        ("volume", .red, { $0.volume = .known(.init(percent: 60, isMuted: true)) }),
        ("volume", .red, { $0.volume = .known(.init(percent: 0, isMuted: false)) }),
        ("volume", .amber, { $0.volume = .known(.init(percent: 29, isMuted: false)) }),
        ("sleep", .amber, { $0.sleepLock = .refused("x") }), ("sleep", .green, { $0.sleepLock = .held }),
        ("battery", .red, { $0.power = .known(.init(hasBattery: true, isOnBattery: true, percent: 29)) }),
        ("battery", .amber, { $0.power = .known(.init(hasBattery: true, isOnBattery: true, percent: 30)) }),
        ("battery", .green, { $0.power = .known(.init(hasBattery: false, isOnBattery: false, percent: 0)) }),
        ("lid", .green, { $0.lid = suspending }),
        (
            "lid", .green,
            {
                $0.lid = suspending
                $0.lidLock = .held
            }
        ),
        (
            "lid", .amber,
            {
                $0.lid = suspending
                $0.lidLock = .refused("x")
            }
        ),
        ("lid", .green, { $0.lid = .known(.init(isPresent: false, action: "suspend", actionOnPower: "")) }),
        ("clock", .amber, { $0.clock = .known(false) }), ("clock", .amber, { $0.clockDoubt = "At least 65 minutes." }),
        ("linger", .green, { $0.linger = .known(false) }),
    ]

    @Test(arguments: changes)
    func `each link is judged by itself`(change: (String, Finding.Level, Change)) throws {
        var facts = Self.well
        change.2(&facts)
        let finding = try #require(facts.findings.first { $0.id == change.0 })
        #expect(finding.level == change.1, "\(finding)")
        #expect((finding.remedy == nil) == (finding.level < .amber), "\(finding)")
        #expect(Self.commands(in: finding) == [], "\(finding)")
        #expect(facts.findings.filter { $0.level > .unknown && $0.id != change.0 } == [])
        #expect(facts.findings.worst == (finding.level >= .amber ? finding : nil))
    }

    /// The texts of a finding, as it travels, that look like a command of a shell.
    private static func commands(in finding: Finding) -> [String] {
        finding.json.compactMap(\.value.stringValue).filter { text in
            ["dosetap ", "systemctl ", "loginctl ", "timedatectl ", " --"].contains { text.contains($0) }
        }
    }

    @Test func `a code of a newer service is no reason to refuse its finding, or to be silent about it`() throws {
        var json = Finding(id: "disk", level: .amber, sentence: "nearly full", remedy: .freeSpace).json
        #expect(try Finding(json: json).remedy == .freeSpace)
        json["remedy_code"] = "from_the_future"
        let newer = try Finding(json: json)
        #expect(newer.sentence == "nearly full" && newer.remedy == nil)
        #expect([newer].worst == newer)
        json["remedy_code"] = nil
        #expect([try Finding(json: json)].worst == nil)
    }

    @Test func `without a bus no service runs, whoever answers`() {
        var facts = Self.well
        facts.isOnBus = false
        let red = facts.findings.filter { $0.level != .green }
        #expect(red.map(\.id) == ["bus", "service"] && red.allSatisfy { $0.level == .red && $0.remedy != nil })
        #expect(red.allSatisfy { $0.sentence.contains("no service") })
    }

    @Test func `what leaves nothing to be done is found, and not said before the night`() throws {
        var facts = Self.well
        facts.wake = .known("systemd 252: wake timers need 254")
        let finding = try #require(facts.findings.first { $0.id == "wake" })
        #expect(finding.level == .amber && finding.remedy == nil)
        #expect(facts.findings.worst == nil)
    }

    @Test func `a plugin that is off is found; that nobody is left to remind is said`() throws {
        func finding(_ plugins: [(String, Bool, Bool, String?)]) throws -> Finding {
            var facts = Self.well
            facts.plugins = .known(plugins.map { .init(id: $0.0, isOn: $0.1, reminds: $0.2, trouble: $0.3) })
            let finding = try #require(facts.findings.first { $0.id == "plugins" })
            #expect(
                facts.findings.worst == (finding.level == .green || finding.sentence.hasPrefix("off: ") ? nil : finding)
            )
            #expect(Self.commands(in: finding) == [], "\(finding)")
            return finding
        }
        let journal = ("journal", true, false, String?.none)
        #expect(try finding([journal, ("alarm", true, true, nil), ("awake", true, false, nil)]).level == .green)
        let off = try finding([journal, ("notifications", true, true, nil), ("alarm", false, true, nil)])
        #expect(
            off.level == .amber && off.sentence == "off: alarm" && off.remedy == .enablePlugin && off.plugin == "alarm")
        let both = try finding([("notifications", true, true, "no room"), ("alarm", false, true, nil)])
        #expect(both.sentence.hasSuffix("no room; off: alarm"))
        let troubled = try finding([journal, ("alarm", true, true, "broken pipe")])
        #expect(troubled.level == .amber && troubled.remedy == .inspectPlugin && troubled.plugin == "alarm")
        let nobody = try finding([journal, ("notifications", false, true, nil), ("alarm", false, true, nil)])
        #expect(nobody.level == .red && nobody.remedy == .enablePlugin && nobody.plugin == "notifications")
    }

    @Test func `some links are worse together`() {
        var facts = Self.well
        facts.sleepLock = .refused("no logind")
        facts.wake = .known("systemd 252")
        #expect(facts.findings.worst?.id == "wake" && facts.findings.worst?.level == .red)
        var headless = Self.well
        headless.notifications = .known(.absent)
        headless.linger = .known(false)
        #expect(headless.findings.first { $0.id == "linger" }?.level == .amber)
        var onBattery = Self.well
        onBattery.lidLock = .refused("x")
        onBattery.lid = .known(.init(isPresent: true, action: "suspend", actionOnPower: "ignore"))
        #expect(onBattery.findings.worst == nil)
        onBattery.power = .known(.init(hasBattery: true, isOnBattery: true, percent: 90))
        #expect(onBattery.findings.first { $0.id == "lid" }?.level == .amber)
    }

    @Test func `nothing asked is nothing wrong, and every finding can be read back`() throws {
        let findings = ChainFacts(isOnBus: true, version: "1", health: "ok").findings
        #expect(findings.allSatisfy { $0.level <= .unknown || $0.id == "audio" })
        #expect(Set(findings.map(\.id)).count == findings.count)
        for finding in findings { #expect(try Finding(json: finding.json) == finding) }
    }

    @Test func `R24.6 an old backup of a record with something new is amber, and no backup is red`() throws {
        func finding(
            _ age: Duration?, isNew: Bool, isOn: Bool = true, trouble: String? = nil
        ) throws -> Finding {
            var facts = Self.well
            facts.backups = .known(.init(isOn: isOn, age: age, events: 9, isNew: isNew, trouble: trouble))
            return try #require(facts.findings.first { $0.id == "backup" })
        }
        #expect(try finding(.hours(71), isNew: true).level == .green)
        #expect(try finding(.hours(72), isNew: true).level == .amber)
        #expect(try finding(.hours(72), isNew: true).sentence == "the last backup is 3 days old")
        #expect(try finding(.hours(720), isNew: false).level == .green)
        #expect(try finding(nil, isNew: true).level == .green)
        #expect(try finding(.hours(1), isNew: true, trouble: "no space").remedy == .backUp)
        #expect(try finding(.hours(720), isNew: true, isOn: false).level == .green)
    }

    @Test func `R24.6 a service for one command makes no backup, so the person is told to make one`() throws {
        func finding(_ age: Duration?, isNew: Bool, isOn: Bool = true, events: Int64 = 9) throws -> Finding {
            var facts = Self.well
            facts.isOnBus = false
            facts.backups = .known(.init(isOn: isOn, age: age, events: events, isNew: isNew, trouble: nil))
            return try #require(facts.findings.first { $0.id == "backup" })
        }
        for told in [try finding(nil, isNew: true), try finding(.hours(1), isNew: true)] {
            #expect(told.level == .amber && told.remedy == .backUp, "\(told)")
            #expect(told.sentence.hasPrefix("no automatic backup is made") && !told.sentence.contains("when a night"))
        }
        #expect(try finding(.hours(72), isNew: true).sentence.hasSuffix("; the last backup is 3 days old"))
        // With nothing that a backup lacks there is nothing to be done.
        let quiet = [
            try finding(.hours(1), isNew: false), try finding(nil, isNew: true, isOn: false),
            try finding(nil, isNew: true, events: 0),
        ]
        #expect(quiet.allSatisfy { $0.level == .green && $0.remedy == nil }, "\(quiet)")
    }
}
