internal import SDBus

/// What callers wait in. Doses, reminders and their deliveries come before all of it: of the commands at most one is on
/// its way, and questions give way to them in the store.
struct CallQueues: Sendable {
    /// What records something.
    let commands: CallQueue
    /// What is asked of the store.
    let questions: CallQueue
    /// What looks at the machine or changes the settings.
    let machine: CallQueue

    init(on loop: EventLoop) {
        commands = CallQueue(on: loop, priority: .medium)
        questions = CallQueue(on: loop, priority: .utility)
        machine = CallQueue(on: loop, priority: .utility)
    }
}
