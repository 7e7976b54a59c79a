/// The verdicts: from the facts to sentences for the person, and to remedies.
extension ChainFacts {
    /// Room below which the store may soon be unable to record, and room below which a warning is given; in bytes.
    static let redRoom: Int64 = 16 << 20
    static let amberRoom: Int64 = 256 << 20
    /// Per cent below which a battery does not last a night, and a sound does not wake anybody.
    static let redCharge = 30
    static let amberVolume = 30

    /// One finding for each link, in the order of the chain.
    public var findings: [Finding] {
        [
            bus, service, store, settings, listeners, disk, copies, notificationServer, disturbance, audio, loudness,
            sleep,
            waking,
            battery,
            closing, time, staying,
        ]
    }

    private static func ask<Value>(
        _ id: String, _ answer: Answer<Value>, _ judge: (Value) -> (Finding.Level, String, Remedy?)
    ) -> Finding {
        switch answer {
        case .known(let value):
            let (level, sentence, remedy) = judge(value)
            return Finding(id: id, level: level, sentence: sentence, remedy: remedy)
        case .unknown(let why):
            return unknown(id, why)
        }
    }

    private static func unknown(_ id: String, _ why: String) -> Finding {
        Finding(id: id, level: .unknown, sentence: why.isEmpty ? sent("not asked") : sent("cannot be asked: \(why)"))
    }

    private var bus: Finding {
        isOnBus
            ? Finding(id: "bus", level: .green, sentence: sent("the service is on your session bus"))
            : Finding(
                id: "bus", level: .red, sentence: "there is no session bus, so no service runs and no reminders come",
                remedy: .openSession)
    }

    private var service: Finding {
        isOnBus
            ? Finding(id: "service", level: .green, sentence: sent("dosetapd \(version) answers"))
            : Finding(
                id: "service", level: .red,
                sentence: sent("no service is running: dosetapd \(version) was started for this command only"),
                remedy: .startService)
    }

    private var store: Finding {
        switch health {
        case "ok" where unwritable != nil:
            Finding(
                id: "store", level: .red, sentence: sent("nothing can be recorded: \(unwritable ?? "")"),
                remedy: .makeWritable)
        case "ok" where lostKey != nil:
            Finding(
                id: "store", level: .amber,
                sentence: sent("entries can be saved, but after a restart: \(lostKey ?? "")"),
                remedy: .unlockKeyring)
        case "ok": Finding(id: "store", level: .green, sentence: sent("entries can be saved"))
        case "warning":
            Finding(
                id: "store", level: .amber, sentence: sent("entries can be saved, but there is a warning"),
                remedy: .readStatus)
        case "timer":
            Finding(
                id: "store", level: .red, sentence: sent("no reminder will come: the service's timer cannot be set"),
                remedy: .restartService)
        default:
            Finding(
                id: "store", level: .red, sentence: sent("the store does not work: \(health)"),
                remedy: health == StoreError.Code.damaged.rawValue ? .repairStore : .readStatus)
        }
    }

    private var settings: Finding {
        lostSettings.map {
            Finding(id: "settings", level: .amber, sentence: $0, remedy: .checkSettings)
        } ?? Finding(id: "settings", level: .green, sentence: sent("all settings are in force"))
    }

    /// A plugin that was switched off on purpose is amber; the lack of any plugin that reminds is red.
    private var listeners: Finding {
        switch plugins {
        case .known(let plugins): Self.judge(plugins)
        case .unknown(let why): Self.unknown("plugins", why)
        }
    }

    private static func judge(_ plugins: [Plugin]) -> Finding {
        func finding(
            _ level: Finding.Level, _ sentence: String, _ remedy: Remedy? = nil, _ plugin: Plugin? = nil
        ) -> Finding {
            Finding(id: "plugins", level: level, sentence: sentence, remedy: remedy, plugin: plugin?.id)
        }
        let off = plugins.filter { !$0.isOn }
        let names = off.map(\.id).joined(separator: ", ")
        if let first = plugins.first(where: \.reminds), !plugins.contains(where: { $0.reminds && $0.isOn }) {
            return finding(.red, sent("no plugin can show a reminder: all that could are off"), .enablePlugin, first)
        }
        if let troubled = plugins.first(where: { $0.isOn && $0.trouble != nil }), let trouble = troubled.trouble {
            let sentence =
                off.isEmpty
                ? sent("the plugin \(troubled.id) says: \(trouble)")
                : sent("the plugin \(troubled.id) says: \(trouble); off: \(names)")
            return finding(.amber, sentence, .inspectPlugin, troubled)
        }
        guard let first = off.first else { return finding(.green, sent("all plugins are on")) }
        return finding(.amber, sent("off: \(names)"), .enablePlugin, first)
    }

