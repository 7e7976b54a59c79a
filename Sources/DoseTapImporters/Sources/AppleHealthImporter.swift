internal import CImporters
internal import DoseTapDomain
internal import DoseTapExchange
internal import Glibc

/// Apple Health: `export.xml` or the archive with it, read by expat piece by piece.
///
/// The file has a record for each stage, from several sources in any order. The records of a source with less than 90 minutes
/// between them are one sleep. An offset in the file is that of the phone at the time of the export.
enum AppleHealthImporter: Importer {
    /// The time without a record that separates two sleeps, in seconds.
    static let gap: Int64 = 90 * 60
    /// The largest number of records of sleep: 16 bytes each.
    static let mostRecords = 1_000_000
    static let mostSources = 1_000
    /// The largest number of records of one sleep.
    static let mostOfSleep = 2_500
    /// The largest size of a tag in bytes, and the largest number of nested tags.
    static let longestTag = 1 << 20
    static let deepest = 64
    /// The largest memory of expat, in bytes: expat keeps every name in the file.
    static let memory = 32 << 20

    static func read(_ file: ForeignFile, into writer: inout ImportWriter) throws(ExchangeFault) {
        var source = ByteSource(file)
        if ZipFile.isOne(try file.bytes(at: 0, count: 4)) {
            let archive = try ZipFile(file)
            guard let member = try health(archive) else {
                throw ExchangeFault(.stream, sent("The archive has no export.xml."))
            }
            source = try archive.open(member)
        }
        let records = AppleHealthRecords()
        try records.parse(source)
        try records.write(into: &writer)
    }

    /// Finds the export. The file's name is in the language of the phone; the other XML file, `export_cda`, is for clinics.
    private static func health(_ archive: ZipFile) throws(ExchangeFault) -> ZipFile.Member? {
        if let member = archive.named("export.xml").first { return member }
        let others = archive.members.filter {
            $0.base.lowercased().hasSuffix(".xml") && !$0.base.lowercased().hasPrefix("export_cda")
        }
        return others.max { $0.size < $1.size }
    }
}

/// The records of sleep in the order of the file.
final class AppleHealthRecords {
    struct Record {
        /// Seconds since 1970. The years of possible records fit into 32 bits.
        let start: UInt32
        /// The length in seconds.
        let length: UInt32
        let offsetMinutes: Int16
        let source: UInt16
        let stage: UInt8
        var isTold: Bool

        var end: Int64 { Int64(start) + Int64(length) }
    }

    private struct NotTaken {
        let row: String
        let reason: String
    }

    private(set) var records: [Record] = []
    private var sources: [String] = []
    private var numbers: [String: UInt16] = [:]
    private var notTaken: [NotTaken] = []
    private var count = 0
    private var isHealth = false
    private var isInSleep = false
    private var depth = 0
    private var fault: ExchangeFault?
    private var parser: XML_Parser?

    private static let stages: [ImportedSleep.Stage] = [.inBed, .asleep, .awake, .light, .deep, .rem, .unknown]

