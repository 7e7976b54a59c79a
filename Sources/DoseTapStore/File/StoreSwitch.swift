import DoseTapDomain
import Glibc

/// Renames and removals beside the store that happen all or not at all, even if the process ends in between.
///
/// The list is written to a redo file, which is flushed and renamed into place. Nothing has happened before that. Afterwards
/// the next opening finishes the list before it looks at the store. Each step may be repeated.
struct StoreSwitch: Hashable {
    /// A step. Each file is given by the end of its name, after the store's path; the end is empty for the database itself.
    enum Step: Hashable {
        /// Keeps a file under a free name; a missing file is passed over.
        case keep(String, as: String)
        /// Puts a prepared file in the place of another.
        case place(String, as: String)
        case remove(String)
    }

    /// The purpose, such as `restore`.
    let purpose: String
    let steps: [Step]

    /// Name of a file being prepared. The next opening removes it unless a switch names it.
    static let prepared = ".prepared"
    /// The same for a backup that is compared with the record.
    static let restored = ".restored"
    /// The same for a log that is repaired while the night goes on.
    static let repaired = ".repaired"
    /// The same for a log that is taken in.
    static let imported = ".imported"
    /// End of the name of a file from which a prepared file is made.
    static let rows = "-rows"
    /// End of the name of a repaired log's list of unreadable parts.
    static let report = RepairPlan.reportSuffix
    /// Ends of the names of all files that a preparation may leave.
    static let leftovers = ["", "-wal", "-journal", ".head", rows, report]
    /// Beginning of the names of copies that are read for a repair; a number follows.
    static let copy = ".repaired-copy"
    static let copies = 12
    private static let redo = ".switch"
    private static let draft = ".switch-new"

    /// Puts a prepared database, a single closed and flushed file, and the head file beside it in the place of the store.
    ///
    /// - Parameters:
    ///   - prepared: the end of the prepared file's name, after the store's path.
    ///   - kept: the end of the names under which the replaced files are kept; nil removes them.
    ///   - logs: the ends of the names of fresh logs that are replaced, too.
    ///   - isReported: true if a list is kept beside the replaced database.
    init(
        purpose: String, prepared: String, keeping kept: String?, logs: [String] = [], isReported: Bool = false
    ) {
        // The copy of the last nights belongs to the replaced log. An event that this log has and the new one lacks is not lost
        // (R21.20).
        var steps: [Step] = [.remove(".night")]
        for log in [""] + logs {
            for file in ["-wal", ".head", ""] {
                let name = log + file
                if let kept {
                    steps.append(.keep(name, as: kept + name))
                } else if name != "" {
                    steps.append(.remove(name))
                }
            }
            if log != "" { steps += [".night", ".reserve", ".lease"].map { .remove(log + $0) } }
        }
        if let kept, isReported { steps.append(.place(prepared + Self.report, as: kept + Self.report)) }
        steps += [.place(prepared + ".head", as: ".head"), .place(prepared, as: "")]
        self.init(purpose: purpose, steps: steps)
    }

    init(purpose: String, steps: [Step]) {
        self.purpose = purpose
        self.steps = steps
    }

    /// Writes the redo file: from then on the steps are taken, now or by the next opening. The lease is held.
    ///
    /// - Throws: ``StoreError``; nothing has changed then.
    func begin(besides store: String) throws(StoreError) {
        for case .keep(let file, let kept) in steps
        where SystemCall.exists(store + file) && SystemCall.exists(store + kept) {
            throw StoreError(
                code: .unavailable, context: "a file with the name for the replaced record is there already",
                underlying: store + kept)
        }
        // The head file may be missing, the database may not.
        for case .place(let file, "") in steps where !SystemCall.exists(store + file) {
            throw StoreError(
                code: .interrupted, context: "the prepared record is no longer there", underlying: store + file)
        }
        do { try write(besides: store) } catch {
            unlink(store + Self.redo)
            throw error
        }
    }

    /// Finishes an interrupted switch, and removes files of an attempt that reached no switch. The lease is held.
    ///
    /// - Returns: the finished switch; nil if there is none.
    @discardableResult
    static func finish(_ store: String) throws(StoreError) -> StoreSwitch? {
        guard isPending(store) else {
            for name in preparations {
                for file in leftovers { unlink(store + name + file) }
            }
            for draft in [draft, StoreWipe.draft, ObsoleteKeys.draft] { unlink(store + draft) }
            for number in 0..<copies where unlink("\(store)\(copy)\(number)") == 0 {
                unlink("\(store)\(copy)\(number)-wal")
            }
            return nil
        }
        let found = try read(besides: store)
        try found.finish(besides: store)
        return found
    }

