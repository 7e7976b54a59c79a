public import DoseTapDomain

/// The next step at a terminal, from the kind of an error and its facts. The step is always safe: it records no dose and answers
/// no question.
extension ErrorText {
    /// - Parameters:
    ///   - facts: the details of the error.
    ///   - command: the command, if it was to record something.
    ///   - moments: the moments for times in a command.
    /// - Returns: a command, or another action; after `known: ` the words to choose from. Nil if nothing better is known than the
    ///   help of the verb.
    public static func next(
        after kind: ErrorKind, _ facts: JSONObject, to command: Command?, moments: Moments
    ) -> String? {
        if let known = facts["known"]?.arrayValue {
            return "known: " + known.compactMap(\.stringValue).joined(separator: ", ")
        }
        switch kind {
        case .requiresConfirmation: return next(afterQuestion: facts)
        case .refused: return next(afterRefusal: facts, command, moments)
        case .notFound: return next(afterMissing: facts, command)
        case .nothingToDo:
            if let isEncrypted = facts["encrypted"]?.boolValue {
                return "dosetap db \(isEncrypted ? "rekey" : "encrypt") --dry-run"
            }
            return "dosetap show \(text(facts, "session_date") ?? "last")"
        case .invalidInput: return next(afterInput: facts, command)
        case .readOnly:
            if facts["locked"] != nil { return "dosetap config show" }
            if let id = text(facts, "id"), let file = text(facts, "file") {
                return tr("set plugins.\(id).enabled in \(file)")
            }
            return facts["key"] != nil
                ? "dosetap config check" : tr("make the store writable, then run: dosetap status")
        case .noSpace: return tr("free some disk space, then run: dosetap status")
        case .storeUnavailable: return next(afterFault: facts)
        case .outcomeUnknown: return "dosetap status"
        case .locked: return text(facts, "bus_name").map { "busctl --user status \($0)" } ?? "dosetap status"
        case .busy: return tr("try again in a moment")
        case .timedOut: return tr("read it without a pause, or write it to a file with -o FILE")
        case .internal:
            if facts["bus_error"] != nil { return "systemctl --user status dbus" }
            return facts["channel"] != nil ? "dosetap doctor" : "journalctl --user -t dosetapd -n 20"
        }
    }

    private static func text(_ facts: JSONObject, _ key: String) -> String? { facts[key]?.stringValue }

    /// Returns the word that was meant, if only one word is near.
    private static func nearest(_ facts: JSONObject) -> String? {
        guard let words = facts["nearest"]?.arrayValue, words.count == 1 else { return nil }
        return words[0].stringValue
    }

    // MARK: Questions and refusals

    private static func next(afterQuestion facts: JSONObject) -> String {
        let words = facts["confirmations"]?.arrayValue ?? []
        let asked = Set(words.compactMap { $0.stringValue.flatMap(Confirmation.init(rawValue:)) })
        let isNamed = facts["time_named"]?.boolValue == true
        // A skip of a dose 2 that was taken would be a false record: the status asks, and has both commands.
        if asked == [.late], !isNamed { return "dosetap status" }
        if asked.contains(.early), !isNamed { return "dosetap status --follow" }
        if asked.contains(.restore) { return "dosetap db backups" }
        if asked.contains(.wipe) { return "dosetap db wipe --dry-run" }
        if asked.contains(.nightBegun) { return "dosetap regimen show" }
        if asked.contains(.duplicate) {
            return text(facts, "would_record") == EntityType.inventory.rawValue
                ? "dosetap inventory" : "dosetap med list"
        }
        return text(facts, "session_date").map { "dosetap show \($0)" } ?? "dosetap status"
    }

    private static func next(afterRefusal facts: JSONObject, _ command: Command?, _ moments: Moments) -> String {
        guard let reason = text(facts, "reason").flatMap(BlockReason.init(rawValue:)) else { return "dosetap status" }
        let existing = text(facts, "handle") ?? text(facts, "standing_id")
        return next(command, reason, facts, existing, moments) ?? next(reason, existing)
    }

