/// A place in the source: the fields `CODE_FILE`, `CODE_LINE` and `CODE_FUNC`.
public struct JournalLocation: Sendable, Hashable {
    /// File as `#fileID` gives it: module and file name, no path of the build machine.
    public let file: String
    /// Line, from 1.
    public let line: UInt
    /// Function.
    public let function: String

    /// Makes a location.
    public init(file: String, line: UInt, function: String) {
        self.file = file
        self.line = line
        self.function = function
    }
}
