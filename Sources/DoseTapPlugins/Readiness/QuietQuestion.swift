/// Do-not-disturb, asked with the desktop's own program where its notification server tells it by no property.
enum QuietQuestion {
    /// What is to be asked where a server calls itself so; nil for servers that are not known.
    static func of(_ title: String) -> ProgramQuestion<Bool>? {
        let title = title.lowercased()
        return all.first { title.hasPrefix($0.server) }?.question
    }

    /// By the beginning of a server's name.
    private static let all: [(server: String, question: ProgramQuestion<Bool>)] = [
        (
            "gnome-shell",
            ProgramQuestion(
                program: "gsettings", lines: [["get", "org.gnome.desktop.notifications", "show-banners"]]
            ) { flag($0).map { !$0 } }
        ),
        (
            "xfce",
            ProgramQuestion(
                program: "xfconf-query", lines: [["-c", "xfce4-notifyd", "-p", "/do-not-disturb"]], read: flag)
        ),
        ("sway", ProgramQuestion(program: "swaync-client", lines: [["--get-dnd"]], read: flag)),
        // The modes that are on, a line each.
        (
            "mako",
            ProgramQuestion(program: "makoctl", lines: [["mode"]]) { modes in
                let words = modes.split(whereSeparator: \.isWhitespace)
                return words.isEmpty ? nil : words.contains("do-not-disturb")
            }
        ),
    ]

    /// `true` or `false`, alone.
    private static func flag(_ text: String) -> Bool? {
        switch text.split(whereSeparator: \.isWhitespace) {
        case ["true"]: true
        case ["false"]: false
        default: nil
        }
    }
}
