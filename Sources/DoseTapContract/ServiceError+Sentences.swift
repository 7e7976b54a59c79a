public import DoseTapDomain

/// The one table from what the rules and the store say to what a person reads. No `default`: a new case chooses its
/// words.
extension ServiceError {
    /// - Parameters:
    ///   - failure: what the rules said.
    ///   - command: what was asked.
    ///   - moments: for showing times.
    public init(_ failure: CommandFailure, _ command: Command, moments: Moments) {
        switch failure {
        case .needsConfirmation(let question): self.init(question, command, moments: moments)
        case .refused(let reason, let refusal): self.init(reason, refusal, command, moments: moments)
        case .invalidInput(let text):
            self.init(.invalidInput, Self.sentence(text), hint: command.help)
        case .unknown(let word): self.init(word, command)
        case .notFound(let name) where command.isSave:
            let which = name.isEmpty ? "to check in for" : "'\(name.prefix(40))'"
            self.init(.notFound, "There is no night \(which).", hint: "dosetap history")
        case .notFound(let id):
            self.init(.notFound, Self.noEntry(id), hint: "dosetap show last")
        case .nothingToDo(let text, let night):
            self.init(.nothingToDo, Self.sentence(text), hint: "dosetap show \(night?.text ?? "last")")
        }
    }

    /// - Parameter kept: the entry is held in memory until the store takes it.
    public init(_ error: StoreError, kept: Bool) {
        let sentence = Self.sentence(error.context)
        let message =
            kept
            ? sentence + " The entry is kept outside the record until it can be written there."
            : error.code == .noSpace || error.code == .readOnly ? sentence + " Nothing was recorded." : sentence
        switch error.code {
        case .noSpace: self.init(.noSpace, message, hint: "free some disk space, then run: dosetap status")
        case .readOnly: self.init(.readOnly, message, hint: "make the store writable, then run: dosetap status")
        case .outcomeUnknown: self.init(.outcomeUnknown, message, hint: "dosetap status")
        case .locked: self.init(.locked, message, hint: "dosetap status")
        case .damaged:
            self.init(
                .storeUnavailable, message,
                hint: "keep the file; put a backup in its place, or move it aside; then: dosetap status")
        case .newer: self.init(.storeUnavailable, message, hint: "install the newer version of dosetap")
        case .altered: self.init(.storeUnavailable, message, hint: error.underlying)
        case .foreign, .unavailable:
            self.init(.storeUnavailable, message, hint: "look at the store's path and rights; then: dosetap status")
        case .keyTaken: self.init(.invalidInput, message)
        case .interrupted:
            self.init(.busy, message + " The service has more urgent work.", hint: "try again in a moment")
        case .internal:
            self.init(.internal, "Something went wrong in the service.", hint: "journalctl --user -t dosetapd -n 20")
        }
        if kept { details["kept"] = .bool(true) }
    }

    private init(_ unknown: UnknownWord, _ command: Command) {
        let near = unknown.nearest.map { "'\($0)'" }.joined(separator: " or ")
        let meant = near.isEmpty ? "" : " Did you mean \(near)?"
        var details: JSONObject = ["word": .string(unknown.word)]
        if !unknown.nearest.isEmpty { details["nearest"] = .array(unknown.nearest.map(JSONValue.string)) }
        let (base, help) =
            switch (command, InventoryAction(command)) {
            case (.record(.medicationRecorded, _), _): ("med take", "dosetap med catalogue")
            case (_, .addBottle): ("inventory add 180mL --medicine", "dosetap inventory add --help")
            case (_, .pour): ("inventory pour --medicine", "dosetap inventory pour --help")
            case (_, .correct), (_, .discard): ("", "dosetap inventory correct --help")
            default: ("log", "dosetap log --help")
            }
        // Only one word can be meant, then it is worth a command; of two somebody has to choose.
        var only = unknown.nearest.count == 1 ? unknown.nearest.first : nil
        switch (command, InventoryAction(command)) {
        case (.logSleepEvent, _), (.record(.medicationRecorded, _), _), (_, .addBottle), (_, .pour): break
        default: only = nil
        }
        // A dose is never proposed for a word that was not understood.
        if let word = only, DoseKind(rawValue: word) != nil || word == "extra" { only = nil }
        var other = ""
        if case .record(.medicationRecorded, _) = command, near.isEmpty {
            other = " A medicine of your own goes into the setting medications.custom."
        }
        self.init(
            .invalidInput, "There is no \(unknown.what) '\(unknown.word)'.\(meant)\(other)",
            hint: only.map { "dosetap \(base) \($0)" } ?? help, details: details)
    }

