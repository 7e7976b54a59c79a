public import DoseTapDomain

/// Chooses the language of this process.
public enum Speech {
    /// Sets the language of the command and its filters, for all text.
    ///
    /// - Parameter asASCII: true for a terminal that shows no letters beyond ASCII.
    public static func speak(_ language: Language, asASCII: Bool = false) {
        DisplayLanguage.choose(words(language), asASCII: asASCII)
    }

    /// Sets the language of the service, for text that the person sees and hears. The bus and the journal stay English.
    public static func addressPerson(in language: Language) {
        DisplayLanguage.choose(words(language), forPersonOnly: true)
    }

    /// Sets the language of a program that the command starts: that of the command, else that of the locale.
    public static func speakAsHandedDown(_ variable: (String) -> String?) {
        speak(variable(Self.variable).flatMap(Language.init(rawValue:)) ?? .ofLocale(variable))
    }

    /// The variable of the setting `display.language`. The command also uses it to tell the language to the programs that it
    /// starts.
    public static let variable = "DOSETAP_DISPLAY_LANGUAGE"

    /// The code of the current language, for the `lang` of a page.
    public static var code: String {
        DisplayLanguage.isTranslating ? Language.german.rawValue : Language.english.rawValue
    }

    private static func words(_ language: Language) -> DisplayLanguage.Words? {
        switch language {
        case .english: nil
        case .german: { German.words($0) }
        }
    }
}
