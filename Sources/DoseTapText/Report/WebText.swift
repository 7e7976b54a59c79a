internal import DoseTapDomain

/// What `dosetap web` says.
public enum WebText {
    /// Where the page is, and until when.
    public static func address(_ address: String, idleMinutes: Int) -> [String] {
        [address, tr("For your browser on this machine, once. Ctrl-C ends it, or \(idleMinutes) min without a look.")]
    }

    /// Why it ended.
    public static func idle(_ minutes: Int) -> String { tr("ended: no page was loaded for \(minutes) min.") }

    /// The address is printed all the same.
    public static var notOpened: String { tr("no browser could be opened; open the address yourself.") }

    /// What the page shows.
    public static var nights: String { tr("The nights") }

    /// Below a page that is not renewed any more.
    public static var unheard: String { tr("This page hears of no more changes. Reload it, or run: dosetap web") }

    /// To who comes by an address that is none.
    public static var leadsNowhere: String { tr("This address leads nowhere, or was used already. Run: dosetap web") }

    /// In place of a page.
    public static var notMade: String { tr("The page could not be made.") }
}