    private init(_ question: Question, _ command: Command, moments: Moments) {
        var details = JSONObject()
        details["confirmations"] = .array(question.confirmations.map { .string($0.rawValue) })
        details["minutes_to_open"] = question.minutesToOpen.map { .integer(Int64($0)) }
        details["limit_mg"] = question.limitMilligrams.map { .integer(Int64($0)) }
        details["sum_mg"] = question.sumMilligrams.map { .integer(Int64($0)) }
        details["standing_id"] = question.existing.map { .string($0.text) }
        details["standing_at"] = question.existingAt.map(JSONValue.instant)
        if let night = question.endedNight {
            details["session_date"] = .string(night.date.text)
            details["night_ended"] = .instant(night.end)
        }
        if let elapsed = question.elapsed {
            details["elapsed_s"] = .integer(elapsed.shorter.wholeSeconds)
            details["elapsed_most_s"] = .integer(elapsed.longer.wholeSeconds)
            details["elapsed_by_clock_s"] = .integer(elapsed.byWall.wholeSeconds)
        }
        if let since = question.sinceExisting {
            details["since_standing_s"] = .integer(since.shorter.wholeSeconds)
            details["since_standing_most_s"] = .integer(since.longer.wholeSeconds)
        }
        details["would_record"] = .string(question.wouldRecord)
        details["at"] = .instant(question.at)
        let flags = question.confirmations.map { " --confirm \($0.rawValue)" }.joined()
        let sentences = question.confirmations.compactMap { Self.sentence($0, question, moments) }
        // What answers the questions is never the next step: it stands apart.
        details["confirm_with"] = .string("dosetap \(command.verb)\(flags)")
        self.init(
            .requiresConfirmation, sentences.joined(separator: " "), hint: Self.step(question), details: details)
    }

    private static func sentence(_ confirmation: Confirmation, _ question: Question, _ moments: Moments) -> String? {
        switch confirmation {
        case .early: return tooEarly(question, moments)
        case .late where question.isNamed:
            return
                "Too late: at \(moments.clock(question.at)) the window for dose 2 had closed. After a dose nobody should "
                + "drive for 6 h (Xyrem label). Check the time."
        case .late:
            return
                "Too late: the window for dose 2 has closed. After a dose nobody should drive for 6 h (Xyrem label). "
                + "Skip dose 2 tonight."
        case .afterSkip:
            return
                "Dose 2 is on record as skipped. A second dose that is not expected is easily doubled. Check what was taken."
        case .afterWake:
            let driving = "After a dose nobody should drive for 6 h (Xyrem label). "
            return "The night has its final wake or check-in. "
                + (question.confirmations.contains(.late) ? "" : driving) + "Check the time of the dose."
        case .extra: return extra(question, moments)
        case .extraUnderstood:
            return question.confirmations.contains(.extra) ? nil : "It would count as one dose more than prescribed."
        case .overLimit:
            let which = question.limitMilligrams == RegistrationPolicy.nightLimitMilligrams ? "night" : "dose"
            return
                "\(question.sumMilligrams ?? 0) mg is over the label's limit of \(question.limitMilligrams ?? 0) mg for one "
                + "\(which). Too much can stop breathing. Check the amount."
        case .onceNightly:
            return "One dose a night is prescribed and on record. A second one can stop breathing \(boxed). "
                + "Nothing more is due tonight."
        case .longAgo: return "That is more than seven days ago. Check the date."
        case .duplicate where question.wouldRecord == EntityType.inventory.rawValue:
            let at = question.existingAt.map { " at " + moments.clock($0) } ?? ""
            return "One was thrown away\(at), a moment ago. Check whether this is one more."
        case .duplicate:
            let at = question.existingAt.map { " at " + moments.clock($0) } ?? ""
            return
                "The same ingredient is on record\(at), less than five minutes apart. Check whether this is one more."
        case .windowUnresolved:
            return "Dose 2 is neither recorded nor skipped, and its reminders go on. If it was taken, record it: "
                + "'dosetap log dose2 --at TIME'. If not: 'dosetap skip'."
        case .clockSuspect:
            guard let doubt = question.elapsed?.doubtSentence else {
                return "The clock stands before the newest entry. Look at another clock first."
            }
            return doubt + " Clock right: --confirm clock_suspect=right. Clock wrong: clock_suspect=wrong."
        case .nightBegun:
            return "Tonight began with another number of doses: its window and reminders would change at once. "
                + "Without '--from' the regimen holds from the next night."
        case .undoDose:
            let at = question.existingAt.map { " of " + moments.clock($0) } ?? ""
            return "A second undo removes the dose\(at) from the record. The reminders would follow. "
                + "Check whether it was taken."
        }
    }