    static let preparations = [prepared, restored, repaired, imported]

    /// Returns true if there are prepared files, which may have been given up.
    static func hasLeftovers(_ store: String) -> Bool {
        preparations.contains { name in leftovers.contains { SystemCall.exists(store + name + $0) } }
    }

    static func isPending(_ store: String) -> Bool { SystemCall.exists(store + redo) }

    /// Takes all steps. The store is closed.
    ///
    /// - Throws: ``StoreError``: the next opening continues the steps.
    func finish(besides store: String) throws(StoreError) {
        for step in remaining(besides: store) {
            switch step {
            case .keep(let file, let kept):
                // If both files exist, the step was taken and the new file placed already.
                guard SystemCall.exists(store + file), !SystemCall.exists(store + kept) else { continue }
                try Self.rename(store + file, store + kept)
            case .place(let file, let place):
                guard SystemCall.exists(store + file) else { continue }
                try Self.rename(store + file, store + place)
            case .remove(let file):
                guard unlink(store + file) == 0 || errno == ENOENT else {
                    throw SystemCall.failure("unlink", store + file, errno, context: Self.doing)
                }
            }
        }
        try SystemCall.synchronize(FilePath.folder(of: store), flags: O_DIRECTORY)
        guard unlink(store + Self.redo) == 0 || errno == ENOENT else {
            throw SystemCall.failure("unlink", store + Self.redo, errno, context: Self.doing)
        }
        try SystemCall.synchronize(FilePath.folder(of: store), flags: O_DIRECTORY)
    }

    /// Returns the steps that are left. A missing prepared database was placed already, or the switch was given up: the steps
    /// before its placing would then take the store away.
    private func remaining(besides store: String) -> ArraySlice<Step> {
        for (index, step) in steps.enumerated() {
            if case .place(let file, "") = step, !SystemCall.exists(store + file) { return steps[(index + 1)...] }
        }
        return steps[...]
    }

    private static let doing = sent("the record is being replaced and this could not be finished")

    private static func rename(_ file: String, _ other: String) throws(StoreError) {
        guard Glibc.rename(file, other) == 0 else {
            throw SystemCall.failure("rename", file, errno, context: doing)
        }
    }

    // MARK: The redo file

    private func write(besides store: String) throws(StoreError) {
        try RedoFile.write(
            text, to: store + Self.redo, as: store + Self.draft, doing: "preparing to replace the record")
    }

    /// The redo file's text: a line with version and check word, then a line of JSON with purpose and steps.
    var text: String {
        let steps = steps.map { step -> JSONValue in
            switch step {
            case .keep(let file, let kept): .array([.string("keep"), .string(file), .string(kept)])
            case .place(let file, let place): .array([.string("place"), .string(file), .string(place)])
            case .remove(let file): .array([.string("remove"), .string(file)])
            }
        }
        let body = JSONValue.object(["purpose": .string(purpose), "steps": .array(steps)]).serialized()
        return "dosetap-switch 1 \(HeadFile.checkWord(body))\n\(body)\n"
    }

    /// Reads the list, which exists (``isPending(_:)``). A file that is not a plain file of this user counts as damaged, like
    /// an incomplete list.
    private static func read(besides store: String) throws(StoreError) -> StoreSwitch {
        let path = store + redo
        guard let found = try RedoFile.read(path).flatMap(StoreSwitch.init(text:)) else {
            throw StoreError(
                code: .damaged, context: "the list of what was to be done when the record was replaced is damaged",
                underlying: path)
        }
        return found
    }

    /// Nil for an incomplete text, or for one that names a file elsewhere.
    init?(text: String) {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 3, lines[2].isEmpty,
            lines[0] == "dosetap-switch 1 \(HeadFile.checkWord(String(lines[1])))",
            let body = (try? JSONValue.parse(String(lines[1])))?.objectValue,
            let purpose = body["purpose"]?.stringValue, let list = body["steps"]?.arrayValue
        else { return nil }
        var steps: [Step] = []
        for item in list {
            let words = item.arrayValue?.compactMap(\.stringValue) ?? []
            guard !words.contains(where: { $0.contains("/") || $0.contains("\0") }) else { return nil }
            switch (words.first, words.count) {
            case ("keep", 3): steps.append(.keep(words[1], as: words[2]))
            case ("place", 3): steps.append(.place(words[1], as: words[2]))
            case ("remove", 2): steps.append(.remove(words[1]))
            default: return nil
            }
        }
        self.init(purpose: purpose, steps: steps)
    }
}
