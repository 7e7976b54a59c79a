internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `metrics`: figures for whoever watches machines.
struct MetricsVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "metrics", abstract: "Metrics of the service in OpenMetrics format.",
        discussion: """
            Times of the night, counts and the state of the plugins; no names, amounts
            or notes. For a collector of text files write to another name first, then
            rename.

            Example: dosetap metrics > dosetap.prom.new && mv dosetap.prom.new dosetap.prom
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let text = try ServiceLink.run(context) { client in try await client.metrics() }
        if context.json {
            Output.print(JSONValue.object(["text": .string(text)]).serialized())
        } else {
            Output.put(text)
        }
    }
}
