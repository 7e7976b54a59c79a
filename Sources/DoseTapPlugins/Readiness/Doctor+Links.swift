internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

/// The questions on the session bus.
extension Doctor {
    /// Asks for the notification server, and whether it keeps quiet.
    ///
    /// - Parameter starts: true if a server that does not run is started to be asked.
    func askNotifications(
        starts: Bool
    ) async -> (server: ChainFacts.Answer<ChainFacts.NotificationServer>, isQuiet: ChainFacts.Answer<Bool>) {
        guard let session else {
            return (.unknown(sent("there is no session bus")), .unknown(sent("there is no session bus")))
        }
        let names = await ask { () -> [String] in
            try await session.call(
                Connection.driver, "/org/freedesktop/DBus", Connection.driver, "ListNames",
                returning: [String].self)
        }
        guard case .known(var known) = names else { return (.unknown(sent("the bus does not answer")), .unknown("")) }
        var refusal: String?
        if !known.contains(SessionNotifications.name), starts {
            let started = await ask { try await SessionNotifications(session).ask(starts: true).title }
            switch started {
            case .known: known.append(SessionNotifications.name)
            case .unknown(let why): refusal = why
            }
        }
        guard known.contains(SessionNotifications.name) else {
            let startable = await ask {
                try await session.call(
                    Connection.driver, "/org/freedesktop/DBus", Connection.driver, "ListActivatableNames",
                    returning: [String].self
                ).contains(SessionNotifications.name)
            }
            let nobody = sent("nobody is there to be asked")
            switch startable {
            case .unknown(let why): return (.unknown(why), .unknown(nobody))
            case .known(true): return (.known(refusal.map { .silent($0) } ?? .startable), .unknown(nobody))
            case .known(false): return (.known(.absent), .unknown(nobody))
            }
        }
        let server = await ask { try await SessionNotifications(session).ask(starts: false).title }
        switch server {
        case .unknown(let why): return (.known(.silent(why)), .unknown(why))
        case .known(let title): return (.known(.present(title)), await askDoNotDisturb(title, on: session))
        }
    }

    /// Asks whether a server keeps quiet. Servers tell that in ways of their own, and many do not tell.
    private func askDoNotDisturb(_ title: String, on session: Connection) async -> ChainFacts.Answer<Bool> {
        if let question = DoNotDisturbProbe.of(title) {
            let quiet = await question.answers(runner).flatMap(question.read)
            return quiet.map { .known($0) } ?? .unknown(sent("\(title) does not tell"))
        }
        let isDunst = title.lowercased().contains("dunst")
        let (interface, property) =
            isDunst ? ("org.dunstproject.cmd0", "paused") : (SessionNotifications.name, "Inhibited")
        let quiet = await ask {
            try await session.property(
                SessionNotifications.name, SessionNotifications.path, interface, property, as: Bool.self)
        }
        if case .unknown = quiet { return .unknown(sent("\(title) does not tell")) }
        return quiet
    }

    /// Asks why the person's service manager cannot wake the machine; nil: it can, as far as it says.
    func askWake() async -> ChainFacts.Answer<String?> {
        guard let session else { return .known(sent("there is no session bus")) }
        let version = await ask { try await UserManager(connection: session).version() }
        switch version {
        case .known(let text):
            return .known(UserManager.refusal(version: text, clocks: PluginEnvironment.Folders.machineClocks))
        case .unknown(let why): return .known(sent("no systemd user manager answers: \(why)"))
        }
    }
}

/// The questions on the bus of the machine.
extension Doctor {
    private static let power = "org.freedesktop.UPower"
    private static let powerPath: ObjectPath = "/org/freedesktop/UPower"
    private static let battery: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
    private static let time = "org.freedesktop.timedate1"

