public import DoseTapDomain
internal import SDBus

/// Nights gone by.
extension Client {
    /// A page of the nights that a query by dates finds, newest first.
    public func find(_ query: SessionQuery) async throws -> SessionPage {
        try Self.page(
            await call(
                Contract.InterfaceName.history, "FindSessions", query.variants,
                returning: ([WireObject], String).self, timeout: Client.questionTimeout))
    }

    private static func page(_ answer: ([WireObject], String)) throws -> SessionPage {
        SessionPage(nights: try answer.0.map { try NightSummary(json: $0.object) }, next: answer.1)
    }

    /// The interval means of weeks or months, newest first.
    public func intervalMeans(_ span: NightSpan, by grouping: Grouping) async throws -> [IntervalMean] {
        let answer = try await call(
            Contract.InterfaceName.history, "Intervals", IntervalOptions.variants(span, by: grouping),
            returning: ([String], [UInt32], [Double], [Double], [Double]).self, timeout: Client.questionTimeout)
        return IntervalColumns.intervals(answer.0, answer.1, answer.2, answer.3, answer.4)
    }

    /// A page of nights by when they began, newest first.
    public func nights(_ query: SessionQuery) async throws -> SessionPage {
        func microseconds(_ instant: Instant?) -> UInt64 { UInt64(max(0, instant?.microseconds ?? 0)) }
        let (from, to, limit) = (microseconds(query.from), microseconds(query.to), UInt32(clamping: query.limit))
        let answer =
            if let event = query.event {
                try await call(
                    Contract.InterfaceName.history, "SessionsWith", event, from, to, limit, query.cursor,
                    returning: ([WireObject], String).self, timeout: Client.questionTimeout)
            } else {
                try await call(
                    Contract.InterfaceName.history, "Sessions", from, to, limit, query.cursor,
                    returning: ([WireObject], String).self, timeout: Client.questionTimeout)
            }
        return try Self.page(answer)
    }

    /// The nights a date, a session id or an entry id means.
    public func show(_ name: String) async throws -> [NightRecord] { try await shown(name).nights }

    /// As ``show(_:)``, with a pre-sleep log that belongs to no night.
    public func shown(_ name: String) async throws -> ShownNights {
        let answer = try await call(
            Contract.InterfaceName.history, "Show", name, returning: WireObject.self,
            timeout: Client.questionTimeout)
        return try ShownNights(json: answer.object)
    }

    /// Why an event stands in the log.
    ///
    /// - Parameter id: its id, or the first characters of it, 8 or more.
    public func why(_ id: String) async throws -> Explanation {
        let answer = try await call(
            Contract.InterfaceName.history, "Why", id, returning: WireObject.self, timeout: Client.questionTimeout)
        return try Explanation(json: answer.object)
    }

    /// Figures of nights gone by.
    public func statistics(_ query: StatisticsQuery) async throws -> NightStatistics {
        let answer = try await call(
            Contract.InterfaceName.history, "Stats", query.variants, returning: WireObject.self,
            timeout: Client.questionTimeout)
        return try NightStatistics(json: NightStatistics.complete(answer.object))
    }
}
