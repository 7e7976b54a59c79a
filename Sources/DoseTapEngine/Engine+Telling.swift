internal import DoseTapDomain

/// Everything is told in order and once it is durable, after the reply that a person waits for.
extension Engine {
    /// How many turns of the loop the others wait for the reply. A reply that asks something of other programs takes
    /// more: then they are told before it.
    private static let turnsForAnswer = 64

    /// What is told once the present turn is over.
    enum Notice {
        /// Events are durable: observers and plugins are told, the phase is looked at.
        case recorded([Event], [StoredEvent])
        /// Only the phase may have changed.
        case phase
        /// Something else.
        case change(EngineChange)
    }

    /// Queues a notice.
    func tell(_ notice: Notice) {
        outbox.append(notice)
        guard !isTelling else { return }
        isTelling = true
        Task { await flush() }
    }

    private func flush() async {
        for _ in 0..<Self.turnsForAnswer where answering > 0 { await Task.yield() }
        repeat {
            // Those who never stop asking may not keep the timer from being armed for what comes next.
            for _ in 0..<16 where !outbox.isEmpty { await deliver(outbox.removeFirst()) }
            await rearm()
        } while !outbox.isEmpty
        isTelling = false
        comparisonRetry?.yield()
        let waiting = waitingForSilence
        waitingForSilence = []
        for continuation in waiting { continuation.resume() }
    }

    private func deliver(_ notice: Notice) async {
        switch notice {
        case .recorded(let events, let stored):
            let status = status(at: nil)
            await parts.observer.changed(.recorded(events, status))
            let isAnother = await tellPhase(status)
            // By what was recorded they learn of the phase, too.
            await parts.host.deliver(stored)
            if isAnother { await parts.host.phaseChanged(byEvent: true) }
        case .phase: if await tellPhase(status(at: nil)) { await parts.host.phaseChanged() }
        case .change(let change): await parts.observer.changed(change)
        }
    }

    /// Returns when everything that happened so far is told and the timer armed for what comes next.
    public func told() async {
        await withCheckedContinuation { continuation in
            if isTelling { waitingForSilence.append(continuation) } else { continuation.resume() }
        }
    }

    /// - Returns: whether it changed; also that in doubt the window is over by both figures now, which ends the alarm.
    @discardableResult
    private func tellPhase(_ status: NightStatus) async -> Bool {
        let wasOver = isOver
        isOver = status.window.time.map { $0.shorter >= DoseWindow.closes } ?? false
        guard status.window.phase != phase else { return isOver && !wasOver }
        let old = phase
        phase = status.window.phase
        await parts.observer.changed(.phase(old: old, new: phase, status))
        return true
    }
}
