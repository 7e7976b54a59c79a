internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The `History` interface: looking back.
struct HistoryFace: Sendable {
    let engine: Engine
    let surroundings: SystemSurroundings
    let queues: CallQueues

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.history, limits: .contract,
            members: [
                .method("Sessions", arguments: ["from", "to", "limit", "cursor"], results: ["sessions", "next"]) {
                    (context, from: UInt64, to: UInt64, limit: UInt32, cursor: String) -> ([WireObject], String) in
                    try await sessions(from, to, limit, cursor, context)
                },
                .method(
                    "SessionsWith", arguments: ["type", "from", "to", "limit", "cursor"], results: ["sessions", "next"]
                ) {
                    (context, type: String, from: UInt64, to: UInt64, limit: UInt32, cursor: String) -> (
                        [WireObject], String
                    ) in
                    try await sessions(from, to, limit, cursor, context, with: type)
                },
                .method("FindSessions", arguments: ["options"], results: ["sessions", "next"]) {
                    (context, options: [String: Variant]) -> ([WireObject], String) in
                    try await page(context) { try SessionQuery(options) }
                },
                .method(
                    "Intervals", arguments: ["options"], results: ["keys", "counts", "means", "shortest", "longest"]
                ) {
                    (context, options: [String: Variant]) -> ([String], [UInt32], [Double], [Double], [Double]) in
                    let found = try await intervals(options, context)
                    return (found.keys, found.counts, found.means, found.shortest, found.longest)
                },
                .method("Why", arguments: ["id"], results: ["explanation"]) { (context, id: String) -> WireObject in
                    try await why(id, context)
                },
                .method("Stats", arguments: ["options"], results: ["statistics"]) {
                    (context, options: [String: Variant]) -> WireObject in
                    try await statistics(options, context)
                },
                .method("Show", arguments: ["what"], results: ["night"]) { (context, name: String) -> WireObject in
                    try await show(name, context)
                },
            ])
    }

    private func ask<Answer: Sendable>(
        _ context: CallContext, _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await queues.questions.perform(context, isWatched: true, isQuestion: true, question)
    }

    private func sessions(
        _ from: UInt64, _ to: UInt64, _ limit: UInt32, _ cursor: String, _ context: CallContext,
        with event: String? = nil
    ) async throws -> ([WireObject], String) {
        try await page(context) {
            guard (1...1_000).contains(limit) else {
                throw ServiceError(.invalidInput, "limit must be 1 to 1000, not \(limit).")
            }
            return SessionQuery(
                from: try instant(from), to: try instant(to), limit: Int(limit), cursor: cursor, event: event)
        }
    }

    private func page(
        _ context: CallContext, _ query: () throws -> SessionQuery
    ) async throws -> ([WireObject], String) {
        do {
            let query = try query()
            guard query.cursor.isEmpty || Self.isCursor(query.cursor) else {
                throw ServiceError(.invalidInput, "The cursor is none that this service gave.", hint: "dosetap history")
            }
            let page = try await ask(context) { try await engine.nights(query) }
            return (page.nights.map { WireObject($0.json) }, page.next)
        } catch { throw ServiceError(error, nil, moments: surroundings.moments).busError }
    }

    private func intervals(
        _ options: [String: Variant], _ context: CallContext
    ) async throws -> IntervalColumns {
        do {
            let (span, grouping) = try IntervalOptions.read(options)
            return IntervalColumns(try await ask(context) { try await engine.intervalMeans(span, by: grouping) })
        } catch { throw ServiceError(error, nil, moments: surroundings.moments).busError }
    }

    /// A cursor is the start and the id of the last night of a page.
    private static func isCursor(_ text: String) -> Bool {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        return parts.count == 2 && (try? Instant(iso8601: parts[0])) != nil
    }

    private func instant(_ microseconds: UInt64) throws(ServiceError) -> Instant? {
        guard microseconds <= UInt64(Instant.max.microseconds) else {
            throw ServiceError(.invalidInput, "A time lies beyond the year 9999.")
        }
        return microseconds == 0 ? nil : Instant(microseconds: Int64(microseconds))
    }

    private func statistics(_ options: [String: Variant], _ context: CallContext) async throws -> WireObject {
        do {
            let query = try StatisticsQuery(options)
            return WireObject(try await ask(context) { try await engine.statistics(query) }.json)
        } catch {
            throw ServiceError(error, nil, moments: surroundings.moments).busError
        }
    }

    private func why(_ id: String, _ context: CallContext) async throws -> WireObject {
        let id = String(id.prefix(64))
        do { return WireObject(try await ask(context) { try await engine.explain(id) }.json) } catch {
            throw ServiceError(error, nil, moments: surroundings.moments).busError
        }
    }

    private func show(_ name: String, _ context: CallContext) async throws -> WireObject {
        do {
            let found = try await ask(context) { try await engine.records(named: String(name.prefix(64))) }
            let shown = ShownNights(
                nights: found.nights, preSleep: found.preSleep, medications: found.medications,
                inventory: found.inventory)
            guard !shown.isEmpty else {
                throw ServiceError(
                    .notFound, "There is no night or entry '\(name.prefix(40))'.", hint: "dosetap history")
            }
            return WireObject(shown.json)
        } catch { throw ServiceError(error, nil, moments: surroundings.moments).busError }
    }
}
