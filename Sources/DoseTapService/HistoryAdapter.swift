internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus

/// The `History` interface: past nights.
struct HistoryAdapter: Sendable {
    let engine: Engine
    let systemEnvironment: LiveSystemEnvironment
    let queues: CallQueues

    var interface: ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.history, limits: .contract,
            members: [
                Contract.History.findSessions.serve { context, options in try await page(options, context) },
                Contract.History.intervals.serve { context, options in
                    let found = try await intervals(options, context)
                    return (found.keys, found.counts, found.means, found.shortest, found.longest)
                },
                Contract.History.why.serve { context, id in try await why(id, context) },
                Contract.History.stats.serve { context, options in try await statistics(options, context) },
                Contract.History.show.serve { context, name in try await show(name, context) },
            ])
    }

    private func ask<Answer: Sendable>(
        _ context: CallContext, _ question: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await queues.questions.perform(context, isWatched: true, isQuestion: true, question)
    }

    private func page(
        _ options: VariantEntries, _ context: CallContext
    ) async throws -> ([WireObject], String) {
        do {
            let query = try SessionQuery(options)
            guard query.cursor.isEmpty || Self.isCursor(query.cursor) else {
                throw ServiceError(sent("The cursor is none that this service gave."), option: "cursor")
            }
            let page = try await ask(context) { try await engine.nights(query) }
            return (page.nights.map { WireObject($0.json, NightSummary.description.shape) }, page.next)
        } catch { throw ServiceError(error, nil, moments: systemEnvironment.moments).busError }
    }

    private func intervals(
        _ options: VariantEntries, _ context: CallContext
    ) async throws -> IntervalColumns {
        do {
            let (span, grouping) = try IntervalOptions.read(options)
            return IntervalColumns(try await ask(context) { try await engine.intervalMeans(span, by: grouping) })
        } catch { throw ServiceError(error, nil, moments: systemEnvironment.moments).busError }
    }

    /// Returns true for a cursor: the start and the id of the last night of a page.
    private static func isCursor(_ text: String) -> Bool {
        let parts = text.split(separator: "|", omittingEmptySubsequences: false)
        return parts.count == 2 && (try? Instant(iso8601: parts[0])) != nil
    }

    private func statistics(_ options: VariantEntries, _ context: CallContext) async throws -> WireObject {
        do {
            let query = try StatisticsQuery(options)
            return WireObject(
                try await ask(context) { try await engine.statistics(query) }.json, NightStatistics.description.shape)
        } catch {
            throw ServiceError(error, nil, moments: systemEnvironment.moments).busError
        }
    }

    private func why(_ id: String, _ context: CallContext) async throws -> WireObject {
        let id = String(id.prefix(64))
        do {
            return WireObject(
                try await ask(context) { try await engine.explain(id) }.json, Explanation.description.shape)
        } catch {
            throw ServiceError(error, nil, moments: systemEnvironment.moments).busError
        }
    }

    private func show(_ name: String, _ context: CallContext) async throws -> WireObject {
        do {
            let shown = try await ask(context) { try await engine.records(named: String(name.prefix(64))) }
            guard !shown.isEmpty else {
                throw ServiceError(
                    .notFound, sent("There is no night or entry '\(name.prefix(40))'."),
                    details: ["night": .string(String(name.prefix(64)))])
            }
            return WireObject(shown.json, ShownNights.description.shape)
        } catch { throw ServiceError(error, nil, moments: systemEnvironment.moments).busError }
    }
}
