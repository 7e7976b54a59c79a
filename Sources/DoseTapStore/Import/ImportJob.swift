import Crypto
import DoseTapDomain
import GRDB

/// Plans one import on a thread of its own. The record is read a slice at a time, so that a dose waits for one slice at most.
actor ImportJob {
    static let cancelled = StoreError(code: .interrupted, context: "the import was ended")
    /// The error for a plan that follows a former end of the log.
    static let moved = StoreError(code: .interrupted, context: "something was recorded while the import was planned")
    /// Number of entries that are decided with one loading.
    private static let slice = 64
    /// Number of keys that are looked for at once.
    private static let keys = 400
    /// Number of nights that are taken back at once.
    private static let nights = 100

    private nonisolated let thread: StoreThread
    private let store: Store

    nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

    init(_ store: Store) throws(StoreError) {
        thread = try StoreThread.start()
        self.store = store
    }

    deinit { thread.stop() }

    func read(_ make: @Sendable () throws(StoreError) -> CallersLines) throws(StoreError) -> ImportFile {
        try make().file()
    }

    /// Reads a slice, again if it gave way to more urgent work.
    private func page<Page: Sendable>(_ read: @Sendable () async throws -> Page) async throws -> Page {
        try await StoreError.beginningAgain(cancelled: Self.cancelled, read)
    }

    private func end(_ scene: ImportScene) async throws -> ChainHead {
        let head = try await store.importHead()
        guard head.sequence == scene.sequence else { throw Self.moved }
        return head
    }

    private func prepared(_ plan: ImportPlan, after head: ChainHead) -> PreparedImport {
        PreparedImport(plan, PreparedBatch(CommitBatch(events: plan.events, changes: plan.changes), after: head))
    }

    // MARK: Bringing in

    func plan(_ file: ImportFile, _ scene: ImportScene) async throws -> PreparedImport {
        let (store, head) = (store, try await end(scene))
        let source = file.header?.source ?? ""
        let regimens = try await page { try await store.entries([.regimen], .newest(.max)) }
        var planner = ImportPlanner(
            source: source, scene.context, tonight: scene.tonight, newest: scene.newest,
            regimens: regimens.compactMap(StandaloneEntry.init(events:)))
        var entries: [(entry: ImportEntry, key: String)] = []
        var sleeps: [(sleep: ImportedSleep, key: String)] = []
        for line in file.lines {
            switch line {
            case .entry(let entry): entries.append((entry, Self.key(source, entry.id, line)))
            case .sleep(let sleep): sleeps.append((sleep, Self.key(source, sleep.id, line)))
            case .notTaken(let row, let reason): planner.pass(row, "not_taken", ImportReason(.source, reason))
            case .header, .end: break
            }
        }
        var names = try await names(entries.map(\.key) + sleeps.map(\.key))
        if source == ImportSource.log.rawValue {
            let origins = entries.map { ($0.entry.id, $0.key) } + sleeps.map { ($0.sleep.id, $0.key) }
            let own = try await onRecord(origins.compactMap(\.0))
            for (id, key) in origins where id.map(own.contains) ?? false { names[key] = nil }
        }
        let possible = ImportPlanner.oldest...max(scene.context.now, ImportPlanner.oldest)
        try await decide(sleeps, names, possible, &planner)
        // Of entries of equal order the known ones come first, so that the planner knows their twins. Others stay in the order of
        // the file.
        let isNew = entries.map { names[$0.key] != nil }
        let sorted = entries.indices.sorted { one, other in
            let (first, second) = (entries[one].entry, entries[other].entry)
            if ImportPlanner.comesBefore(first, second) { return true }
            guard !ImportPlanner.comesBefore(second, first) else { return false }
            return isNew[one] == isNew[other] ? one < other : isNew[other]
        }
        var place = 0
        while place < sorted.count {
            let slice = sorted[place..<min(place + Self.slice, sorted.count)].map { entries[$0] }
            place += slice.count
            // An entry at an impossible time is refused, so nothing is loaded around it.
            try await load(around: slice.map(\.entry.at).filter(possible.contains), into: &planner)
            for (entry, key) in slice {
                planner.decide(entry, key: names[key] ?? key, isKnown: names[key] == nil)
            }
            guard place < sorted.count else { break }
            planner.forget(before: entries[sorted[place]].entry.at - ImportPlanner.reach)
        }
        return prepared(planner.finish(), after: head)
    }

    private func decide(
        _ sleeps: [(sleep: ImportedSleep, key: String)], _ names: [String: String], _ possible: ClosedRange<Instant>,
        _ planner: inout ImportPlanner
    ) async throws {
        let store = store
        let sorted = sleeps.indices.sorted { (sleeps[$0].sleep.start, $0) < (sleeps[$1].sleep.start, $1) }
        var place = 0
        while place < sorted.count {
            let slice = sorted[place..<min(place + Self.slice, sorted.count)].map { sleeps[$0] }
            place += slice.count
            let starts = slice.map(\.sleep.start).filter(possible.contains)
            if let first = starts.first, let last = starts.last {
                let span = (first - .hours(1))...(last + .hours(1))
                let others = try await page { try await store.entries([.sleepRecord], .around(span)) }
                planner.load(sessions: [], entries: others.compactMap(StandaloneEntry.init(events:)))
            }
            for (sleep, key) in slice { planner.decide(sleep, key: names[key] ?? key, isKnown: names[key] == nil) }
            if let last = starts.last { planner.forget(before: last - .hours(1)) }
        }
    }

    private func load(around times: [Instant], into planner: inout ImportPlanner) async throws {
        guard let first = times.first, let last = times.last else { return }
        let (store, reach) = (store, ImportPlanner.reach)
        // A slice may span years of nights on record: a month of them is read at once.
        var from = first - reach
        let to = last + reach
        while from < to {
            let until = min(to, from + .hours(24 * 31))
            let span = from...until
            let sessions = try await page { try await store.sessions(around: span) }
            let others = try await page { try await store.entries([.medication, .preSleep], .around(span)) }
            planner.load(
                sessions: sessions.compactMap(Session.init(events:)),
                entries: others.compactMap(StandaloneEntry.init(events:)))
            from = until
        }
    }

    // MARK: Keys

    /// Returns the key of an entry: its identity in the source, else its content.
    static func key(_ source: String, _ id: String?, _ line: ImportLine) -> String {
        if let id, id.utf8.count <= 128, id.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x23 }) {
            return "import:\(source):\(line.kind):\(id)"
        }
        var content = line.json
        content["row"] = nil
        let digest = SHA256.hash(data: Array(JSONValue.object(content).serialized().utf8))
        return "import:\(source):#\(Hexadecimal.text(digest))"
    }

    /// Returns the name under which each key is to be recorded; none for a key that an import on record has brought. A key that
    /// was taken back stays in the log, and is used again under its next name.
    private func names(_ keys: [String]) async throws -> [String: String] {
        let store = store
        let free = try await page { try await store.eventsTakenBack() }
        var names: [String: String] = [:]
        var (open, turn) = (Array(Set(keys)), 0)
        while !open.isEmpty {
            var again: [String] = []
            var place = 0
            while place < open.count {
                if Task.isCancelled { throw Self.cancelled }
                let asked = open[place..<min(place + Self.keys, open.count)]
                place += asked.count
                let wanted = asked.map { turn == 0 ? $0 : "\($0)#\(turn)" }
                let found = try await page { try await store.importKeys(wanted) }
                for (key, name) in zip(asked, wanted) {
                    guard let id = found[name] else {
                        names[key] = name
                        continue
                    }
                    if free.contains(id) { again.append(key) }
                }
            }
            (open, turn) = (again, turn + 1)
        }
        return names
    }

    /// Returns the entries of a log that began with an event of the record, even if they do not stand there any more.
    private func onRecord(_ ids: [String]) async throws -> Set<String> {
        let store = store
        var (found, place): (Set<String>, Int) = ([], 0)
        while place < ids.count {
            if Task.isCancelled { throw Self.cancelled }
            let asked = Array(ids[place..<min(place + Self.keys, ids.count)])
            place += asked.count
            found.formUnion(try await page { try await store.eventsOnRecord(asked) })
        }
        return found
    }

    // MARK: Taking back

    func planTakeBack(_ id: EventID, _ scene: ImportScene) async throws -> PreparedImport? {
        let (store, head) = (store, try await end(scene))
        guard let found = try await page({ try await store.importBrought(id) }) else { return nil }
        var back = ImportTakeBack(found.event, found.source, brought: Set(found.ids.map(EventID.init)), scene)
        var place = 0
        while place < found.sessions.count {
            let asked = Array(found.sessions[place..<min(place + Self.nights, found.sessions.count)])
            place += asked.count
            for events in try await page({ try await store.sessions(asked) }) {
                guard let session = Session(events: events) else { continue }
                guard session.id != scene.tonight?.id else {
                    throw StoreError(
                        code: .unfit, context: "this import is part of tonight: take it back when the night is over")
                }
                back.take(session)
            }
        }
        place = 0
        while place < found.entries.count {
            let asked = Array(found.entries[place..<min(place + Self.nights, found.entries.count)])
            place += asked.count
            for events in try await page({ try await store.entries(about: asked) }) {
                guard let entry = StandaloneEntry(events: events) else { continue }
                if let tonight = scene.tonight, entry.isActive,
                    RegimenEntry(entry)?.regimen.isActive(on: tonight.date) == true
                {
                    throw StoreError(
                        code: .unfit,
                        context: "a regimen of this import holds tonight: take it back when the night is over")
                }
                back.take(entry)
            }
        }
        return prepared(back.finish(), after: head)
    }
}
