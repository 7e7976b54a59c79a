import DoseTapDomain

/// The JSON Schemas, printed from the shapes of the `--json` output.
enum SchemaDocuments {
    static func file(_ shape: Shape) -> String {
        var schema: JSONObject = [
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": .string("urn:dosetap:schema:1:\(shape.name)"), "title": .string(shape.title),
        ]
        for entry in object(shape) { schema[entry.key] = entry.value }
        return JSONValue.object(schema).serialized(pretty: true) + "\n"
    }

    private static func object(_ shape: Shape) -> JSONObject {
        var schema: JSONObject = ["type": "object"]
        let required = shape.keys.filter {
            switch $0.null {
            case .never, .null, .zero: true
            case .absent, .absentOrNull: false
            }
        }
        if !required.isEmpty { schema["required"] = .array(required.map { .string($0.name) }) }
        schema["properties"] = .object(JSONObject(shape.keys.map { ($0.name, .object(property($0))) }))
        return schema
    }

    private static func property(_ key: Key) -> JSONObject {
        var schema = value(key.type)
        switch key.null {
        case .never, .absent: break
        case .null, .zero, .absentOrNull:
            if schema["$ref"] != nil {
                schema = ["anyOf": .array([.object(schema), ["type": "null"]])]
            } else if let type = schema["type"] {
                schema["type"] = .array([type, "null"])
                if let words = schema["enum"]?.arrayValue { schema["enum"] = .array(words + [.null]) }
            }
        }
        var prose = key.prose
        if case .instant = key.type {
            prose += (prose.isEmpty ? "" : "; ") + "ISO 8601 UTC with milliseconds"
        }
        if !prose.isEmpty { schema["description"] = .string(prose) }
        return schema
    }

    private static func value(_ type: ValueType) -> JSONObject {
        switch type {
        case .text: return ["type": "string"]
        case .words(let words): return ["type": "string", "enum": .array(words().map(JSONValue.string))]
        case .date: return ["type": "string", "format": "date"]
        case .instant: return ["type": "string", "format": "date-time"]
        case .bool: return ["type": "boolean"]
        case .integer(let unit, let type, let least):
            return measured("integer", unit, least: least ?? (type == .signed ? nil : 0))
        case .number(let unit, let least): return measured("number", unit, least: least)
        case .list(let element): return ["type": "array", "items": .object(value(element))]
        case .object(let shape):
            let shape = shape()
            return shape.name.isEmpty ? object(shape) : ["$ref": .string(shape.name + ".json")]
        case .open: return ["type": "object"]
        case .any: return [:]
        }
    }

    /// The unit is a note for people and programs; no validator looks at it.
    private static func measured(_ type: JSONValue, _ unit: ValueType.Unit, least: Int?) -> JSONObject {
        var schema: JSONObject = ["type": type]
        if unit != .none { schema["x-unit"] = .string(unit.rawValue) }
        if let least { schema["minimum"] = .integer(Int64(least)) }
        return schema
    }
}