    /// Returns the step for a refusal whose command matters; nil for any other.
    private static func next(
        _ command: Command?, _ reason: BlockReason, _ facts: JSONObject, _ existing: String?, _ moments: Moments
    ) -> String? {
        switch (command, reason, text(facts, "phase").flatMap(Phase.init(rawValue:))) {
        case (.logDose, .dose1AlreadyTaken, _), (.logDose, .order, _):
            return "dosetap amend \(existing ?? "dose1") --at TIME"
        case (.logDose(let kind), .dose1Required, _):
            return "dosetap log \(facts["night_ended"] == nil ? "dose1" : kind == .extra ? "extra" : "dose2") --at TIME"
        case (.skipDose2, .dose1Required, _) where facts["night_ended"] != nil: return "dosetap skip --at TIME"
        case (.snooze, .dose1Required, _) where facts["night_ended"] != nil: return "dosetap status"
        // No deletion of the later dose first: that dose may really have been taken.
        case (.delete(let id), .order, _): return "dosetap amend \(id.text) --at TIME"
        case (.skipDose2, .alreadySkipped, _):
            let closed = facts["window_closed"]?.instantValue
            return closed.map { "dosetap skip --at '\(moments.typedToTheMinute($0))'" }
        // The entry in the way may be one of an older night.
        case (.skipDose2, .order, _), (.amend, .order, _), (.amend, .napOpen, _):
            return "dosetap show \(existing ?? "last")"
        case (.record(.inventoryRecorded, _), .order, _): return "dosetap show \(existing ?? "ID")"
        case (.logSleepEvent(let type), .cooldown, _):
            return "dosetap log \(SleepEventWord.normalised(type)) --at TIME"
        case (.logSleepEvent, .napOpen, _) where facts["nap_open"] == nil: return "dosetap show last"
        case (.amend, .future, _): return "dosetap amend --help"
        case (.saveCheckIn, .order, _): return "dosetap history"
        case (.logFinalWake, .phase, _): return "dosetap amend \(existing ?? "ID") --at TIME"
        case (.snooze, .phase, .closed): return "dosetap status"
        default: return nil
        }
    }

    private static func next(_ reason: BlockReason, _ existing: String?) -> String {
        switch reason {
        case .dose1Required: "dosetap log dose1 --at TIME"
        case .dose1AlreadyTaken, .dose2AlreadyTaken:
            existing.map { "dosetap amend \($0) --at TIME" } ?? "dosetap status"
        case .alreadySkipped, .dose2TakenOrSkipped, .nearClose, .snoozeLimit, .phase, .cooldown, .order,
            .windowOpen:
            "dosetap status"
        case .snoozeOff: "dosetap config show"
        case .future: "dosetap log --help"
        case .napOpen: "dosetap log \(SleepEventWord.napEnd)"
        case .alreadyDiscarded, .alreadyUsed: "dosetap inventory"
        }
    }

    // MARK: Names and input

    private static func next(afterMissing facts: JSONObject, _ command: Command?) -> String {
        if facts["channel"] != nil {
            if let plugin = text(facts, "plugin") { return "dosetap plugins enable \(plugin)" }
            return "dosetap reminders --test" + (nearest(facts).map { " \($0)" } ?? "")
        }
        if facts["plugin"] != nil { return "dosetap plugins" }
        return facts["night"] != nil || command?.savesAnswers == true ? "dosetap history" : "dosetap show last"
    }

    private static func next(afterInput facts: JSONObject, _ command: Command?) -> String? {
        if facts["word"] != nil {
            return next(afterWord: facts["nearest"]?.arrayValue?.compactMap(\.stringValue) ?? [], command)
        }
        switch text(facts, "fault") {
        case "other_record", "fork": return "dosetap import log FILE --merge"
        case StoreError.Code.newer.rawValue: return next(afterFault: facts)
        default: break
        }
        if let option = text(facts, "option") {
            return option == "cursor" ? "dosetap history" : option == "file" ? "dosetap db backups" : nil
        }
        if facts["time_zone"] != nil { return "timedatectl list-timezones" }
        if facts["complaints"] != nil { return "dosetap config check" }
        if facts["key"] != nil {
            return nearest(facts).map { "dosetap config set \($0) VALUE" } ?? "dosetap config show"
        }
        return command.map(help)
    }

    /// Returns the commands among which somebody has to choose; nil for none and for more than three.
    public static func choice(_ commands: [String]) -> String? {
        (1...3).contains(commands.count) ? commands.joined(separator: tr(", or: ")) : nil
    }

