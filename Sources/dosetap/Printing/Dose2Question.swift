internal import DoseTapDomain

/// What is asked in the morning about a dose 2 that nobody recorded: whether the person had it, and how either is
/// recorded. What may still be done is no part of it.
enum Dose2Question {
    /// - Parameter closed: when its window closed: a skip that nobody noted counts from then.
    static func lines(closed: Instant?, _ moments: Moments) -> [String] {
        let at = closed.map { CommandLineWords.quoted(moments.typedToTheMinute($0)) } ?? "TIME"
        return [
            "Did you have dose 2 in the night? Nothing is recorded of it.",
            CommandLineWords.addressed("If you did, with its time: dosetap log dose2 --at TIME"),
            CommandLineWords.addressed("If you did not: dosetap skip --at \(at)"),
        ]
    }

    /// For a night that is over, or the one that is shown; empty where dose 2 is known or its time is not over.
    static func lines(_ status: NightStatus, _ moments: Moments) -> [String] {
        // Of another moment nothing is asked: one ahead is not yet.
        guard status.next != nil, status.isCertain else { return [] }
        if status.outcome == .notRecorded { return lines(closed: status.windowCloses, moments) }
        guard status.dose1 == nil, let night = status.previous, night.outcome == .notRecorded,
            night.end.map({ status.at <= $0 + .hours(24) }) ?? true
        else { return [] }
        return lines(closed: night.dose1.map { $0 + DoseWindow.closes }, moments)
    }
}
