public import DoseTapDomain
public import SDBus

/// Answers to questionnaires as callers send them: `a{sv}` by the keys of `Questions`. Codes and texts travel as `s`,
/// lists as `as`, numbers as any integer or `d`, moments as `t` (microseconds since 1970 UTC) or ISO 8601; an empty
/// text withdraws an answer.
public enum AnswersOnBus {
    /// Reads answers as received. A value that cannot be an answer is refused by its key.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public static func answers(
        _ entries: VariantEntries, to kind: Questionnaire.Kind
    ) throws(ServiceError) -> JSONObject {
        let questionnaire = Questionnaire.of(kind)
        var answers = JSONObject()
        for (key, variant) in entries.pairs {
            if questionnaire[key]?.kind == .instant, let microseconds = variant.unwrapped.unsignedValue {
                guard microseconds <= UInt64(Instant.max.microseconds) else {
                    throw ServiceError(.invalidInput, "The answer to \(key) lies beyond the year 9999.")
                }
                answers[key] = .instant(Instant(microseconds: Int64(microseconds)))
                continue
            }
            guard let value = value(variant, depth: 0) else {
                throw ServiceError(.invalidInput, "The answer to '\(key.prefix(40))' has a type that no answer has.")
            }
            answers[key] = value
        }
        return answers
    }

    /// Reads a regimen or an entry of the stock as received: dates and amounts as `s`, numbers as any integer, ratios as `ad`
    /// or `as`.
    ///
    /// - Parameter refusal: the sentence about a key whose value has an unknown type.
    /// - Throws: ``ServiceError`` of kind `invalidInput`.
    public static func draft(
        _ entries: VariantEntries, refusal: (String) -> String
    ) throws(ServiceError) -> JSONObject {
        var draft = JSONObject()
        for (key, variant) in entries.pairs {
            guard let value = value(variant, depth: 0) else {
                throw ServiceError(.invalidInput, refusal(String(key.prefix(40))))
            }
            draft[key] = value
        }
        return draft
    }

    static func entries(_ answers: JSONObject) -> VariantEntries { VariantEntries(variants(answers)) }

    private static func variants(_ answers: JSONObject) -> [String: Variant] {
        var dictionary: [String: Variant] = [:]
        for entry in answers { dictionary[entry.key] = variant(entry.value) }
        return dictionary
    }

    private static func value(_ variant: Variant, depth: Int) -> JSONValue? {
        guard depth < 4 else { return nil }
        switch variant {
        case .bool(let value): return .bool(value)
        case .byte, .int16, .uint16, .int32, .uint32, .int64, .uint64:
            return .integer(variant.integerValue ?? .max)
        case .double(let value): return .plain(value)
        case .string(let text): return .string(text)
        case .variant(let inner): return value(inner, depth: depth)
        case .array(_, let elements):
            var values: [JSONValue] = []
            for element in elements {
                guard let value = value(element, depth: depth + 1) else { return nil }
                values.append(value)
            }
            return .array(values)
        case .dictionary(_, _, let entries):
            var object = JSONObject()
            for (name, inner) in entries.map({ ($0.key.stringValue ?? "", $0.value) }).sorted(by: { $0.0 < $1.0 }) {
                guard let value = value(inner, depth: depth + 1) else { return nil }
                object[name] = value
            }
            return .object(object)
        case .objectPath, .signature, .unixFD, .structure: return nil
        }
    }

    private static func variant(_ value: JSONValue) -> Variant {
        switch value {
        case .null: Variant("")
        case .bool(let value): Variant(value)
        case .integer(let value): Variant(value)
        case .number(let value): Variant(value)
        case .string(let text): Variant(text)
        case .instant(let instant): Variant(UInt64(max(0, instant.microseconds)))
        case .array(let values):
            values.allSatisfy { $0.stringValue != nil }
                ? Variant(values.compactMap(\.stringValue)) : Variant(values.map(variant))
        case .object(let object): Variant(variants(object))
        }
    }
}
