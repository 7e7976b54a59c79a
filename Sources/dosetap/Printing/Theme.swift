internal import DoseTapText
internal import Glibc
internal import Synchronization

/// The colours at a terminal: the setting `display.theme`. Words beside a colour say the same as the colour.
enum Theme: String, CaseIterable {
    /// The terminal's own red, green and yellow.
    case standard
    /// Dark red alone, which spares eyes that are used to the dark.
    case night

    /// The setting's key.
    static let setting = "display.theme"

    static var ofEnvironment: Theme? { Settings.value("DOSETAP_DISPLAY_THEME").flatMap(Theme.init(rawValue:)) }

    /// The parameters of Select Graphic Rendition (ECMA-48) for a colour.
    private func code(_ colour: Page.Colour) -> String {
        switch self {
        case .standard:
            switch colour {
            case .bold: "1"
            case .dim: "2"
            case .red: "31"
            case .green: "32"
            case .yellow: "33"
            }
        case .night:
            // Bold is left out: many terminals make it bright.
            switch colour {
            case .dim: Self.darker
            case .bold, .red, .green, .yellow: Self.dark
            }
        }
    }

    /// Two of the 256 colours: 175 and 135 parts of red in 255, and nothing else.
    private static let dark = "38;5;124"
    private static let darker = "38;5;88"

    /// The parameters for text without a colour of its own; nil leaves the terminal's colour.
    private var ground: String? { self == .night ? Self.dark : nil }

    /// Returns a text in a colour. After the text the ground colour goes on.
    func painted(_ text: String, _ colour: Page.Colour) -> String {
        "\u{1B}[\(code(colour))m\(text)\u{1B}[0\(ground.map { ";" + $0 } ?? "")m"
    }

    /// Returns the whole text of one write in the ground colour.
    func toned(_ text: String) -> String {
        guard let ground, !text.isEmpty else { return text }
        // The line end stays outside, so that the next line has no part of the colour.
        let end = text.hasSuffix("\n") ? "\n" : ""
        return "\u{1B}[\(ground)m\(text.dropLast(end.count))\u{1B}[0m\(end)"
    }
}

/// The theme of a command: that of the environment, else that of the service, else the one that a settings file seems
/// to name.
final class ThemeChoice: Sendable {
    private let state = Mutex<Theme?>(nil)
    private let first: Theme

    /// - Parameter isUsed: true if anything is painted. Without colours no file is read.
    init(isUsed: Bool) {
        first = Theme.ofEnvironment ?? (isUsed && SettingsFiles.mention("night", beside: "theme") ? .night : .standard)
    }

    /// The theme in force.
    var current: Theme { state.withLock { $0 } ?? first }

    /// Takes the theme that the service tells. The environment goes before it.
    func learn(_ theme: Theme?) {
        guard let theme, Theme.ofEnvironment == nil else { return }
        state.withLock { $0 = theme }
    }
}

/// The files that may hold settings, searched for a word: for a fact that a command needs before it can ask the
/// service, or to know if it has to ask at all.
enum SettingsFiles {
    private static var paths: [String] {
        let folder = Settings.value("XDG_CONFIG_HOME") ?? Settings.value("HOME").map { $0 + "/.config" }
        return ["/etc/dosetap/config.yaml"] + (folder.map { [$0 + "/dosetap/config.yaml"] } ?? [])
    }

    /// Returns true if a line that is no comment has the word, and the other word before it. A file longer than
    /// settings can be counts as having a single word.
    static func mention(_ word: String, beside other: String? = nil) -> Bool {
        paths.contains { mentions($0, word, other) }
    }

    private static func mentions(_ path: String, _ word: String, _ other: String?) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var text = [CChar](repeating: 0, count: 65_537)
        let count = read(descriptor, &text, text.count - 1)
        guard count < text.count - 1 else { return other == nil }
        return text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return false }
            var next = strstr(start, word)
            while let found = next {
                var line = UnsafePointer(found)
                while line > start, line[-1] != newline { line -= 1 }
                let isComment = line[strspn(line, " \t")] == hash
                let isBeside = other.map { strstr(line, $0).map { UnsafePointer($0) < UnsafePointer(found) } ?? false }
                if !isComment, isBeside ?? true { return true }
                next = strstr(found + 1, word)
            }
            return false
        }
    }

    private static let newline = CChar(UInt8(ascii: "\n"))
    private static let hash = CChar(UInt8(ascii: "#"))
}
