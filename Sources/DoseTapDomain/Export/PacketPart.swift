/// The parts that a packet for a clinician tells beyond the profile `clinic` (R33). The raw value is the word of the
/// command line.
public enum PacketPart: String, Hashable, Sendable, CaseIterable {
    /// The person's notes and free text.
    case notes
    /// Medicines other than those of the night.
    case medicines
    /// Questions to the record, and the answers of the lab.
    case lab
}

/// The files of a packet, by their names.
public enum PacketFile: String, Hashable, Sendable, CaseIterable {
    case readMe = "READ-ME.txt"
    case summary = "summary.html"
    case printed = "summary.pdf"
    case nights = "nights.csv"
    case doses = "doses.csv"
    case bundle = "bundle.fhir.json"
    case lab = "lab.txt"
    case manifest = "manifest.json"
    case sums = "SHA256SUMS"
    case signature = "SHA256SUMS.sig"
    case signer = "signer.pub"
}
