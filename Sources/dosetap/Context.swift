internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc

/// The options every verb has, resolved: the command line first, then the environment.
struct Context: Sendable {
    /// The bus on which the service is looked for.
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
    private let askedStore = Once<String>()
    /// What is wrong with the store, for an answer from it.
    let storeWarnings = Once<[Warning]>()
    /// Set when the person was told that another program may answer. A command that connects twice tells it once.
    let toldOfOwner = Once<Void>()
    let terminal: Terminal
    let line: CommandLineWords

    init(_ global: GlobalChoices) throws(Failure) {
        json = try Self.flag(global.json, "DOSETAP_JSON")
        plain = try Self.flag(global.plain, "DOSETAP_PLAIN")
        quiet = try Self.flag(global.quiet, "DOSETAP_QUIET")
        SpokenLanguage.speak(json: json)
        line = CommandLineWords(Array(CommandLine.arguments.dropFirst()))
        bus = try Self.bus(global.bus ?? Settings.value("DOSETAP_BUS") ?? Bus.auto.rawValue)
        store = global.store ?? Settings.value("DOSETAP_STORE")
        if let store {
            guard bus == .none else {
                throw .usage(
                    tr("--store needs --bus none: a running service has its store already."),
                    hint: "dosetap --bus none --store \(CommandLineWords.quoted(store))")
            }
            guard !store.isEmpty else { throw .usage(tr("--store needs a path.")) }
        }
        if let name = global.timeZone ?? Settings.value("DOSETAP_TIME_ZONE") {
            do throws(SystemFault) { chosenZone = try ZoneFiles().named(name) } catch {
                throw .zone(name, error)
            }
        } else {
            chosenZone = nil
        }
        now = Instant(microseconds: SystemClock().read().wallMicroseconds)
        terminal = Terminal(plain: plain)
        if !json { terminal.tone() }
        for variable in Settings.mistyped {
            notice(tr("there is no variable \(variable.name). Did you mean \(variable.meant)?"))
        }
    }

    private static func flag(_ given: Bool, _ variable: String) throws(Failure) -> Bool {
        if given { return true }
        return try Settings.flag(variable)
    }

    private static func bus(_ word: String) throws(Failure) -> Bus {
        if let bus = Bus(rawValue: word) { return bus }
        let known = Bus.allCases.map(\.rawValue)
        throw .usage(tr("'\(word)' is no bus: --bus takes \(known.joined(separator: ", "))."))
    }

    /// True if a question can be asked and answered.
    var canAsk: Bool { terminal.canAsk && !json }

    /// True if questions are answered by lines and not by keys: for a screen reader, and for a terminal that cannot
    /// draw anew.
    var asksByLines: Bool { plain || terminal.isDumb }

    /// Returns the zone asked for, else the system's. A notice on stderr tells if the system's is unknown.
    func zone() -> Zone {
        if let chosenZone { return chosenZone }
        return systemZone.value { () -> Zone in
            let system = ZoneFiles().current(variable: Settings.text("TZ"))
            if let fault = system.fault { notice(tr("\(Wire.told(fault.message)) Times are shown and read in UTC.")) }
            return system.zone
        }
    }

    /// Returns the format for times of a night: in its zone, or in the one asked for (R23.15).
    ///
    /// - Parameters:
    ///   - name: the zone of the night.
    ///   - inForce: the zone in force, whose clock the person has now.
    func moments(zoneNamed name: String, inForce: Zone) -> Moments {
        if let chosenZone { return moments(in: chosenZone) }
        let night = name == inForce.identifier ? inForce : (try? ZoneFiles().named(name)) ?? inForce
        return Moments(zone: night, inForce: inForce, style: clockStyle)
    }

    /// Returns the format for times of an event; of one in no night in the zone in force.
    func moments(of event: Explanation, inForce: Zone) -> Moments {
        let night = event.sessionID == nil ? nil : event.nightZone ?? event.timeZone
        return moments(zoneNamed: night ?? inForce.identifier, inForce: inForce)
    }

    /// Returns the format for the times of a status.
    func moments(of status: NightStatus) -> Moments {
        moments(zoneNamed: status.shownTimeZone, inForce: zone(inForce: status))
    }

