internal import DoseTapDomain

/// What stands before a command on a line of its own. Such a line is copied as a whole, so it is never broken.
package enum CommandLead {
    package static let next = "Next: "
    package static let attempt = "Try: "
    package static let olderNights = "Older nights: "
    /// Before the command that records it all the same.
    package static let unlessWrong = "Only if "

    /// Before the next step of a night.
    static func of(_ moment: NextStep.Moment) -> String {
        switch moment {
        case .now: next
        case .onceTaken: "Once it is taken: "
        case .inTheMorning: "In the morning: "
        }
    }

    /// Whether a line is one of these.
    static func begins(_ line: some StringProtocol) -> Bool {
        [next, of(.onceTaken), of(.inTheMorning), attempt, unlessWrong, olderNights, "dosetap "].contains {
            line.hasPrefix($0)
        }
    }
}
