package import DoseTapDomain

/// Takes the parts out of the stream that a profile does not tell, line by line, before any format sees the stream (R28).
package struct Redactor {
    /// The day of the first night in a file without dates. Each later date gets the next day.
    package static let firstDay = CivilDate(year: 2000, month: 1, day: 1) ?? CivilDate(daysSinceEpoch: 0)
    /// The type that replaces a word of the person.
    package static let otherType = "other"

    private let profile: ExportProfile
    private let identity: Identity
    private let parts: Set<PacketPart>?
    /// The number of dates so far, and the last of them.
    private var dates = 0
    private var date: String?
    /// The word that replaces each source of sleep that is not ours, in the order of the stream.
    private var sources: [String: String] = [:]
    /// The largest number of replaced sources with a word of their own.
    private static let mostSources = 100
    /// The shift of each moment of the line, in milliseconds.
    private var shift: Int64 = 0

    /// - Parameter parts: the parts that a packet tells beyond the profile (R33.2).
    package init(_ profile: ExportProfile, _ identity: Identity, parts: Set<PacketPart>? = nil) {
        self.parts = parts
        self.profile = profile
        self.identity = identity
    }

    /// Returns a line with the parts that the profile tells.
    package mutating func redact(_ line: NightStream.Line) -> NightStream.Line {
        guard profile != .full else { return line }
        var line = line
        if profile == .share || profile == .figures {
            countDates(line.object)
            // An entry outside the nights has no number of a night, and a prescription consists of names and amounts.
            line.object = JSONObject(line.object.filter { $0.key == "nights" }.map { ($0.key, $0.value) })
            if line.object.isEmpty { line.object = ["nights": []] }
        }
        if leavesOutMedicines { line.object[EntityType.listOfMedicines] = nil }
        nameSources(line.object)
        line.object = treated(line.object, Treatment.line)
        return line
    }

    /// Gives the date of the line its number, and calculates the shift of its moments: to that night's day by the wall clock,
    /// without the offset of that clock. One offset for the whole line keeps every interval as it is.
    private mutating func countDates(_ line: JSONObject) {
        guard let night = line["nights"]?.arrayValue?.first, let text = night["session_date"]?.stringValue else {
            return
        }
        if text != date { dates += 1 }
        date = text
        let offsets = (night["entries"]?.arrayValue ?? []).compactMap {
            $0["metadata"]?["local_offset_minutes"]?.integerValue
        }
        let offset = offsets.first { (-1_440...1_440).contains($0) }
        guard let real = try? CivilDate(iso8601: text) else { return }
        let days = Redactor.firstDay.daysSinceEpoch + dates - 1 - real.daysSinceEpoch
        shift = Int64(days) * 86_400_000 + (offset ?? 0) * 60_000
    }

    /// Returns true if a source of sleep is one that files are imported from, or the person.
    private static func isOurs(_ source: String) -> Bool {
        ImportSource(rawValue: source) != nil || source == SleepRecorded.byHand
    }

    private mutating func nameSources(_ line: JSONObject) {
        let nights = line["nights"]?.arrayValue ?? []
        let entries = nights.flatMap { $0["entries"]?.arrayValue ?? [] } + NightStream.entriesOfDay(line)
        let told = nights.map { $0["recorded_sleep"]?["source"] } + entries.map { $0["metadata"]?["sleep_source"] }
        for word in told.compactMap({ $0?.stringValue })
        where !Self.isOurs(word) && sources[word] == nil && sources.count < Self.mostSources {
            sources[word] = sources.isEmpty ? Self.otherType : "\(Self.otherType) \(sources.count + 1)"
        }
    }

    private var hidesMedicines: Bool { !profile.namesMedicines }
    /// A packet has other medicines than those of the night only on request.
    private var leavesOutMedicines: Bool { parts.map { !$0.contains(.medicines) } ?? false }
    private var keepsWords: Bool { parts?.contains(.notes) ?? false }

    private func treated(_ object: JSONObject, _ table: Treatment.Table) -> JSONObject {
        JSONObject(
            object.compactMap { entry in
                guard let treatment = table(entry.key) else { return nil }
                return treated(entry.value, treatment).map { (entry.key, $0) }
            })
    }

    /// Returns a value as the profile tells it; nil if the value is taken out.
    private func treated(_ value: JSONValue, _ treatment: Treatment) -> JSONValue? {
        switch treatment {
        case .keep: return scrubbed(value)
        case .words:
            guard keepsWords else { return nil }
            return scrubbed(value)
        case .device: return nil
        case .machine: return ""
        case .id: return value.stringValue.map { .string(identity.hashed($0)) } ?? .null
        case .instant: return moved(value)
        case .date: return hidesMedicines ? .string(day) : value
        case .medicine:
            guard !hidesMedicines else { return nil }
            return scrubbed(value)
        case .zone:
            guard hidesMedicines else { return scrubbed(value) }
            // The key of a zone's name must be present; that of an offset need not be.
            return value.stringValue.map { _ in "" }
        case .type:
            guard let word = value.stringValue else { return .null }
            return .string(EntityType.isOwnWord(word) && !keepsWords ? Self.otherType : word)
        case .source:
            guard let word = value.stringValue else { return .null }
            return .string(Self.isOurs(word) ? word : sources[word] ?? Self.otherType)
        case .reason:
            guard keepsWords || value == "slept_through" else { return nil }
            return scrubbed(value)
        case .aids:
            guard hidesMedicines || leavesOutMedicines, let codes = value.arrayValue else { return scrubbed(value) }
            // An answer with some of its codes removed would be a different answer.
            let isOther = codes.contains { ["melatonin", "magnesium", "cbdThc"].contains($0.stringValue) }
            return isOther ? nil : scrubbed(value)
        case .object(let table): return value.objectValue.map { .object(treated($0, table)) } ?? .null
        case .list(let table):
            return value.arrayValue.map { values in
                .array(values.map { $0.objectValue.map { .object(treated($0, table)) } ?? .null })
            } ?? .null
        case .entries: return entries(value)
        }
    }

    private func entries(_ value: JSONValue) -> JSONValue {
        guard let values = value.arrayValue else { return .null }
        return .array(
            values.compactMap { value in
                guard let entry = value.objectValue else { return .null }
                switch entry["type"]?.stringValue.flatMap(EntityType.init(rawValue:)) {
                case .medication: if hidesMedicines || leavesOutMedicines { return nil }
                case .regimen: if hidesMedicines { return nil }
                case .inventory: return nil
                default: break
                }
                return .object(treated(entry, Treatment.entry))
            })
    }

    /// Moves a moment. A profile without dates cuts it to whole minutes: milliseconds would identify the moment in another file.
    private func moved(_ value: JSONValue) -> JSONValue {
        guard hidesMedicines else { return value }
        guard let instant = value.instantValue else { return .null }
        let minute: Int64 = 60_000_000
        let moved = instant + .milliseconds(shift)
        return .string(Instant(microseconds: moved.microseconds / minute * minute).iso8601)
    }

    private var day: String { SessionDate(Self.firstDay.adding(days: dates - 1)).text }

    private func scrubbed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(TextScrubber.scrub(text, identity))
        case .array(let values): .array(values.map(scrubbed))
        case .object(let object): .object(JSONObject(object.map { ($0.key, scrubbed($0.value)) }))
        case .null, .bool, .integer, .number, .instant: value
        }
    }
}
