/// What a receipt of a dangerous entry says beside it (R20.18).
extension Receipt {
    /// A dose too early or too many, recorded or moved so; a dose 1 was asked about where another night has doses near it.
    public var isDangerous: Bool {
        let asked: [JSONValue] = [Confirmation.early, .extra].map { .string($0.rawValue) }
        return ["is_early", "is_extra_dose"].contains { metadata[$0]?.boolValue == true }
            || type == DoseKind.extra.rawValue
            || metadata["confirmed"]?.arrayValue?.contains(where: asked.contains) == true
    }

    /// Where help is; what to do is theirs to say.
    public static let help =
        "Help: the emergency number (112, 911), a poison centre, your pharmacist or prescriber."
}
