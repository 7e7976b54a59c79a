package import DoseTapDomain

/// What is spoken, what hooks get as text, and what the machine says for why it does not sleep: neutral words that may
/// be heard or read by anybody. Those of the reminders themselves are in `ReminderText`.
package enum SpokenText {
    package static let test = "This is a test. No reminder is due."
    /// Says what somebody else can do, and nothing about why.
    package static let partner = "An alarm was not answered. Please look in."

    /// What hooks get of an event that is no reminder.
    package static func recorded(_ type: EventType) -> String {
        "Recorded: \(String(type.rawValue.map { $0 == "_" ? " " : $0 }))."
    }

    /// Why the machine does not sleep until the alarm.
    package static func awake(alarm: Instant, _ moments: Moments) -> String {
        "Dose 2 is due at \(moments.clock(alarm))"
    }

    /// Why it does not sleep after it.
    package static func awake(closes: Instant, _ moments: Moments) -> String {
        "Dose 2 is due until \(moments.clock(closes))"
    }

    package static let wakesMachine = "Wakes the machine for a reminder of DoseTap"
    package static let wokeMachine = "DoseTap woke the machine"
}
