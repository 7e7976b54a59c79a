extension Diary {
    /// An entry up to this long before the start of the open session still belongs to it.
    static let joinsBefore: Duration = .hours(12)

    /// The session an entry with this effective time belongs to (DOMAIN 2); nil when it opens one.
    func session(for instant: Instant) -> Session? {
        if let open, instant >= open.start - Self.joinsBefore { return open }
        return sessions.last { session in
            guard let end = session.end else { return false }
            return session.start <= instant && instant <= end
        }
    }
}

extension Session {
    /// What would be without ground if an entry were deleted: dose 2 and a person's skip need dose 1, an extra dose
    /// needs dose 2.
    func leaning(on id: EventID) -> (id: EventID, at: Instant)? {
        switch doses.first(where: { $0.id == id })?.kind {
        case .dose1:
            doses.first { $0.kind != .dose1 }.map { ($0.id, $0.at) }
                ?? skips.first { !$0.isAutomatic }.map { ($0.id, $0.at) }
        case .dose2: doses.first { $0.kind == .extra }.map { ($0.id, $0.at) }
        case .extra, nil: nil
        }
    }

    /// The events that recorded the standing entries, kind by kind.
    public var entries: [Event] {
        let taken = doses.map(\.event) + skips.map(\.event) + snoozes.map(\.event)
        return taken + wakes.map(\.event) + sleepEvents.map(\.event) + (checkIn.map { [$0.event] } ?? [])
    }

    /// The event that recorded a standing entry.
    public func entry(_ id: EventID) -> Event? { entries.first { $0.id == id } }
}
