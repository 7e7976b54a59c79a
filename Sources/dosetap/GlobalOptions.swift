internal import ArgumentParser

/// The options before or after every verb. `DOSETAP_…` variables mirror them.
struct GlobalOptions: ParsableArguments, Sendable {
    @Flag(name: .customLong("json"), help: "Print one JSON object on standard output, also for an error.")
    var json = false

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp("Read and show local times in this zone.", valueName: "zone"))
    var timeZone: String?

    @Option(
        name: .customLong("bus"),
        help: ArgumentHelp("The bus of the service: auto, session, system or none.", valueName: "bus"),
        completion: Completions.of(Context.Bus.self))
    var bus: String?

    @Option(
        name: .customLong("store"), help: ArgumentHelp("With --bus none: the store to use.", valueName: "path"))
    var store: String?

    @Flag(name: .customLong("plain"), help: "Print plain text, no colours or drawing; questions are answered by lines.")
    var plain = false

    @Flag(name: .customLong("quiet"), help: "Print only the result and errors.")
    var quiet = false

    var choices: GlobalChoices {
        GlobalChoices(json: json, timeZone: timeZone, bus: bus, store: store, plain: plain, quiet: quiet)
    }
}

/// The chosen values of the options that every verb has.
struct GlobalChoices: Hashable, Sendable {
    var json: Bool
    var timeZone: String?
    var bus: String?
    var store: String?
    var plain: Bool
    var quiet: Bool

    /// The flags, and the options that take a value, by their names on the command line.
    static let flags = ["--json", "--plain", "--quiet"]
    static let options = ["--time-zone", "--bus", "--store"]
}

/// A verb of the command line. The options that every verb has are resolved once for it.
protocol Verb: ParsableCommand, Sendable {
    var global: GlobalOptions { get }
    func perform(_ context: Context) throws
}

extension Verb {
    mutating func run() throws { try perform(try Context(global.choices)) }
}
