internal import DoseTapDomain
internal import Glibc

/// The variables of the environment that mirror the options.
enum Settings {
    /// A variable that is set to something.
    static func value(_ name: String) -> String? { text(name).flatMap { $0.isEmpty ? nil : $0 } }

    /// A variable that is set, be it to nothing: an empty `TZ` is UTC.
    static func text(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    /// A switch: 1, true, yes, on or 0, false, no, off.
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
