internal import DoseTapContract
internal import DoseTapDomain

/// The name of a night as people give it.
enum NightName {
    /// A date for what means one (`today`, `tonight`, `yesterday`, `Mon`, `12 Nov`); others as they are. The present night
    /// is the open one, else that by the rollover hour in force; `last` is the newest on record.
    static func resolved(_ name: String, _ client: Client, _ context: Context) async throws -> String {
        let name = name.lowercased()
        if name == "last" {
            guard let newest = try await newest(client) else {
                throw Failure(.notFound, "There is no night on record.", hint: "dosetap status")
            }
            return newest.text
        }
        guard let meant = try? NightExpression(name) else { return name }
        if let date = meant.date { return date.text }
        let status = try await client.status()
        return try meant.date(present: present(status, context)).text
    }

    /// As ``resolved(_:_:_:)``; the service is asked only where it has to be.
    static func resolved(_ name: String, _ context: Context) throws -> String {
        let isWord = name.lowercased() == "last" || (try? NightExpression(name)).map { $0.date == nil } ?? false
        guard isWord else { return (try? NightExpression(name))?.date?.text ?? name.lowercased() }
        return try ServiceLink.run(context, isLast: false) { client in
            try await resolved(name, client, context)
        }
    }

    /// The date that an option names.
    ///
    /// - Throws: ``Failure`` for what is no date.
    static func date(_ text: String, _ option: String, _ context: Context) throws(Failure) -> SessionDate {
        let meant: NightExpression
        do throws(TimeParseError) { meant = try NightExpression(text) } catch {
            throw .usage("\(option) takes a date such as 2026-01-14, yesterday or '12 Nov': \(error)")
        }
        if let date = meant.date { return date }
        let present = present(try context.serviceStatus(), context)
        do throws(TimeParseError) { return try meant.date(present: present) } catch {
            throw .usage("\(option): \(error)")
        }
    }

    private static func present(_ status: NightStatus, _ context: Context) -> SessionDate {
        status.sessionDate
            ?? SessionDate.key(
                of: context.now, in: context.zone(inForce: status), rolloverHour: status.rolloverHour)
    }

    /// What a name shows.
    ///
    /// - Throws: ``Failure``, which names the newest night there is where a date was meant.
    static func shown(_ name: String, _ client: Client, _ context: Context) async throws -> ShownNights {
        let resolved = try await resolved(name, client, context)
        do { return try await client.shown(resolved) } catch let error as ServiceError where error.kind == .notFound {
            guard (try? SessionDate(text: resolved)) != nil, let newest = try? await newest(client) else { throw error }
            let verb = context.line.verb == "simulate" ? "simulate --night" : "show"
            throw Failure(
                .notFound, "There is no night \(resolved): the last one on record is \(newest.text).",
                hint: "dosetap \(verb) last")
        }
    }

    private static func newest(_ client: Client) async throws -> SessionDate? {
        try await client.find(SessionQuery(limit: 1)).nights.first?.sessionDate
    }
}
