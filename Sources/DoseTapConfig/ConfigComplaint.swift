internal import DoseTapDomain

/// Something in the configuration that is not as it should be.
public struct ConfigComplaint: Error, Sendable, Hashable, CustomStringConvertible {
    /// The file, variable or option.
    public let source: ConfigSource
    /// Line in the file, from 1; nil for a variable, an option or the file as a whole.
    public let line: Int?
    /// Column in Unicode scalars, from 1.
    public let column: Int?
    /// The setting's key as written, where one is concerned.
    public let key: String?
    /// What is wrong, in one sentence without a full stop.
    public let message: String
    /// The nearest known key, for an unknown one.
    public let suggestion: String?

    init(
        _ source: ConfigSource, line: Int? = nil, column: Int? = nil, key: String? = nil, _ message: String,
        suggestion: String? = nil
    ) {
        self.source = source
        self.line = line
        self.column = column
        self.key = key
        self.message = message
        self.suggestion = suggestion
    }

    /// `FILE:LINE:COLUMN: KEY: message; did you mean …?`
    public var description: String {
        var text = source.description
        if let line { text += ":\(line)" }
        if let line, let column, line > 0 { text += ":\(column)" }
        text += ": "
        if let key { text += Quoted.text(key) + ": " }
        text += message
        if let suggestion { text += "; did you mean \(suggestion)?" }
        return text
    }
}

extension ConfigComplaint {
    /// Whether it is about the value of that setting and nothing else, so that setting it anew mends it.
    func isAbout(_ key: String) -> Bool { self.key == key && suggestion == nil }
}
