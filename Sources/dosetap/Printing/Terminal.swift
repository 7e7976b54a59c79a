internal import Glibc

/// What the streams are connected to.
struct Terminal: Sendable {
    /// Whether stdout is a terminal.
    let isOutput: Bool
    /// Whether a question can be asked (stderr) and answered (stdin).
    let canAsk: Bool
    /// Whether to use colours (no-color.org).
    let usesColour: Bool
    /// Whether letters beyond ASCII may be used for drawing.
    let usesUnicode: Bool
    /// Columns of stdout.
    let columns: Int
    /// Columns at which text on stdout is broken; nil off a terminal, where whoever reads it breaks it.
    let textColumns: Int?
    /// As ``textColumns`` of stderr.
    let errorColumns: Int?
    /// Whether to use colours on stderr.
    let colourErrors: Bool

    init(plain: Bool) {
        isOutput = isatty(STDOUT_FILENO) == 1
        canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        let isDumb = Settings.value("TERM") == "dumb"
        let mayColour = !plain && !isDumb && Settings.value("NO_COLOR") == nil
        usesColour = isOutput && mayColour
        colourErrors = mayColour && isatty(STDERR_FILENO) == 1
        let locale = Settings.value("LC_ALL") ?? Settings.value("LC_CTYPE") ?? Settings.value("LANG") ?? ""
        usesUnicode = !plain && locale.lowercased().contains("utf")
        textColumns = Self.columns(STDOUT_FILENO) ?? Self.chosenColumns
        errorColumns = Self.columns(STDERR_FILENO)
        columns = textColumns ?? 80
    }

    /// The width of a terminal; nil for anything else.
    private static func columns(_ descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1 else { return nil }
        guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return chosenColumns ?? 80 }
        return max(20, Int(size.ws_col))
    }

    private static var chosenColumns: Int? {
        Settings.value("COLUMNS").flatMap { Int($0) }.map { min(1_000, max(20, $0)) }
    }

    /// The colours used, few and only for what matters at night.
    enum Colour: String, Sendable {
        case bold = "1"
        case dim = "2"
        case red = "31"
        case green = "32"
        case yellow = "33"
    }

    /// A text in a colour.
    func paint(_ text: String, _ colour: Colour) -> String {
        usesColour && !text.isEmpty ? Self.painted(text, colour) : text
    }

    /// A text for stderr in a colour.
    func paintError(_ text: String, _ colour: Colour) -> String {
        colourErrors && !text.isEmpty ? Self.painted(text, colour) : text
    }

    private static func painted(_ text: String, _ colour: Colour) -> String {
        "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m"
    }

    /// Lines as they go to stdout: broken at words, ids dim.
    func fitted(_ lines: [String]) -> [String] {
        let broken = textColumns.map { columns in lines.flatMap { SafeText.fit($0, columns: columns) } } ?? lines
        return usesColour ? broken.map { Identifiers.dim($0, self) } : broken
    }

    /// Lines as they go to stderr.
    func fittedErrors(_ text: String) -> String {
        guard let errorColumns else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false)
            .flatMap { SafeText.fit(String($0), columns: errorColumns) }.joined(separator: "\n")
    }
}
