/// Why a stream cannot be turned into a format.
package struct ExchangeFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whose fault it is; the raw value is the exit code.
    package enum Kind: Int32, Hashable, Sendable {
        /// What was asked for cannot be.
        case usage = 64
        /// The stream is cut or wrong.
        case stream = 65
        /// The output cannot be written.
        case output = 74
    }

    /// Whose fault it is.
    package let kind: Kind
    /// The line of the stream, from 1; 0 where it is about none.
    package let line: Int
    /// What is wrong, one sentence.
    package let message: String

    package init(_ kind: Kind, line: Int = 0, _ message: String) {
        self.kind = kind
        self.line = line
        self.message = message
    }

    /// The sentence with its line.
    package var description: String { line > 0 ? "Line \(line): \(message)" : message }
}
