internal import ArgumentParser

/// What may stand before or after every verb; `DOSETAP_…` variables mirror it.
struct GlobalOptions: ParsableArguments, Sendable {
    @Flag(name: .customLong("json"), help: "One JSON object on stdout, also for errors.")
    var json = false

    @Option(
        name: .customLong("time-zone"),
        help: ArgumentHelp("Read and show local times in this zone.", valueName: "zone"))
    var timeZone: String?

    @Option(
        name: .customLong("bus"),
        help: ArgumentHelp("Where the service is: auto, session, system or none.", valueName: "bus"),
        completion: Completions.of(Context.Bus.self))
    var bus: String?

    @Option(
        name: .customLong("store"), help: ArgumentHelp("With --bus none: the store to use.", valueName: "path"))
    var store: String?

    @Flag(name: .customLong("plain"), help: "No colours, no questions, ASCII only.")
    var plain = false

    @Flag(name: .customLong("quiet"), help: "Only what was asked for and errors.")
    var quiet = false

    /// As given.
    var choices: GlobalChoices {
        GlobalChoices(json: json, timeZone: timeZone, bus: bus, store: store, plain: plain, quiet: quiet)
    }
}
