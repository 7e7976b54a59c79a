internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain

/// `metrics`: figures for whoever watches machines.
struct MetricsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Print the metrics of the service in OpenMetrics format.",
        discussion: """
            The metrics are times of the night, counts and the state of the plugins. They
            hold no names, amounts or notes. For a collector that reads text files, write
            to a temporary file and rename it.

            Example: dosetap metrics > dosetap.prom.new && mv dosetap.prom.new dosetap.prom
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let text = try ServiceLink.run(context) { client in try await client.call(Contract.Service.metrics, ()) }
        if context.json {
            Output.print(JSONValue.object(["text": .string(text)]).serialized())
        } else {
            Output.put(text)
        }
    }
}
