/// What a receipt of a dangerous entry says beside it (R20.18).
extension Receipt {
    /// A dose too early or too many.
    public var isDangerous: Bool {
        metadata["is_early"]?.boolValue == true || type == DoseKind.extra.rawValue
    }

    /// Where help is; what to do is theirs to say.
    public static let help =
        "Help: the emergency number (112, 911), a poison centre, your pharmacist or prescriber."
}
