internal import DoseTapDomain

/// A place on the screen for one notification at a time: what should stand there, what stands there, and the call that
/// is under way in between. One call at a time, so that a notification is replaced and never stacked.
struct NotificationSlot: Sendable {
    /// The next thing to do.
    enum Step: Sendable {
        case show(Showing, replacing: UInt32, ticket: UInt64)
        case close(UInt32)
    }

    /// What should stand there.
    private(set) var wanted: Showing?
    /// What stands there, by the server's id.
    private(set) var shown: (id: UInt32, showing: Showing)?
    private var pending: (ticket: UInt64, showing: Showing)?
    /// Calls that were given up, but may still be answered.
    private var late: [UInt64: Showing] = [:]
    private var lastTicket: UInt64 = 0

    /// How many unanswered calls are remembered.
    private static let mostLate = 8

    /// Whether something should be shown that is not.
    var isWaiting: Bool { wanted != nil && pending == nil && wanted?.subject != shown?.showing.subject }

    /// Whether what stands there is untrue by now: it says to take dose 2 though the window has closed or the clocks are in
    /// doubt, or that it has closed though it is open again.
    private var isOutdated: Bool {
        guard let wanted, let shown, shown.showing.subject != wanted.subject else { return false }
        return wanted.subject.saysClosed || shown.showing.subject.saysClosed
            || wanted.subject.isInDoubt && !shown.showing.subject.isInDoubt
    }

    /// Says what should stand there; what is there already, or on its way, stays.
    mutating func want(_ showing: Showing?) {
        let present = pending?.showing ?? shown?.showing
        wanted = showing.map { $0.subject == present?.subject ? present ?? $0 : $0 }
    }

    /// Takes the next step, if there is one.
    mutating func next() -> Step? {
        guard pending == nil else { return nil }
        if isWaiting, let wanted {
            lastTicket += 1
            pending = (lastTicket, wanted)
            return .show(wanted, replacing: shown?.id ?? 0, ticket: lastTicket)
        }
        guard wanted == nil, let id = shown?.id else { return nil }
        shown = nil
        return .close(id)
    }

    /// Takes away what is untrue by now, where what should stand there cannot be shown.
    ///
    /// - Returns: what is to be closed.
    mutating func retract() -> UInt32? {
        // A server that is slow may still show what takes its place, under the same id.
        let isComing = late.values.contains { $0.subject == wanted?.subject }
        guard pending == nil, !isComing, isOutdated else { return nil }
        return shown.take()?.id
    }

    /// Something an earlier process showed stands there.
    mutating func adopt(_ showing: Showing, id: UInt32) { shown = (id, showing) }

    /// The server has shown what it was asked to.
    ///
    /// - Returns: what is shown now, and an id to be closed because it came too late.
    mutating func answered(_ ticket: UInt64, id: UInt32) -> (shown: Showing?, stale: UInt32?) {
        if let pending, pending.ticket == ticket {
            self.pending = nil
            let replaced = shown.flatMap { $0.id == id ? nil : $0.id }
            shown = (id, pending.showing)
            return (pending.showing, replaced)
        }
        guard let showing = late.removeValue(forKey: ticket) else { return (nil, nil) }
        if shown?.id == id || (shown == nil && pending == nil && wanted?.subject == showing.subject) {
            shown = (id, showing)
            return (showing, nil)
        }
        return (nil, id)
    }

    /// The call came to nothing.
    mutating func failed(_ ticket: UInt64) {
        late[ticket] = nil
        if pending?.ticket == ticket { pending = nil }
    }

    /// The call takes too long: others may go on, its answer is still taken.
    mutating func overdue(_ ticket: UInt64) -> Bool {
        guard let pending, pending.ticket == ticket else { return false }
        if late.count == Self.mostLate, let oldest = late.keys.min() { late[oldest] = nil }
        late[ticket] = pending.showing
        self.pending = nil
        return true
    }

    /// It is gone from the screen by somebody else's doing.
    ///
    /// - Returns: what it was; nil for an id that does not stand here.
    mutating func closed(_ id: UInt32) -> Showing? {
        guard let shown, shown.id == id else { return nil }
        self.shown = nil
        if wanted?.subject == shown.showing.subject { wanted = nil }
        return shown.showing
    }

    /// The server is gone, and everything it showed; what should stand there still should.
    mutating func forget() {
        shown = nil
        pending = nil
        late = [:]
    }
}

extension Showing.Subject {
    fileprivate var saysClosed: Bool {
        if case .reminder(let item, _) = self { item.id.row.says == .closed } else { false }
    }

    /// Whether it is a reminder that says so of the clocks.
    fileprivate var isInDoubt: Bool {
        if case .reminder(_, let isCertain) = self { !isCertain } else { false }
    }
}
