/// What `setup` asks and says.
package enum SetupText {
    package static let opening = """
        DoseTap records and reminds. It gives no dose advice. Follow your prescriber.
        Six questions. Enter keeps what is in brackets, Ctrl-D stops.

        """
    package static let regimen =
        "1/6 Regimen: the medicine and the amount of a whole night, such as xyrem 4.5g; with once after it, one dose a night."
    package static let howRegimen = "Type the medicine and the amount, such as: xyrem 4.5g"
    package static let wake = "2/6 Times: when do you plan to wake up?"
    package static let prep = "2/6 Times: when do you begin to prepare for the night?"
    package static let target = "3/6 Alarm: minutes from dose 1 to the alarm for dose 2 (165, 180, 195, 210 or 225)?"
    package static let ring = "3/6 Alarm: ring it now, as a test? (yes, no)"
    package static let privacy = "4/6 Privacy: may notifications name medicines and amounts? (yes, no)"
    package static let encryption =
        "5/6 Encryption: encrypt the record? A key that is lost cannot be replaced. (yes, no)"
    package static let backup = "6/6 Backup: make a backup when a night is over? (yes, no)"
    package static let none = "none"
    package static let locked = "The policy of this machine decides this. See: dosetap config show"
    package static let typeYesOrNo = "Type yes or no."
    package static let stopped = "\nStopped. What was answered before holds. To go on: dosetap setup\n"
    package static let closing = "\nAll is answered. The check of everything that a reminder needs:\n\n"

    package static func yesOrNo(_ isYes: Bool) -> String { isYes ? "yes" : "no" }

    /// Nil where it is neither.
    package static func isYes(_ typed: String) -> Bool? {
        switch typed.lowercased() {
        case "y", "yes", "true", "on": true
        case "n", "no", "false", "off": false
        default: nil
        }
    }
}
