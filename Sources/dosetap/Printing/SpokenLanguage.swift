internal import DoseTapDomain
internal import DoseTapText
internal import Glibc

/// The language of the command: by the setting `display.language`, else by the locale. An answer in JSON is English
/// (R38.2).
enum SpokenLanguage {
    static let setting = "display.language"

    static var ofEnvironment: Language? {
        Settings.value(Speech.variable).flatMap(Language.init(rawValue:))
    }

    /// The language known before the service is asked, or without the service.
    static var ofSurroundings: Language { ofEnvironment ?? .ofLocale(Settings.value) }

    /// Sets the language of all texts from here on.
    ///
    /// - Parameter chosen: the language of the settings; nil if they say nothing.
    static func speak(_ chosen: Language? = nil, json: Bool) {
        let language = ofEnvironment ?? chosen ?? ofSurroundings
        Speech.speak(json ? .english : language, asASCII: !Terminal.writesUTF8)
    }

    /// Tells the language to the programs that are started from here on.
    static func handDown(_ language: Language) { setenv(Speech.variable, language.rawValue, 1) }
}
