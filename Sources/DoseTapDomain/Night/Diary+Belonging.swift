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
    /// The event that recorded a standing entry.
    public func entry(_ id: EventID) -> Event? {
        doses.first { $0.id == id }?.event ?? skips.first { $0.id == id }?.event
            ?? snoozes.first { $0.id == id }?.event ?? wakes.first { $0.id == id }?.event
    }
}
