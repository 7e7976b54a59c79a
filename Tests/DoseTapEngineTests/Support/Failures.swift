import DoseTapDomain
import DoseTapEngine
import DoseTapTestSupport

/// The failure of a command; nil when the command succeeds.
func failure<Answer>(_ body: () async throws -> Answer) async -> EngineFailure? {
    do {
        _ = try await body()
        return nil
    } catch { return error as? EngineFailure }
}

extension EngineFailure {
    /// The code of the store's error, and whether the entry is kept.
    var store: (code: StoreError.Code, kept: Bool)? {
        if case .store(let error, let kept) = self { (error.code, kept) } else { nil }
    }

    /// The open questions.
    var confirmations: [Confirmation] {
        if case .command(.needsConfirmation(let question)) = self { question.confirmations } else { [] }
    }

    /// The reason of a refusal.
    var reason: BlockReason? {
        if case .command(.refused(let reason, _)) = self { reason } else { nil }
    }

    var isInvalidInput: Bool {
        if case .command(.invalidInput) = self { true } else { false }
    }
}

extension Instant {
    /// Whole minutes since another instant.
    func minutes(after other: Instant) -> Int64 { (self - other).wholeMinutes }
}

extension NightBench {
    /// Returns when the scripted plugin is done with the event, or after half a minute.
    func awaitCursor(_ sequence: Int64) async {
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(30)
        while clock.now < limit {
            let report = await host.reports().first { $0.manifest.id == "scripted" }
            if report.map({ $0.cursor >= sequence }) ?? false { return }
            await Task.yield()
        }
    }
}