    /// Where it is said that doses together are dangerous.
    private static let boxed = "(boxed warning of the labels)"

    /// The next step where questions are open: none of them is answered by it, and no dose is recorded.
    private static func step(_ question: Question) -> String {
        let asked = Set(question.confirmations)
        // A skip where dose 2 was taken would be a false record.
        if asked == [.late], !question.isNamed { return "dosetap skip" }
        if asked.contains(.early), !question.isNamed { return "dosetap status --follow" }
        if asked.contains(.nightBegun) { return "dosetap regimen show" }
        if asked.contains(.duplicate) {
            return question.wouldRecord == EntityType.inventory.rawValue ? "dosetap inventory" : "dosetap med list"
        }
        if let night = question.endedNight { return "dosetap show \(night.date.text)" }
        return "dosetap status"
    }

    private static func extra(_ question: Question, _ moments: Moments) -> String {
        guard let night = question.endedNight else {
            return "Both doses are on record. One more than prescribed can stop breathing \(boxed). "
                + "Nothing more is due tonight."
        }
        let doses = night.doses == 1 ? "1 dose" : "\(night.doses) doses"
        return "The night of \(Moments.date(night.date)) ended at \(moments.clock(night.end)) with \(doses) on record. "
            + "This would begin another night of \(Moments.date(night.date)), and one dose too many can stop breathing "
            + "\(boxed)."
    }

    /// Fact, danger, action, in about fifteen words each.
    private static func tooEarly(_ question: Question, _ moments: Moments) -> String {
        let dose =
            switch question.existingKind {
            case .dose1: "dose 1"
            case .dose2: "dose 2"
            case .extra: "the extra dose"
            case nil: "the dose before"
            }
        let danger = "Doses together can stop breathing \(boxed)."
        let active = question.existingAt ?? question.at
        let since = question.sinceExisting
        let isBefore = since.map { $0.longer < .zero } ?? (active > question.at)
        if isBefore, question.isNamed {
            return "Too early: \(dose) is on record at \(moments.clock(active)), less than 150 minutes after it. "
                + "\(danger) Check both times."
        }
        if let since, !since.isCertain { return tooEarly(question, dose, danger, since, moments) }
        // By the entry's own time; where a clock was set in between only what was counted is true.
        let isByClock = question.isActiveByPresentClock
        let ago = since?.counted ?? question.at - active
        guard question.isNamed else {
            let passed = ago < .minutes(2) ? "just now" : Moments.ago(ago)
            let was = isByClock ? "\(dose) was at \(moments.clock(active)), \(passed)" : "\(dose) was \(passed)"
            // Nothing more is due tonight, at no time: the sentence about one dose too many says so.
            if isOneTooMany(question) { return "Too early: \(was)." }
            let latest = question.at + .minutes(question.minutesToOpen ?? 1)
            let opens = isByClock ? question.existingAt.map { $0 + DoseWindow.opens } : nil
            let over = opens.flatMap { $0 > latest - .minutes(1) ? $0 : nil } ?? latest
            return "Too early: \(was). \(danger) Wait until \(moments.clock(over))."
        }
        guard isByClock else {
            return
                "Too early: \(moments.clock(question.at)) is only \(LocalTimeFormat.interval(max(.zero, ago))) after "
                + "\(dose). \(danger) Check the time."
        }
        return "Too early: \(moments.clock(question.at)) is less than 150 minutes after \(dose) at "
            + "\(moments.clock(active)). \(danger) Check the time."
    }

