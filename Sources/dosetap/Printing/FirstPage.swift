/// What bare `dosetap` prints before anything was recorded.
enum FirstPage {
    static func lines(_ terminal: Terminal) -> [String] {
        func heading(_ text: String) -> String { terminal.paint(text, .bold) }
        return [
            "Nothing is on record yet.", "",
            heading("DoseTap records the two doses of a night and reminds you of the second."), "",
            "It writes down when each dose was taken, counts the time between them, and calls you while the window for "
                + "dose 2 is open: 150 to 240 minutes after dose 1.",
            "It gives no dose advice and is no medical device: follow your prescriber and the label. No computer is "
                + "certain to wake you: keep your alarm clock set.", "",
            heading("Before the first night"),
            "  dosetap doctor              check that reminders can reach you",
            "  dosetap regimen set --help  note what is prescribed: a dose has its amount then", "",
            heading("At night"),
            "  dosetap log dose1           dose 1 was taken: the time counts from here",
            "  dosetap                     how the night stands, and what to do next",
            "  dosetap log dose2           dose 2 was taken: the reminders end", "",
            "A dose that was taken before it was logged: dosetap log dose1 --ago 20m",
            "All commands: dosetap --help",
        ]
            + (CommandLineWords.address.isEmpty
                ? [] : ["Run each command for this record with: \(CommandLineWords.address)"])
    }
}
