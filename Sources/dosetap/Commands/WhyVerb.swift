internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `why ID`: one event of the log explained.
struct WhyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain one event: who asked, by which rules, and what came of it.",
        discussion: """
            ID names an entry as with amend (dose1, last, the end of an id), or is the
            id of a correction or any other event of the log, or its first eight or
            more characters. 'dosetap show' prints ids.

            Example: dosetap why dose2
            """)

    @Argument(help: ArgumentHelp("The event.", valueName: "id"), completion: Completions.entries) var id: [String]

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let name = try EntryName.text(id, "why")
        let explanation = try ServiceLink.run(context) { client in try await client.why(name) }
        context.report(
            explanation.json,
            text: WhyText.lines(explanation, context.moments(zoneNamed: explanation.timeZone), context))
    }
}