    private static func isOneTooMany(_ question: Question) -> Bool {
        question.confirmations.contains { [.extra, .onceNightly].contains($0) }
    }

    /// The same where the clocks leave doubt: no time of a clock is told.
    private static func tooEarly(
        _ question: Question, _ dose: String, _ danger: String, _ since: ElapsedTime, _ moments: Moments
    ) -> String {
        if question.isNamed {
            let least = LocalTimeFormat.interval(max(.zero, since.shorter))
            return "Too early: \(moments.clock(question.at)) may be only \(least) after \(dose). "
                + "Look at another clock. \(danger) Check the time."
        }
        let doubt =
            question.existingKind == .dose1
            ? since.doubtSentence : "At least \(since.shorter.wholeMinutes) minutes since \(dose)."
        let early = "Too early. \(doubt ?? "")"
        if isOneTooMany(question) { return early }
        let wait = question.minutesToOpen ?? 1
        return "\(early) \(danger) Wait \(wait == 1 ? "1 minute" : "\(wait) minutes")."
    }

    private init(_ reason: BlockReason, _ refusal: Refusal, _ command: Command, moments: Moments) {
        var details = JSONObject()
        details["reason"] = .string(reason.rawValue)
        details["phase"] = refusal.phase.map { .string($0.rawValue) }
        details["standing_id"] = refusal.existing.map { .string($0.text) }
        details["standing_at"] = refusal.existingAt.map(JSONValue.instant)
        details["remaining_s"] = refusal.secondsLeft.map(JSONValue.integer)
        details["alarm_time"] = refusal.alarm.map(JSONValue.instant)
        let at = refusal.existingAt.map { " at " + moments.clock($0) } ?? ""
        let (message, hint) =
            Self.words(ofDose: command, reason, refusal, moments) ?? Self.words(command, reason, at, refusal, moments)
            ?? Self.words(reason, at, refusal)
        details["confirm_with"] = Self.truth(command, reason, refusal).map(JSONValue.string)
        if let night = refusal.endedNight {
            details["session_date"] = .string(night.date.text)
            details["night_ended"] = .instant(night.end)
        }
        let rings = refusal.alarm.map { " The alarm rings at \(moments.clock($0))." } ?? ""
        self.init(.refused, message + rings, hint: hint, details: details)
    }

    /// A dose that was really taken has a way in wherever it is refused; what records it stands apart from the next step.
    private static func truth(_ command: Command, _ reason: BlockReason, _ refusal: Refusal) -> String? {
        switch (command, reason) {
        case (.logDose(.dose1), .dose1AlreadyTaken): "dosetap log dose2"
        case (.logDose(.extra), .order) where refusal.awaitsDose2: "dosetap log dose2"
        case (.logDose, .dose1Required) where refusal.endedNight != nil: "dosetap log dose1"
        default: nil
        }
    }

