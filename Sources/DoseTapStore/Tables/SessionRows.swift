import DoseTapDomain

/// The rows of one session: a pure function of what its events say.
enum SessionRows {
    /// All rows of a session; none for a session that does not exist.
    static func of(_ session: Session?) -> [TableRow] {
        guard let session else { return [] }
        var rows = [sleepSession(session), nightMeasures(session)]
        if session.isOpen { rows.append(currentSession(session)) }
        rows += session.doses.map { dose in
            doseEvent(session, dose.event, dose.kind.rawValue, at: dose.wall, session.metadata(of: dose))
        }
        rows += session.skips.map { skip in
            doseEvent(session, skip.event, "dose2_skipped", at: skip.wall, session.metadata(of: skip))
        }
        rows += session.snoozes.map { snooze in
            doseEvent(session, snooze.event, "snooze", at: snooze.wall, session.metadata(of: snooze))
        }
        rows += session.wakes.map { wake in
            sleepEvent(session, wake.event, SleepEventWord.finalWake, at: wake.wall, note: wake.note)
        }
        rows += session.sleepEvents.map { event in
            sleepEvent(session, event.event, event.type, at: event.wall, note: event.note)
        }
        if let checkIn = session.checkIn { rows.append(morningCheckin(session, checkIn)) }
        return rows
    }

    private static func sleepSession(_ session: Session) -> TableRow {
        TableRow(
            .sleepSessions,
            [
                session.id.text, session.date.text, session.start.iso8601, session.end?.iso8601,
                session.terminalState?.rawValue, session.openedAt.iso8601, session.updatedAt.iso8601,
            ])
    }

    private static func currentSession(_ session: Session) -> TableRow {
        TableRow(
            .currentSession,
            [
                1, session.dose1?.wall.iso8601, session.dose2?.wall.iso8601, session.snoozes.count,
                session.isDose2Skipped ? 1 : 0, session.date.text, session.id.text, session.start.iso8601, nil,
                session.terminalState?.rawValue, session.updatedAt.iso8601,
            ])
    }

    private static func doseEvent(
        _ session: Session, _ event: Event, _ type: String, at instant: Instant, _ metadata: JSONObject
    ) -> TableRow {
        TableRow(
            .doseEvents,
            [
                event.id.text, type, instant.iso8601, session.date.text, session.id.text,
                JSONValue.object(metadata).serialized(), event.occurredAt.iso8601,
            ])
    }

    private static func sleepEvent(
        _ session: Session, _ event: Event, _ type: String, at instant: Instant, note: String?
    ) -> TableRow {
        TableRow(
            .sleepEvents,
            [
                event.id.text, type, instant.iso8601, session.date.text, session.id.text,
                SleepEventCatalogue.standard[type]?.colourHex, note, event.occurredAt.iso8601,
            ])
    }
}
