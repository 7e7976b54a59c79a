/// The content of a foreign file, as the file's reader handed it over.
public struct ImportFile: Sendable {
    /// Most bytes of all lines.
    public static let mostBytes = 64 << 20
    /// Most bytes of a line.
    public static let lineBytes = 1 << 20
    public static let mostLines = 200_000

    public private(set) var header: ImportHeader?
    public private(set) var lines: [ImportLine] = []
    private var isEnded = false

    public init() {}

    /// A file that is complete.
    init(_ header: ImportHeader, _ lines: [ImportLine]) {
        (self.header, self.lines, isEnded) = (header, lines, true)
    }

    /// Takes up the next line.
    ///
    /// - Throws: ``ImportFault`` naming the fault of the line.
    public mutating func take(_ bytes: some Collection<UInt8>) throws(ImportFault) {
        guard lines.count < Self.mostLines else { throw ImportFault("there are more than \(Self.mostLines) lines") }
        guard !isEnded else { throw ImportFault("something follows the end") }
        let line: ImportLine
        do {
            guard case .object(let object) = try JSONValue.parse(bytes) else {
                throw ImportFault("the import line is no object")
            }
            line = try ImportLine(json: object)
        } catch let fault as ImportFault { throw fault } catch { throw ImportFault("\(error)") }
        switch line {
        case .header(let header):
            guard self.header == nil else { throw ImportFault("a second header") }
            guard ImportSource(rawValue: header.source) != nil else {
                throw ImportFault("the import line has no valid 'source'")
            }
            self.header = header
        case _ where header == nil: throw ImportFault("the first line is no header")
        case .end(let count):
            let notTaken = lines.count { if case .notTaken = $0 { true } else { false } }
            guard count.notTaken == notTaken, count.records == lines.count - notTaken else {
                throw ImportFault("the end counts other lines than there are")
            }
            isEnded = true
        case .entry, .sleep, .notTaken: lines.append(line)
        }
    }

    /// - Throws: ``ImportFault`` if the stream is cut.
    public func finish() throws(ImportFault) {
        guard isEnded else { throw ImportFault("the stream is cut: its end is missing") }
    }
}

/// A fault in a line or in the stream of an import.
public struct ImportFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// The fault in words, without a full stop.
    public let description: String

    init(_ description: String) { self.description = description }
}

/// The present as the engine knows it when an import is planned.
public struct ImportScene: Sendable {
    /// The clock, the rules, and the zone for rows without an offset.
    public var context: DecisionContext
    /// The open night, which is never touched.
    public var tonight: Session?
    /// The time at which the newest event of the log was recorded.
    public var newest: Instant?
    /// The last event of the log, which the planned events follow.
    public var sequence: Int64

    public init(_ context: DecisionContext, tonight: Session?, newest: Instant?, sequence: Int64) {
        (self.context, self.tonight, self.newest, self.sequence) = (context, tonight, newest, sequence)
    }
}

/// A planned import that a store can record at once.
public struct PreparedImport: Sendable {
    public let plan: ImportPlan
    /// The plan as the store prepared it.
    public let contents: any Sendable

    public init(_ plan: ImportPlan, _ contents: any Sendable) {
        self.plan = plan
        self.contents = contents
    }
}
