internal import DoseTapDomain
internal import Glibc

/// The variables of the environment that mirror the options.
enum Settings {
    /// Returns the value of a variable; nil if it is not set or empty.
    static func value(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// Returns the value of a variable, also an empty one: an empty `TZ` is UTC.
    static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// Variables whose names are nearly those of an option, each with the one that was meant: a misspelled store is
    /// another record.
    static var mistyped: [(name: String, meant: String)] {
        let start = "DOSETAP_"
        let ofOptions = (GlobalChoices.flags + GlobalChoices.options).map { option in
            String(option.dropFirst(2)).replacing("-", with: "_")
        }
        var found: [(name: String, meant: String)] = []
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?> = environ
        while let variable = entry.pointee {
            entry += 1
            // The variables of plugins are examined with the settings.
            guard strncmp(variable, start, start.utf8.count) == 0, strncmp(variable, start + "PLUGIN", 14) != 0 else {
                continue
            }
            let name = String(cString: variable).prefix { $0 != "=" }
            let nearest = Suggestions.to(String(name.dropFirst(start.count)), in: ofOptions)
            guard nearest.count == 1, name != start + nearest[0].uppercased() else { continue }
            found.append((String(name), start + nearest[0].uppercased()))
        }
        return found
    }

    /// Returns the value of a switch: 1, true, yes, on or 0, false, no, off.
    ///
    /// - Throws: ``Failure`` for any other value: a typing error must not change what is printed in silence.
    static func flag(_ name: String) throws(Failure) -> Bool {
        guard let text = value(name) else { return false }
        switch text.lowercased() {
        case "1", "true", "yes", "on": return true
        case "0", "false", "no", "off": return false
        default: throw .usage(tr("\(name) is '\(text)': set it to 1 or 0."))
        }
    }
}
