/// A typed question the person has to answer before an entry is recorded; each lifts only itself (R4).
public enum Confirmation: String, Hashable, Sendable, CaseIterable {
    case early
    case late
    case afterSkip = "after_skip"
    case afterWake = "after_wake"
    case extra
    case extraUnderstood = "extra_understood"
    case overLimit = "over_limit"
    case onceNightly = "once_nightly"
    case longAgo = "long_ago"
    case duplicate
    case windowUnresolved = "window_unresolved"
    case clockSuspect = "clock_suspect"
    case nightBegun = "night_begun"
    case undoDose = "undo_dose"
}
