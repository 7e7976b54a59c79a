/// The amount of the record that a file tells (R28). The raw value is the word of the command line.
public enum ExportProfile: String, Hashable, Sendable, CaseIterable {
    /// Everything.
    case full
    /// Without notes, free text and facts about the machine; identifiers are hashed.
    case clinic
    /// Also without names and amounts of medicines, zone and dates.
    case share
    /// Counts and medians alone.
    case figures

    public var namesMedicines: Bool { self == .full || self == .clinic }
}
