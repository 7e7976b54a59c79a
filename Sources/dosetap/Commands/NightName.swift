internal import DoseTapBusAPI
internal import DoseTapDomain

/// The name of a night as people give it.
enum NightName {
    /// The words for dates.
    private static let words = ["today", "yesterday", "last"]

    /// A date for a word; others as they are. `today` is that of the open night, else by the rollover hour in force,
    /// `yesterday` the one before it, `last` that of the newest night on record.
    static func resolved(_ name: String, _ client: Client, _ context: Context) async throws -> String {
        let name = name.lowercased()
        guard words.contains(name) else { return name }
        if name == "last" {
            guard let newest = try await newest(client) else {
                throw ServiceError(.notFound, "There is no night on record.", hint: "dosetap status")
            }
            return newest.text
        }
        let date: SessionDate
        let status = try await client.status()
        if let open = status.sessionDate {
            date = open
        } else {
            let hour = try await rolloverHour(client)
            date = SessionDate.key(of: context.now, in: context.zone(inForce: status), rolloverHour: hour)
        }
        return name == "today" ? date.text : SessionDate(date.civil.adding(days: -1)).text
    }

    /// As ``resolved(_:_:_:)``; the service is asked only where it has to be.
    static func resolved(_ name: String, _ context: Context) throws -> String {
        guard words.contains(name.lowercased()) else { return name.lowercased() }
        return try ServiceLink.run(context, isLast: false) { client in
            try await resolved(name, client, context)
        }
    }

    /// What a name shows.
    ///
    /// - Throws: `NotFound`, which names the newest night there is where a date was meant.
    static func shown(_ name: String, _ client: Client, _ context: Context) async throws -> ShownNights {
        let resolved = try await resolved(name, client, context)
        do { return try await client.shown(resolved) } catch let error as ServiceError where error.kind == .notFound {
            guard (try? SessionDate(text: resolved)) != nil, let newest = try? await newest(client) else { throw error }
            let verb = context.line.verb == "simulate" ? "simulate --night" : "show"
            throw ServiceError(
                .notFound, "There is no night \(resolved): the last one on record is \(newest.text).",
                hint: "dosetap \(verb) last")
        }
    }

    private static func newest(_ client: Client) async throws -> SessionDate? {
        try await client.nights(SessionQuery(from: nil, to: nil, limit: 1, cursor: "")).nights.first?.sessionDate
    }

    private static func rolloverHour(_ client: Client) async throws -> Int {
        let setting = try await client.config().first { row in
            row["key"]?.stringValue?.hasSuffix("rollover_hour") == true
        }
        let hour = setting?["value"]?.integerValue ?? setting?["value"]?.stringValue.flatMap { Int64($0) }
        return hour.map { Int($0) } ?? NightRules.standard.rolloverHour
    }
}