    /// Asks whether logind is there.
    func askLogin() async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            return try await bus.property(
                Login.name, Login.path, Login.manager, "PreparingForSleep", as: Bool.self)
        }
    }

    /// Asks whether logind gives this lock: the lock is taken and given back. logind answers no question about locks, and
    /// its permission depends on the machine's policy and on the session.
    func askLock(_ what: Login.What) async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            _ = try await Login.inhibit(
                what, .block, why: DisplayLanguage.addressingPerson { DoctorText.lockProbe }, on: bus)
            return true
        }
    }

    /// Asks for battery and charger.
    func askPower() async -> ChainFacts.Answer<ChainFacts.Power> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            let isOnBattery = try await bus.property(
                Self.power, Self.powerPath, Self.power, "OnBattery", as: Bool.self)
            let device = Self.power + ".Device"
            let hasBattery = try await bus.property(Self.power, Self.battery, device, "IsPresent", as: Bool.self)
            let charge = try await bus.property(Self.power, Self.battery, device, "Percentage", as: Double.self)
            guard charge.isFinite, (0...100).contains(charge) else {
                throw BusError(name: BusError.Name.invalidSignature, message: sent("UPower tells an impossible charge"))
            }
            return ChainFacts.Power(hasBattery: hasBattery, isOnBattery: isOnBattery, percent: Int(charge))
        }
    }

    /// Asks for the effect of closing the lid.
    func askLid() async -> ChainFacts.Answer<ChainFacts.Lid> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            // A machine without UPower may still have a lid.
            let isPresent = try? await bus.property(
                Self.power, Self.powerPath, Self.power, "LidIsPresent", as: Bool.self)
            func action(_ name: String) async throws -> String {
                let word = try await bus.property(Login.name, Login.path, Login.manager, name, as: String.self)
                return word.prefix(40).journalText
            }
            return ChainFacts.Lid(
                isPresent: isPresent ?? true, action: try await action("HandleLidSwitch"),
                actionOnPower: try await action("HandleLidSwitchExternalPower"))
        }
    }

    /// Asks whether the clock is synchronised.
    func askClock() async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            return try await bus.property(
                Self.time, "/org/freedesktop/timedate1", Self.time, "NTPSynchronized", as: Bool.self)
        }
    }

    /// Asks whether the person's services stay when the person logs out.
    func askLinger() async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            let users = try await bus.call(
                Login.name, Login.path, Login.manager, "ListUsers",
                returning: [DBusStruct<UInt32, String, ObjectPath>].self)
            guard let own = users.first(where: { $0.fields.0 == getuid() }) else {
                throw BusError(name: BusError.Name.failed, message: sent("logind does not know you"))
            }
            return try await bus.property(
                Login.name, own.fields.2, "org.freedesktop.login1.User", "Linger", as: Bool.self)
        }
    }
}

/// The questions about the sound, asked with the sound server's own programs.
extension Doctor {
    /// Returns the name of the program that would play the tone, and true if it is the chosen one or none was chosen; nil
    /// without a player.
    func askPlayer() async -> (name: String, isChosen: Bool)? {
        let chosen = alarmPreferences.player
        for player in AlarmVoices(runner).players(chosen: chosen) {
            let isChosen = chosen.isEmpty || chosen == player.name || chosen == player.path
            if runner.find(player.path) != nil { return (player.name, isChosen) }
            let runner = runner
            let isThere = await ask {
                await runner.run(
                    Program(
                        purpose: "probe", path: "/usr/bin/test", arguments: ["-x", player.path], limit: .seconds(1),
                        isQuiet: true)
                ).isSuccess
            }
            if isThere == .known(true) { return (player.name, isChosen) }
        }
        return nil
    }

    /// Asks for the volume, and whether a program that asks reached no server.
    func askVolume() async -> (volume: ChainFacts.Answer<ChainFacts.Volume>, lacksServer: Bool) {
        let runner = runner
        let answer = await ask { () -> VolumeAnswer in
            var answer = VolumeAnswer()
            for question in SoundQuestion.all {
                guard let answers = await question.answers(runner) else { continue }
                if let volume = question.read(answers) { return VolumeAnswer(volume: volume) }
                answer.unreached = question.program
            }
            return answer
        }
        switch answer {
        case .unknown(let why): return (.unknown(why), false)
        case .known(let answer):
            if let volume = answer.volume { return (.known(volume), false) }
            guard let program = answer.unreached else {
                return (.unknown(sent("neither wpctl nor pactl is there")), false)
            }
            return (.unknown(sent("\(program) reaches no sound server")), true)
        }
    }

    private struct VolumeAnswer: Hashable, Sendable {
        var volume: ChainFacts.Volume?
        /// The program that reached no server.
        var unreached: String?
    }

    /// Returns true if a player needs a sound card and knows of none. ALSA hides a card from a user who may not use it.
    func lacksSoundCard(_ player: String?) async -> Bool {
        guard player == SoundQuestion.cards.program else { return false }
        let runner = runner
        let answer = await ask { await SoundQuestion.cards.answers(runner).flatMap(SoundQuestion.cards.read) }
        return answer == .known(false)
    }

