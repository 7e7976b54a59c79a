public import DoseTapDomain
internal import DoseTapEngine

/// What a person wants of the alarm's ladder.
public struct AlarmPreferences: Hashable, Sendable {
    /// Which rungs, and when.
    public var ladder = AlarmLadder.standard
    /// The program that plays the tone, a name or a path; empty: the first that is found.
    public var player = ""
    /// What is spoken, and what hooks are given as text.
    public var text = Self.neutralText
    /// What the partner's hooks are given as text.
    public var partnerText = Self.neutralPartnerText

    /// Says nothing about what it is time for.
    public static let neutralText = "It is time. Look at the screen."

    /// Says why nothing more is said: the clocks leave doubt how long dose 1 is ago.
    public static let doubtfulText = "The computer's clock may be wrong. Look at the screen."

    /// Says what somebody else can do, and nothing about why.
    public static let neutralPartnerText = "An alarm was not answered. Please look in."

    /// The usual.
    public init() {}

    /// What is said with a reminder: in doubt not the person's own words, which may say to take it.
    func words(_ due: Deadline) -> String { due.isCertain ? text : Self.doubtfulText }
}
