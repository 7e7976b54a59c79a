public import DoseTapDomain
internal import SDBus

/// Nights gone by.
extension Client {
    /// A page of the nights that a query by dates finds, newest first.
    public func find(_ query: SessionQuery) async throws -> SessionPage {
        let (sessions, next) = try await call(Contract.History.findSessions, query.variants)
        return SessionPage(nights: try sessions.map { try NightSummary(json: $0.object) }, next: next)
    }

    /// The interval means of weeks or months, newest first.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean] {
        let (keys, counts, means, shortest, longest) = try await call(
            Contract.History.intervals, IntervalOptions.variants(span, by: grouping))
        return IntervalColumns.intervals(keys, counts, means, shortest, longest)
    }

    /// The nights a date, a session id or an entry id means.
    public func show(_ name: String) async throws -> [NightRecord] { try await shown(name).nights }

    /// As ``show(_:)``, with a pre-sleep log that belongs to no night.
    public func shown(_ name: String) async throws -> ShownNights {
        try ShownNights(json: try await call(Contract.History.show, name).object)
    }

    /// Why an event stands in the log.
    ///
    /// - Parameter id: its id, or the first characters of it, 8 or more.
    public func why(_ id: String) async throws -> Explanation {
        try Explanation(json: try await call(Contract.History.why, id).object)
    }

    /// Figures of nights gone by.
    public func statistics(_ query: StatisticsQuery) async throws -> NightStatistics {
        let answer = try await call(Contract.History.stats, query.variants)
        return try NightStatistics(json: answer.object)
    }
}