    /// What is said to somebody whose dose does not fit.
    private static func words(
        ofDose command: Command, _ reason: BlockReason, _ refusal: Refusal, _ moments: Moments
    ) -> (String, String)? {
        guard case .logDose(let kind) = command else { return nil }
        let at = refusal.existingAt.map(moments.clock) ?? "another time"
        let amend = "dosetap amend \(refusal.handle ?? refusal.existing?.text ?? "dose1") --at TIME"
        switch (reason, kind) {
        case (.dose1AlreadyTaken, _):
            return (
                "Dose 1 is already on record at \(at). If that is not its time, correct it. A second dose is dose 2.",
                amend
            )
        case (.dose1Required, _):
            guard let night = refusal.endedNight else {
                let then = kind == .dose2 ? "; then dose 2 with its own: dosetap log dose2 --at TIME" : ""
                return (
                    "Dose 1 is not on record for this night. When was it? Record it first, with its time\(then).",
                    "dosetap log dose1 --at TIME"
                )
            }
            return (
                "The night of \(Moments.date(night.date)) ended at \(moments.clock(night.end)). A dose before that is "
                    + "recorded with its time; a later one begins another night as dose 1.",
                "dosetap log dose2 --at TIME"
            )
        case (.order, _) where refusal.awaitsDose2:
            return (
                "Only dose 1 is on record, at \(at): the next one is dose 2. If that is not its time, correct it.",
                amend
            )
        case (.order, _):
            return (
                "That time lies before dose 1 at \(at). If it was the first dose, correct dose 1; then record the other as "
                    + "dose 2 with its own time.", amend
            )
        default: return nil
        }
    }

    /// Where the command makes clearer what stands in the way.
    private static func words(
        _ command: Command, _ reason: BlockReason, _ at: String, _ refusal: Refusal, _ moments: Moments
    ) -> (String, String)? {
        let active = refusal.handle ?? refusal.existing?.text ?? "ID"
        switch (command, reason, refusal.phase) {
        case (.delete(let id), .order, _):
            // To delete the later one first is no next step: it may be a dose that was really taken.
            return (
                "A later entry\(at) rests on this one. If its time is wrong, correct it.",
                "dosetap amend \(id.text) --at TIME"
            )
        case (.skipDose2, .alreadySkipped, _) where refusal.isAutomatic:
            // A skip of the night counts from when time alone was recorded, less the grace after the window.
            let closed =
                refusal.existingAt.map {
                    "'\(moments.typedToTheMinute($0 - DoseWindow.sleptThrough + DoseWindow.closes))'"
                } ?? "TIME"
            return (
                "Dose 2 is not recorded, and its window is over. If you did not have it, the skip counts from then.",
                "dosetap skip --at \(closed)"
            )
        case (.skipDose2, .order, _), (.amend, .order, _):
            return ("That time does not fit the order of the entries: see the one\(at).", "dosetap show last")
        case (.record(.inventoryRecorded, _), .order, _):
            return ("That time lies before what it is about, which was noted\(at).", "dosetap show \(active)")
        case (.logSleepEvent, .cooldown, _):
            return (
                "The same is on record\(at): as one more it can be logged in \(refusal.secondsLeft ?? 1) s, or with its time.",
                "dosetap \(command.verb) --at TIME"
            )
        case (.amend, .future, _): return ("That time lies in the future.", "dosetap amend --help")
        case (.amend, .napOpen, _):
            return ("The nap would run into the one\(at).", "dosetap show last")
        case (.saveCheckIn, .order, _): return ("That time lies before the night, which began\(at).", "dosetap history")
        case (.logFinalWake, .phase, _):
            return ("The final wake is already on record\(at).", "dosetap amend \(active) --at TIME")
        case (.snooze, .phase, .beforeWindow):
            return ("The window is not open yet, so there is no alarm to put off.", "dosetap status")
        case (.snooze, .phase, .closed):
            return ("The window has closed, so there is no alarm to put off.", "dosetap skip")
        default: return nil
        }
    }

