/// How a person reads a clock.
public enum ClockStyle: String, CaseIterable, Sendable {
    /// `22:30`.
    case hours24 = "24h"
    /// `10:30 PM`.
    case hours12 = "12h"

    /// The style of a locale such as `en_US.UTF-8`; 24 hours where the name says nothing of it.
    public init(locale: some StringProtocol) {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        let parts = name.split(separator: "_", maxSplits: 1)
        guard parts.count == 2, !Self.exceptions.contains(String(name)) else {
            self = .hours24
            return
        }
        self = Self.territories.contains(String(parts[1])) ? .hours12 : .hours24
    }

    // Territories whose clocks are read in twelve hours, as the Unicode CLDR lists them; Canada without French.
    private static var exceptions: [String] { ["fr_CA"] }
    private static var territories: [String] {
        [
            "AE", "AU", "BD", "BH", "CA", "CO", "DO", "EG", "GH", "IN", "IQ", "JO", "KR", "KW", "LB", "MX", "MY", "NZ",
            "OM", "PA", "PH", "PK", "PR", "QA", "SA", "SD", "SG", "SY", "US", "VE", "YE",
        ]
    }
}
