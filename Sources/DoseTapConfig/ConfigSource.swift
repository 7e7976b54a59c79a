/// Where a value came from, weakest first.
public enum ConfigSource: Sendable, Hashable, CustomStringConvertible {
    /// Built in.
    case builtIn
    /// The machine's file, with its path.
    case systemFile(String)
    /// The person's file, with its path.
    case userFile(String)
    /// An environment variable, with its name.
    case environment(String)
    /// An option of the command line, with its name.
    case flag(String)

    /// For people: the file, variable or option.
    public var description: String {
        switch self {
        case .builtIn: "default"
        case .systemFile(let path), .userFile(let path): path
        case .environment(let name): "environment " + name
        case .flag(let name): "option " + name
        }
    }
}
