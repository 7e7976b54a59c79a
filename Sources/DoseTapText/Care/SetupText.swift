internal import DoseTapDomain

/// The questions and texts of `setup`.
package enum SetupText {
    package static var opening: String {
        tr(
            """
            DoseTap records and reminds. It gives no dose advice. Follow your prescriber.
            Six questions. Enter keeps what is in brackets, Ctrl-D stops.

            """)
    }
    package static var regimen: String {
        tr(
            "1/6 Regimen: the medicine and the amount of a whole night, such as xyrem 4.5g; with once after it, one dose a night."
        )
    }
    package static var howRegimen: String { tr("Type the medicine and the amount, such as: xyrem 4.5g") }
    package static var wake: String { tr("2/6 Times: when do you plan to wake up?") }
    package static var prep: String { tr("2/6 Times: when do you begin to prepare for the night?") }
    package static var target: String {
        tr("3/6 Alarm: minutes from dose 1 to the alarm for dose 2 (165, 180, 195, 210 or 225)?")
    }
    package static var ring: String { tr("3/6 Alarm: ring it now, as a test? (yes, no)") }
    package static var privacy: String { tr("4/6 Privacy: may notifications name medicines and amounts? (yes, no)") }
    package static var encryption: String {
        tr("5/6 Encryption: encrypt the record? A key that is lost cannot be replaced. (yes, no)")
    }
    package static var backup: String { tr("6/6 Backup: make a backup when a night is over? (yes, no)") }
    package static var none: String { tr("none", context: "regimen") }
    package static var locked: String { tr("The policy of this machine decides this. See: dosetap config show") }
    package static var typeYesOrNo: String { tr("Type yes or no.") }
    package static var stopped: String { tr("\nStopped. What was answered before holds. To go on: dosetap setup\n") }
    package static var closing: String { tr("\nAll is answered. The check of everything that a reminder needs:\n\n") }

    /// Returns the number and the subject of a question: the part before its colon.
    package static func step(_ question: String) -> Substring { question.prefix { $0 != ":" } }
}
