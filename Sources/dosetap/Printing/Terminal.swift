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

    init(plain: Bool) {
        isOutput = isatty(STDOUT_FILENO) == 1
        canAsk = isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1
        let isDumb = Settings.value("TERM") == "dumb"
        usesColour = isOutput && !plain && !isDumb && Settings.value("NO_COLOR") == nil
        let locale = Settings.value("LC_ALL") ?? Settings.value("LC_CTYPE") ?? Settings.value("LANG") ?? ""
        usesUnicode = !plain && locale.lowercased().contains("utf")
        columns = Self.columns(isOutput: isOutput)
    }

    private static func columns(isOutput: Bool) -> Int {
        var size = winsize()
        if isOutput, ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 {
            return max(20, Int(size.ws_col))
        }
        return Settings.value("COLUMNS").flatMap { Int($0) }.map { min(1_000, max(20, $0)) } ?? 80
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
        usesColour ? "\u{1B}[\(colour.rawValue)m\(text)\u{1B}[0m" : text
    }
}
