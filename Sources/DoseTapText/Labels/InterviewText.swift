package import DoseTapDomain

/// The text around the questions of an interview, and around the questions before a command records.
package enum InterviewText {
    package static var yes: String { tr("yes") }
    package static var no: String { tr("no") }
    /// The key of yes. The key y is taken for yes in every language, too.
    package static var yesKey: Character { tr("y", context: "key").first ?? "y" }
    /// The word for no choice at all, shown and typed.
    package static var none: String { tr("none", context: "chosen") }
    /// Returns true if a typed word means no choice at all.
    package static func isNone(_ word: String) -> Bool { word == "none" || word == none }
    package static var back: String { tr("back") }
    package static var skipped: String { tr("skipped") }
    package static var severalKeys: String { tr("Each key adds or removes one, Enter goes on.") }
    /// b and s are letters of a text, so other keys skip and go back.
    package static var lineKeys: String { tr("Enter goes on, Esc skips, Backspace goes back.") }

    /// `Does anything hurt? (0 not at all, 5 very much)`.
    package static func heading(_ question: String, unit: String, hint: String) -> String {
        question + (unit.isEmpty ? "" : " (\(unit))") + (hint.isEmpty ? "" : " (\(hint))")
    }

    // MARK: Answers by lines

    package static var severalLine: String {
        tr("Type the letters or numbers of all that apply, with blanks between them, or none.")
    }
    package static let textBack = ".b"
    package static let textSkip = ".s"
    /// b and s are letters of a text, so skip and back have a dot in front.
    package static var textLine: String { tr("Type a text; \(textBack) goes back, \(textSkip) skips.") }
    package static func range(_ least: String, _ most: String) -> String { tr("A number from \(least) to \(most).") }
    package static func now(_ answer: String) -> String { tr("As it is: \(answer)") }
    package static func noAnswer(_ text: String) -> String { tr("'\(text)' is none of the answers.") }

    // MARK: Before the first question

    /// - Parameter resumes: true if answers of an interrupted interview are there.
    /// - Parameter byLines: true if the person answers with lines instead of keys.
    package static func opening(checkInOf night: SessionDate, resumes: Bool, byLines: Bool) -> String {
        (byLines
            ? tr("Night of \(Moments.date(night)). \(lines)")
            : tr(
                "Night of \(Moments.date(night)). One key answers, Enter keeps what is in brackets,\nb goes back, s skips, Ctrl-C stops.\n"
            ))
            + (resumes ? tr("Continuing where you stopped; b goes back.\n") : "")
    }

    package static func openingOfPreSleep(byLines: Bool) -> String {
        byLines ? lines : tr("One key answers, Enter leaves a question open, b goes back, s skips,\nCtrl-C stops.\n")
    }
    private static var lines: String {
        tr(
            "A line answers: the letter, the number or the words of an answer.\nAn empty line leaves an answer as it is, b goes back, s skips, Ctrl-D stops.\n"
        )
    }
    package static var resumingPreSleep: String { tr("Your earlier answers are kept; b goes back.\n") }

    // MARK: Beside answers on the command line

    /// Returns the note that answers of an interview that was stopped are still no entry.
    package static func waiting(_ count: Int, _ command: String) -> String {
        tr("Kept and not on record: \(count) of your earlier answers. To go on with them: \(command)")
    }

    // MARK: Before something is recorded

    package static func wouldRecord(_ what: String, at time: String?) -> String {
        time.map { tr("This would record: \(what) at \($0).") } ?? tr("This would record: \(what).")
    }

    /// A question, and the way to answer it.
    package typealias Asked = (question: String, how: String)

    package static var isClockRight: Asked {
        (
            tr("Look at another clock. Is the computer's clock right?"),
            tr("Type right or wrong, anything else stops:")
        )
    }

    /// - Parameter needsWord: true if the person has to type the word; false if a key is enough.
    package static func asked(_ confirmation: Confirmation, word: String, needsWord: Bool) -> Asked {
        let how = needsWord ? tr("Type the word \(word)") : tr("Type \(word) or y")
        return (Label.question(confirmation), tr("\(how), anything else stops:"))
    }

    /// Returns the choice between two passes of the same local time.
    package static func passes(_ text: String, _ earlier: Instant, _ later: Instant, _ moments: Moments) -> [String] {
        [
            tr("The clock showed \(SafeText.line(text)) twice that night:"), "  1  \(moments.dateAndClock(earlier))",
            "  2  \(moments.dateAndClock(later))",
        ]
    }

    package static var whichPass: String { tr("Type 1 or 2, anything else stops: ") }
}