    /// Returns true if a player needs a sound server.
    static func needsServer(_ player: String) -> Bool { ["pw-play", "paplay"].contains(player) }
}

/// Ways to ask for the volume.
enum SoundQuestion {
    static let all = [
        ProgramProbe(program: "wpctl", lines: [["get-volume", "@DEFAULT_AUDIO_SINK@"]], read: pipewire),
        ProgramProbe(
            program: "pactl",
            lines: [["get-sink-volume", "@DEFAULT_SINK@"], ["get-sink-mute", "@DEFAULT_SINK@"]], read: pulse),
    ]

    /// Asks whether there is a card; the output is `card 0: PCH [HDA Intel PCH], device 0: …`, or nothing.
    static let cards = ProgramProbe(program: "aplay", lines: [["-l"]], read: { $0.contains("card ") })

    /// Reads `Volume: 0.40 [MUTED]`.
    static func pipewire(_ text: String) -> ChainFacts.Volume? {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 2, words[0] == "Volume:", let share = Double(words[1]), (0...100).contains(share) else {
            return nil
        }
        return ChainFacts.Volume(
            percent: Int((share * 100).rounded()), isMuted: words.dropFirst(2).contains("[MUTED]"))
    }

    /// Reads `Volume: front-left: 26214 /  40% / …` for each side, of which the loudest counts, and `Mute: yes`.
    static func pulse(_ text: String) -> ChainFacts.Volume? {
        let words = text.split(whereSeparator: \.isWhitespace)
        let shares = words.filter { $0.hasSuffix("%") }.compactMap { Int($0.dropLast()) }.filter {
            (0...10_000).contains($0)
        }
        guard let percent = shares.max() else { return nil }
        let mute = words.firstIndex(of: "Mute:").map { words[($0 + 1)...].first == "yes" }
        return ChainFacts.Volume(percent: percent, isMuted: mute ?? false)
    }
}

/// A question to a program of the desktop.
struct ProgramProbe<Answer: Sendable>: Sendable {
    let program: String
    /// The arguments, a list for each call.
    let lines: [[String]]
    /// Reads the whole output; nil for nonsense.
    let read: @Sendable (String) -> Answer?
    /// The time for one call. The calls of two programs fit into the limit of a link.
    var limit: Duration = .milliseconds(600)

    /// Returns the output of all calls together, without that of failed calls; nil if there is no such program.
    func answers(_ runner: ProgramRunner) async -> String? {
        guard let path = runner.find(program) else { return nil }
        var answers = ""
        for words in lines {
            // A program reads the output, which must not be in the person's language.
            let result = await runner.run(
                Program(
                    purpose: "probe", path: "/usr/bin/env", arguments: ["LC_ALL=C", path] + words, limit: limit,
                    isQuiet: true))
            if result.isSuccess { answers += result.output }
        }
        return answers
    }
}

/// Do-not-disturb, asked with the desktop's own program if the notification server has no property for it.
enum DoNotDisturbProbe {
    /// Returns the question for a server with this title; nil for an unknown server.
    static func of(_ title: String) -> ProgramProbe<Bool>? {
        let title = title.lowercased()
        return all.first { title.hasPrefix($0.server) }?.question
    }

    /// The questions, by the beginning of a server's name.
    private static let all: [(server: String, question: ProgramProbe<Bool>)] = [
        (
            "gnome-shell",
            ProgramProbe(
                program: "gsettings", lines: [["get", "org.gnome.desktop.notifications", "show-banners"]]
            ) { flag($0).map { !$0 } }
        ),
        (
            "xfce",
            ProgramProbe(
                program: "xfconf-query", lines: [["-c", "xfce4-notifyd", "-p", "/do-not-disturb"]], read: flag)
        ),
        ("sway", ProgramProbe(program: "swaync-client", lines: [["--get-dnd"]], read: flag)),
        // The output has the modes that are on, a line each.
        (
            "mako",
            ProgramProbe(program: "makoctl", lines: [["mode"]]) { modes in
                let words = modes.split(whereSeparator: \.isWhitespace)
                return words.isEmpty ? nil : words.contains("do-not-disturb")
            }
        ),
    ]

    /// Reads `true` or `false`, alone.
    private static func flag(_ text: String) -> Bool? {
        switch text.split(whereSeparator: \.isWhitespace) {
        case ["true"]: true
        case ["false"]: false
        default: nil
        }
    }
}
