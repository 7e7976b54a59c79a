internal import DoseTapDomain
internal import DoseTapExchange

/// The iOS app of the same name: its database, its CSV files, its bundle for the Studio. The content of a file decides which one
/// it is.
enum IOSImporter: Importer {
    /// The largest size of a database that is unpacked from an archive into memory, in bytes.
    static let mostUnpacked = 64 << 20

    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        let head = try file.bytes(at: 0, count: 64)
        if SQLiteFile.isOne(head) {
            try IOSDatabase.read(file, into: &writer)
        } else if ZipFile.isOne(head) {
            try IOSBundle.read(try ZipFile(file), into: &writer)
        } else if head.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) == UInt8(ascii: "{") {
            try IOSBundle.insights(ByteSource(file), "", into: &writer)
        } else {
            try IOSTables.read(ByteSource(file), "", into: &writer)
        }
        try writer.begin()
    }
}

/// The bundle that the app exports for its Studio: `events.csv` has doses and sleep events, `insights_bundle.json` has answers
/// and medicines.
enum IOSBundle {
    static func read(_ archive: ZipFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        let events = archive.named("events.csv").first
        let insights = archive.named("insights_bundle.json").first
        guard events != nil || insights != nil else {
            throw ExchangeFault(.stream, sent("The archive has neither events.csv nor insights_bundle.json."))
        }
        var notes: [String] = []
        if !archive.named("sessions.csv").isEmpty {
            notes.append(
                sent("sessions.csv is not read: its times are those of the doses in events.csv, or of no dose at all."))
        }
        if !archive.named("inventory.csv").isEmpty {
            notes.append(sent("inventory.csv is not read: the app leaves it empty."))
        }
        try writer.begin(notes + (insights == nil ? [] : [IOSAnswers.note]))
        if let events { try IOSTables.read(try archive.open(events), "events.csv, ", into: &writer) }
        if let insights { try Self.insights(try archive.open(insights), "insights_bundle.json, ", into: &writer) }
    }

    /// Reads one element for each night: `sessionDate`, `preSleep`, `morning`, `medications`.
    static func insights(
        _ source: ByteSource, _ name: String, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        var elements = JSONElements(source, lists: ["sessions"])
        var isBundle = false
        while let element = try elements.next() {
            if element.key == "schemaVersion" {
                guard element.value == 1 else {
                    throw ExchangeFault(
                        .stream, line: element.line,
                        sent("The bundle has the version \(PlainText.line(element.value.description)); 1 is known."))
                }
                isBundle = true
            }
            guard element.key == "sessions", element.number > 0 else { continue }
            isBundle = true
            try writer.begin([IOSAnswers.note])
            try night(element, "\(name)line \(element.line)", into: &writer)
        }
        guard isBundle else {
            throw ExchangeFault(.stream, sent("It is no bundle of the iOS app: it has no sessions."))
        }
    }

    private static func night(
        _ element: JSONElements.Element, _ place: String, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        let date = element.value["sessionDate"]?.stringValue.flatMap { try? SessionDate(text: $0) }
        guard let date else { return try writer.notTaken(place, sent("its sessionDate is no date")) }
        if let said = element.value["preSleep"]?.objectValue {
            var row = IOSRow("\(place), preSleep", said)
            row.values["id"] = row.values["id"] ?? "pre-sleep/\(date.text)"
            try IOSAnswers.preSleep(row, said, "loggedAtUTC", date, into: &writer)
        }
        if let said = element.value["morning"]?.objectValue {
            var row = IOSRow("\(place), morning", said)
            row.values["id"] = row.values["id"] ?? "morning/\(date.text)"
            try IOSAnswers.morning(row, said, "submittedAtUTC", date, into: &writer)
        }
        for (number, medicine) in (element.value["medications"]?.arrayValue ?? []).enumerated() {
            guard let said = medicine.objectValue else { continue }
            var row = IOSRow("\(place), medicine \(number + 1)", said)
            for (name, column) in [
                ("medicationId", "medication_id"), ("doseMg", "dose_mg"), ("doseUnit", "dose_unit"),
                ("takenAtUTC", "taken_at_utc"),
            ] { row.values[column] = row.values[name] }
            row.values["session_date"] = date.text
            try IOSRows.medication(row, into: &writer)
        }
    }
}

/// A row of the app: the values by the names of the columns, as text.
struct IOSRow {
    /// The place of the row in the file, for people.
    let place: String
    var values: [String: String]

    init(_ place: String, _ values: [String: String]) {
        self.place = place
        self.values = values
    }

    init(_ place: String, _ object: JSONObject) {
        self.place = place
        var values: [String: String] = [:]
        for entry in object {
            switch entry.value {
            case .integer, .number, .bool: values[entry.key] = entry.value.description
            case .string(let text): values[entry.key] = text
            case .null, .instant, .array, .object: break
            }
        }
        self.values = values
    }

    /// Returns the first value that is not empty; nil without one.
    subscript(names: String...) -> String? {
        for name in names {
            if let value = values[name], !value.isEmpty { return value }
        }
        return nil
    }

    /// The night to which the app assigns the row: its date, or a date in the column of the session's identity.
    var night: SessionDate? {
        for name in ["session_date", "device_time", "session_id"] {
            if let text = values[name], let date = try? SessionDate(text: text) { return date }
        }
        return nil
    }

    var id: String? { self["id"].flatMap(PlainText.id) }
    var offsetMinutes: Int? { self["local_offset_minutes"].flatMap { Int($0) } }
}
