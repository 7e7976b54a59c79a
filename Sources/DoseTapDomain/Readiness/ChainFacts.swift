/// What the links of the chain between a reminder and the person said when they were asked.
public struct ChainFacts: Hashable, Sendable {
    /// What came of a question.
    public enum Answer<Value: Hashable & Sendable>: Hashable, Sendable {
        /// It was answered.
        case known(Value)
        /// It was not, and why.
        case unknown(String)
    }

    /// Who shows notifications.
    public enum NotificationServer: Hashable, Sendable {
        /// This one, by its name; it answered.
        case present(String)
        /// The bus starts one when it is needed; it was not asked yet.
        case startable
        /// Somebody has the name or should be started, and does not answer; why.
        case silent(String)
        /// Nobody.
        case absent
    }

    /// How loud the sound is.
    public struct Volume: Hashable, Sendable {
        /// Per cent of full.
        public let percent: Int
        public let isMuted: Bool

        public init(percent: Int, isMuted: Bool) {
            self.percent = percent
            self.isMuted = isMuted
        }
    }

    /// Where the power comes from.
    public struct Power: Hashable, Sendable {
        /// Whether there is a battery.
        public let hasBattery: Bool
        /// Whether it feeds the machine.
        public let isOnBattery: Bool
        /// Per cent left in it.
        public let percent: Int

        public init(hasBattery: Bool, isOnBattery: Bool, percent: Int) {
            self.hasBattery = hasBattery
            self.isOnBattery = isOnBattery
            self.percent = percent
        }
    }

    /// What closing the lid does; logind's own words.
    public struct Lid: Hashable, Sendable {
        /// Whether there is a lid.
        public let isPresent: Bool
        /// On battery, such as `suspend` or `ignore`.
        public let action: String
        /// With the charger in; empty: the same.
        public let actionOnPower: String

        public init(isPresent: Bool, action: String, actionOnPower: String) {
            self.isPresent = isPresent
            self.action = action
            self.actionOnPower = actionOnPower
        }
    }

    /// How sleep, or what closing the lid does, is held off.
    public enum SleepLock: Hashable, Sendable {
        /// By locks while dose 2 is open.
        case possible
        /// Held now, for as long as dose 2 is open.
        case held
        /// It was refused, or would be.
        case refused(String)
    }

    /// A listener of the service that reminders depend on.
    public struct Plugin: Hashable, Sendable {
        /// As in `dosetap plugins`.
        public let id: String
        /// Whether it is switched on.
        public let isOn: Bool
        /// Whether it reaches a person, the journal apart.
        public let reminds: Bool
        /// Why it does not work now; nil when it does.
        public let trouble: String?
        /// By what it reaches a person.
        public let means: Set<Means>

        /// Ways to reach a person.
        public enum Means: Hashable, Sendable, CaseIterable {
            /// Notifications.
            case screen
            /// The tone of the alarm, and what runs with it.
            case sound
        }

        public init(id: String, isOn: Bool, reminds: Bool, trouble: String?, means: Set<Means> = []) {
            self.means = means
            self.id = id
            self.isOn = isOn
            self.reminds = reminds
            self.trouble = trouble
        }
    }

    /// What is known of the backups.
    public struct Backups: Hashable, Sendable {
        /// Whether the service makes any.
        public let isOn: Bool
        /// Of the newest; nil for none.
        public let age: Duration?
        /// In the record.
        public let events: Int64
        /// The record has events that the newest backup lacks.
        public let isNew: Bool
        /// Why the last one could not be made.
        public let trouble: String?

        public init(isOn: Bool, age: Duration?, events: Int64, isNew: Bool, trouble: String?) {
            self.isOn = isOn
            self.age = age
            self.events = events
            self.isNew = isNew
            self.trouble = trouble
        }
    }

