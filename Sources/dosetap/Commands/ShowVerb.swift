internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `show`: one night with all its entries.
struct ShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print a night with all its entries and corrections.",
        discussion: """
            NIGHT is a date (2026-01-14, 12 Nov, Mon), tonight, yesterday, last (the
            default), or the id of a night. The date of a night is the date of its
            evening; last is the newest recorded night. If NIGHT names an entry in the
            same way as for amend, its original and its corrections are printed.

            Example: dosetap show last
            """)

    @Argument(
        help: ArgumentHelp(
            "YYYY-MM-DD, tonight, yesterday, last, or the id of a night or an entry.", valueName: "night"),
        completion: Completions.nights
    )
    var night: [String] = []

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        let name = night.isEmpty ? "last" : try EntryName.text(night, "show").lowercased()
        let ((shown, entry), zone) = try ServiceLink.ask(context) { client in
            try await Self.find(try await NightName.resolved(name, client, context), client, context)
        }
        var object = shown.json
        if let entry {
            object["entry"] = [
                "original": .object(entry.event.json), "standing": .string(entry.state.rawValue),
                "corrections": .array(entry.corrections.map { .object($0.json) }),
            ]
        }
        let page = context.terminal.page
        let night = shown.nights.flatMap {
            NightText.lines($0, context.moments(zoneNamed: $0.summary.timeZone, inForce: zone), page)
        }
        context.report(
            object,
            text: entry.map {
                WhyText.history($0, context.moments(of: $0, inForce: zone), page)
            }
                ?? night
                + NightText.loose(shown.entries { $0 != .inventory }, context.moments(in: zone), page)
                + NightText.stock(shown.entries { $0 == .inventory }, context.moments(in: zone), page))
    }

    /// Returns the nights and entries of a name and, if the name means an entry, its history. The night of an undone
    /// entry may be gone with it.
    private static func find(
        _ name: String, _ client: Client, _ context: Context
    ) async throws -> (ShownNights, Explanation?) {
        let shown: ShownNights
        do { shown = try await NightName.shown(name, client, context) } catch let error as ServiceError
            where error.kind == .notFound
        {
            guard (try? SessionDate(text: name)) == nil, let entry = try? await client.why(name) else { throw error }
            return (ShownNights(), entry)
        }
        let isNight = shown.nights.contains {
            $0.summary.sessionID.text.hasPrefix(name) || $0.summary.sessionDate.text == name
        }
        return (shown, isNight ? nil : try? await client.why(name))
    }
}

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
        let (explanation, zone) = try ServiceLink.ask(context) { client in try await client.why(name) }
        context.report(
            explanation.json,
            text: WhyText.lines(explanation, context.moments(of: explanation, inForce: zone), context.terminal.page))
    }
}
