import DoseTapDomain
import GRDB

/// The rows of one session, a pure function of the session's events.
enum SessionRows {
    /// Returns all rows of a session; none for a session that does not exist.
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

extension SessionRows {
    /// Returns the row of a morning check-in: some answers have a column of their own, the others share a JSON column.
    static func morningCheckin(_ session: Session, _ checkIn: CheckIn) -> TableRow {
        var parts: [String: JSONObject] = [:]
        for item in Questionnaire.morning.items {
            guard case .part(let column) = item.place, let answer = checkIn.answers[item.key] else { continue }
            parts[column, default: JSONObject()][item.key] = answer
        }
        let leading: [(any DatabaseValueConvertible)?] = [
            checkIn.id.text, session.id.text, checkIn.wall.iso8601, session.date.text,
        ]
        let values = ProjectionTable.morningCheckins.columns.dropFirst(leading.count).map { column in
            parts[column].map { JSONValue.object($0).serialized().databaseValue }
                ?? checkIn.answers[column]?.columnValue ?? DatabaseValue.null
        }
        return TableRow(.morningCheckins, leading + values)
    }
}

extension JSONValue {
    /// The value of a column; lists and objects as JSON.
    fileprivate var columnValue: DatabaseValue {
        switch self {
        case .null: .null
        case .bool(let value): (value ? 1 : 0).databaseValue
        case .integer(let value): value.databaseValue
        case .number(let value): value.databaseValue
        case .string(let text): text.databaseValue
        case .instant(let instant): instant.iso8601.databaseValue
        case .array, .object: serialized().databaseValue
        }
    }
}

extension SessionRows {
    static func nightMeasures(_ session: Session) -> TableRow {
        let sleep = session.sleepDiary
        let base = session.isOpen ? nil : NightScore.Base(session.scoreFacts)
        let lab = LabNight(session)
        return TableRow(
            .nightMeasures,
            [
                session.id.text, session.date.text, NightOutcome(session).stored(of: session),
                session.interval?.wholeMilliseconds, session.nightScore, sleep.timeInBedMinutes,
                sleep.sleepOnsetLatencyMinutes, sleep.wakeAfterSleepOnsetMinutes, sleep.awakenings,
                sleep.totalSleepMinutes, sleep.sleepEfficiencyPercent, session.checkIn?.wellness,
                session.lightsOut?.iso8601, base?.points, base?.weight, lab.firstSharePercent, lab.bedtimeMinutes,
                lab.rested, lab.grogginess, lab.clarity, lab.wellness, lab.napMinutes, lab.hasUnfinishedNap,
                lab.hasCheckIn, lab.isOver,
            ])
    }
}

/// The tables distinguish automatic skips from nights without any entry about dose 2; other code does not.
extension NightOutcome {
    private static let unrecorded = ["slept_through", "missed"]

    /// The words of the table for an outcome.
    var stored: [String] { self == .notRecorded ? Self.unrecorded : [rawValue] }

    /// Reads the outcome from a word of the table.
    init?(stored word: String) {
        if Self.unrecorded.contains(word) { self = .notRecorded } else { self.init(rawValue: word) }
    }

    fileprivate func stored(of session: Session) -> String {
        guard self == .notRecorded else { return rawValue }
        return session.skips.contains(where: \.isAutomatic) ? Self.unrecorded[0] : Self.unrecorded[1]
    }
}
