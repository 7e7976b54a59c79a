public import DoseTapDomain
internal import Logging

/// A damaged log is repaired beside the night, which goes on; a person decides when the repaired log takes its place.
extension Engine {
    /// The most attempts at a repair: a repair is begun anew if something was recorded meanwhile.
    private static let mostRepairs = 5

    /// Reads the readable events of the damaged log, and puts the result in its place if that is wanted.
    ///
    /// - Parameter replaces: true if the result takes the place of the damaged log; else the answer only tells the result.
    /// - Throws: ``EngineFailure``; `nothingToDo` for a sound log, a refusal while a window is unresolved.
    public func repair(replaces: Bool) async throws(EngineFailure) -> StoreReport {
        if beside == nil, try await verify().isSound {
            throw .command(.nothingToDo(sent("the record is whole: there is nothing to repair")))
        }
        let moments = parts.systemEnvironment.moments
        guard replaces else { return try await readyRepair().report(moments, isDone: false) }
        try refuseInOpenWindow()
        var attempt = 1
        while true {
            let plan = try await readyRepair()
            // The turn runs at the default priority: it must not wait for work that gives way.
            switch await Task(priority: .medium, operation: { await self.putInPlace(plan) }).value {
            case .success: return plan.report(moments, isDone: true)
            case .failure(.store(let error, _)) where error.code == .interrupted && attempt < Self.mostRepairs:
                attempt += 1
            case .failure(let failure): throw failure
            }
        }
    }

    /// Prepares the repaired log in short steps, between which everything else goes on.
    private func readyRepair() async throws(EngineFailure) -> RepairPlan {
        while true {
            if let plan = try await takeRepairStep(isAsked: true) { return plan }
        }
    }

    /// - Returns: the plan, once the repaired log is ready; nil before.
    func takeRepairStep(isAsked: Bool) async throws(EngineFailure) -> RepairPlan? {
        let now = parts.systemEnvironment.clock().wall
        return try await asking { try await self.parts.store.prepareRepair(now: now, isAsked: isAsked) }
    }

    private func putInPlace(_ plan: RepairPlan) async -> Result<Void, EngineFailure> {
        do throws(EngineFailure) {
            try await enter()
            defer { leave() }
            try refuseInOpenWindow()
            if !unsafeEvents.isEmpty { try await commit([]) }
            do { try await parts.store.replaceByRepaired() } catch {
                let failure = StoreError.of(error, doing: "repairing the record")
                guard failure.code == .outcomeUnknown else { throw .store(failure, kept: false) }
                // The repaired log may be in place.
                try? await parts.store.reopen()
                await takeOver(announcesLast: false)
                throw .store(failure, kept: false)
            }
            await adopt(finding: plan.finding)
            return .success(())
        } catch { return .failure(error) }
    }

    /// Refuses work that holds the store's thread, or replaces the record, while a window is unresolved.
    public func refuseInOpenWindow() throws(EngineFailure) {
        guard logState.open?.hasUnresolvedWindow == true else { return }
        throw .command(.refused(.phase, Refusal(phase: phase)))
    }

    /// Goes on with the repaired log in the present turn, and records the repair.
    private func adopt(finding: String) async {
        await takeOver(announcesLast: false)
        let restored = StoreRestored(expectedSequence: lastSequence, foundSequence: lastSequence, finding: finding)
        await record([
            CommandHandler.fact(
                .storeRestored(restored), .store, session: nil, newest: logState.newest, context(), ids: &ids)
        ])
        notify(.phase)
    }
}
