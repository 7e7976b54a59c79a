/// The result of a check of the store (`db check`, `db verify`, `db rebuild`).
public struct StoreReport: Hashable, Sendable {
    /// The number of events checked.
    public var events: Int64
    /// The number of rows checked or written in the tables.
    public var rows: Int64
    /// The faults, a sentence each; empty if there are none.
    public var findings: [String]
    /// The repairs, a sentence each.
    public var repairs: [String]
    /// Recorded findings of earlier days that are no faults now, a sentence each.
    public var notes: [String]

    public init(events: Int64, rows: Int64, findings: [String], repairs: [String] = [], notes: [String] = []) {
        self.events = events
        self.rows = rows
        self.findings = findings
        self.repairs = repairs
        self.notes = notes
    }

    public var isSound: Bool { findings.isEmpty }
}

extension StoreReport {
    public static let description = RecordDescription(
        "db", "db check, verify, rebuild, encrypt, decrypt and rekey --json",
        StoreReport(events: 0, rows: 0, findings: [])
    ) { it in
        it.bool("ok", get: { $0.isSound })
        it.integer("events", as: .place, get: { Int($0.events) }, set: { $0.events = Int64($1) })
        it.integer("rows", as: .place, get: { Int($0.rows) }, set: { $0.rows = Int64($1) })
        it.texts("findings", "what is wrong, a sentence each", get: { $0.findings }, set: { $0.findings = $1 })
        it.texts("repairs", "what was put right", get: { $0.repairs }, set: { $0.repairs = $1 })
        it.texts("notes", "findings of earlier days", get: { $0.notes }, set: { $0.notes = $1 })
    }

    /// The answer of D-Bus `Check`, `Verify` and `Rebuild`.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("report", Self.description.shape.completed(json)))
    }
}

/// A change of the key of the store; the raw value is the verb.
public enum KeyChange: String, Hashable, Sendable, CaseIterable {
    case encrypt, decrypt, rekey
}

/// One page of a comparison of the tables with the log.
public struct TableAudit: Hashable, Sendable {
    /// The beginning of the next page; nil after the last one.
    public var next: Place?
    /// The number of rebuilt rows, by the name of their table.
    public var mended: [String: Int]
    /// Faults that a rebuild of rows does not mend, a sentence each.
    public var findings: [String]

    public init(next: Place? = nil, mended: [String: Int] = [:], findings: [String] = []) {
        self.next = next
        self.mended = mended
        self.findings = findings
    }

    /// The beginning of a page.
    public struct Place: Hashable, Sendable {
        /// The kind of rows, in the order in which they are compared.
        public var step: Int
        /// The last id of that kind that was compared; empty for none.
        public var after: String

        public init(step: Int, after: String) {
            self.step = step
            self.after = after
        }

        public static let start = Place(step: 0, after: "")
    }

    /// Adds the result of another page.
    public mutating func add(_ page: TableAudit) {
        next = page.next
        mended.merge(page.mended) { $0 + $1 }
        findings += page.findings.filter { !findings.contains($0) }
    }

    /// The sentence for a person about rebuilt rows; nil if no row differed from the log.
    public var sentence: String? {
        guard !mended.isEmpty else { return nil }
        let count = mended.values.reduce(0, +)
        let tables = mended.keys.sorted().joined(separator: ", ")
        return count == 1
            ? sent("\(count) row of \(tables) did not say what the log says and was rebuilt from it")
            : sent("\(count) rows of \(tables) did not say what the log says and were rebuilt from it")
    }
}

/// The error of a store that did not take or give something.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault. Each kind has its own D-Bus error and its own next step.
    public let code: Code
    /// The interrupted work, in words for a person; no medicine names, no notes.
    public let context: String
    /// The cause in technical words, for the journal.
    public let underlying: String

    /// Kinds of faults.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No space left on the device; nothing of the transaction is kept.
        case noSpace = "no_space"
        /// The file or its file system cannot be written.
        case readOnly = "read_only"
        /// A flush failed. Only a search by key tells if the events are safe.
        case outcomeUnknown = "outcome_unknown"
        /// Another process holds the store.
        case locked
        /// The file is damaged: unreadable, truncated, or its chain is broken.
        case damaged
        /// Nothing of a damaged file can be read, so nothing can be repaired.
        case unreadable
        /// The file was written by a newer version.
        case newer
        /// The file is no DoseTap record, or no database at all.
        case foreign
        /// An object in the store that no version of DoseTap makes, such as a trigger. `underlying` is the SQL statement that
        /// removes the object, or empty if a shell would not read the statement as it is.
        case altered
        /// The file or folder is missing or may not be read.
        case unavailable
        /// Another event has the idempotency key already.
        case keyTaken = "key_taken"
        /// The store is encrypted and its key is not at hand.
        case keyLocked = "key_locked"
        /// No place takes the new key; nothing has changed.
        case keyUnkept = "key_unkept"
        /// The key is not the store's, or no key at all.
        case keyWrong = "key_wrong"
        /// The store is encrypted, or was to be, and the library of the database cannot encrypt.
        case noCipher = "no_cipher"
        /// The work gave way to something more urgent, or nobody waits for it any more; nothing has changed.
        case interrupted
        /// The record was replaced, rebuilt or closed while it was read in pages; asked anew it is read from the start.
        case changed
        /// A caller's reader took nothing for too long.
        case stalled
        /// A file that a caller handed over cannot be used. `underlying` is the code of the file's own fault, or empty.
        case unfit
        /// Any other fault.
        case `internal`
    }

    /// True if the cause may be the disk, the file or the program, and not a choice of the person, a missing key or work that gave
    /// way.
    public var isOfMachine: Bool {
        switch code {
        case .noSpace, .readOnly, .outcomeUnknown, .damaged, .unavailable, .internal: true
        case .locked, .unreadable, .newer, .foreign, .altered, .keyTaken, .keyLocked, .keyUnkept, .keyWrong, .noCipher,
            .interrupted, .changed, .stalled, .unfit:
            false
        }
    }

    public init(code: Code, context: String, underlying: String = "") {
        self.code = code
        self.context = context
        self.underlying = underlying
    }

    public var description: String {
        underlying.isEmpty ? "\(context) (\(code.rawValue))" : "\(context) (\(code.rawValue): \(underlying))"
    }
}

extension StoreError {
    /// Returns the error itself if it is a `StoreError`. Any other error is a fault of the program.
    ///
    /// - Parameter doing: the interrupted work, in words for people.
    public static func of(_ error: any Error, doing: String) -> StoreError {
        error as? StoreError ?? StoreError(code: .internal, context: doing, underlying: "\(error)")
    }

    /// The most attempts of work that gives way to doses and reminders.
    private static let mostBeginnings = 200

    /// Repeats work that the store interrupted for something more urgent.
    ///
    /// - Parameter cancelled: the error of a cancelled task; nil lets the task go on until something interrupts it.
    public static func beginningAgain<Value: Sendable>(
        cancelled: StoreError? = nil, _ work: () async throws -> Value
    ) async throws -> Value {
        for _ in 1..<mostBeginnings {
            if let cancelled, Task.isCancelled { throw cancelled }
            do { return try await work() } catch let error as StoreError where error.code == .interrupted {
                if Task.isCancelled { throw cancelled ?? error }
            }
        }
        return try await work()
    }
}
