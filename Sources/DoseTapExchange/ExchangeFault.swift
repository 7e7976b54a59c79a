/// The reason why a stream cannot be turned into a format.
package struct ExchangeFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The part that is at fault; the raw value is the exit code.
    package enum Kind: Int32, Hashable, Sendable {
        /// The request cannot be fulfilled.
        case usage = 64
        /// The stream is cut or malformed.
        case stream = 65
        /// The output cannot be written.
        case output = 74
    }

    package let kind: Kind
    /// The line of the stream, from 1; 0 if the fault is in no line.
    package let line: Int
    /// The fault in one sentence.
    package let message: String

    package init(_ kind: Kind, line: Int = 0, _ message: String) {
        self.kind = kind
        self.line = line
        self.message = message
    }

    /// The sentence, with the line in front if there is one.
    package var description: String { line > 0 ? "Line \(line): \(message)" : message }
}
