internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `why ID`: one event of the log explained.
struct WhyVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "why", abstract: "Explain one event: who asked, which rules decided, what followed.",
        discussion: """
            ID names an entry in the same way as for amend (dose1, last, the end of an
            id), or is the id of any event of the log, or the first eight or more
            characters of such an id. 'dosetap show' prints ids.

            Example: dosetap why dose2
            """)

    @Argument(help: ArgumentHelp("The event.", valueName: "id"), completion: Completions.entries) var id: [String]

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let name = try EntryName.text(id, "why")
        let explanation = try ServiceLink.run(context) { client in try await client.why(name) }
        context.report(
            explanation.json,
            text: WhyText.lines(
                explanation, context.moments(zoneNamed: explanation.timeZone), context.terminal.page))
    }
}
