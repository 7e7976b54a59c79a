/// What `dosetap web` says.
public enum WebText {
    /// Where the page is, and until when.
    public static func address(_ address: String, idleMinutes: Int) -> [String] {
        [address, "For your browser on this machine, once. Ctrl-C ends it, or \(idleMinutes) min without a look."]
    }

    /// Why it ended.
    public static func idle(_ minutes: Int) -> String { "ended: no page was loaded for \(minutes) min." }

    /// The address is printed all the same.
    public static let notOpened = "no browser could be opened; open the address yourself."

    /// In place of a page.
    public static let notMade = "The page could not be made."
}
