internal import DoseTapDomain
internal import Glibc
internal import Synchronization

/// Writes to the two streams, unbuffered: a printed line is out at once.
enum Output {
    /// The colours of each stream; nil for a stream without colours.
    private static let tones = Mutex<(output: ThemeChoice?, errors: ThemeChoice?)>((nil, nil))

    /// Gives the text on painted streams the ground colour of the theme from now on.
    static func tone(_ theme: ThemeChoice, output: Bool, errors: Bool) {
        tones.withLock { $0 = (output ? theme : nil, errors ? theme : nil) }
    }

    /// Prints a text and a line end on stdout.
    ///
    /// - Parameter code: the exit code if the text cannot be written.
    /// - Returns: false if nobody reads any more.
    @discardableResult
    static func print(_ text: String, orExit code: Int32 = 1) -> Bool {
        write(text.hasSuffix("\n") ? text : text + "\n", to: STDOUT_FILENO, orExit: code)
    }

    /// Prints a text on stdout as it is.
    @discardableResult
    static func put(_ text: String) -> Bool { write(text, to: STDOUT_FILENO) }

    /// Prints a text and a line end on stderr.
    static func complain(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Prints a text on stderr as it is.
    static func ask(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Ends the program: an answer that cannot be written is no success. The end of a reader does not come here.
    private static func giveUp(_ number: Int32, _ code: Int32) -> Never {
        complain(
            tr(
                "dosetap: The answer cannot be written: \(String(cString: strerror(number))). What is on record: dosetap status"
            ))
        exit(code)
    }

    @discardableResult
    private static func write(_ text: String, to descriptor: Int32, orExit code: Int32 = 1) -> Bool {
        let tone = tones.withLock { descriptor == STDOUT_FILENO ? $0.output : $0.errors }
        var text = tone?.current.toned(text) ?? text
        return text.withUTF8 { bytes in
            var written = 0
            while written < bytes.count {
                let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written)
                if count < 0 {
                    if errno == EINTR { continue }
                    if descriptor == STDOUT_FILENO, errno != EPIPE { giveUp(errno, code) }
                    return false
                }
                written += count
            }
            return true
        }
    }
}
