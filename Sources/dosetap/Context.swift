internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText

/// The options every verb has, resolved: the command line first, then the environment.
struct Context: Sendable {
    /// Where the service is looked for.
    enum Bus: String, Sendable, CaseIterable {
        case auto
        case session
        case system
        case none
    }

    let json: Bool
    let plain: Bool
    let quiet: Bool
    let bus: Bus
    let store: String?
    /// The zone asked for; nil is the system's.
    let chosenZone: Zone?
    /// The moment at which the command was given.
    let now: Instant
    private let systemZone = Once<Zone>()
    let askedStatus = Once<NightStatus>()
    let askedClock = Once<ClockStyle?>()
    let terminal: Terminal
    let line: CommandLineWords

    init(_ global: GlobalChoices) throws(Failure) {
        json = try Self.flag(global.json, "DOSETAP_JSON")
        plain = try Self.flag(global.plain, "DOSETAP_PLAIN")
        quiet = try Self.flag(global.quiet, "DOSETAP_QUIET")
        line = CommandLineWords(Array(CommandLine.arguments.dropFirst()))
        bus = try Self.bus(global.bus ?? Settings.value("DOSETAP_BUS") ?? Bus.auto.rawValue)
        store = global.store ?? Settings.value("DOSETAP_STORE")
        if let store {
            guard bus == .none else {
                throw .usage(
                    "--store needs --bus none: a running service has its store already.",
                    hint: "dosetap --bus none --store \(CommandLineWords.quoted(store))")
            }
            guard !store.isEmpty else { throw .usage("--store needs a path.") }
        }
        if let name = global.timeZone ?? Settings.value("DOSETAP_TIME_ZONE") {
            do throws(SystemFault) { chosenZone = try ZoneFiles().named(name) } catch {
                throw .usage(error.message, hint: error.hint)
            }
        } else {
            chosenZone = nil
        }
        now = Instant(microseconds: SystemClock().read().wallMicroseconds)
        terminal = Terminal(plain: plain)
    }

    private static func flag(_ given: Bool, _ variable: String) throws(Failure) -> Bool {
        if given { return true }
        return try Settings.flag(variable)
    }

    private static func bus(_ word: String) throws(Failure) -> Bus {
        if let bus = Bus(rawValue: word) { return bus }
        let known = Bus.allCases.map(\.rawValue)
        throw .usage("'\(word)' is no bus: --bus takes \(known.joined(separator: ", ")).")
    }

    /// Whether a question can be asked and answered.
    var canAsk: Bool { terminal.canAsk && !json && !plain }

    /// The zone in force: the one asked for, else the system's, with a word on stderr where that is unknown.
    func zone() -> Zone {
        if let chosenZone { return chosenZone }
        return systemZone.value { () -> Zone in
            let system = ZoneFiles().current(variable: Settings.text("TZ"))
            if let fault = system.fault { notice("\(fault.message) Times are shown and read in UTC.") }
            return system.zone
        }
    }

    /// Shows times of a night that was recorded in a zone.
    func moments(zoneNamed name: String) -> Moments {
        if let chosenZone { return moments(in: chosenZone) }
        let own = zone()
        if own.identifier == name { return moments(in: own) }
        guard let zone = try? ZoneFiles().named(name) else { return moments(in: own) }
        return Moments(zone: zone, isForeign: true, style: clockStyle)
    }

    /// Shows times of the person's own zone.
    func moments(in zone: Zone) -> Moments { Moments(zone: zone, style: clockStyle) }

    /// Says something beside the answer.
    func notice(_ text: String) {
        guard !quiet else { return }
        let line = "dosetap: \(SafeText.line(text))"
        Output.complain(terminal.paintError(terminal.fittedErrors(line), .yellow))
    }
}
