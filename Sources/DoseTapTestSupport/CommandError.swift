/// A program of the test bed failed.
public struct CommandError: Error, CustomStringConvertible {
    /// What was run, how it ended, and what it said.
    public let description: String
}
