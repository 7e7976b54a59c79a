package import DoseTapDomain

/// What stands around the questions of an interview, and around those that a command asks before it records.
package enum InterviewText {
    package static let yes = "yes"
    package static let no = "no"
    package static let none = "none"
    package static let back = "back"
    package static let skipped = "skipped"
    package static let severalKeys = "Each key adds or removes one, Enter goes on."
    /// b and s are letters of a text, so other keys do their work.
    package static let lineKeys = "Enter goes on, Esc skips, Backspace goes back."

    /// `Does anything hurt? (0 not at all, 5 very much)`.
    package static func heading(_ question: String, unit: String, hint: String) -> String {
        question + (unit.isEmpty ? "" : " (\(unit))") + (hint.isEmpty ? "" : " (\(hint))")
    }

    // MARK: Answers by lines

    package static let answerLine = "Answer: "
    package static let severalLine = "Type the letters of all that apply, with blanks between them, or none."
    package static let textBack = ".b"
    package static let textSkip = ".s"
    /// b and s are letters of a text, so they have a dot.
    package static let textLine = "Type a text; \(textBack) goes back, \(textSkip) skips."
    package static func range(_ least: String, _ most: String) -> String { "A number from \(least) to \(most)." }
    package static func now(_ answer: String) -> String { "As it is: \(answer)" }
    package static func noAnswer(_ text: String) -> String { "'\(text)' is none of the answers." }

    // MARK: Before the first question

    /// - Parameter resumes: whether answers of an interview that was stopped are there.
    /// - Parameter byLines: whether lines answer, and not keys.
    package static func opening(checkInOf night: SessionDate, resumes: Bool, byLines: Bool) -> String {
        (byLines
            ? "Night of \(Moments.date(night)). \(lines)"
            : "Night of \(Moments.date(night)). One key answers, Enter keeps what is in brackets,\n"
                + "b goes back, s skips, Ctrl-C stops.\n")
            + (resumes ? "Continuing where you stopped; b goes back.\n" : "")
    }

    package static func openingOfPreSleep(byLines: Bool) -> String {
        byLines ? lines : "One key answers, Enter leaves a question open, b goes back, s skips, Ctrl-C stops.\n"
    }
    private static let lines =
        "A line answers: the letter, the number or the words of an answer.\n"
        + "An empty line leaves an answer as it is, b goes back, s skips, Ctrl-D stops.\n"
    package static let resumingPreSleep = "Your earlier answers are kept; b goes back.\n"

    // MARK: Before something is recorded

    package static func wouldRecord(_ what: String, at time: String?) -> String {
        "This would record: \(what)\(time.map { " at \($0)" } ?? "")."
    }

    package static let isClockRight =
        "Look at another clock. Is the computer's clock right? Type right or wrong, anything else stops: "

    /// - Parameter needsWord: whether the word has to be typed, or a key is enough.
    package static func asked(_ confirmation: Confirmation, word: String, needsWord: Bool) -> String {
        let how = needsWord ? "Type the word \(word)" : "Type \(word) or y"
        return "\(Label.question(confirmation)) \(how), anything else stops:"
    }

    /// Which of two passes of the same local time is meant.
    package static func passes(_ text: String, _ earlier: Instant, _ later: Instant, _ moments: Moments) -> [String] {
        [
            "The clock showed \(SafeText.line(text)) twice that night:", "  1  \(moments.dateAndClock(earlier))",
            "  2  \(moments.dateAndClock(later))",
        ]
    }

    package static let whichPass = "Type 1 or 2, anything else stops: "
}