    private static func words(_ reason: BlockReason, _ at: String, _ refusal: Refusal) -> (String, String) {
        let active = refusal.handle ?? refusal.existing?.text
        let amend = active.map { "dosetap amend \($0) --at TIME" } ?? "dosetap status"
        switch reason {
        case .dose1Required:
            return (
                "Dose 1 is not on record for this night. When was it? Record it with its time.",
                "dosetap log dose1 --at TIME"
            )
        case .dose1AlreadyTaken: return ("Dose 1 is already on record\(at).", amend)
        case .dose2AlreadyTaken: return ("Dose 2 is already on record\(at).", amend)
        case .alreadySkipped: return ("Dose 2 is already skipped\(at).", "dosetap status")
        case .dose2TakenOrSkipped: return ("Dose 2 is already taken or skipped.", "dosetap status")
        case .nearClose: return ("Too little of the window is left to snooze.", "dosetap status")
        case .snoozeLimit: return ("No snooze is left tonight.", "dosetap status")
        case .snoozeOff: return ("Snoozing is switched off.", "dosetap config show")
        case .phase: return ("This does not fit where the night stands\(at).", "dosetap status")
        case .future: return ("That time lies in the future.", "dosetap log --help")
        case .cooldown: return ("The same was recorded a moment ago.", "dosetap status")
        case .napOpen: return ("The nap that began\(at) has not ended then.", "dosetap log \(SleepEventWord.napEnd)")
        case .alreadyDiscarded: return ("That was thrown away before\(at).", "dosetap inventory")
        case .alreadyUsed: return ("That cup was used up by the dose\(at).", "dosetap inventory")
        case .order: return ("The order of the doses does not allow it\(at).", "dosetap status")
        }
    }

    /// What a name that names no entry was looked for as.
    private static func noEntry(_ name: String) -> String {
        let shown = String(name.prefix(40))
        switch Handle(name) {
        case .dose(let kind):
            let dose = kind == .dose1 ? "dose 1" : kind == .dose2 ? "dose 2" : "extra dose"
            return "The newest night has no \(dose) on record. An older one is named by the end of its id."
        case .last(nil): return "The newest nights have no entry on record."
        case .last: return "The newest nights have no entry '\(shown.lowercased().trimmingPrefix("last "))'."
        case .id(let part) where part.utf8.count < Handle.shortestBeginning:
            return "No entry of the newest nights has an id that ends with '\(shown)'."
        case .id, nil:
            return "There is no entry '\(shown)'. Entries are named dose1, dose2, last, \"last bathroom\", or by the "
                + "last four or more characters of their id."
        }
    }

    /// A sentence begins with a capital and ends with a stop.
    static func sentence(_ text: String) -> String {
        let stop = text.hasSuffix(".") || text.hasSuffix("?") ? "" : "."
        return text.prefix(1).uppercased() + text.dropFirst() + stop
    }
}

extension Command {
    /// It saves a questionnaire of a night.
    fileprivate var isSave: Bool {
        switch self {
        case .saveCheckIn, .record(.preSleepRecorded, _): true
        default: false
        }
    }

    /// What helps where the input was wrong; nil for nothing in particular.
    fileprivate var help: String? {
        switch self {
        case .saveCheckIn, .record(.preSleepRecorded, _): "dosetap \(verb.split(separator: " ")[0]) --questions"
        case .record(.medicationRecorded, _): "dosetap med take --help"
        case .record:
            if case .discard = InventoryAction(self) { "dosetap inventory" } else { "dosetap \(verb) --help" }
        case .logDose, .logSleepEvent: "dosetap log --help"
        case .snooze, .skipDose2, .logFinalWake, .undo, .amend, .delete:
            "dosetap \(verb.split(separator: " ")[0]) --help"
        }
    }

    /// The CLI words of the command.
    public var verb: String {
        switch self {
        case .logDose(.dose1): "log dose1"
        case .logDose(.dose2): "log dose2"
        case .logDose(.extra): "log extra"
        case .snooze: "snooze"
        case .skipDose2: "skip"
        case .logFinalWake: "wake"
        case .logSleepEvent(let type): "log \(SleepEventWord.normalised(type))"
        case .saveCheckIn(_, let night): night.map { "checkin --night \($0)" } ?? "checkin"
        case .record(let type, let said): type.verb(said)
        case .undo: "undo"
        case .amend(let id): "amend \(id.text)"
        case .delete(let id): "delete \(id.text)"
        }
    }
}
