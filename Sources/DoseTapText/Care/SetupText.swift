package import DoseTapDomain

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
    package static var prep: String {
        tr(
            "2/6 Times: when do you begin to prepare for the night? A night without a check-in is closed then. (24-hour clock, such as 18:30)"
        )
    }
    package static var target: String {
        tr("3/6 Alarm: minutes from dose 1 to the alarm for dose 2 (165, 180, 195, 210 or 225)?")
    }
    package static var ring: String { tr("3/6 Alarm: ring it now, as a test? (yes, no)") }
    package static var privacy: String { tr("4/6 Privacy: may notifications name medicines and amounts? (yes, no)") }
    package static var encryption: String {
        tr("5/6 Encryption: encrypt the record? A key that is lost cannot be replaced. (yes, no)")
    }
    package static var keyFile: String {
        tr(
            "5/6 Encryption: keep the key in a file instead? It lies on the same disk, so only copies elsewhere are protected. (yes, no)"
        )
    }
    package static var unencrypted: String {
        tr("The record is not encrypted. Once a keyring runs and is unlocked: dosetap db encrypt")
    }
    package static var backup: String { tr("6/6 Backup: make a backup when a night is over? (yes, no)") }
    package static var none: String { tr("none", context: "regimen") }
    package static var locked: String { tr("The policy of this machine decides this. See: dosetap config show") }
    package static var typeYesOrNo: String { tr("Type yes or no.") }
    package static var stopped: String { tr("\nStopped. What was answered before holds. To go on: dosetap setup\n") }
    package static var closing: String { tr("\nAll is answered. The check of everything that a reminder needs:\n\n") }

    /// Returns the reason for which a time is not taken as that of the preparation; nil if it is taken.
    package static func fault(ofPrep prep: ClockTime, before wake: ClockTime) -> String? {
        guard NightRules.isTooShort(from: prep, to: wake) else { return nil }
        // A time of the morning is most likely one of the evening on the clock of twelve hours.
        guard (3..<12).contains(prep.hour) else {
            return tr(
                "\(prep) is less than six hours before \(wake), when you plan to wake up: type an earlier time, such as \(wake.adding(hours: -9))."
            )
        }
        return tr(
            "\(prep) is less than six hours before \(wake), when you plan to wake up: type \(prep.adding(hours: 12)) for the evening."
        )
    }

    /// Returns the number and the subject of a question: the part before its colon.
    package static func step(_ question: String) -> Substring { question.prefix { $0 != ":" } }
}
