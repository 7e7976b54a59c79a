internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `why ID`: one event of the log explained.
struct WhyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain one event: who asked, by which rules, and what came of it.",
        discussion: """
            ID is the id of an entry, a correction or any other event of the log,
            or its first eight or more characters. 'dosetap show' prints ids.

            Example: dosetap why 019a2f6e-4c1b-7d3a-9e55-6b1f0c2d3e4f
            """)

    @Argument(help: ArgumentHelp("The event.", valueName: "id"), completion: Completions.entries) var id: String

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        guard !id.isEmpty, id.utf8.count <= 64 else {
            throw Failure.usage("An id has up to 36 characters.", hint: "dosetap show last")
        }
        let explanation = try ServiceLink.run(context) { client in try await client.why(id) }
        context.report(
            explanation.json,
            text: WhyText.lines(explanation, context.moments(zoneNamed: explanation.timeZone), context))
    }
}