    func parse(_ source: ByteSource) throws(ExchangeFault) {
        guard let parser = cimporters_parser(AppleHealthImporter.memory) else {
            throw ExchangeFault(.output, sent("There is no memory to read XML with."))
        }
        self.parser = parser
        defer {
            XML_ParserFree(parser)
            self.parser = nil
        }
        XML_SetUserData(parser, Unmanaged.passUnretained(self).toOpaque())
        XML_SetElementHandler(
            parser,
            { context, name, attributes in
                guard let context, let name, let attributes else { return }
                Unmanaged<AppleHealthRecords>.fromOpaque(context)._withUnsafeGuaranteedRef { records in
                    records.depth += 1
                    // Most tags of such a file are of other kinds: the first letter alone rules most of them out.
                    let first = name[0]
                    if first == 0x52 || first == 0x4D || first == 0x48 { records.begin(name, attributes) }
                    if records.depth > AppleHealthImporter.deepest {
                        records.stop(sent("Its tags are nested too deep."))
                    }
                }
            },
            { context, name in
                guard let context, let name else { return }
                Unmanaged<AppleHealthRecords>.fromOpaque(context)._withUnsafeGuaranteedRef { records in
                    records.depth -= 1
                    if records.isInSleep, strcmp(name, "Record") == 0 { records.isInSleep = false }
                }
            })
        XML_SetEntityDeclHandler(parser) { context, _, _, _, _, _, _, _, _ in
            guard let context else { return }
            let records = Unmanaged<AppleHealthRecords>.fromOpaque(context).takeUnretainedValue()
            records.stop(sent("It declares an entity, which no export of Apple Health does."))
        }
        // expat puts a default into each tag without the attribute, so a small file could become a large one.
        XML_SetAttlistDeclHandler(parser) { context, _, _, _, value, _ in
            guard let context, value != nil else { return }
            let records = Unmanaged<AppleHealthRecords>.fromOpaque(context).takeUnretainedValue()
            records.stop(sent("It declares a default of an attribute, which no export of Apple Health does."))
        }
        let room: Int32 = 131_072
        var fed = 0
        while true {
            guard let buffer = XML_GetBuffer(parser, room) else {
                throw tooMuch()
            }
            let came = try source.read(UnsafeMutableRawBufferPointer(start: buffer, count: Int(room)))
            let status = XML_ParseBuffer(parser, Int32(came), came == 0 ? 1 : 0)
            if let fault { throw fault }
            if XML_GetErrorCode(parser) == XML_ERROR_NO_MEMORY { throw tooMuch() }
            guard status == XML_STATUS_OK else {
                throw place(
                    sent("The XML is cut or wrong: \(String(cString: XML_ErrorString(XML_GetErrorCode(parser))))."))
            }
            if came == 0 { break }
            fed += came
            // The unread rest is a tag without an end.
            guard fed - Int(XML_GetCurrentByteIndex(parser)) <= AppleHealthImporter.longestTag else {
                throw place(sent("A tag has more than \(AppleHealthImporter.longestTag >> 20) MiB."))
            }
        }
        guard isHealth else { throw ExchangeFault(.stream, sent("It is no export of Apple Health.")) }
    }

    private func place(_ message: String) -> ExchangeFault {
        guard let parser else { return ExchangeFault(.stream, message) }
        return ExchangeFault(
            .stream, line: Int(XML_GetCurrentLineNumber(parser)),
            "\(message) (byte \(XML_GetCurrentByteIndex(parser)))")
    }

    private func tooMuch() -> ExchangeFault {
        place(sent("To read the XML takes more than \(AppleHealthImporter.memory >> 20) MiB."))
    }

    private func stop(_ message: String) {
        guard fault == nil, let parser else { return }
        fault = place(message)
        XML_StopParser(parser, 0)
    }

    private func begin(
        _ name: UnsafePointer<CChar>, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) {
        if strcmp(name, "Record") == 0 {
            record(attributes)
        } else if isInSleep, strcmp(name, "MetadataEntry") == 0 {
            if Self.value("key", attributes).map({ strcmp($0, "HKWasUserEntered") == 0 }) == true,
                Self.value("value", attributes).map({ strcmp($0, "1") == 0 }) == true, !records.isEmpty
            {
                records[records.count - 1].isTold = true
            }
        } else if strcmp(name, "HealthData") == 0 {
            isHealth = true
        }
    }

    private static func value(
        _ name: String, _ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>
    ) -> UnsafePointer<CChar>? {
        var place = 0
        while let key = attributes[place] {
            if strcmp(key, name) == 0 { return attributes[place + 1] }
            place += 2
        }
        return nil
    }

