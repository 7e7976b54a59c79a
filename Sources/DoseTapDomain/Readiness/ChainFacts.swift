/// The answers of the links in the chain between a reminder and the person.
public struct ChainFacts: Hashable, Sendable {
    /// The result of a question.
    public enum Answer<Value: Hashable & Sendable>: Hashable, Sendable {
        /// The question was answered.
        case known(Value)
        /// The question was not answered; the text says why.
        case unknown(String)
    }

    /// The program that shows notifications.
    public enum NotificationServer: Hashable, Sendable {
        /// A server that answered, by its name.
        case present(String)
        /// The bus starts a server when one is needed; the server was not asked yet.
        case startable
        /// A server has the name or should be started, and does not answer; the text says why.
        case silent(String)
        /// No server has the name, and the bus names none to start.
        case absent
    }

    /// The volume of the sound.
    public struct Volume: Hashable, Sendable {
        /// Per cent of full.
        public let percent: Int
        public let isMuted: Bool

        public init(percent: Int, isMuted: Bool) {
            self.percent = percent
            self.isMuted = isMuted
        }
    }

    /// The source of the power.
    public struct Power: Hashable, Sendable {
        public let hasBattery: Bool
        /// True if the battery feeds the machine.
        public let isOnBattery: Bool
        /// Per cent left in the battery.
        public let percent: Int

        public init(hasBattery: Bool, isOnBattery: Bool, percent: Int) {
            self.hasBattery = hasBattery
            self.isOnBattery = isOnBattery
            self.percent = percent
        }
    }

    /// The effect of closing the lid, in logind's own words.
    public struct Lid: Hashable, Sendable {
        public let isPresent: Bool
        /// The action on battery, such as `suspend` or `ignore`.
        public let action: String
        /// The action with the charger in; empty for the same action.
        public let actionOnPower: String

        public init(isPresent: Bool, action: String, actionOnPower: String) {
            self.isPresent = isPresent
            self.action = action
            self.actionOnPower = actionOnPower
        }
    }

    /// The lock that holds off sleep, or the effect of closing the lid.
    public enum SleepLock: Hashable, Sendable {
        /// A lock is possible while dose 2 is open.
        case possible
        /// The lock is held now, for as long as dose 2 is open.
        case held
        /// The lock was refused, or would be; the text says why.
        case refused(String)
    }

    /// A listener of the service that reminders depend on.
    public struct Plugin: Hashable, Sendable {
        /// The id as in `dosetap plugins`.
        public let id: String
        public let isOn: Bool
        /// True if the plugin reaches a person; the journal does not count.
        public let reminds: Bool
        /// The reason why the plugin does not work now; nil if the plugin works.
        public let trouble: String?

        public init(id: String, isOn: Bool, reminds: Bool, trouble: String?) {
            self.id = id
            self.isOn = isOn
            self.reminds = reminds
            self.trouble = trouble
        }
    }

    /// The state of the backups.
    public struct Backups: Hashable, Sendable {
        /// True if the service makes backups.
        public let isOn: Bool
        /// The age of the newest backup; nil without a backup.
        public let age: Duration?
        /// The number of events in the record.
        public let events: Int64
        /// True if the record has events that the newest backup lacks.
        public let isNew: Bool
        /// The reason why the last backup could not be made.
        public let trouble: String?

        public init(isOn: Bool, age: Duration?, events: Int64, isNew: Bool, trouble: String?) {
            self.isOn = isOn
            self.age = age
            self.events = events
            self.isNew = isNew
            self.trouble = trouble
        }
    }

    /// True if the service is on a bus, and so stays.
    public var isOnBus: Bool
    public var version: String
    /// The health of the service: `ok`, `warning`, or a word for the fault.
    public var health: String
    /// The reason why nothing can be written at the place of the record; nil if the place is writable.
    public var unwritable: String?
    /// The reason why the key of the encrypted record could not be had again after a restart; nil without such a reason.
    public var lostKey: String?
    /// The settings that are not in force, in words; nil if all are in force.
    public var lostSettings: String?
    public var plugins: Answer<[Plugin]>
    /// True if the plugin that shows notifications is on.
    public var shows = true
    /// True if the plugin of the alarm's tone, and of what runs with it, is on.
    public var sounds = true
    /// The room left for the store, in bytes.
    public var freeBytes: Answer<Int64>
    /// The copies of the record.
    public var backups: Answer<Backups>
    /// The program that shows notifications.
    public var notifications: Answer<NotificationServer>
    /// The reason why a notification was not shown; nil if the last one was shown, or none was tried.
    public var screenFailure: String?
    public var doNotDisturb: Answer<Bool>
    /// The program that plays sounds.
    public var player: String?
    /// The program that is to play sounds, by a setting; empty for any program.
    public var chosenPlayer = ""
    /// True if the chosen program is not there, and ``player`` is another one.
    public var lacksChosenPlayer = false
    /// The reason why the chosen program is not run; nil if the program may be run.
    public var playerFault: String?
    public var volume: Answer<Volume>
    /// True if a program that asked for the volume reached no sound server, and the player of the tone needs a server.
    public var lacksSoundServer = false
    /// True if the player needs a sound card, no sound server answers, and there is no card that the person may use.
    public var lacksSoundCard = false
    /// The reason why the tone was not heard; nil if the last tone was heard, or none was tried.
    public var soundFailure: String?
    /// True if the alarm rings at all, by the settings.
    public var rings = true
    /// True if an alarm runs programs of the person's own.
    public var callsPrograms = false
    /// The lock against sleep.
    public var sleepLock: SleepLock
    /// The lock against the effect of closing the lid.
    public var lidLock: SleepLock
    /// The reason why the machine could not be woken; nil if it can.
    public var wake: Answer<String?>
    public var power: Answer<Power>
    public var lid: Answer<Lid>
    /// True if the clock is synchronised.
    public var clock: Answer<Bool>
    /// The doubt that the clocks leave about tonight, in words; nil without doubt.
    public var clockDoubt: String?
    /// True if the service stays when the person logs out.
    public var linger: Answer<Bool>

    /// Facts of which nothing was asked yet.
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

/// The check for a channel that can reach the person at all.
extension ChainFacts {
    /// The warning that comes first everywhere if no channel can reach the person; nil if one can, as far as is known. A
    /// channel that could not be asked may work.
    public var silence: Warning? {
        guard !callsPrograms || !sounds else { return nil }
        guard let screen = screenTrouble, let sound = soundTrouble else { return nil }
        return Warning(
            .noChannel,
            sent("No reminder can reach you: \(screen), and \(sound). Set an alarm clock."))
    }

    /// The reason why nothing is seen; nil without a known reason.
    private var screenTrouble: String? {
        if !shows { return sent("notifications are off") }
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

    /// The reason why nothing is heard; nil without a known reason.
    private var soundTrouble: String? {
        if !sounds || !rings { return sent("the alarm's sound is off") }
        if soundFailure != nil { return sent("the sound does not work") }
        if player == nil { return sent("no program plays sounds") }
        if lacksSoundServer { return sent("no sound server runs") }
        if lacksSoundCard { return sent("no sound card can be used") }
        if case .known(let volume) = volume, volume.isMuted || volume.percent <= 0 { return sent("the sound is muted") }
        return nil
    }
}
