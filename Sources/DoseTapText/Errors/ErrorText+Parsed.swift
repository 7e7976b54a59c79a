internal import DoseTapDomain

extension ErrorText {
    /// Returns the message of swift-argument-parser about an unreadable line, in the person's language.
    public static func parsed(_ message: String) -> String {
        let parts = message.split(separator: "'", omittingEmptySubsequences: false).map(String.init)
        switch (parts[0], parts.count) {
        case ("Missing expected argument ", 3): return tr("Missing expected argument '\(parts[1])'")
        case ("Missing value for ", 3): return tr("Missing value for '\(parts[1])'")
        case ("Unexpected argument ", 3): return tr("Unexpected argument '\(parts[1])'")
        case ("Unknown option ", 3): return tr("Unknown option '\(parts[1])'")
        case ("Unknown option ", 5): return tr("Unknown option '\(parts[1])'. Did you mean '\(parts[3])'?")
        case ("The value ", 5): return tr("The value '\(parts[1])' is invalid for '\(parts[3])'")
        default: break
        }
        let several = message.split(separator: " unexpected arguments: ", maxSplits: 1).map(String.init)
        guard several.count == 2, Int(several[0]) != nil else { return message }
        return tr("\(several[0]) unexpected arguments: \(several[1])")
    }
}