    /// Returns the format for times in the person's own zone.
    func moments(in zone: Zone) -> Moments { Moments(zone: zone, style: clockStyle) }

    /// Prints a notice on stderr, unless `--quiet` was given.
    func notice(_ text: String) {
        guard !quiet else { return }
        let line = "dosetap: \(SafeText.line(text))"
        Output.complain(terminal.paintError(terminal.fittedErrors(line), .yellow))
    }
}

/// The way clock times are shown: by the setting `display.clock`, else by the locale.
extension Context {
    private static let setting = "display.clock"

    /// The clock style of the environment, else of the setting, else of the locale.
    var clockStyle: ClockStyle {
        if let style = Self.ofEnvironment ?? askedClock.known ?? nil { return style }
        // The variables have the order of the C library. An empty variable counts as none.
        let name = Settings.value("LC_ALL") ?? Settings.value("LC_TIME") ?? Settings.value("LANG")
        return name.map(ClockStyle.init(locale:)) ?? .hours24
    }

    /// Asks the service for the settings of the display, if a settings file mentions them. Otherwise the call is saved.
    /// - Parameter forPrograms: true if a program that is started next needs them, whatever the form of this answer.
    func askDisplay(_ client: Client, forPrograms: Bool = false) async {
        let isKnown =
            Self.ofEnvironment != nil && SpokenLanguage.ofEnvironment != nil
            && (!terminal.paints || Theme.ofEnvironment != nil)
        guard !json || forPrograms, !isKnown, askedClock.known == nil, SettingsFiles.mention("display") else { return }
        let rows = try? await client.config()
        func value(_ key: String) -> String? { rows?.first { $0["key"]?.stringValue == key }?["value"]?.stringValue }
        let style = value(Self.setting).flatMap(ClockStyle.init(rawValue:))
        _ = askedClock.value { style }
        if rows != nil {
            let language = value(SpokenLanguage.setting).flatMap(Language.init(rawValue:))
            _ = SpokenLanguage.asked.value { language }
            SpokenLanguage.speak(json: json)
        }
        terminal.theme.learn(value(Theme.setting).flatMap(Theme.init(rawValue:)))
    }

    /// Hands the person's language to the programs that are started from here on.
    func handDownLanguage() {
        if SpokenLanguage.ofEnvironment == nil, SpokenLanguage.asked.known == nil, SettingsFiles.mention("display") {
            _ = try? ServiceLink.run(self, isLast: false) { client in
                await askDisplay(client, forPrograms: true)
            }
        }
        SpokenLanguage.handDown(language)
    }

    /// The language of the person, whatever the language of this answer.
    var language: Language { SpokenLanguage.current }

    private static var ofEnvironment: ClockStyle? {
        Settings.value("DOSETAP_DISPLAY_CLOCK").flatMap(ClockStyle.init(rawValue:))
    }
}

/// The zone in which the service shows times. The service's settings may name another zone than the system's.
extension Context {
    /// Returns the zone asked for, else the one in force in the service, which is asked once.
    ///
    /// - Throws: ``Failure`` if the service cannot be asked: a time must not be read in the wrong zone.
    func serviceZone() throws(Failure) -> Zone {
        if let chosenZone { return chosenZone }
        return zone(inForce: try serviceStatus())
    }

    /// Returns the local hour at which a night's date begins in the service, which is asked once.
    ///
    /// - Throws: ``Failure`` if the service cannot be asked.
    func rolloverHour() throws(Failure) -> Int { try serviceStatus().rolloverHour }

    /// Returns the status of the night, asked once.
    ///
    /// - Throws: ``Failure`` if the service cannot be asked.
    func serviceStatus() throws(Failure) -> NightStatus {
        try askedStatus.value { () throws(Failure) -> NightStatus in
            try ServiceLink.run(self, isLast: false) { client in try await client.status() }
        }
    }

    /// Returns the zone as ``serviceZone()`` does, within a conversation; the system's if the service does not answer.
    func serviceZone(_ client: Client) async -> Zone {
        if let chosenZone { return chosenZone }
        guard let status = try? await client.status() else { return zone() }
        return zone(inForce: status)
    }

