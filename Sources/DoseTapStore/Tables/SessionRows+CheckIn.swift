import DoseTapDomain
import GRDB

extension SessionRows {
    /// The row of a morning check-in: what has a column stands in it, what is part of something in its JSON.
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
    /// As a column of its own holds it; lists and objects as JSON.
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
