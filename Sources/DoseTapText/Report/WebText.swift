internal import DoseTapDomain

/// The text of `dosetap web`.
public enum WebText {
    /// Returns the address of the page, and its end.
    public static func address(_ address: String, idleMinutes: Int) -> [String] {
        [address, tr("For your browser on this machine, once. Ctrl-C ends it, or \(idleMinutes) min without a look.")]
    }

    /// Returns the reason why the server ended.
    public static func idle(_ minutes: Int) -> String { tr("ended: no page was loaded for \(minutes) min.") }

    /// The line after the address if no browser could be opened.
    public static var notOpened: String { tr("no browser could be opened; open the address yourself.") }

    /// The name of the report in the page.
    public static var nights: String { tr("The nights") }

    /// The line over a page that receives no more changes.
    public static var unheard: String { tr("This page hears of no more changes. Reload it, or run: dosetap web") }

    /// The answer to an unknown address.
    public static var leadsNowhere: String { tr("This address leads nowhere, or was used already. Run: dosetap web") }

    /// The answer in place of a page that could not be made.
    public static var notMade: String { tr("The page could not be made.") }
}