    /// - Parameter words: the words that may be meant.
    private static func next(afterWord words: [String], _ command: Command?) -> String {
        // A word that was not understood never leads to the proposal of a dose. A night's medicine that is taken is one.
        let isTaken = if case .record(.medicationRecorded, _) = command { true } else { false }
        let namesDose = words.contains { word in
            DoseKind(rawValue: word) != nil || word == "extra"
                || isTaken && MedicationCatalogue.standard[word]?.isOxybate == true
        }
        let (known, help): (String?, String) =
            switch (command, command.flatMap(InventoryAction.init)) {
            case (.record(.medicationRecorded, _), _): ("med take", "dosetap med catalogue")
            case (_, .addBottle): ("inventory add 180mL --medicine", "dosetap inventory add --help")
            case (_, .pour): ("inventory pour --medicine", "dosetap inventory pour --help")
            case (_, .correct), (_, .discard): (nil, "dosetap inventory correct --help")
            case (.logSleepEvent, _): ("log", "dosetap log --help")
            default: (nil, "dosetap log --help")
            }
        guard let known, !namesDose else { return help }
        return choice(words.map { "dosetap \(known) \($0)" }) ?? help
    }

    /// Returns the command that helps after wrong input.
    private static func help(_ command: Command) -> String {
        switch command {
        case .logDose, .logSleepEvent: "dosetap log --help"
        case .saveCheckIn: "dosetap checkin --questions"
        case .record(.preSleepRecorded, _): "dosetap presleep --questions"
        case .record(.medicationRecorded, _): "dosetap med take --help"
        case .record(let type, let said):
            if case .discard = InventoryAction(command) {
                "dosetap inventory"
            } else {
                "dosetap \(type.verb(said)) --help"
            }
        case .snooze: "dosetap snooze --help"
        case .skipDose2: "dosetap skip --help"
        case .logFinalWake: "dosetap wake --help"
        case .undo: "dosetap undo --help"
        case .amend: "dosetap amend --help"
        case .delete: "dosetap delete --help"
        }
    }

    // MARK: The store

    /// The ways that remain without the key. A restore or import never replaces a locked record, so the wipe comes first; backups
    /// stay.
    private static var withoutKey: String {
        tr(
            "dosetap db wipe, which keeps the backups; then dosetap db restore FILE (one that is not encrypted) or dosetap import log FILE"
        )
    }

    private static func next(afterFault facts: JSONObject) -> String {
        switch text(facts, "fault").flatMap(StoreError.Code.init(rawValue:)) {
        case .damaged:
            return tr(
                "dosetap db repair; if that fails: dosetap db restore FILE; if the service does not start: dosetap db wipe first, which keeps the backups"
            )
        case .unreadable:
            return tr(
                "dosetap db restore FILE, with one that dosetap db backups lists; without a backup: dosetap db wipe")
        case .keyLocked:
            return tr(
                "unlock your keyring, or put the key file back; the record then opens by itself. If its key is lost: \(withoutKey)"
            )
        case .keyUnkept:
            return tr(
                "unlock or start your keyring, then try again; or keep the key in a file on the same disk: dosetap config set encryption.key file"
            )
        case .keyWrong: return tr("put the key of this record back. If it is lost: \(withoutKey)")
        case .noCipher: return tr("install DoseTap with SQLCipher (Contrib/install --sqlcipher)")
        case .newer: return tr("install the newer version of dosetap")
        case .altered:
            guard let path = text(facts, "store"), let statement = text(facts, "statement"), !statement.isEmpty else {
                return tr("sqlite3, with .schema, shows it")
            }
            return "sqlite3 \(ShellWord.quoted(path)) \(ShellWord.quoted(statement))"
        case .foreign: return tr("move that file elsewhere, or name another place with --store")
        case .noSpace, .readOnly, .outcomeUnknown, .locked, .unavailable, .keyTaken, .interrupted,
            .changed, .stalled, .unfit, .internal,
            nil:
            // The file of the key that signs packets.
            if let file = text(facts, "file") {
                return tr(
                    "put the key back into \(ShellWord.quoted(file)), or remove that file; then make the packet again")
            }
            return text(facts, "open_directory").map { "chmod go-w \(ShellWord.quoted($0))" } ?? text(facts, "remedy")
                .map(Wire.told)
                ?? tr("look at the store's path and rights; then: dosetap status")
        }
    }
}
