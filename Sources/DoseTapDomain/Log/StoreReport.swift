/// What a look at the store found (`db check`, `db verify`, `db rebuild`).
public struct StoreReport: Hashable, Sendable {
    /// Events looked at.
    public var events: Int64
    /// Rows looked at or written in the tables.
    public var rows: Int64
    /// What is wrong, a sentence each; empty when all is well.
    public var findings: [String]
    /// What was put right, a sentence each.
    public var repairs: [String]
    /// What is worth knowing and not wrong now, a sentence each: findings of earlier days that are on record.
    public var notes: [String]

    public init(events: Int64, rows: Int64, findings: [String], repairs: [String] = [], notes: [String] = []) {
        self.events = events
        self.rows = rows
        self.findings = findings
        self.repairs = repairs
        self.notes = notes
    }

    /// Nothing is wrong.
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

    /// What D-Bus `Check`, `Verify` and `Rebuild` answer.
    public var json: JSONObject { Self.description.json(self) }

    /// Reads the object back, as a client does.
    public init(json: JSONObject) throws(PayloadError) {
        self = try Self.description.read(PayloadReader("report", Self.description.shape.completed(json)))
    }
}

/// What can be done with the key of the store; the raw value is the verb.
public enum KeyChange: String, Hashable, Sendable, CaseIterable {
    case encrypt, decrypt, rekey
}

/// One page of a comparison of the tables with the log.
public struct TableAudit: Hashable, Sendable {
    /// Where the next page begins; nil after the last one.
    public var next: Place?
    /// So many rows were rebuilt, by the name of their table.
    public var mended: [String: Int]
    /// What is wrong in the log itself, a sentence each: no row was rebuilt by it.
    public var findings: [String]

    public init(next: Place? = nil, mended: [String: Int] = [:], findings: [String] = []) {
        self.next = next
        self.mended = mended
        self.findings = findings
    }

    /// Where a page begins.
    public struct Place: Hashable, Sendable {
        /// The kind of rows, in the order in which they are compared.
        public var step: Int
        /// The last id of that kind that was compared; empty for none.
        public var after: String

        public init(step: Int, after: String) {
            self.step = step
            self.after = after
        }

        /// Where the first page begins.
        public static let start = Place(step: 0, after: "")
    }

    /// Takes over what another page found.
    public mutating func add(_ page: TableAudit) {
        next = page.next
        mended.merge(page.mended) { $0 + $1 }
        findings += page.findings.filter { !findings.contains($0) }
    }

    /// What a person reads of rows that were rebuilt; nil where all said what the log says.
    public var sentence: String? {
        guard !mended.isEmpty else { return nil }
        let count = mended.values.reduce(0, +)
        let tables = mended.keys.sorted().joined(separator: ", ")
        let what = "did not say what the log says and"
        return Plural.of(count, "row of \(tables) \(what) was", "rows of \(tables) \(what) were") + " rebuilt from it"
    }
}

/// Why the store did not take or give something.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of fault: each has its own D-Bus error and its own next step.
    public let code: Code
    /// What was being done, in words a person can use; no medicine names, no notes.
    public let context: String
    /// What lies below, for the journal.
    public let underlying: String

    /// Kinds of faults.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// No space left on the device; nothing of the transaction is kept.
        case noSpace = "no_space"
        /// The file or its file system cannot be written.
        case readOnly = "read_only"
        /// A flush failed: whether the events are safe is only known by asking for them by key.
        case outcomeUnknown = "outcome_unknown"
        /// Another process holds the store.
        case locked
        /// The file is damaged: unreadable, truncated, or its chain is broken.
        case damaged
        /// Nothing of a damaged file can be read: there is nothing to repair.
        case unreadable
        /// The file was written by a newer version.
        case newer
        /// The file is a database, but not ours, or no database at all.
        case foreign
        /// Something stands in the store that no version of ours makes, such as a trigger; what lies below is the statement
        /// of SQL that takes it away, empty where a shell would not read it as it is.
        case altered
        /// The file or folder is missing or may not be read.
        case unavailable
        /// The key was used before by another event.
        case keyTaken = "key_taken"
        /// The store is encrypted and its key is not at hand.
        case keyLocked = "key_locked"
        /// No place takes the new key; nothing has changed.
        case keyUnkept = "key_unkept"
        /// The key is not the store's, or no key at all.
        case keyWrong = "key_wrong"
        /// The store is encrypted, or was to be, and the library of the database cannot encrypt.
        case noCipher = "no_cipher"
        /// The work was broken off for something more urgent, or because nobody waits for it any more; nothing has changed.
        case interrupted
        /// A caller's reader took nothing for too long.
        case stalled
        /// A file that a caller handed over cannot be used; what lies below is the code of its own fault, or empty.
        case unfit
        /// Anything else.
        case `internal`
    }

    /// Whether the cause may be the disk, the file or the program, and not a choice of the person, a missing key or work that gave
    /// way.
    public var isOfMachine: Bool {
        switch code {
        case .noSpace, .readOnly, .outcomeUnknown, .damaged, .unavailable, .internal: true
        case .locked, .unreadable, .newer, .foreign, .altered, .keyTaken, .keyLocked, .keyUnkept, .keyWrong, .noCipher,
            .interrupted, .stalled, .unfit:
            false
        }
    }

    public init(code: Code, context: String, underlying: String = "") {
        self.code = code
        self.context = context
        self.underlying = underlying
    }

    /// What is wrong, in words.
    public var description: String {
        underlying.isEmpty ? "\(context) (\(code.rawValue))" : "\(context) (\(code.rawValue): \(underlying))"
    }
}

extension StoreError {
    /// The error itself where it is the store's; anything else is a fault of the program.
    ///
    /// - Parameter doing: what was being done, for people.
    public static func of(_ error: any Error, doing: String) -> StoreError {
        error as? StoreError ?? StoreError(code: .internal, context: doing, underlying: "\(error)")
    }

    /// Most beginnings of work that gives way to doses and reminders.
    private static let mostBeginnings = 200

    /// Does work again that the store interrupted for something more urgent.
    ///
    /// - Parameter cancelled: what a task throws that was cancelled; nil lets it go on, as far as nothing interrupts it.
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
