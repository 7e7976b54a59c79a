internal import DoseTapDomain
internal import DoseTapText
internal import Glibc

/// The language of the command: by the setting `display.language`, else by the locale. An answer in JSON is English
/// (R38.2).
enum SpokenLanguage {
    static let setting = "display.language"
    /// The language by the settings of the service; nil within if they name none.
    static let asked = Once<Language?>()

    static var ofEnvironment: Language? {
        Settings.value(Speech.variable).flatMap(Language.init(rawValue:))
    }

    /// The language of the person as known so far. Before the service is asked the files of the settings tell it.
    static var current: Language { ofEnvironment ?? ofSettings ?? .ofLocale(Settings.value) }

    private static var ofSettings: Language? {
        if let told = asked.known { return told }
        // The variable comes before the files, also where it asks for the locale.
        guard Settings.value(Speech.variable) == nil else { return nil }
        return SettingsFiles.word(of: "language").flatMap { Language(rawValue: $0.lowercased()) }
    }

    /// Sets the language of all texts from here on, as known so far.
    static func speak(json: Bool) {
        Speech.speak(json ? .english : current, asASCII: !Terminal.writesUTF8)
    }

    /// Tells the language to the programs that are started from here on.
    static func handDown(_ language: Language) { setenv(Speech.variable, language.rawValue, 1) }
}