    private func record(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) {
        guard let type = Self.value("type", attributes),
            strcmp(type, "HKCategoryTypeIdentifierSleepAnalysis") == 0
        else { return }
        count += 1
        func time(_ name: String) -> (Instant, offsetMinutes: Int)? {
            guard let text = Self.value(name, attributes) else { return nil }
            let bytes = UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self)
            return LocalTimes.withOffset(UnsafeBufferPointer(start: bytes, count: min(strlen(text), 26)))
        }
        let row = "sleep record \(count), line \(parser.map { Int(XML_GetCurrentLineNumber($0)) } ?? 0)"
        guard let start = time("startDate") else { return refuse(row, sent("it has no startDate that is a time")) }
        guard let end = time("endDate") else { return refuse(row, sent("it has no endDate that is a time")) }
        guard ImportWriter.years.contains(start.0), ImportWriter.years.contains(end.0) else {
            return refuse(row, sent("its times are not within the years 2000 to 2099"))
        }
        let length = end.0.seconds - start.0.seconds
        guard length > 0 else { return refuse(row, sent("it does not end after its start")) }
        guard length <= 24 * 3_600 else { return refuse(row, sent("it is longer than 24 hours")) }
        guard records.count < AppleHealthImporter.mostRecords else {
            return stop(sent("It has more than \(AppleHealthImporter.mostRecords) records of sleep."))
        }
        guard let source = source(attributes) else { return }
        records.append(
            Record(
                start: UInt32(clamping: start.0.seconds), length: UInt32(length),
                offsetMinutes: Int16(start.offsetMinutes), source: source, stage: stage(attributes), isTold: false)
        )
        isInSleep = true
    }

    private func stage(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> UInt8 {
        guard let text = Self.value("value", attributes) else { return 6 }
        let prefix = "HKCategoryValueSleepAnalysis"
        guard strncmp(text, prefix, prefix.utf8.count) == 0 else { return 6 }
        return switch String(cString: text + prefix.utf8.count) {
        case "InBed": 0
        case "Asleep", "AsleepUnspecified": 1
        case "Awake": 2
        case "AsleepCore": 3
        case "AsleepDeep": 4
        case "AsleepREM": 5
        default: 6
        }
    }

    private func source(_ attributes: UnsafeMutablePointer<UnsafePointer<CChar>?>) -> UInt16? {
        let name = Self.value("sourceName", attributes).map { PlainText.line(String(cString: $0)) } ?? ""
        if let number = numbers[name] { return number }
        guard sources.count < AppleHealthImporter.mostSources else {
            stop(sent("Its sleep is from more than \(AppleHealthImporter.mostSources) sources."))
            return nil
        }
        let number = UInt16(sources.count)
        sources.append(name)
        numbers[name] = number
        return number
    }

    private func refuse(_ row: String, _ reason: String) {
        guard notTaken.count < 100_000 else { return stop(sent("More than 100,000 records of sleep cannot be taken.")) }
        notTaken.append(NotTaken(row: row, reason: reason))
    }

    /// Writes a sleep for each group of records.
    func write(into writer: inout ImportWriter) throws(ExchangeFault) {
        try writer.begin(
            writer.zone == nil
                ? [sent("The file has the offset from UTC of the day of its export; --zone says that of each night.")]
                : [])
        for row in notTaken { try writer.notTaken(row.row, row.reason) }
        records.sort {
            ($0.source, $0.start, $0.length, $0.stage) < ($1.source, $1.start, $1.length, $1.stage)
        }
        var first = 0
        while first < records.count {
            var end = records[first].end
            var last = first + 1
            while last < records.count, records[last].source == records[first].source,
                Int64(records[last].start) < end + AppleHealthImporter.gap
            {
                end = max(end, records[last].end)
                last += 1
            }
            try group(records[first..<last], end, into: &writer)
            first = last
        }
    }

    private func group(
        _ group: ArraySlice<Record>, _ end: Int64, into writer: inout ImportWriter
    ) throws(ExchangeFault) {
        guard let first = group.first else { return }
        let start = Instant(seconds: Int64(first.start))
        let name = sources[Int(first.source)]
        let row = "\(name.isEmpty ? "a source without a name" : name), from \(start.iso8601)"
        // A group that is too large for a night is not evaluated.
        guard group.count <= AppleHealthImporter.mostOfSleep else {
            return try writer.notTaken(
                row, sent("it has \(group.count) records; \(AppleHealthImporter.mostOfSleep) are the most"))
        }
        let spans = group.map { record in
            ImportedSleep.Span(
                Self.stages[Int(record.stage)], Instant(seconds: Int64(record.start)), Instant(seconds: record.end))
        }
        try writer.sleep(
            ImportedSleep(
                row: row, id: Identity.derived("apple-health/\(name)/\(first.start)"), device: name, start: start,
                end: Instant(seconds: end),
                offsetMinutes: writer.zone == nil ? Int(first.offsetMinutes) : nil, part: .unknown,
                grade: group.allSatisfy(\.isTold) ? .told : .estimated, course: .stages(StageLine.flat(spans))))
    }
}
