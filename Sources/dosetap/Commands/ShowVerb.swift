internal import ArgumentParser
internal import DoseTapBusAPI
internal import DoseTapDomain

/// `show`: one night with all its entries.
struct ShowVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "A night with all its entries and corrections.",
        discussion: """
            NIGHT is a date, today, yesterday, or the id of a night. With the id of an
            entry, its original and what was corrected about it.

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
        let (nights, entry) = try ServiceLink.run(context) { client in
            try await Self.find(try await Self.resolved(name, client, context, zone), client)
        }
        var object: JSONObject = ["nights": .array(nights.map { .object($0.json) })]
        if let entry {
            object["entry"] = [
                "original": .object(entry.event.json), "standing": .string(entry.standing.rawValue),
                "corrections": .array(entry.corrections.map { .object($0.json) }),
            ]
        }
        context.report(
            object,
            text: entry.map { WhyText.history($0, context.moments(zoneNamed: $0.timeZone), context) }
                ?? nights.flatMap { NightText.lines($0, context.moments(zoneNamed: $0.summary.timeZone), context) })
    }

    /// The nights of a name, and where it names an entry, its history. An entry that was undone may have taken its night
    /// with it.
    private static func find(_ name: String, _ client: Client) async throws -> ([NightRecord], Explanation?) {
        let nights: [NightRecord]
        do { nights = try await client.show(name) } catch let error as ServiceError where error.kind == .notFound {
            guard (try? SessionDate(text: name)) == nil, let entry = try? await client.why(name) else { throw error }
            return ([], entry)
        }
        let isNight = nights.contains {
            $0.summary.sessionID.text.hasPrefix(name) || $0.summary.sessionDate.text == name
        }
        return (nights, isNight ? nil : try? await client.why(name))
    }

    /// The date of today's or yesterday's night: that of the open one, else by the rollover hour in force.
    private static func resolved(
        _ name: String, _ client: Client, _ context: Context, _ zone: Zone
    ) async throws -> String {
        guard name == "today" || name == "yesterday" else { return name }
        let date: SessionDate
        if let open = try await client.status().sessionDate {
            date = open
        } else {
            let hour = try await rolloverHour(client)
            date = SessionDate.key(of: context.now, in: zone, rolloverHour: hour)
        }
        return name == "today" ? date.text : SessionDate(date.civil.adding(days: -1)).text
    }

    private static func rolloverHour(_ client: Client) async throws -> Int {
        let setting = try await client.config().first { row in
            row["key"]?.stringValue?.hasSuffix("rollover_hour") == true
        }
        let hour = setting?["value"]?.integerValue ?? setting?["value"]?.stringValue.flatMap { Int64($0) }
        return hour.map { Int($0) } ?? NightRules.standard.rolloverHour
    }
}
