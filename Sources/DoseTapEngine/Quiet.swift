/// When everything that follows from a moment has happened: whoever moves a virtual clock waits for it before the next.
extension Engine {
    /// Returns when nobody is at it, everything is told and recorded, and the timer is armed for what comes next.
    package func quiet() async {
        repeat {
            await waitForTurn()
            leave()
            await told()
            await Task.yield()
        } while isBusy
    }

    /// Whether somebody is at it, or something is still to be told or recorded.
    package var isBusy: Bool { turnstile.isTaken || isTelling || isRecordingDeliveries || !outbox.isEmpty }
}

extension PluginHost {
    /// Whether a plugin is at something.
    package var isBusy: Bool {
        asking > 0 || calls.values.contains { !$0.isOverdue } || runners.contains(where: \.isReading)
    }
}
