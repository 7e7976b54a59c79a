internal import DoseTapDomain
internal import DoseTapText
internal import Glibc

/// In which language the command speaks: by the setting `display.language`, else by the locale. An answer in JSON is
/// English (R38.2).
enum SpokenLanguage {
    static let setting = "display.language"

    static var ofEnvironment: Language? {
        Settings.value(Speech.variable).flatMap(Language.init(rawValue:))
    }

    /// What is known before the service was asked, or cannot be.
    static var ofSurroundings: Language { ofEnvironment ?? .ofLocale(Settings.value) }

    /// Speaks it from here on.
    ///
    /// - Parameter chosen: by the settings; nil where they say nothing.
    static func speak(_ chosen: Language? = nil, json: Bool) {
        let language = ofEnvironment ?? chosen ?? ofSurroundings
        Speech.speak(json ? .english : language, asASCII: !Terminal.writesUTF8)
    }

    /// Tells the programs that are started from here on.
    static func handDown(_ language: Language) { setenv(Speech.variable, language.rawValue, 1) }
}
