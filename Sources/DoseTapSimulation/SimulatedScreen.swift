internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import SDBus
internal import Synchronization

/// A notification server in a simulation: it remembers what stands on the screen, over every life of the service. While
/// notifications reach nobody it shows nothing new, but takes away what it is told to.
final class SimulatedScreen: NotificationBus {
    private struct State {
        /// The boot it was started in; another one has an empty screen.
        var bootID = ""
        var lastID: UInt32 = 0
        var shown: [UInt32: Deadline?] = [:]
        /// What it says of the window.
        var words = ""
    }

    private let loop: EventLoop
    private let machine: SimulatedMachine
    private let state = Mutex(State())

    init(on loop: EventLoop, _ machine: SimulatedMachine) {
        self.loop = loop
        self.machine = machine
    }

    /// Nobody presses anything, and the server stays.
    func listen(
        _ changed: @escaping @Sendable (_ owner: String) -> Void,
        _ heard: @escaping @Sendable (_ sender: String, NotificationNews) -> Void
    ) async throws(BusError) {}

    func ask(starts: Bool) async throws(BusError) -> NotificationServer {
        let bootID = machine.clock.clock().bootID
        state.withLock { state in
            if state.bootID != bootID { state = State(bootID: bootID) }
        }
        return NotificationServer(
            owner: ":1.1", identity: bootID, title: "the screen",
            capabilities: Set(NotificationServer.Capability.allCases), keepsClosed: false)
    }

    func canBeStarted() async -> Bool { false }

    func show(
        _ content: NotificationContent, of due: Deadline?, replacing id: UInt32, sound: String,
        on server: NotificationServer, answered: @escaping @Sendable (NotificationServer.Answer) -> Void
    ) {
        let answer: NotificationServer.Answer
        if machine.isDead(.notifications) {
            if let due { machine.note(.unshown(due.item)) }
            answer = .failed("nobody would see it")
        } else {
            let (shown, before) = state.withLock { state -> (UInt32, Deadline?) in
                let before = state.shown[id] ?? nil
                if state.shown[id] == nil { state.lastID += 1 }
                let shown = state.shown[id] == nil ? state.lastID : id
                state.shown[shown] = due
                return (shown, before)
            }
            note(due, inPlaceOf: before)
            if let due, due.item.id.isOfWindow { note(content) }
            answer = .shown(shown)
        }
        Task(executorPreference: loop) { answered(answer) }
    }

    func close(_ id: UInt32, on server: NotificationServer?) async {
        note(nil, inPlaceOf: state.withLock { $0.shown.removeValue(forKey: id) } ?? nil)
    }

    private func note(_ content: NotificationContent) {
        let words = ([content.summary] + content.lines).joined(separator: " ")
        let isNew = state.withLock { state in
            defer { state.words = words }
            return state.words != words
        }
        if isNew { machine.note(.said(words, stays: true)) }
    }

    private func note(_ due: Deadline?, inPlaceOf before: Deadline?) {
        // The same again, shown by the next life of the service, is nothing new to whoever looks.
        guard due?.item != before?.item || due?.session != before?.session else { return }
        if let before { machine.note(.withdrawn(before.item, before.session)) }
        if let due { machine.note(.shown(due.item, due.session)) }
    }
}