    /// Whether the service is on a bus, and so stays.
    public var isOnBus: Bool
    public var version: String
    /// How its store is: `ok`, `warning`, or a word for the fault.
    public var health: String
    /// Why nothing can be written where the record is or will be made; nil: it can.
    public var unwritable: String?
    /// Why the key of the encrypted record could not be had again after a restart; nil: it could, or there is none.
    public var lostKey: String?
    /// Which settings are not in force; nil: all are.
    public var lostSettings: String?
    /// How the plugins are doing.
    public var plugins: Answer<[Plugin]>
    /// Room left for the store, in bytes.
    public var freeBytes: Answer<Int64>
    /// The copies of the record.
    public var backups: Answer<Backups>
    /// Who shows notifications.
    public var notifications: Answer<NotificationServer>
    /// Why a notification was not shown; nil when the last one was, or none was tried.
    public var screenFailure: String?
    /// Whether do-not-disturb is on.
    public var doNotDisturb: Answer<Bool>
    /// The program that plays sounds.
    public var player: String?
    /// The program that is to play them, by a setting; empty: any.
    public var chosenPlayer = ""
    /// Whether that program is not there, and ``player`` is another one.
    public var lacksChosenPlayer = false
    /// Why that program is not run; nil where it may be.
    public var playerFault: String?
    /// How loud the sound is.
    public var volume: Answer<Volume>
    /// Whether a program that asks for it reached no sound server, and what plays the tone needs one.
    public var lacksSoundServer = false
    /// Whether what plays the tone needs a sound card, no sound server answers, and there is no card that the person may use.
    public var lacksSoundCard = false
    /// Why the tone was not heard; nil when the last one was, or none was tried.
    public var soundFailure: String?
    /// Whether the alarm rings at all, by the settings.
    public var rings = true
    /// Whether an alarm runs programs of the person's own.
    public var callsPrograms = false
    /// How sleep is held off.
    public var sleepLock: SleepLock
    /// How what the lid does is held off.
    public var lidLock: SleepLock
    /// Why the machine could not be woken; nil: it can.
    public var wake: Answer<String?>
    /// Where the power comes from.
    public var power: Answer<Power>
    /// What closing the lid does.
    public var lid: Answer<Lid>
    /// Whether the clock is synchronised.
    public var clock: Answer<Bool>
    /// What the clocks leave in doubt of tonight, in words; nil for nothing.
    public var clockDoubt: String?
    /// Whether the service stays when the person logs out.
    public var linger: Answer<Bool>

    /// Nothing was asked yet.
    public init(isOnBus: Bool, version: String, health: String) {
        self.isOnBus = isOnBus
        self.version = version
        self.health = health
        plugins = .unknown("")
        freeBytes = .unknown("")
        backups = .unknown("")
        notifications = .unknown("")
        doNotDisturb = .unknown("")
        player = nil
        volume = .unknown("")
        sleepLock = .possible
        lidLock = .possible
        wake = .unknown("")
        power = .unknown("")
        lid = .unknown("")
        clock = .unknown("")
        linger = .unknown("")
    }
}

/// Whether anything can reach the person at all.
extension ChainFacts {
    /// What is said first, everywhere, when no channel can reach the person; nil when one can, as far as is known. What
    /// could not be asked may work.
    public var silence: Warning? {
        guard !callsPrograms || isOff(.sound) else { return nil }
        guard let screen = screenTrouble, let sound = soundTrouble else { return nil }
        return Warning(
            .noChannel,
            sent("No reminder can reach you: \(screen), and \(sound). Set an alarm clock."))
    }

    /// Why nothing is seen.
    private var screenTrouble: String? {
        if isOff(.screen) { return sent("notifications are off") }
        switch notifications {
        case .unknown(let why): return why.isEmpty ? nil : why
        case .known(.absent): return sent("no program shows notifications")
        case .known(.silent): return sent("the notification server does not answer")
        case .known(.startable): return screenFailure.map { _ in sent("notifications are not shown") }
        case .known(.present):
            if screenFailure != nil { return sent("notifications are not shown") }
            return doNotDisturb == .known(true) ? sent("do-not-disturb is on") : nil
        }
    }

    /// Why nothing is heard.
    private var soundTrouble: String? {
        if isOff(.sound) || !rings { return sent("the alarm's sound is off") }
        if soundFailure != nil { return sent("the sound does not work") }
        if player == nil { return sent("no program plays sounds") }
        if lacksSoundServer { return sent("no sound server runs") }
        if lacksSoundCard { return sent("no sound card can be used") }
        if case .known(let volume) = volume, volume.isMuted || volume.percent <= 0 { return sent("the sound is muted") }
        return nil
    }

    private func isOff(_ means: Plugin.Means) -> Bool {
        guard case .known(let plugins) = plugins, plugins.contains(where: { $0.means.contains(means) }) else {
            return false
        }
        return !plugins.contains { $0.isOn && $0.means.contains(means) }
    }
}