    /// Returns the zone for times that lie in no night, as ``serviceZone()`` does; the system's if the service does not
    /// answer.
    func shownZone() -> Zone { (try? serviceZone()) ?? zone() }

    /// Returns the zone asked for, else the one in force by a status.
    func zone(inForce status: NightStatus) -> Zone { zone(named: status.zoneInForce) }

    /// Returns the zone asked for, else the one of a name; the system's if this machine does not know the name.
    func zone(named name: String) -> Zone {
        if let chosenZone { return chosenZone }
        let own = zone()
        guard own.identifier != name else { return own }
        return (try? ZoneFiles().named(name)) ?? own
    }
}

/// Settings and the place of the store.
extension Context {
    /// Returns the value of a setting: of this command's variable, else the one in force in the service; its default if
    /// the service has no such setting.
    ///
    /// - Throws: ``Failure`` if the variable has none of the possible values, and if the service cannot be asked.
    func setting<Value>(_ setting: Setting<Value>) throws(Failure) -> Value {
        let row = setting.row
        if let given = Settings.value(row.variable) {
            guard let value = row.kind.value(given) else {
                throw .usage(tr("\(row.variable) cannot be '\(SafeText.line(String(given.prefix(40))))'."))
            }
            var values = SettingValues()
            values[row] = value
            return values[setting]
        }
        let text = try ServiceLink.run(self, isLast: false) { client in
            try await client.config().first { $0["key"]?.stringValue == row.key }?["value"]?.stringValue
        }
        var values = SettingValues()
        if let value = text.flatMap(row.kind.value) { values[row] = value }
        return values[setting]
    }

    static var directories: XDGDirectories? {
        var environment: [String: String] = [:]
        for name in ["HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME"] {
            environment[name] = Settings.value(name)
        }
        return try? XDGDirectories(environment: environment)
    }

    /// The store that was named, else the person's own; nil without a home.
    var ownStore: String? { store.map(ChildService.absolute) ?? Self.directories?.store }

    /// The store of the service, which is asked once; ``ownStore`` if no service is on the bus or none answers. A
    /// service on the system bus may be another user's, so its folder is not used.
    var storeInUse: String? {
        guard bus != .system, case .bus = ServiceLink.Route(self) else { return ownStore }
        let asked = try? askedStore.value { () throws(Failure) -> String in
            try ServiceLink.run(self, isLast: false) { client in try await client.storePath() }
        }
        guard let asked, asked.hasPrefix("/") else { return ownStore }
        return asked
    }
}

extension Context {
    /// Prints the answer: one object, or text. What is wrong with the store comes first in a text, as in a status.
    func report(_ object: @autoclosure () -> JSONObject, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(object()).serialized())
        } else {
            let store = silenceLines(storeWarnings.known ?? [])
            Output.print(terminal.fitted(store + text()).joined(separator: "\n"))
        }
    }

    /// Prints a status. The warning that nothing can reach the person comes first; the others go to stderr if the
    /// answer is text.
    func report(_ status: NightStatus, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(AdviceText.complete(status).json).serialized())
        } else {
            Output.print(terminal.fitted(silenceLines(status.warnings) + text()).joined(separator: "\n"))
            notice(status.warnings)
        }
    }

    /// Returns the first lines of an answer: that nothing can reach the person, and what is wrong with the store.
    func silenceLines(_ warnings: [Warning]) -> [String] {
        // ``ServiceLink`` tells on stderr, before the answer, that the service ends with this command.
        let silence = warnings.silence.flatMap { $0.code == .noService ? nil : $0 }
        return ([silence].compactMap { $0 } + warnings.filter { $0.code == .store })
            .map { terminal.paint(line.addressed(SafeText.line(AdviceText.sentence($0))), .red) }
    }

    /// Prints the other warnings on stderr.
    func notice(_ warnings: [Warning]) {
        for warning in warnings where !warning.isSilence && warning.code != .store {
            notice(line.addressed(AdviceText.sentence(warning)))
        }
    }
}
