internal import DoseTapBusAPI
internal import DoseTapDomain

/// The name of a night as people give it.
enum NightName {
    /// A date for `today` and `yesterday`: that of the open night, else by the rollover hour in force; others as they are.
    static func resolved(
        _ name: String, _ client: Client, _ context: Context, _ zone: Zone
    ) async throws -> String {
        let name = name.lowercased()
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

    /// As ``resolved(_:_:_:_:)``; the service is asked only where it has to be.
    static func resolved(_ name: String, _ context: Context) throws -> String {
        guard ["today", "yesterday"].contains(name.lowercased()) else { return name.lowercased() }
        let zone = context.zone()
        return try ServiceLink.run(context, isLast: false) { client in
            try await resolved(name, client, context, zone)
        }
    }

    private static func rolloverHour(_ client: Client) async throws -> Int {
        let setting = try await client.config().first { row in
            row["key"]?.stringValue?.hasSuffix("rollover_hour") == true
        }
        let hour = setting?["value"]?.integerValue ?? setting?["value"]?.stringValue.flatMap { Int64($0) }
        return hour.map { Int($0) } ?? NightRules.standard.rolloverHour
    }
}
