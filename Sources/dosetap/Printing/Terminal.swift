internal import DoseTapText
internal import Glibc

/// The kinds of the streams: terminals or not, and their widths and colours.
struct Terminal: Sendable {
    /// The page that texts on stdout are written for.
    let page: Page
    /// True if a question can be asked (stderr) and answered (stdin).
    let canAsk: Bool
    /// True if the cursor cannot be moved.
    let isDumb: Bool
    /// True if colours are used (no-color.org).
    let usesColour: Bool
    /// The columns of stderr; nil if it is no terminal.
    let errorColumns: Int?
    /// True if colours are used on stderr.
    let colourErrors: Bool
    let theme: ThemeChoice

    init(plain: Bool) {
        let isOutput = isatty(STDOUT_FILENO) == 1
        canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        isDumb = Settings.value("TERM") == "dumb"
        let mayColour = !plain && !isDumb && Settings.value("NO_COLOR") == nil
        usesColour = isOutput && mayColour
        colourErrors = mayColour && isatty(STDERR_FILENO) == 1
        let textColumns = Self.columns(STDOUT_FILENO) ?? Self.chosenColumns
        let usesColour = usesColour
        let theme = ThemeChoice(isUsed: usesColour || colourErrors)
        self.theme = theme
        page = Page(
            isTerminal: isOutput, columns: textColumns ?? 80, textColumns: textColumns,
            usesUnicode: !plain && Self.writesUTF8,
            paint: { text, colour in usesColour && !text.isEmpty ? theme.current.painted(text, colour) : text },
            addressed: CommandLineWords.addressed, address: { CommandLineWords.address })
        errorColumns = Self.columns(STDERR_FILENO)
    }

    /// True if the locale has letters beyond ASCII.
    static var writesUTF8: Bool {
        let locale = Settings.value("LC_ALL") ?? Settings.value("LC_CTYPE") ?? Settings.value("LANG") ?? ""
        return locale.lowercased().contains("utf")
    }

    /// True if one of the streams has colours.
    var paints: Bool { usesColour || colourErrors }
    /// True if stdout is a terminal.
    var isOutput: Bool { page.isTerminal }
    /// The columns of stdout.
    var columns: Int { page.columns }

    /// Returns the width of a terminal; nil for anything else.
    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1 else { return nil }
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return chosenColumns ?? 80 }
        return max(20, Int(size.ws_col))
    }

    private static var chosenColumns: Int? {
        Settings.value("COLUMNS").flatMap { Int($0) }.map { min(1_000, max(20, $0)) }
    }

    func paint(_ text: String, _ colour: Page.Colour) -> String { page.paint(text, colour) }

    /// Returns a text for stderr in a colour.
    func paintError(_ text: String, _ colour: Page.Colour) -> String {
        colourErrors && !text.isEmpty ? theme.current.painted(text, colour) : text
    }

    /// Gives all text to a terminal the colours of the theme from now on.
    func tone() { Output.tone(theme, output: usesColour, errors: colourErrors) }

    /// Returns lines for stdout: broken at words, ids dim.
    func fitted(_ lines: [String]) -> [String] {
        let broken = page.textColumns.map { columns in lines.flatMap { SafeText.fit($0, columns: columns) } } ?? lines
        return usesColour ? broken.map { Identifiers.dim($0, self) } : broken
    }

    /// Returns a text for stderr, broken at words.
    func fittedErrors(_ text: String) -> String {
        guard let errorColumns else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { SafeText.fit(String($0), columns: errorColumns) }.joined(separator: "\n")
    }

    /// Returns a question for stderr, in one line with the way to answer it. If that is too long, a line of its own
    /// ends the question: a braille display shows the line of the cursor alone, and the end of a broken sentence says
    /// nothing.
    ///
    /// - Parameter last: the last line of a question that is too long.
    func fittedQuestion(_ question: String, _ how: String, orLast last: String) -> String {
        let together = fittedErrors("\(question) \(how)")
        return together.contains("\n") ? fittedErrors("\(question)\n\(last)") : together
    }
}

/// Finds ids in text and dims them, so that they do not stand in the way of the words.
enum Identifiers {
    /// Returns the line with its ids dim.
    static func dim(_ line: String, _ terminal: Terminal) -> String {
        guard line.contains("-") else { return line }
        return line.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let id = word.prefix(36)
            return isIdentifier(id) ? terminal.paint(String(id), .dim) + word.dropFirst(36) : String(word)
        }.joined(separator: " ")
    }

    /// Returns true if a text is a UUID, as ids are written.
    private static func isIdentifier(_ text: Substring) -> Bool {
        guard text.utf8.count == 36 else { return false }
        return text.utf8.enumerated().allSatisfy { place, byte in
            switch byte {
            case UInt8(ascii: "-"): [8, 13, 18, 23].contains(place)
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"):
                ![8, 13, 18, 23].contains(place)
            default: false
            }
        }
    }
}
