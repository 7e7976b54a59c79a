internal import DoseTapDomain
internal import DoseTapExchange

/// Reads the rows of the app's events.
enum IOSRows {
    private static let doses: [String: DoseKind] = [
        "dose1": .dose1, "dose_1": .dose1, "dose1_taken": .dose1, "dose2": .dose2, "dose_2": .dose2,
        "dose2_taken": .dose2, "extra_dose": .extra, "extradose": .extra, "dose3": .extra,
    ]
    private static let skips: Set<String> = ["dose2_skipped", "skip", "skipped", "skip_dose", "dose2skipped"]
    private static let snoozes: Set<String> = ["snooze", "dose2_snoozed", "snoozed"]
    /// Marks that the app writes among the sleep events; the answers have rows of their own.
    private static let marks: Set<String> = ["morning_check_in", "pre_sleep_log", "wake_survey", "medication"]

    /// Reads a dose, a skip, a snooze or a sleep event.
    ///
    /// - Parameter isSleepTable: true if the table may have sleep events only.
    static func event(
        _ row: IOSRow, isSleepTable: Bool = false, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        guard let written = row["event_type", "type"] else {
            return try writer.notTaken(row.place, sent("it says no type"))
        }
        let type = SleepEventWord.normalised(String(written.prefix(80)))
        if snoozes.contains(type) {
            return try writer.notTaken(row.place, sent("a snooze of the app's alarm is no part of the record"))
        }
        let isDose = doses[type] != nil || skips.contains(type)
        if isDose, isSleepTable {
            return try writer.notTaken(row.place, sent("a dose among sleep events; doses are read from dose_events"))
        }
        if marks.contains(type) {
            return try writer.notTaken(
                row.place, sent("'\(type)' is a mark of the app; what was answered has a row of its own"))
        }
        guard let at = try time(row, "timestamp", "occurred_at_utc", into: &writer) else { return }
        if isDose { return try dose(row, type, at, into: &writer) }
        guard let sleepEvent = SleepEventCatalogue.standard.type(named: String(written.prefix(80))) else {
            return try writer.notTaken(row.place, sent("\(PlainText.quoted(written)) is no type of event here"))
        }
        let what: ImportEntry.What =
            sleepEvent.word == SleepEventWord.finalWake
            ? .finalWake : .sleepEvent(sleepEvent.word)
        try writer.entry(
            ImportEntry(
                what, row: row.place, id: row.id, at: at, night: row.night,
                note: row["notes", "details"].map(unguarded)))
    }

    private static func dose(
        _ row: IOSRow, _ type: String, _ at: Instant, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        var said = JSONObject()
        var note = row["notes"]
        if let text = row["metadata", "details"] {
            if text.hasPrefix("{") {
                if let object = (try? JSONValue.parse(text))?.objectValue {
                    said = object
                } else {
                    try writer.notTaken(
                        "\(row.place), its details",
                        sent(
                            "the app wrote them so that they cannot be read; the entry is taken without amount and reason"
                        ))
                }
            } else {
                note = note ?? text
            }
        }
        let what: ImportEntry.What
        if let kind = doses[type] {
            let isExtra = said["is_extra_dose"]?.boolValue == true
            what = .dose(
                isExtra ? .extra : kind, amountMilligrams: try amount(said["amount_mg"], row, into: &writer))
        } else {
            let reason = said["reason"]?.stringValue.map(PlainText.text)
            guard reason != "slept_through" else {
                return try writer.notTaken(
                    row.place, sent("the app wrote this skip by itself; nobody skipped, nobody recorded"))
            }
            what = .skip(reason: reason.flatMap { $0.isEmpty ? nil : $0 })
        }
        try writer.entry(
            ImportEntry(what, row: row.place, id: row.id, at: at, night: row.night, note: note.map(unguarded)))
    }

    static func medication(_ row: IOSRow, into writer: inout ImportWriter) throws(ExchangeFault) {
        guard let written = row["medication_id"] else {
            return try writer.notTaken(row.place, sent("it names no medicine"))
        }
        let id = SleepEventWord.normalised(String(written.prefix(80)))
        guard MedicationCatalogue.standard.medications.contains(where: { $0.id == id }) else {
            return try writer.notTaken(row.place, sent("\(PlainText.quoted(written)) is no medicine that is known"))
        }
        guard let at = try time(row, "taken_at_utc", into: &writer) else { return }
        var amount: Int?
        if let unit = row["dose_unit"], unit != "mg" {
            try writer.notTaken(
                "\(row.place), its amount", sent("it is in \(PlainText.quoted(unit)), and only mg are read"))
        } else {
            amount = try self.amount(
                row["dose_mg"].map { Int64($0).map(JSONValue.integer) ?? .string($0) }, row, into: &writer)
        }
        try writer.entry(
            ImportEntry(
                .medication(id, amountMilligrams: amount), row: row.place, id: row.id, at: at,
                offsetMinutes: row.offsetMinutes, night: row.night, note: row["notes"].map(unguarded)))
    }

