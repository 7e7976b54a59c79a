package import DoseTapDomain

/// The stream of the nights: JSON Lines, a night each, oldest first. A line may also be the whole object of
/// `dosetap show DATE --json`, with the entries that belong to none of its nights, or that of `dosetap regimen history --json`.
package struct NightStream {
    package struct Line: Hashable, Sendable {
        /// The number of the line, from 1.
        package let number: Int
        package var object: JSONObject
    }

    /// Deepest nesting. The lines of the service have seven levels.
    package static let limits = JSONLimits(bytes: LineReader.longestLine, depth: 32)

    private var lines: LineReader

    package init(_ lines: LineReader) { self.lines = lines }

    /// Returns the next line; nil at the end of the stream.
    ///
    /// - Throws: ``ExchangeFault`` with the line and its fault.
    package mutating func next() throws(ExchangeFault) -> Line? {
        guard let bytes = try lines.next() else { return nil }
        let number = lines.count
        var object = try Self.object(bytes, line: number)
        // The service writes each night as a line by itself.
        if object["session_id"] != nil { object = ["nights": [.object(object)]] }
        guard object["nights"] != nil || object["history"] != nil else {
            throw ExchangeFault(
                .stream, line: number, sent("It has neither nights nor regimens: the stream of the nights is needed."))
        }
        return Line(number: number, object: object)
    }

    /// Returns the entries of a line that belong to none of its nights.
    static func entriesOfDay(_ line: JSONObject) -> [JSONValue] {
        EntityType.listsOfDays.flatMap { line[$0]?.arrayValue ?? [] }
    }

    /// Parses a line as an object.
    static func object(_ bytes: [UInt8], line number: Int) throws(ExchangeFault) -> JSONObject {
        let value: JSONValue
        do { value = try JSONValue.parse(bytes, limits: limits) } catch {
            throw ExchangeFault(.stream, line: number, sent("\(error.reason.description) at byte \(error.offset)."))
        }
        guard let object = value.objectValue else {
            throw ExchangeFault(.stream, line: number, sent("It is no object."))
        }
        return object
    }
}

/// A line of the stream as values.
package struct NightsLine: Hashable, Sendable {
    /// The nights of a date.
    package var nights: [NightRecord]
    /// Entries of the date that belong to none of its nights.
    package var entries: [NightRecord.Entry]
    /// The prescribed regimens, in the form of `regimen history`.
    package var regimens: [JSONObject]

    /// Reads a line.
    ///
    /// - Throws: ``ExchangeFault`` with the key that is missing or wrong.
    package init(_ line: NightStream.Line) throws(ExchangeFault) {
        do throws(PayloadError) {
            let shown = line.object["nights"] == nil ? ShownNights() : try ShownNights(json: line.object)
            nights = shown.nights
            entries = shown.entries()
        } catch { throw ExchangeFault(.stream, line: line.number, "\(error).") }
        regimens = try Self.regimens(line.object, line: line.number)
    }

    /// Removes entries that an earlier night has. An entry of a date alone, such as a medicine, stands with each session of that
    /// date.
    mutating func removeRepeated(told: inout Set<EventID>) {
        func isRepeated(_ entry: NightRecord.Entry) -> Bool {
            Self.ofDates.contains(entry.type) && !told.insert(entry.id).inserted
        }
        for place in nights.indices { nights[place].entries.removeAll(where: isRepeated) }
        entries.removeAll(where: isRepeated)
    }

    private static let ofDates = Set(EntityType.shownInNight.map(\.rawValue))

    /// Returns the regimens of a line with the key `history`; empty for other lines.
    static func regimens(_ object: JSONObject, line number: Int) throws(ExchangeFault) -> [JSONObject] {
        guard let history = object["history"] else { return [] }
        guard let values = history.arrayValue else {
            throw ExchangeFault(.stream, line: number, sent("the history is no list."))
        }
        var regimens: [JSONObject] = []
        for value in values {
            guard let regimen = value.objectValue else {
                throw ExchangeFault(.stream, line: number, sent("a regimen is no object."))
            }
            regimens.append(regimen)
        }
        return regimens
    }
}

/// The check that nights come oldest first, so that no format has to look back. The session dates may go back: after a flight
/// over the date line a later night has an earlier date.
package struct NightOrder {
    private var last: Instant?

    package init() {}

    /// Checks the nights of a line.
    ///
    /// - Throws: ``ExchangeFault`` if a night begins before the one that came before it.
    package mutating func take(_ nights: [NightRecord], line: Int) throws(ExchangeFault) {
        for night in nights {
            if let last, night.summary.start < last {
                throw ExchangeFault(
                    .stream, line: line,
                    sent("The night of \(night.summary.sessionDate.text) begins before the night that came before it."))
            }
            last = night.summary.start
        }
    }
}
