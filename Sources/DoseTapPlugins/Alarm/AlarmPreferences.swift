public import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText

/// A person's preferences for the alarm's ladder, and their settings.
public struct AlarmPreferences: Hashable, Sendable {
    /// The wanted rungs and their delays.
    public var ladder = AlarmLadder.standard
    /// The program that plays the tone, a name or a path; empty: the first that is found.
    public var player = ""
    /// The text that is spoken, and that the alarm's hooks get.
    public var text = ReminderText.neutral
    /// The text that the partner's hooks get.
    public var partnerText = SpokenText.partner

    /// Makes the standard preferences.
    public init() {}

    /// Makes the preferences that the settings say.
    public init(_ settings: SettingValues) {
        ladder.delays = [:]
        for (rung, setting) in Self.delays { ladder.delays[rung] = settings[setting].map { .seconds($0) } }
        player = settings[Self.player]
        text = settings[Self.text]
        partnerText = settings[Self.partnerText]
    }

    /// Returns true if a rung is wanted; reads no other setting.
    static func wants(_ rung: EscalationStep, _ settings: PluginSettings) -> Bool {
        delays.first { $0.key == rung }.map { settings[$0.value] != nil } ?? false
    }

    /// Writes the preferences into settings.
    package func write(into settings: inout SettingValues) {
        for (rung, setting) in Self.delays {
            settings[setting] = ladder.delays[rung].map { Int($0.components.seconds) }
        }
        settings[Self.player] = player
        settings[Self.text] = text
        settings[Self.partnerText] = partnerText
    }

    /// Returns the words for a reminder. In doubt they are not the person's own words, which may say to take the dose.
    func words(_ due: DueReminder) -> String {
        DisplayLanguage.addressingPerson { due.isCertain ? said(text, Self.text) : ReminderText.doubtful }
    }

    /// Returns true if the words for a reminder are the person's own, in whatever language.
    func isOwnWords(_ due: DueReminder) -> Bool { due.isCertain && text != SettingValues()[Self.text] }

    /// The words for the partner.
    var wordsToPartner: String { DisplayLanguage.addressingPerson { said(partnerText, Self.partnerText) } }

    /// Returns the default words in the person's language, and the person's own words as they are.
    private func said(_ words: String, _ setting: Setting<String>) -> String {
        words == SettingValues()[setting] ? Wire.told(words) : words
    }

    // MARK: Settings

    /// The settings of each rung's delay, in seconds from the alarm; nil for never.
    static let delays: KeyValuePairs<EscalationStep, Setting<Int?>> = [
        .sound: delay("sound", 0, "a tone rings that gets louder"),
        .speech: delay("speech", 60, "a sentence is spoken"),
        .hook: delay("hooks", 120, "the programs in hooks.d/alarm are run"),
        .partner: delay("partner", 300, "the programs in hooks.d/partner are run"),
    ]
    static let player = Setting(
        "ladder.player", .program, default: "",
        "Program that plays the tone; empty for the first of pw-play, paplay and aplay.",
        manual: """
            The program that plays the tone, by its name or its path; empty for the first of pw-play, paplay and aplay \
            that is installed. A program in your home directory needs its whole path. Where it is gone or fails, or \
            where others can write to it, one of these three plays the tone instead. The program gets the argument /dev/stdin and \
            reads a WAV file from it.
            """)
    static let text = Setting(
        "ladder.text", .sentence, default: ReminderText.neutral,
        "What is spoken, and what the alarm's hooks get as text.",
        manual: """
            The text that is spoken and that the hooks of the alarm get. If the time since dose 1 is not certain, both \
            get a text that says so.
            """)
    static let partnerText = Setting(
        "ladder.partner_text", .sentence, default: SpokenText.partner, "What the partner's hooks get as text.")

    static var rows: [SettingRow] { delays.map(\.value.row) + [player.row, text.row, partnerText.row] }

    private static func delay(_ name: String, _ seconds: Int, _ what: String) -> Setting<Int?> {
        Setting(
            "ladder.\(name)_after", .delay(0...AlarmLadder.mostSeconds), default: seconds,
            "Seconds from the alarm until \(what); off for never.")
    }
}
