internal import DoseTapDomain
internal import DoseTapExchange

/// Rows of CSV by RFC 4180, one at a time: UTF-8 with or without a byte order mark, line ends LF or CRLF.
///
/// A quotation mark inside an unquoted field stands for itself: programs that forget to quote write such fields, and the mark can
/// have no other meaning.
struct CSVReader {
    /// The largest size of a field, in bytes.
    static let longestField = 64 << 10
    /// The largest size of a row, in bytes.
    static let longestRow = 1 << 20
    /// The largest number of fields in a row.
    static let mostFields = 4_096

    struct Row {
        /// The first line of the row in the file, from 1.
        let line: Int
        let fields: [String]

        /// Returns the field at a place; empty if the row has none there.
        subscript(place: Int) -> String { fields.indices.contains(place) ? fields[place] : "" }
    }

    private var cursor: ByteCursor
    private var isBegun = false

    init(_ source: ByteSource) { cursor = ByteCursor(source) }

    /// Returns the next row that is not blank; nil at the end.
    ///
    /// - Throws: ``ExchangeFault`` with line and byte.
    mutating func next() throws(ExchangeFault) -> Row? {
        if !isBegun { try cursor.skipMark() }
        isBegun = true
        while try cursor.peek() != nil {
            let row = try row()
            if row.fields.count > 1 || row.fields.first?.isEmpty == false { return row }
        }
        return nil
    }

    private mutating func row() throws(ExchangeFault) -> Row {
        let (line, start) = (cursor.line, cursor.byte)
        var fields: [String] = []
        while true {
            guard fields.count < Self.mostFields else {
                throw cursor.fault(sent("The row has more than \(Self.mostFields) fields."))
            }
            let (field, isLast) = try field(rowStart: start)
            fields.append(field)
            if isLast { return Row(line: line, fields: fields) }
        }
    }

    /// Reads a field. Returns true with the last field of a row.
    private mutating func field(rowStart: Int) throws(ExchangeFault) -> (String, Bool) {
        var bytes: [UInt8] = []
        let start = (line: cursor.line, byte: cursor.byte)
        let isQuoted = try cursor.peek() == UInt8(ascii: "\"")
        if isQuoted { _ = try cursor.next() }
        while true {
            guard let byte = try cursor.next() else {
                guard !isQuoted else { throw cursor.fault(sent("The file ends inside a quoted field.")) }
                return (try text(bytes, start), true)
            }
            switch byte {
            case UInt8(ascii: "\"") where isQuoted:
                guard try cursor.peek() == UInt8(ascii: "\"") else { return (try text(bytes, start), try end()) }
                _ = try cursor.next()
                bytes.append(byte)
            case UInt8(ascii: ",") where !isQuoted: return (try text(bytes, start), false)
            case UInt8(ascii: "\n") where !isQuoted: return (try text(bytes, start), true)
            case UInt8(ascii: "\r") where !isQuoted:
                guard try cursor.next() == UInt8(ascii: "\n") else {
                    throw cursor.fault(sent("A line ends in CR alone."))
                }
                return (try text(bytes, start), true)
            case 0: throw cursor.fault(sent("It has a byte NUL: this is no CSV."))
            default: bytes.append(byte)
            }
            guard bytes.count <= Self.longestField else {
                throw cursor.fault(sent("The field has more than \(Self.longestField >> 10) KiB."))
            }
            guard cursor.byte - rowStart <= Self.longestRow else {
                throw cursor.fault(sent("The row has more than \(Self.longestRow >> 20) MiB."))
            }
        }
    }

    /// Reads the bytes behind a quoted field. Returns true if the row ends.
    private mutating func end() throws(ExchangeFault) -> Bool {
        switch try cursor.next() {
        case UInt8(ascii: ","): return false
        case nil, UInt8(ascii: "\n"): return true
        case UInt8(ascii: "\r"):
            guard try cursor.next() == UInt8(ascii: "\n") else { throw cursor.fault(sent("A line ends in CR alone.")) }
            return true
        default: throw cursor.fault(sent("Something follows a quoted field before the next comma."))
        }
    }

    /// - Parameter start: the begin of the field, for the fault if the bytes are no text.
    private func text(_ bytes: [UInt8], _ start: (line: Int, byte: Int)) throws(ExchangeFault) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ExchangeFault(.stream, line: start.line, "\(sent("It is no UTF-8.")) (byte \(start.byte))")
        }
        return text
    }
}

/// A table of CSV. The first row names the columns; earlier rows that begin with `#` describe the file.
struct CSVTable {
    /// The names of the columns, in lower case.
    let columns: [String]
    private var reader: CSVReader

    /// - Throws: ``ExchangeFault`` for a file without a row.
    init(_ reader: CSVReader) throws(ExchangeFault) {
        var reader = reader
        var header = try reader.next()
        while let row = header, row[0].hasPrefix("#") { header = try reader.next() }
        guard let header else { throw ExchangeFault(.stream, sent("The file is empty.")) }
        columns = header.fields.map { PlainText.line($0).lowercased() }
        self.reader = reader
    }

    struct Row {
        let line: Int
        /// The values by the names of the columns.
        let values: [String: String]
        /// True if the row has as many fields as there are columns.
        let isWhole: Bool
    }

    /// Returns the next row; nil at the end.
    ///
    /// - Parameter rest: names of text columns whose commas are not quoted. If the last column has one of these names, it takes
    ///   over all surplus fields.
    mutating func next(rest: Set<String> = []) throws(ExchangeFault) -> Row? {
        guard let row = try reader.next() else { return nil }
        var fields = row.fields
        if fields.count > columns.count, let last = columns.last, rest.contains(last) {
            let text = fields[(columns.count - 1)...].joined(separator: ",")
            fields = fields[..<(columns.count - 1)] + [text]
        }
        var values: [String: String] = [:]
        for (name, value) in zip(columns, fields) where values[name] == nil { values[name] = value }
        return Row(line: row.line, values: values, isWhole: fields.count == columns.count)
    }
}
