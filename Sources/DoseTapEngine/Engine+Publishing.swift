internal import DoseTapDomain

/// Notifies observers and plugins in order, once events are durable and after the reply that a person waits for.
extension Engine {
    /// The number of yields for which the notices wait for the reply. A reply that needs an answer of another program
    /// takes more; the notices then go out before it.
    private static let turnsForAnswer = 64

    /// A notice that goes out after the present turn.
    enum Notice {
        /// Events are durable: observers and plugins are notified, the phase is checked.
        case recorded([Event], [StoredEvent])
        /// Only the phase may have changed.
        case phase
        case change(EngineChange)
    }

    /// Queues a notice.
    func notify(_ notice: Notice) {
        outbox.append(notice)
        guard !isPublishing else { return }
        isPublishing = true
        Task { await flush() }
    }

    private func flush() async {
        for _ in 0..<Self.turnsForAnswer where answering > 0 { await Task.yield() }
        repeat {
            // Bounded, so that constant callers cannot prevent the arming of the timer.
            for _ in 0..<16 where !outbox.isEmpty { await deliver(outbox.removeFirst()) }
            await rearm()
        } while !outbox.isEmpty
        isPublishing = false
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
            let isAnother = await notifyPhase(status)
            // Plugins also learn the phase from the events.
            await parts.host.deliver(stored)
            if isAnother { await parts.host.phaseChanged(byEvent: true) }
        case .phase: if await notifyPhase(status(at: nil)) { await parts.host.phaseChanged() }
        case .change(let change):
            await parts.observer.changed(change)
            // An event in memory only is delivered to no plugin.
            if case .unsafe = change { await parts.host.phaseChanged() }
        }
    }

    /// Returns when all notices so far are sent and the timer is armed.
    public func published() async {
        await withCheckedContinuation { continuation in
            if isPublishing { waitingForSilence.append(continuation) } else { continuation.resume() }
        }
    }

    /// - Returns: true if the phase changed, or if the window, in doubt before, is now over by both figures, which ends
    ///   the alarm.
    @discardableResult
    private func notifyPhase(_ status: NightStatus) async -> Bool {
        let wasOver = isOver
        isOver = status.window.time.map { $0.shorter >= DoseWindow.closes } ?? false
        guard status.window.phase != phase else { return isOver && !wasOver }
        let old = phase
        phase = status.window.phase
        await parts.observer.changed(.phase(old: old, new: phase, status))
        return true
    }
}

/// Waiting until the engine is idle, for tests and simulations that move a virtual clock.
extension Engine {
    /// Returns when no call runs, all notices are sent and recorded, and the timer is armed.
    package func untilIdle() async {
        repeat {
            await waitForTurn()
            leave()
            await published()
            await Task.yield()
        } while isBusy
    }

    /// True if a call runs, or a notice or a record is pending.
    package var isBusy: Bool { commandQueue.isTaken || isPublishing || isRecordingDeliveries || !outbox.isEmpty }
}

extension PluginHost {
    /// True if a plugin works.
    package var isBusy: Bool {
        asking > 0 || calls.values.contains { !$0.isOverdue } || runners.contains(where: \.isReading)
    }
}
