public import DoseTapDomain

/// Chooses the language of this process.
public enum Speech {
    /// The command and its filters: all that is said.
    ///
    /// - Parameter asASCII: for a terminal that shows no other letters.
    public static func speak(_ language: Language, asASCII: Bool = false) {
        DisplayLanguage.choose(words(language), asASCII: asASCII)
    }

    /// The service: what the person is shown and told; the bus and the journal stay English.
    public static func addressPerson(in language: Language) {
        DisplayLanguage.choose(words(language), forPersonOnly: true)
    }

    /// A program that the command starts: as the command was told, else as the locale says.
    public static func speakAsHandedDown(_ variable: (String) -> String?) {
        speak(variable(Self.variable).flatMap(Language.init(rawValue:)) ?? .ofLocale(variable))
    }

    /// The variable of the setting `display.language`, by which the command also tells the programs that it starts.
    public static let variable = "DOSETAP_DISPLAY_LANGUAGE"

    /// The language in which it speaks, as pages name theirs.
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
