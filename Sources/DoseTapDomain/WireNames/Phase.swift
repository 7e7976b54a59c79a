/// Where a night stands with respect to its second dose; the raw value is the wire word (R3).
public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The final wake is recorded, the check-in is not.
    case finalizing
    /// Nothing more is expected: checked in, or dose 2 taken or skipped, or a once-nightly dose taken.
    case completed
    /// No dose 1 stands.
    case noDose1 = "no_dose1"
    /// Less than 150 minutes since dose 1.
    case beforeWindow = "before_window"
    /// 240 minutes or more since dose 1.
    case closed
    /// Fifteen minutes or less are left.
    case nearClose = "near_close"
    /// The window is open and more than fifteen minutes are left.
    case active
}
