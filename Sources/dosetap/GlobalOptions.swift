internal import ArgumentParser

/// What may stand before or after every verb; `DOSETAP_…` variables mirror it.
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

    @Flag(name: .customLong("plain"), help: "Print ASCII without colours, and ask no questions.")
    var plain = false

    @Flag(name: .customLong("quiet"), help: "Print only the result and errors.")
    var quiet = false

    /// As given.
    var choices: GlobalChoices {
        GlobalChoices(json: json, timeZone: timeZone, bus: bus, store: store, plain: plain, quiet: quiet)
    }
}