    private var disk: Finding {
        Self.ask("disk", freeBytes) { bytes in
            let room = sent("\(bytes >> 20) MiB free on the disk of the record")
            let remedy = Remedy.freeSpace
            if bytes < Self.redRoom { return (.red, room, remedy) }
            return bytes < Self.amberRoom ? (.amber, room, remedy) : (.green, room, nil)
        }
    }

    /// Days after which a backup that lacks something is told as old.
    static let oldBackup: Int64 = 3

    /// No reminder depends on a backup, so nothing here is red.
    private var copies: Finding {
        Self.ask("backup", backups) { backups in
            guard backups.isOn else { return (.green, sent("automatic backups are off"), nil) }
            if let trouble = backups.trouble {
                return (.amber, sent("the last backup could not be made: \(trouble)"), .backUp)
            }
            guard isOnBus || backups.events > 0 else {
                return (.green, sent("there is no record yet, so there is nothing to back up"), nil)
            }
            let days = backups.age.map { $0.wholeSeconds / 86_400 }
            let sentence = days.map(Self.lastBackup)
            // A service that runs for one command makes no backup by itself.
            guard isOnBus || sentence != nil && !backups.isNew else {
                let why =
                    sentence.map {
                        sent("no automatic backup is made, because the service runs for this command only; \($0)")
                    }
                    ?? sent(
                        "no automatic backup is made, because the service runs for this command only, and there is none of this record yet"
                    )
                return (.amber, why, .backUp)
            }
            guard let days, let sentence else {
                return (.green, sent("there is no backup of this record yet: one is made when a night is over"), nil)
            }
            guard days >= Self.oldBackup, backups.isNew else { return (.green, sentence, nil) }
            return (.amber, sentence, .backUp)
        }
    }

    private static func lastBackup(_ days: Int64) -> String {
        days == 0
            ? sent("the last backup is less than a day old")
            : sent("the last backup is \(Plural.of(days, "day", "days")) old")
    }

    /// The words for a program that gave no answer.
    public static var silence: String { sent("it does not answer") }

    private var notificationServer: Finding {
        Self.ask("notifications", notifications) { server in
            switch server {
            case .present(let name):
                screenFailure.map {
                    (.red, sent("\(name) did not show what it was given: \($0)"), .testNotification)
                } ?? (.green, sent("shown by \(name), which answered"), nil)
            case .startable: (.unknown, sent("the bus starts a server when it is needed; it was not asked"), nil)
            case .silent(let why):
                (
                    .red,
                    why == Self.silence
                        ? sent("the notification server does not answer")
                        : sent("the notification server does not answer: \(why)"),
                    .restartNotificationServer
                )
            case .absent:
                (
                    .red, sent("no notification server is running"),
                    .startNotificationServer
                )
            }
        }
    }

    private var disturbance: Finding {
        Self.ask("do_not_disturb", doNotDisturb) { isOn in
            isOn
                ? (.red, sent("do-not-disturb is on: reminders stay hidden"), .endDoNotDisturb)
                : (.green, sent("do-not-disturb is off"), nil)
        }
    }

    private var audio: Finding {
        if let soundFailure {
            let lacksPlayer = player == nil && chosenPlayer.isEmpty
            return Finding(
                id: "audio", level: .red, sentence: sent("the last tone was not heard: \(soundFailure)"),
                remedy: missingSound?.remedy ?? (lacksPlayer ? .installPlayer : .testSound))
        }
        if let missingSound { return missingSound }
        if let playerFault {
            return Finding(
                id: "audio", level: .amber,
                sentence: sent("\(chosenPlayer) is set to play the tone, but is not run: \(playerFault)"),
                remedy: .protectPlayer)
        }
        if let player, !lacksChosenPlayer {
            return Finding(id: "audio", level: .green, sentence: sent("\(player) plays sounds"))
        }
        guard chosenPlayer.isEmpty else {
            return Finding(
                id: "audio", level: .amber,
                sentence: sent("\(chosenPlayer) is set to play the tone, but is not installed"),
                remedy: .replacePlayer)
        }
        return Finding(
            id: "audio", level: .amber, sentence: sent("no program that plays sounds is installed"),
            remedy: .installPlayer)
    }

