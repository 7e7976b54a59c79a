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

    /// The event that recorded a standing entry.
    public func entry(_ id: EventID) -> Event? {
        doses.first { $0.id == id }?.event ?? skips.first { $0.id == id }?.event
            ?? snoozes.first { $0.id == id }?.event ?? wakes.first { $0.id == id }?.event
            ?? sleepEvents.first { $0.id == id }?.event ?? checkIn.flatMap { $0.id == id ? $0.event : nil }
    }
}
