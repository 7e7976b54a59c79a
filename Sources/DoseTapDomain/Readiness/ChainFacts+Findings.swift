/// The verdicts: from what was said to what a person has to know, and what to do about it.
extension ChainFacts {
    /// Room below which the store may soon be unable to record, and below which it is worth a word; bytes.
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
        _ id: String, _ answer: Answer<Value>, _ judge: (Value) -> (Finding.Level, String, String)
    ) -> Finding {
        switch answer {
        case .known(let value):
            let (level, sentence, remedy) = judge(value)
            return Finding(id: id, level: level, sentence: sentence, remedy: remedy)
        case .unknown(let why):
            return Finding(id: id, level: .unknown, sentence: why.isEmpty ? "not asked" : "cannot be asked: \(why)")
        }
    }

    private var bus: Finding {
        isOnBus
            ? Finding(id: "bus", level: .green, sentence: "the service is on your session bus")
            : Finding(
                id: "bus", level: .red, sentence: "there is no session bus, so no service runs and no reminders come",
                remedy: "log in to a session with a bus, then: systemctl --user enable --now dosetapd")
    }

    private var service: Finding {
        isOnBus
            ? Finding(id: "service", level: .green, sentence: "dosetapd \(version) answers")
            : Finding(
                id: "service", level: .red,
                sentence: "no service is running: dosetapd \(version) was started for this command only",
                remedy: "systemctl --user enable --now dosetapd")
    }

    private var store: Finding {
        switch health {
        case "ok" where unwritable != nil:
            Finding(
                id: "store", level: .red, sentence: "nothing can be recorded: \(unwritable ?? "")",
                remedy: "make the folder of the record writable, then: dosetap doctor")
        case "ok" where lostKey != nil:
            Finding(
                id: "store", level: .amber,
                sentence: "entries can be saved, but after a restart: \(lostKey ?? "")",
                remedy: "unlock your keyring, then: dosetap doctor")
        case "ok": Finding(id: "store", level: .green, sentence: "entries can be saved")
        case "warning":
            Finding(
                id: "store", level: .amber, sentence: "entries can be saved, but there is a warning",
                remedy: "dosetap status")
        case "timer":
            Finding(
                id: "store", level: .red, sentence: "no reminder will come: the service's timer cannot be set",
                remedy: "systemctl --user restart dosetapd")
        default:
            Finding(
                id: "store", level: .red, sentence: "the store does not work: \(health)", remedy: "dosetap status")
        }
    }

    private var settings: Finding {
        lostSettings.map {
            Finding(id: "settings", level: .amber, sentence: $0, remedy: "dosetap config check")
        } ?? Finding(id: "settings", level: .green, sentence: "all settings are in force")
    }

    /// One that was switched off on purpose is no news; that nobody is left is.
    private var listeners: Finding {
        Self.ask("plugins", plugins) { plugins in
            let off = plugins.filter { !$0.isOn }
            let silent = off.isEmpty ? "" : "off: \(off.map(\.id).joined(separator: ", "))"
            if let first = plugins.first(where: \.reminds), !plugins.contains(where: { $0.reminds && $0.isOn }) {
                return (
                    .red, "no plugin can show a reminder: all that could are off",
                    "dosetap plugins enable \(first.id)"
                )
            }
            if let troubled = plugins.first(where: { $0.isOn && $0.trouble != nil }), let trouble = troubled.trouble {
                let others = silent.isEmpty ? "" : "; \(silent)"
                return (
                    .amber, "the plugin \(troubled.id) says: \(trouble)\(others)",
                    "dosetap plugins show \(troubled.id)"
                )
            }
            if let first = off.first { return (.amber, "\(silent) (dosetap plugins enable \(first.id))", "") }
            return (.green, "all plugins are on", "")
        }
    }

    private var disk: Finding {
        Self.ask("disk", freeBytes) { bytes in
            let room = "\(bytes >> 20) MiB free on the disk of the record"
            let remedy = "free some space on that disk"
            if bytes < Self.redRoom { return (.red, room, remedy) }
            return bytes < Self.amberRoom ? (.amber, room, remedy) : (.green, room, "")
        }
    }

    /// Days after which a backup that lacks something is told as old.
    static let oldBackup: Int64 = 3

    /// No reminder depends on a backup, so nothing here is red.
    private var copies: Finding {
        Self.ask("backup", backups) { backups in
            guard backups.isOn else { return (.green, "automatic backups are off", "") }
            if let trouble = backups.trouble {
                return (.amber, "the last backup could not be made: \(trouble)", "dosetap db backup")
            }
            guard let age = backups.age else {
                return (.green, "there is no backup yet: one is made when a night is over", "")
            }
            let days = age.wholeSeconds / 86_400
            let sentence =
                days == 0
                ? "the last backup is less than a day old"
                : "the last backup is \(days) "
                    + (days == 1 ? "day old" : "days old")
            guard days >= Self.oldBackup, backups.isNew else { return (.green, sentence, "") }
            return (.amber, sentence, "dosetap db backup")
        }
    }

    private var notificationServer: Finding {
        Self.ask("notifications", notifications) { server in
            switch server {
            case .present(let name):
                screenFailure.map {
                    (.red, "\(name) did not show what it was given: \($0)", "dosetap reminders --test notification")
                } ?? (.green, "shown by \(name), which answered", "")
            case .startable: (.unknown, "the bus starts a server when it is needed; it was not asked", "")
            case .silent(let why):
                (
                    .red, "the notification server does not answer: \(why)",
                    "start your desktop's notification server anew, or one such as dunst or mako"
                )
            case .absent:
                (
                    .red, "no notification server is running",
                    "start a notification server: your desktop's, or one such as dunst or mako"
                )
            }
        }
    }

    private var disturbance: Finding {
        Self.ask("do_not_disturb", doNotDisturb) { isOn in
            isOn
                ? (.red, "do-not-disturb is on: reminders stay hidden", "switch do-not-disturb off")
                : (.green, "do-not-disturb is off", "")
        }
    }

    private var audio: Finding {
        if let soundFailure {
            return Finding(
                id: "audio", level: .red, sentence: "the last tone was not heard: \(soundFailure)",
                remedy: "dosetap reminders --test sound")
        }
        if lacksSoundServer {
            return Finding(
                id: "audio", level: .red, sentence: "no sound server answers", remedy: "start PipeWire or PulseAudio")
        }
        if let playerFault {
            return Finding(
                id: "audio", level: .amber,
                sentence: "\(chosenPlayer) is set to play the tone, but is not run: \(playerFault)",
                remedy: "set ladder.player to a program that only you or root can change")
        }
        if let player { return Finding(id: "audio", level: .green, sentence: "\(player) plays sounds") }
        guard chosenPlayer.isEmpty else {
            return Finding(
                id: "audio", level: .amber, sentence: "\(chosenPlayer) is set to play the tone, but is not installed",
                remedy: "install it, or set ladder.player to a program that is there")
        }
        return Finding(
            id: "audio", level: .amber, sentence: "no program that plays sounds is installed",
            remedy: "install pipewire-bin, pulseaudio-utils or alsa-utils")
    }

    private var loudness: Finding {
        Self.ask("volume", volume) { volume in
            if volume.isMuted { return (.red, "the sound is muted", "unmute it") }
            let text = "the volume is \(volume.percent) %"
            if volume.percent <= 0 { return (.red, text, "turn it up") }
            return volume.percent < Self.amberVolume ? (.amber, text, "turn it up") : (.green, text, "")
        }
    }

    // MARK: Staying awake

    private var sleep: Finding {
        switch sleepLock {
        case .held: Finding(id: "sleep", level: .green, sentence: "sleep is blocked until dose 2 is taken or skipped")
        case .possible: Finding(id: "sleep", level: .green, sentence: "sleep will be blocked while dose 2 is open")
        case .refused(let why):
            Finding(
                id: "sleep", level: .amber, sentence: "the computer's sleep cannot be blocked: \(why)",
                remedy: "keep the machine awake: charger in, lid open, automatic suspend off")
        }
    }

    /// Whoever can neither be kept awake nor be woken tells nothing once asleep. Where sleep is held off there is nothing
    /// to be done about it.
    private var waking: Finding {
        Self.ask("wake", wake) { refusal in
            guard let refusal else { return (.green, "the computer is woken from sleep for reminders", "") }
            let sentence = "the computer cannot be woken from sleep: \(refusal)"
            guard case .refused = sleepLock else { return (.amber, sentence, "") }
            return (.red, sentence, "keep it awake until dose 2 is taken or skipped")
        }
    }

    private var battery: Finding {
        Self.ask("battery", power) { power in
            guard power.hasBattery else { return (.green, "the computer has no battery", "") }
            guard power.isOnBattery else { return (.green, "the charger is plugged in, \(power.percent) %", "") }
            let text = "on battery, \(power.percent) %"
            return (power.percent < Self.redCharge ? .red : .amber, text, "plug in the charger")
        }
    }

    private var closing: Finding {
        Self.ask("lid", lid) { lid in
            guard lid.isPresent else { return (.green, "there is no lid", "") }
            var action = lid.action
            if case .known(let power) = power, !power.isOnBattery, !lid.actionOnPower.isEmpty {
                action = lid.actionOnPower
            }
            guard action != "ignore", action != "lock" else { return (.green, "closing the lid does no harm", "") }
            let harm = "closing the lid means \(action)"
            switch lidLock {
            case .held: return (.green, "closing the lid does no harm until dose 2 is taken or skipped", "")
            case .possible: return (.green, "\(harm), but not while dose 2 is open", "")
            case .refused(let why):
                return (
                    .amber, "\(harm), and that cannot be blocked: \(why)",
                    "leave the lid open, or set HandleLidSwitch=ignore"
                )
            }
        }
    }

    private var time: Finding {
        if let clockDoubt {
            return Finding(
                id: "clock", level: .amber, sentence: "the clock is in doubt: \(clockDoubt)",
                remedy: "look at another clock before you take anything")
        }
        return Self.ask("clock", clock) { isSynchronised in
            isSynchronised
                ? (.green, "the clock is synchronised", "")
                : (.amber, "the clock is not synchronised", "timedatectl set-ntp true")
        }
    }

    /// On a desktop one is logged in as long as reminders can be seen; without one the service has to stay by itself.
    private var staying: Finding {
        Self.ask("linger", linger) { lingers in
            if lingers { return (.green, "the service keeps running when you log out", "") }
            if notifications == .known(.absent) {
                return (.amber, "the service ends when you log out", "loginctl enable-linger")
            }
            return (.green, "the service runs as long as you are logged in", "")
        }
    }
}