    /// The finding that the player of the tone has nothing to play on; nil if it has.
    private var missingSound: Finding? {
        if lacksSoundServer {
            return Finding(
                id: "audio", level: .red, sentence: sent("no sound server answers"), remedy: .startSoundServer)
        }
        guard lacksSoundCard, let player else { return nil }
        return Finding(
            id: "audio", level: .red, sentence: sent("\(player) finds no sound card that you may use"),
            remedy: .allowSoundCard)
    }

    private var loudness: Finding {
        Self.ask("volume", volume) { volume in
            if volume.isMuted { return (.red, sent("the sound is muted"), .unmute) }
            let text = sent("the volume is \(volume.percent) %")
            if volume.percent <= 0 { return (.red, text, .raiseVolume) }
            return volume.percent < Self.amberVolume ? (.amber, text, .raiseVolume) : (.green, text, nil)
        }
    }

    // MARK: Staying awake

    private var sleep: Finding {
        switch sleepLock {
        case .held:
            Finding(id: "sleep", level: .green, sentence: sent("sleep is blocked until dose 2 is taken or skipped"))
        case .possible:
            Finding(id: "sleep", level: .green, sentence: sent("sleep will be blocked while dose 2 is open"))
        case .refused(let why):
            Finding(
                id: "sleep", level: .amber, sentence: sent("the computer's sleep cannot be blocked: \(why)"),
                remedy: .preventSleep)
        }
    }

    /// A computer that can neither be kept awake nor be woken tells nothing once asleep. If sleep is held off, nothing
    /// has to be done about it.
    private var waking: Finding {
        Self.ask("wake", wake) { refusal in
            guard let refusal else { return (.green, sent("the computer is woken from sleep for reminders"), nil) }
            let sentence = sent("the computer cannot be woken from sleep: \(refusal)")
            guard case .refused = sleepLock else { return (.amber, sentence, nil) }
            return (.red, sentence, .stayAwake)
        }
    }

    private var battery: Finding {
        Self.ask("battery", power) { power in
            guard power.hasBattery else { return (.green, sent("the computer has no battery"), nil) }
            guard power.isOnBattery else { return (.green, sent("the charger is plugged in, \(power.percent) %"), nil) }
            let text = sent("on battery, \(power.percent) %")
            return (power.percent < Self.redCharge ? .red : .amber, text, .plugIn)
        }
    }

    private var closing: Finding {
        Self.ask("lid", lid) { lid in
            guard lid.isPresent else { return (.green, sent("there is no lid"), nil) }
            var action = lid.action
            if case .known(let power) = power, !power.isOnBattery, !lid.actionOnPower.isEmpty {
                action = lid.actionOnPower
            }
            guard action != "ignore", action != "lock" else {
                return (.green, sent("closing the lid does no harm"), nil)
            }
            let harm = sent("closing the lid means \(action)")
            switch lidLock {
            case .held: return (.green, sent("closing the lid does no harm until dose 2 is taken or skipped"), nil)
            case .possible: return (.green, sent("\(harm), but not while dose 2 is open"), nil)
            case .refused(let why):
                return (
                    .amber, sent("\(harm), and that cannot be blocked: \(why)"),
                    .leaveLidOpen
                )
            }
        }
    }

    private var time: Finding {
        if let clockDoubt {
            return Finding(
                id: "clock", level: .amber, sentence: sent("the clock is in doubt: \(clockDoubt)"),
                remedy: .compareClock)
        }
        return Self.ask("clock", clock) { isSynchronised in
            isSynchronised
                ? (.green, sent("the clock is synchronised"), nil)
                : (.amber, sent("the clock is not synchronised"), .synchroniseClock)
        }
    }

    /// A person at a desktop is logged in as long as reminders can be seen. Without a desktop the service has to stay by
    /// itself.
    private var staying: Finding {
        Self.ask("linger", linger) { lingers in
            if lingers { return (.green, sent("the service keeps running when you log out"), nil) }
            if notifications == .known(.absent) {
                return (.amber, sent("the service ends when you log out"), .linger)
            }
            return (.green, sent("the service runs as long as you are logged in"), nil)
        }
    }
}
