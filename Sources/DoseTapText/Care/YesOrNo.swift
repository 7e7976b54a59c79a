internal import DoseTapDomain

/// The answer to a question that has two.
package enum YesOrNo {
    package static func word(_ isYes: Bool) -> String {
        isYes ? tr("yes", context: "answer") : tr("no", context: "answer")
    }

    /// In every language that is spoken; nil where it is neither.
    package static func isYes(_ typed: String) -> Bool? {
        switch typed.lowercased() {
        case "y", "yes", "j", "ja", "true", "on": true
        case "n", "no", "nein", "false", "off": false
        default: nil
        }
    }
}
