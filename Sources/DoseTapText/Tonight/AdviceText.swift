package import DoseTapDomain

/// The commands for the codes of the service: the next step, the remedy of a finding, the source of details on a warning.
package enum AdviceText {
    /// Returns the command for a step.
    package static func command(_ step: NextStep.Record) -> String {
        switch step.code {
        case .status: "dosetap status"
        case .follow: "dosetap status --follow"
        case .doctor: "dosetap doctor"
        case .show: "dosetap show \(step.date?.text ?? "last")"
        case .logDose1: "dosetap log dose1"
        case .logDose2: "dosetap log dose2"
        case .logExtra: "dosetap log extra"
        case .skip: "dosetap skip"
        case .wake: "dosetap wake"
        case .checkIn: "dosetap checkin"
        }
    }

    /// Returns the status with the command of its next step.
    package static func complete(_ status: NightStatus) -> NightStatus {
        var complete = status
        complete.next?.command = status.next.map(command)
        return complete
    }

    /// Returns the sentence of a warning, with the command for details.
    package static func sentence(_ warning: Warning) -> String {
        switch warning.code {
        case .noChannel: tr("\(Wire.told(warning.message)) Why: dosetap doctor")
        case .settings: tr("\(Wire.told(warning.message)) See: dosetap config check")
        case .finding, .store: Wire.told(ErrorText.typed(warning.message))
        case .noService, .timer, .clock, .otherDoses: Wire.told(warning.message)
        }
    }

    /// Returns the remedy of a finding; empty without one.
    package static func instruction(_ finding: Finding) -> String {
        guard let remedy = finding.remedy else { return "" }
        return switch remedy {
        case .openSession: tr("log in to a session with a bus, then: systemctl --user enable --now dosetapd")
        case .repairBus: tr("look at DBUS_SESSION_BUS_ADDRESS, or log in anew")
        case .installService: tr("install dosetapd, or name it: DOSETAP_DAEMON=/path/to/dosetapd")
        case .startService: "systemctl --user enable --now dosetapd"
        case .restartService: "systemctl --user restart dosetapd"
        case .readStatus: "dosetap status"
        case .repairStore: "dosetap db repair"
        case .makeWritable: tr("make the folder of the record writable, then: dosetap doctor")
        case .unlockKeyring: tr("unlock your keyring, then: dosetap doctor; if the key is lost: dosetap db rekey")
        case .checkSettings: "dosetap config check"
        case .enablePlugin: "dosetap plugins enable \(finding.plugin ?? "ID")"
        case .inspectPlugin: "dosetap plugins show \(finding.plugin ?? "ID")"
        case .freeSpace: tr("free some space on that disk")
        case .backUp: "dosetap db backup"
        case .testNotification: "dosetap reminders --test notification"
        case .startNotificationServer:
            tr("start a notification server: your desktop's, or one such as dunst or mako")
        case .restartNotificationServer:
            tr("start your desktop's notification server anew, or one such as dunst or mako")
        case .endDoNotDisturb: tr("switch do-not-disturb off")
        case .testSound: "dosetap reminders --test sound"
        case .startSoundServer: tr("start PipeWire or PulseAudio")
        case .allowSoundCard: tr("start PipeWire, or join the group audio (sudo adduser $USER audio) and log in anew")
        case .protectPlayer: tr("set ladder.player to a program that only you or root can change")
        case .replacePlayer: tr("install it, or set ladder.player to a program that is there")
        case .installPlayer: tr("install pipewire-bin, pulseaudio-utils or alsa-utils")
        case .unmute: tr("unmute it")
        case .raiseVolume: tr("turn it up")
        case .preventSleep: tr("keep the machine awake: charger in, lid open, automatic suspend off")
        case .stayAwake: tr("keep it awake until dose 2 is taken or skipped")
        case .plugIn: tr("plug in the charger")
        case .leaveLidOpen: tr("leave the lid open, or set HandleLidSwitch=ignore in /etc/systemd/logind.conf")
        case .compareClock: tr("look at another clock before you take anything")
        case .synchroniseClock: "timedatectl set-ntp true"
        case .linger: "loginctl enable-linger"
        }
    }

    /// Returns the finding with its instruction.
    package static func complete(_ finding: Finding) -> Finding {
        var complete = finding
        complete.instruction = instruction(finding)
        return complete
    }
}
