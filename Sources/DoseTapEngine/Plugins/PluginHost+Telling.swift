internal import DoseTapDomain

/// Reminders, to every plugin that asked for them.
extension PluginHost {
    /// A reminder is due: every plugin that asked for deadlines is told, each in its own task. One that fails is told again
    /// as long as the reminder stands.
    func tell(_ due: Deadline) {
        for index in runners.indices where runners[index].tellsReminders {
            // What failed before is no longer what is to be told, unless it is due at the same instant or of another kind.
            runners[index].untold.removeAll {
                $0.due.item.due != due.item.due && $0.due.item.id.isOfWindow == due.item.id.isOfWindow
            }
            tell(due, index, failures: 0)
        }
    }

    /// A plugin is there again in the middle of a night: what was told and still holds is news to it.
    func tellStanding(_ index: Int) {
        guard runners[index].tellsReminders else { return }
        Task {
            for due in await standing() where runners[index].tellsReminders { tell(due, index, failures: 0) }
        }
    }

    private func tell(_ due: Deadline, _ index: Int, failures: Int) {
        start(index, .deadline) { plugin in
            try await plugin.deadline(due)
        } done: { host, result in
            switch result {
            case .success: host.runners[index].told()
            case .failure(let error): host.failed(due, index, failures + 1, error)
            }
        }
    }

    private func failed(_ due: Deadline, _ index: Int, _ failures: Int, _ error: any Error) {
        complain("a plugin did not tell a reminder", index, error)
        guard runners[index].tellsReminders else { return }
        runners[index].fail(toTell: due, failures: failures, error, now: surroundings.clock())
        Task { await armTimer() }
    }

    /// Tells again what failed and waited long enough.
    func retell(_ index: Int, _ now: ClockReading) {
        for untold in runners[index].takeUntold(now) {
            asking += 1
            Task {
                // Whether it is still true is for the night to say, not for the plugin.
                let isTrue = await isStanding(untold.due)
                asking -= 1
                guard isTrue, runners[index].tellsReminders else { return }
                tell(untold.due, index, failures: untold.failures)
            }
        }
    }
}