    /// Returns an amount; nil without one, and for an impossible amount, which is named.
    private static func amount(
        _ value: JSONValue?, _ row: IOSRow, into writer: inout ImportWriter
    ) throws(ExchangeFault) -> Int? {
        guard let value, !value.isNull else { return nil }
        if let number = value.doubleValue, let whole = Int(exactly: number.rounded()),
            Bounds.amountMilligrams.contains(whole)
        {
            return whole
        }
        try writer.notTaken(
            "\(row.place), its amount", sent("\(PlainText.line(value.description)) mg is no possible amount"))
        return nil
    }

    /// Returns the time of a row; nil if no time can be read, which is named.
    static func time(
        _ row: IOSRow, _ names: String..., into writer: inout ImportWriter
    ) throws(ExchangeFault) -> Instant? {
        guard let text = names.lazy.compactMap({ row[$0] }).first else {
            try writer.notTaken(row.place, sent("it says no time"))
            return nil
        }
        guard let at = try? Instant(iso8601: text) else {
            try writer.notTaken(row.place, sent("its time \(PlainText.quoted(text)) cannot be read"))
            return nil
        }
        return at
    }

    /// Returns a text without the apostrophe that keeps a spreadsheet from calculating it.
    private static func unguarded(_ text: String) -> String {
        guard text.hasPrefix("'"), let next = text.unicodeScalars.dropFirst().first,
            "=+-@\t\r'".unicodeScalars.contains(next)
        else { return text }
        return String(text.unicodeScalars.dropFirst())
    }
}

/// The app's CSV files.
enum IOSTables {
    /// The columns of text that the app does not quote.
    private static let texts: Set<String> = ["details", "notes"]

    static func read(
        _ source: ByteSource, _ name: String, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        var table = try CSVTable(CSVReader(source))
        let columns = Set(table.columns)
        func has(_ names: String...) -> Bool { names.allSatisfy(columns.contains) }
        let read: (IOSRow, inout ImportWriter) throws(ExchangeFault) -> Void
        if has("date", "dose1time", "dose2time") {
            read = { row, writer throws(ExchangeFault) in try core(row, into: &writer) }
        } else if has("session_date", "dose1_time", "dose2_time") {
            read = { row, writer throws(ExchangeFault) in try session(row, into: &writer) }
        } else if has("medication_id", "taken_at_utc") {
            read = { row, writer throws(ExchangeFault) in try IOSRows.medication(row, into: &writer) }
        } else if has("event_type", "timestamp") || has("event_type", "occurred_at_utc") || has("type", "timestamp") {
            read = { row, writer throws(ExchangeFault) in try IOSRows.event(row, into: &writer) }
        } else if has("started_utc", "adherence_flag") || has("as_of_utc", "bottles_remaining") {
            throw ExchangeFault(
                .stream, line: 1,
                sent("This file of the app has no entries; the bundle, events.csv or the database has them."))
        } else {
            throw ExchangeFault(.stream, line: 1, sent("It is none of the files that the iOS app writes."))
        }
        try writer.begin()
        while let row = try table.next(rest: texts) {
            let place = "\(name)line \(row.line)"
            guard row.isWhole else {
                try writer.notTaken(place, sent("it has another number of fields than the first line"))
                continue
            }
            try read(IOSRow(place, row.values), &writer)
        }
    }

    /// Reads a night of the first export: a date and times of day, all of them in UTC.
    private static func core(_ row: IOSRow, into writer: inout ImportWriter) throws(ExchangeFault) {
        guard let first = row["dose1time"] else {
            return try writer.notTaken(row.place, sent("it has no dose 1, and the time of a dose 2 alone has no date"))
        }
        guard let date = row["date"], let dose1 = LocalTimes.instant("\(date) \(first)", in: .utc) else {
            return try writer.notTaken(row.place, sent("its date and time of dose 1 cannot be read"))
        }
        try writer.entry(ImportEntry(.dose(.dose1, amountMilligrams: nil), row: row.place, at: dose1))
        guard let second = row["dose2time"] else { return }
        guard var dose2 = LocalTimes.instant("\(date) \(second)", in: .utc) else {
            return try writer.notTaken(
                "\(row.place), dose 2", sent("its time \(PlainText.quoted(second)) cannot be read"))
        }
        // A time of day alone means the first such time after dose 1.
        if dose2 < dose1 { dose2 += .hours(24) }
        if let text = row["interval"], let told = Double(text) {
            let minutes = (dose2 - dose1).wholeSeconds / 60
            guard abs(told - Double(minutes)) <= 1 else {
                return try writer.notTaken(
                    "\(row.place), dose 2",
                    sent("its interval of \(PlainText.line(text)) minutes and its times disagree"))
            }
        }
        try writer.entry(ImportEntry(.dose(.dose2, amountMilligrams: nil), row: row.place, at: dose2))
    }

    /// Reads a night with the times of its doses.
    private static func session(_ row: IOSRow, into writer: inout ImportWriter) throws(ExchangeFault) {
        for (column, kind) in [("dose1_time", DoseKind.dose1), ("dose2_time", .dose2)] where row[column] != nil {
            var part = IOSRow("\(row.place), \(kind.rawValue)", row.values)
            part.values["timestamp"] = row[column]
            part.values["event_type"] = kind.rawValue
            part.values["id"] = nil
            try IOSRows.event(part, into: &writer)
        }
        if let text = row["dose2_skipped"], text != "0", text.lowercased() != "false" {
            try writer.notTaken("\(row.place), the skip", sent("the file does not say when it was"))
        }
    }
}
