internal import Synchronization

/// A language in which people are addressed. Programs are addressed in English (R38.2).
public enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// Reads the name of a locale, such as `de_AT.UTF-8`; a language without words here becomes English.
    public init(locale: some StringProtocol) {
        let word = locale.prefix { $0 != "_" && $0 != "." && $0 != "@" }
        self = Language(rawValue: word.lowercased()) ?? .english
    }

    /// Reads the variables of the locale in the order of the C library for messages: an empty variable counts as unset.
    public static func ofLocale(_ variable: (String) -> String?) -> Language {
        for name in ["LC_ALL", "LC_MESSAGES", "LANG"] {
            if let value = variable(name), !value.isEmpty { return Language(locale: value) }
        }
        return .english
    }
}

/// The language in which ``tr(_:)`` answers.
///
/// The language is one value for the process, like the locale of the C library: a process has one reader, and a value
/// that is handed down would stand in the arguments of every function that says something. The service has two
/// readers. Its words on the bus and in the journal are English; its notifications and its spoken alarm are for the
/// person, and stand in ``addressingPerson(_:)``.
package enum DisplayLanguage {
    /// The words of a language: the German of a phrase, by its key.
    package typealias Words = @Sendable (_ key: String) -> String?

    // The state is one byte, so an English phrase costs one look at it. Nothing is made before another language is chosen.
    private static let isForeign: UInt8 = 1
    private static let isForPersonOnly: UInt8 = 2
    private static let isASCII: UInt8 = 4
    private static let state = Atomic<UInt8>(0)
    private static let words = Mutex<Words?>(nil)
    @TaskLocal private static var addressesPerson = false

    /// Chooses the language; without words the language is English.
    ///
    /// - Parameters:
    ///   - forPersonOnly: true to translate only within ``addressingPerson(_:)``.
    ///   - asASCII: true to write with the letters of ASCII: `ae` for `ä`.
    package static func choose(_ chosen: Words?, forPersonOnly: Bool = false, asASCII: Bool = false) {
        words.withLock { $0 = chosen }
        let flags = (forPersonOnly ? isForPersonOnly : 0) | (asASCII ? isASCII : 0)
        state.store(chosen == nil ? 0 : isForeign | flags, ordering: .releasing)
    }

    /// True if phrases are translated here.
    package static var isTranslating: Bool {
        let flags = state.load(ordering: .acquiring)
        return flags != 0 && (flags & isForPersonOnly == 0 || addressesPerson)
    }

    /// Forms words that the person reads or hears, in a process that otherwise speaks to programs.
    package static func addressingPerson<Said, Fault: Error>(_ form: () throws(Fault) -> Said) throws(Fault) -> Said {
        guard state.load(ordering: .acquiring) != 0 else { return try form() }
        let result: Result<Said, Fault> = $addressesPerson.withValue(true) {
            do throws(Fault) { return .success(try form()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Returns the words for a key in the chosen language; nil without such words.
    package static func translation(_ key: String) -> String? {
        guard let found = words.withLock({ $0 })?(key) else { return nil }
        return state.load(ordering: .acquiring) & isASCII == 0 ? found : ascii(found)
    }

    /// Returns German in the letters that every terminal has.
    package static func ascii(_ text: String) -> String {
        guard !text.utf8.allSatisfy({ $0 < 0x80 }) else { return text }
        var plain = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "ä": plain += "ae"
            case "ö": plain += "oe"
            case "ü": plain += "ue"
            case "Ä": plain += "Ae"
            case "Ö": plain += "Oe"
            case "Ü": plain += "Ue"
            case "ß": plain += "ss"
            case "„", "“": plain += "\""
            case "‚", "‘": plain += "'"
            case "–": plain += "-"
            case "…": plain += "..."
            default: plain.unicodeScalars.append(scalar)
            }
        }
        return plain
    }
}
