internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// The name of a night as people give it.
enum NightName {
    /// Returns the date of a name that means one (`today`, `tonight`, `yesterday`, `Mon`, `12 Nov`), other names as
    /// they are. The present night is the open one, else that by the rollover hour in force; `last` is the newest on
    /// record.
    static func resolved(_ name: String, _ client: Client, _ context: Context) async throws -> String {
        let name = name.lowercased()
        if name == "last" {
            guard let newest = try await newest(client) else {
                throw Failure(.notFound, tr("There is no night on record."), hint: "dosetap status")
            }
            return newest.text
        }
        guard let meant = try? NightExpression(name) else { return name }
        if let date = meant.date { return date.text }
        let status = try await client.status()
        return try meant.date(present: present(status, context)).text
    }

    /// Does the same as ``resolved(_:_:_:)``, but asks the service only if it has to.
    static func resolved(_ name: String, _ context: Context) throws -> String {
        let isWord = name.lowercased() == "last" || (try? NightExpression(name)).map { $0.date == nil } ?? false
        guard isWord else { return (try? NightExpression(name))?.date?.text ?? name.lowercased() }
        return try ServiceLink.run(context, isLast: false) { client in
            try await resolved(name, client, context)
        }
    }

    /// Returns the date that an option names.
    ///
    /// - Throws: ``Failure`` for a text that is no date.
    static func date(_ text: String, _ option: String, _ context: Context) throws(Failure) -> SessionDate {
        let meant: NightExpression
        do throws(TimeParseError) { meant = try NightExpression(text) } catch {
            // For a text that is no time either, examples of times of day would mislead.
            if case .malformed = error {
                throw .usage(
                    tr(
                        "\(option) takes a date such as 2026-01-14, yesterday or '12 Nov', not '\(SafeText.line(text))'."
                    ))
            }
            throw .usage(tr("\(option) takes a date such as 2026-01-14, yesterday or '12 Nov': \(error)"))
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

    /// Returns the nights and entries that a name means.
    ///
    /// - Throws: ``Failure``, which names the newest night on record if a date was meant.
    static func shown(_ name: String, _ client: Client, _ context: Context) async throws -> ShownNights {
        let resolved = try await resolved(name, client, context)
        do { return try await client.shown(resolved) } catch let error as ServiceError where error.kind == .notFound {
            guard (try? SessionDate(text: resolved)) != nil else {
                guard isLikeDate(resolved) else { throw error }
                throw Failure(.notFound, tr("The calendar has no \(resolved)."), hint: "dosetap history")
            }
            guard let newest = try? await newest(client) else { throw error }
            let verb = context.line.verb == "simulate" ? "simulate --night" : "show"
            throw Failure(
                .notFound, tr("There is no night \(resolved): the last one on record is \(newest.text)."),
                hint: "dosetap \(verb) last")
        }
    }

    /// Returns true if a text is written as a date is, `2026-13-45` too.
    private static func isLikeDate(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.map(\.utf8.count) == [4, 2, 2]
            && parts.allSatisfy { $0.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } }
    }

    /// Returns the date of the newest night on record; nil if there is none.
    static func newest(_ client: Client) async throws -> SessionDate? {
        try await client.find(SessionQuery(limit: 1)).nights.first?.sessionDate
    }
}

/// The nights of one week or month in a list.
struct NightGroup: Sendable {
    let key: String
    let nights: [NightSummary]

    /// Returns the groups in the order of their first night.
    static func of(_ nights: [NightSummary], by grouping: Grouping) -> [NightGroup] {
        var keys: [String] = []
        var byKey: [String: [NightSummary]] = [:]
        for night in nights {
            let key = grouping.key(of: night.sessionDate)
            if byKey[key] == nil { keys.append(key) }
            byKey[key, default: []].append(night)
        }
        return keys.map { NightGroup(key: $0, nights: byKey[$0] ?? []) }
    }

    private var figures: NightFigures {
        // A night that is over and has no score does not count.
        NightFigures(
            nights.filter { $0.end == nil || $0.nightScore != nil }.map {
                MeasuredNight(night: $0, sleep: SleepDiary(.init()))
            })
    }

    /// The ids of the nights, with their figures.
    var json: JSONObject {
        let figures = figures
        return [
            "key": .string(key), "nights": .array(nights.map { .string($0.sessionID.text) }),
            "on_time": .integer(Int64(figures.onTime)), "of": .integer(Int64(figures.judged)),
            "mean_interval_min": figures.intervals.average.mean.map(JSONValue.number) ?? .null,
        ]
    }

    /// The heading over the nights of the group.
    var heading: String { HistoryText.heading(key, figures) }
}

/// Kinds of nights as they are written on the command line.
extension NightKind {
    /// With a hyphen: `on-time`.
    var spelling: String { String(rawValue.map { $0 == "_" ? "-" : $0 }) }

    /// Returns the kind that a word means.
    ///
    /// - Throws: ``Failure`` with the nearest word.
    static func named(_ word: String) throws(Failure) -> NightKind {
        let plain = String(word.lowercased().map { $0 == "-" || $0 == " " ? "_" : $0 })
        if let kind = NightKind(rawValue: plain) { return kind }
        throw .unknown(
            tr("kind of night"), word, known: allCases.map(\.spelling), command: "dosetap history --only",
            help: "dosetap history --help")
    }
}

/// The order of nights in a list.
enum NightOrder: String, Sendable, CaseIterable {
    case date
    /// The shortest interval first.
    case interval
    /// The best score first.
    case score

    /// - Throws: ``Failure`` with the nearest word.
    init(word: String) throws(Failure) {
        guard let order = NightOrder(rawValue: word) else {
            if ["oldest", "newest", "asc", "desc"].contains(word.lowercased()) {
                throw .usage(
                    tr(
                        "There is no order '\(word)': by date the newest night is first, with --oldest-first the oldest."
                    ),
                    hint: ["oldest", "asc"].contains(word.lowercased())
                        ? "dosetap history --oldest-first" : "dosetap history")
            }
            throw .unknown(
                tr("order"), word, known: NightOrder.allCases.map(\.rawValue), command: "dosetap history --sort",
                help: "dosetap history --help")
        }
        self = order
    }

    /// - Parameter nights: sorted by date. Nights with equal values stay in this order.
    func sorted(_ nights: [NightSummary]) -> [NightSummary] {
        switch self {
        case .date: nights
        case .interval: Self.sorted(nights) { $0.intervalMinutes }
        case .score: Self.sorted(nights) { $0.nightScore.map { -$0 } }
        }
    }

    private static func sorted<Value: Comparable>(
        _ nights: [NightSummary], _ value: (NightSummary) -> Value?
    ) -> [NightSummary] {
        let known = nights.enumerated().compactMap { place, night in value(night).map { ($0, place, night) } }
        return known.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2) + nights.filter { value($0) == nil }
    }
}
