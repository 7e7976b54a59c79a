internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `show`: one night with all its entries.
struct ShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "A night with all its entries and corrections.",
        discussion: """
            NIGHT is a date, today, yesterday, or the id of a night or an entry.

            Example: dosetap show yesterday
            """)

    @Argument(help: ArgumentHelp("YYYY-MM-DD, today, yesterday or an id.", valueName: "night"))
    var night: String

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        guard !night.isEmpty, night.utf8.count <= 64 else {
            throw Failure.usage("A night is a date or an id.", hint: "dosetap history")
        }
        let zone = context.zone()
        let name = night.lowercased()
        let shown = try ServiceLink.run(context) { client in
            let found = try await client.shown(try await NightName.resolved(name, client, context, zone))
            guard !found.isEmpty else {
                throw ServiceError(.notFound, "There is no night or entry '\(name)'.", hint: "dosetap history")
            }
            return found
        }
        context.report(
            shown.json,
            text: shown.nights.flatMap {
                NightText.lines($0, context.moments(zoneNamed: $0.summary.timeZone), context)
            } + NightText.loose(shown.preSleep, context))
    }
}
