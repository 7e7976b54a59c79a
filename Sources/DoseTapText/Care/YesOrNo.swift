internal import DoseTapDomain

/// The answer to a yes-or-no question.
package enum YesOrNo {
    package static func word(_ isYes: Bool) -> String {
        isYes ? tr("yes", context: "answer") : tr("no", context: "answer")
    }

    /// Reads an answer in every language of the program; nil if the text is neither yes nor no.
    package static func isYes(_ typed: String) -> Bool? {
        switch typed.lowercased() {
        case "y", "yes", "j", "ja", "true", "on": true
        case "n", "no", "nein", "false", "off": false
        default: nil
        }
    }
}
