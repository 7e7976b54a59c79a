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
/// service, or to know if it has to ask at all. They are read once.
enum SettingsFiles {
    private enum Content {
        /// The bytes, ended by a zero.
        case text([CChar])
        /// More than settings can be.
        case tooLong
    }

    /// The machine's file, then the person's.
    private static let contents: [Content] = {
        let folder = Settings.value("XDG_CONFIG_HOME") ?? Settings.value("HOME").map { $0 + "/.config" }
        let paths = ["/etc/dosetap/config.yaml"] + (folder.map { [$0 + "/dosetap/config.yaml"] } ?? [])
        return paths.compactMap { SettingsFiles.content($0) }
    }()

    private static func content(_ path: String) -> Content? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var text = [CChar](repeating: 0, count: 65_537)
        let count = read(descriptor, &text, text.count - 1)
        return count < text.count - 1 ? .text(Array(text.prefix(max(0, count) + 1))) : .tooLong
    }

    /// Returns true if a line that is no comment has the word, and the other word before it. A file longer than
    /// settings can be counts as having a single word.
    static func mention(_ word: String, beside other: String? = nil) -> Bool {
        contents.contains { content in
            switch content {
            case .tooLong: other == nil
            case .text(let text):
                finds(word, in: text) { line, found in
                    other.map { strstr(line, $0).map { UnsafePointer($0) < found } ?? false } ?? true
                }
            }
        }
    }

    /// Returns the word of a key, as in `key: word`: the last one of the person's file, else of the machine's. Nil where no file
    /// seems to have the key.
    static func word(of key: String) -> String? {
        for case .text(let text) in contents.reversed() {
            var word: String?
            _ = finds(key, in: text) { line, found in
                let isKey = found == line || strchr(" \t{,\"'", Int32(found[-1])) != nil
                let end = found + key.utf8.count
                let colon = end + strspn(end, "\"' \t")
                guard isKey, strcspn(line, "#") > found - line, colon.pointee == Self.colon else { return false }
                let value = colon + 1 + strspn(colon + 1, "\"' \t")
                let bytes = UnsafeRawBufferPointer(start: value, count: strcspn(value, "\"' \t\r\n,}#"))
                word = String(decoding: bytes, as: UTF8.self)
                return false
            }
            if let word { return word }
        }
        return nil
    }

    /// Returns true if a word stands in a line that is no comment, at a place that fits.
    ///
    /// - Parameter fits: judges a place by the beginning of its line and by its own.
    private static func finds(
        _ word: String, in text: [CChar], _ fits: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Bool
    ) -> Bool {
        text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return false }
            var next = strstr(start, word)
            while let found = next {
                var line = UnsafePointer(found)
                while line > start, line[-1] != newline { line -= 1 }
                if line[strspn(line, " \t")] != hash, fits(line, UnsafePointer(found)) { return true }
                next = strstr(found + 1, word)
            }
            return false
        }
    }

    private static let newline = CChar(UInt8(ascii: "\n"))
    private static let hash = CChar(UInt8(ascii: "#"))
    private static let colon = CChar(UInt8(ascii: ":"))
}
