import DoseTapContract
import DoseTapDomain
import DoseTapText
import SDBus
import Testing

@Suite struct ServiceErrorTests {
    static let exits: [(ServiceError.Kind, Int32, String)] = [
        (.requiresConfirmation, 4, "requires_confirmation"), (.refused, 5, "refused"), (.notFound, 3, "not_found"),
        (.nothingToDo, 2, "nothing_to_do"), (.invalidInput, 64, "invalid_input"), (.readOnly, 1, "read_only"),
        (.noSpace, 1, "no_space"), (.storeUnavailable, 1, "store_unavailable"),
        (.outcomeUnknown, 1, "outcome_unknown"), (.locked, 1, "locked"), (.busy, 1, "busy"),
        (.timedOut, 1, "timed_out"),
        (.internal, 1, "internal"),
    ]

    @Test func `every kind has its exit code and its word`() {
        #expect(Self.exits.map(\.0) == ServiceError.Kind.allCases)
        for (kind, exit, word) in Self.exits {
            #expect(kind.exitCode == exit)
            #expect(kind.word == word)
        }
    }

    @Test(arguments: ServiceError.Kind.allCases)
    func `an error arrives as it was`(kind: ServiceError.Kind) throws {
        var details = JSONObject()
        details["confirmations"] = .array([.string("early"), .string("late")])
        details["handle"] = .string("dose1")
        details["minutes_to_open"] = .integer(12)
        details["standing_at"] = .string("2026-01-14T22:30:00.000Z")
        let error = ServiceError(kind, "Something.", details: details)
        #expect(error.busError.name == "org.dosetap.DoseTap1.Error.\(kind.rawValue)")
        let back = try #require(ServiceError(error.busError))
        #expect(back == error)
        #expect(back.confirmations == [.early, .late])
    }

    @Test(arguments: [
        "org.freedesktop.DBus.Error.NoReply", "org.dosetap.DoseTap1.Error.", "org.dosetap.DoseTap1.Error.Other",
        "org.dosetap.DoseTap2.Error.Refused",
    ])
    func `an error of someone else is none of ours`(name: String) {
        #expect(ServiceError(BusError(name: name, message: "m")) == nil)
    }

    /// The error of a failed command, with its sentence.
    private func said(_ failure: CommandFailure, _ command: Command = .logDose(.dose2)) -> ServiceError {
        ServiceError(
            failure, command, sentence: ErrorText.sentence(failure, to: command, moments: Moments(zone: .utc)))
    }

    private func said(_ error: StoreError, kept: Bool) -> ServiceError {
        ServiceError(error, kept: kept, sentence: ErrorText.sentence(error, kept: kept))
    }

    /// The next step that the command shows below an error from the bus.
    private func next(_ error: ServiceError, _ command: DoseTapDomain.Command = .logDose(.dose2)) throws -> String? {
        let arrived = try #require(ServiceError(error.busError))
        return ErrorText.next(
            after: arrived.kind, arrived.details, to: command, moments: Moments(zone: .utc))
    }

    private func question(_ confirmation: DoseTapDomain.Confirmation) -> Question {
        Question(
            confirmations: [confirmation], minutesToOpen: 7, limitMilligrams: 4_500, sumMilligrams: 5_000,
            wouldRecord: "dose2", at: Instant(seconds: 1_768_429_800))
    }

    @Test(arguments: DoseTapDomain.Confirmation.allCases)
    func `every question has a sentence and a next step`(confirmation: DoseTapDomain.Confirmation) throws {
        let error = said(.needsConfirmation(question(confirmation)))
        #expect(error.kind == .requiresConfirmation)
        #expect(error.message.count > 15 && error.message.hasSuffix("."))
        #expect(try next(error)?.hasPrefix("dosetap ") == true)
        #expect(error.confirmations == [confirmation])
    }

    static let commands: [DoseTapDomain.Command] = [
        .logDose(.dose1), .logDose(.dose2), .logDose(.extra), .snooze, .skipDose2, .logFinalWake,
        .logSleepEvent("bathroom"), .saveCheckIn([:], night: nil), .savePreSleep([:], .complete),
        .takeMedication("xyrem"), .setRegimen([:]), .undo, .amend(EventID("e")), .delete(EventID("e")),
    ]

    /// True if the hint, run as it is shown, records no dose. A hint that records one has a time that only the person
    /// knows.
    static func isSafe(_ hint: String) -> Bool {
        guard !hint.contains("--confirm"), !hint.contains("med take"), !hint.contains("undo") else { return false }
        return !hint.contains(" log dose") && !hint.contains(" log extra") || hint.hasSuffix("--at TIME")
    }

    @Test(arguments: commands)
    func `R20.15 no next step after a refusal or a question records a dose or answers a question`(
        command: DoseTapDomain.Command
    ) throws {
        let ended = RegistrationPolicy.EndedNight(
            date: try SessionDate(text: "2026-01-14"), end: Instant(seconds: 1_768_429_800), doses: 2)
        for reason in BlockReason.allCases {
            for phase in Phase.allCases.map(Optional.some) + [nil] {
                for active in [EventID("e"), nil] {
                    for (night, isAutomatic, awaits) in [(nil, false, true), (ended, true, false)] {
                        let refusal = Refusal(
                            phase: phase, existing: active, existingAt: active.map { _ in Instant(seconds: 0) },
                            endedNight: night, isAutomatic: isAutomatic, awaitsDose2: awaits)
                        let error = said(.refused(reason, refusal), command)
                        let next = try next(error, command)
                        #expect(next.map(Self.isSafe) == true, "\(command) \(reason): \(next ?? "")")
                        #expect(Self.shellWords(error) == [])
                    }
                }
            }
        }
        let all = DoseTapDomain.Confirmation.allCases
        for kinds in all.map({ [$0] }) + [all, [.early, .extra, .extraUnderstood], [.late, .afterWake]] {
            var asked = question(.early)
            asked.confirmations = kinds
            asked.endedNight = kinds.contains(.extra) ? ended : nil
            for isNamed in [false, true] {
                asked.isNamed = isNamed
                let error = said(.needsConfirmation(asked), command)
                let next = try next(error, command)
                #expect(next.map(Self.isSafe) == true, "\(command) \(kinds): \(next ?? "")")
                #expect(Self.shellWords(error) == [])
            }
        }
        for word in ["dose1", "dose2", "extra", "extra_dose"] {
            let unknown = UnknownWord(what: "sleep event", word: word, nearest: [word])
            let next = try next(said(.unknown(unknown), .logSleepEvent(word)), .logSleepEvent(word))
            #expect(next.map(Self.isSafe) == true)
        }
    }

    @Test func `R6.11 a deletion that is refused names what goes first, and its next step is the correction`() throws {
        let command = DoseTapDomain.Command.delete(EventID("dose1"))
        var leaning = Refusal(existing: EventID("e"), existingAt: Instant(seconds: 0))
        let unnamed = said(.refused(.order, leaning), command)
        #expect(unnamed.message.hasSuffix(" If both are wrong, delete the later one first."), "\(unnamed.message)")
        leaning.handle = "dose2"
        let error = said(.refused(.order, leaning), command)
        #expect(error.message.hasSuffix(" If both are wrong, delete dose2 first."), "\(error.message)")
        #expect(try next(error, command) == "dosetap amend dose1 --at TIME")
    }

    @Test func `R20.16 a dose that was really taken has a way in wherever it is refused`() throws {
        let active = Refusal(phase: .beforeWindow, existing: EventID("e"), existingAt: Instant(seconds: 0))
        #expect(said(.refused(.dose1AlreadyTaken, active), .logDose(.dose1)).details["record_as"] == nil)
        var later = active
        later.awaitsDose2 = true
        let twice = said(.refused(.dose1AlreadyTaken, later), .logDose(.dose1))
        #expect(
            try next(twice, .logDose(.dose1)) == "dosetap amend e --at TIME" && twice.details["record_as"] == "dose2")
        #expect(twice.message.contains("A second dose is dose 2, not before its window opens."))
        let first = said(.refused(.dose1Required, Refusal(phase: .noDose1)), .logDose(.dose2))
        #expect(try next(first) == "dosetap log dose1 --at TIME" && first.details["record_as"] == nil)
        #expect(first.message.contains("When was it?"))
        var awaited = active
        awaited.awaitsDose2 = true
        let extra = said(.refused(.order, awaited), .logDose(.extra))
        #expect(
            try next(extra, .logDose(.extra)) == "dosetap amend e --at TIME" && extra.details["record_as"] == "dose2")
        let before = said(.refused(.order, active), .logDose(.dose2))
        #expect(try next(before) == "dosetap amend e --at TIME" && before.message.contains("correct dose 1"))
        let ended = RegistrationPolicy.EndedNight(
            date: try SessionDate(text: "2026-01-14"), end: Instant(seconds: 0), doses: 2)
        let over = said(.refused(.dose1Required, Refusal(endedNight: ended)), .logDose(.dose2))
        #expect(try next(over) == "dosetap log dose2 --at TIME" && over.details["record_as"] == "dose1")
        var dosed = ended
        dosed.times = [Instant(seconds: -7_200), Instant(seconds: -600)]
        for kind in [DoseKind.dose2, .extra] {
            let told = said(.refused(.dose1Required, Refusal(endedNight: dosed)), .logDose(kind)).message
            #expect(
                told.hasPrefix(
                    "The night of Wed 2026-01-14 ended at 00:00 with 2 doses on record: 22:00, 23:50. One dose too many can stop breathing "
                ), "\(told)")
        }
        let skipped = said(.refused(.dose1Required, Refusal(endedNight: ended)), .skipDose2)
        #expect(try next(skipped, .skipDose2) == "dosetap skip --at TIME" && skipped.details["record_as"] == nil)
        #expect(skipped.message.hasPrefix("The night of Wed 2026-01-14 ended at 00:00. A skip in it"))
        let snoozed = said(.refused(.dose1Required, Refusal(endedNight: ended)), .snooze)
        #expect(try next(snoozed, .snooze) == "dosetap status" && snoozed.message.contains("no alarm to put off"))
    }

    @Test func `an early dose says fact, danger with its source, and action`() throws {
        var early = question(.early)
        early.at = try Instant(iso8601: "2026-01-15T03:44:30Z")
        early.existingAt = try Instant(iso8601: "2026-01-15T01:59:10Z")
        early.existingKind = .dose1
        early.minutesToOpen = 45
        let danger = "Doses together can stop breathing (boxed warning of the labels). "
        #expect(
            said(.needsConfirmation(early)).message
                == "Too early: dose 1 was at 01:59, 1 h 45 min ago. \(danger)Wait until 04:30.")
        early.at = try Instant(iso8601: "2026-01-15T01:59:50Z")
        early.minutesToOpen = 150
        #expect(
            said(.needsConfirmation(early)).message
                == "Too early: dose 1 was at 01:59, just now. \(danger)Wait until 04:30.")
        // The time is rounded up to the next minute that a clock shows (R23.3).
        early.existingAt = try Instant(iso8601: "2026-01-15T01:59:00Z")
        #expect(said(.needsConfirmation(early)).message.hasSuffix("Wait until 04:29."))
        early.existingAt = try Instant(iso8601: "2026-01-15T01:59:10Z")
        // The clocks disagree, so the window opens later than the wall clock says.
        early.at = try Instant(iso8601: "2026-01-15T03:44:30Z")
        early.minutesToOpen = 60
        #expect(said(.needsConfirmation(early)).message.hasSuffix("Wait until 04:45."))
        early.minutesToOpen = 45
        early.isNamed = true
        #expect(
            said(.needsConfirmation(early)).message.hasPrefix(
                "Too early: 03:44 is less than 150 minutes after dose 1 at 01:59. "))
        for kind in [DoseTapDomain.Confirmation.early, .late, .extra, .onceNightly] {
            let message = said(.needsConfirmation(question(kind))).message
            #expect(message.contains("label"), "\(message)")
            for sentence in message.split(separator: ". ") {
                #expect(sentence.split(separator: " ").count <= 17, "\(sentence)")
            }
        }
    }

    @Test func `what stands in the way is told with what is to be done about it`() throws {
        let rings = try Instant(iso8601: "2026-01-15T04:54:00Z")
        for reason in [BlockReason.snoozeLimit, .snoozeOff, .nearClose] {
            let error = said(.refused(reason, Refusal(phase: .active, alarm: rings)), .snooze)
            #expect(error.message.hasSuffix(" The alarm rings at 04:54."))
            #expect(error.details["alarm_time"] == .instant(rings))
            #expect(!said(.refused(reason, Refusal(phase: .active)), .snooze).message.contains("rings"))
        }
        let old = CommandFailure.nothingToDo("too old", night: try SessionDate(text: "2026-01-14"))
        #expect(try next(said(old, .undo), .undo) == "dosetap show 2026-01-14")
    }

    @Test(arguments: BlockReason.allCases)
    func `every refusal has a sentence, its word and a next step`(reason: BlockReason) throws {
        let error = said(
            .refused(reason, Refusal(phase: .closed, existing: EventID("e"), existingAt: Instant(seconds: 0))))
        #expect(error.kind == .refused)
        #expect(error.message.count > 15 && error.message.hasSuffix("."))
        #expect(error.details["reason"] == .string(reason.rawValue))
        #expect(try next(error)?.hasPrefix("dosetap ") == true)
    }

    @Test(arguments: StoreError.Code.allCases, [true, false])
    func `every fault of the store has a sentence, says whether the entry is kept, and hides what lies below`(
        code: StoreError.Code, kept: Bool
    ) throws {
        let error = said(
            StoreError(code: code, context: "recording the dose", underlying: "SQL secret"), kept: kept)
        #expect(error.message.hasSuffix("."))
        #expect(!error.message.contains("secret"))
        if code != .keyTaken { #expect(try next(error) != nil) }
        #expect(Self.shellWords(error) == [])
        if code != .internal { #expect(error.message.contains("kept outside the record") == kept) }
        #expect(error.details["kept"] == (kept ? .bool(true) : nil))
    }

    @Test func `after 240 minutes nothing tells a person to take a dose`() throws {
        var sentences: [String] = []
        for confirmation in DoseTapDomain.Confirmation.allCases where confirmation != .early {
            sentences.append(said(.needsConfirmation(question(confirmation))).message)
        }
        for reason in BlockReason.allCases {
            let error = said(.refused(reason, Refusal(phase: .closed)), .snooze)
            sentences += [error.message, try next(error, .snooze) ?? ""]
        }
        for sentence in sentences {
            let words = sentence.lowercased().split { !$0.isLetter }
            #expect(!words.contains("take") && !words.contains("now"), "\(sentence)")
        }
    }

    /// The question of dose 2 at this time after dose 1, with the clock set by `step` in between.
    private static func asked(
        after minutes: Int, clockSet step: Duration, synchronised: Bool = false, named ago: Duration? = nil
    ) throws -> ServiceError {
        let night = Night()
        let clock = night.context(at: night.start + .minutes(minutes)).clock
        let now = ClockReading(
            wall: clock.wall + step, counterMicroseconds: clock.counterMicroseconds, bootID: clock.bootID,
            isSynchronised: synchronised)
        let context = DecisionContext(
            clock: now, zone: .utc, zoneNamed: { _ in .utc }, rules: .standard, deviceID: "d")
        var options = CommandOptions(surface: .cli)
        options.at = ago.map { now.wall - $0 }
        var ids = IdentifierGenerator()
        do {
            _ = try CommandHandler.decide(.logDose(.dose2), options, logState: night.open, context, ids: &ids)
        } catch {
            let sentence = ErrorText.sentence(error, to: .logDose(.dose2), moments: Moments(zone: .utc))
            return ServiceError(error, .logDose(.dose2), sentence: sentence)
        }
        throw Unasked()
    }

    private struct Unasked: Error {}

    @Test func `an early dose tells what was counted, whatever was done to the clock`() throws {
        let danger = "Doses together can stop breathing (boxed warning of the labels). "
        let back = try Self.asked(after: 100, clockSet: .hours(-2))
        #expect(back.message == "Too early: dose 1 was 1 h 40 min ago. \(danger)Wait until 23:00.")
        #expect(back.details["since_standing_s"] == .integer(6_000))
        #expect(back.details["since_standing_most_s"] == .integer(6_000))
        #expect(back.details["elapsed_s"] == nil)
        let named = try Self.asked(after: 100, clockSet: .hours(-2), named: .minutes(10))
        #expect(named.message == "Too early: 22:00 is only 1 h 30 min after dose 1. \(danger)Check the time.")
        let right = try Self.asked(after: 100, clockSet: .zero)
        #expect(right.message == "Too early: dose 1 was at 22:30, 1 h 40 min ago. \(danger)Wait until 01:00.")
        #expect(right.details["since_standing_s"] == .integer(6_000))
    }

    @Test func `R23.15 a question tells its times in the zone of its night, with its name`() throws {
        let night = Night()
        let tokyo = Zone(fixedOffsetMinutes: 540)
        let clock = night.context(at: night.start + .minutes(100)).clock
        let context = DecisionContext(
            clock: clock, zone: tokyo, zoneNamed: { _ in .utc }, rules: .standard, deviceID: "d")
        var ids = IdentifierGenerator()
        do {
            _ = try CommandHandler.decide(
                .logDose(.dose2), CommandOptions(surface: .cli), logState: night.open, context, ids: &ids)
        } catch {
            let sentence = ErrorText.sentence(
                error, to: .logDose(.dose2), moments: Moments(zone: tokyo, inForce: tokyo))
            #expect(sentence.hasPrefix("Too early: dose 1 was at 22:30 (UTC), 1 h 40 min ago. "), "\(sentence)")
            #expect(sentence.hasSuffix(" Wait until 01:00 (UTC)."), "\(sentence)")
            let told = ServiceError(error, .logDose(.dose2), sentence: sentence)
            #expect(told.details["time_zone"] == "UTC")
            #expect(ServiceError(told.busError)?.details["time_zone"] == "UTC")
            // In a zone that was asked for all times stand without its name.
            let asked = ErrorText.sentence(error, to: .logDose(.dose2), moments: Moments(zone: tokyo))
            #expect(asked.hasPrefix("Too early: dose 1 was at 07:30, 1 h 40 min ago. "), "\(asked)")
            return
        }
        throw Unasked()
    }

    @Test func `an early dose in doubt tells both figures and how long to wait`() throws {
        let error = try Self.asked(after: 20, clockSet: .minutes(80))
        #expect(
            error.message
                == "Too early. At least 20 minutes since dose 1, 100 by the computer's clock. Look at another "
                + "clock before you take anything. Doses together can stop breathing (boxed warning of the labels). "
                + "Wait 130 minutes.")
        #expect(error.details["minutes_to_open"] == .integer(130))
        #expect(error.details["since_standing_s"] == .integer(1_200))
        #expect(error.details["since_standing_most_s"] == .integer(6_000))
        #expect(error.details["elapsed_s"] == .integer(1_200))
        #expect(error.details["elapsed_by_clock_s"] == .integer(6_000))
        let back = try #require(ServiceError(error.busError))
        #expect(back.details["since_standing_most_s"] == .integer(6_000) && back.message == error.message)
        let named = try Self.asked(after: 20, clockSet: .minutes(80), named: .minutes(5))
        #expect(named.message.hasPrefix("Too early: 00:05 may be only 15 min after dose 1. Look at another clock."))
    }

    /// The texts of an error on the bus that look like a command or an option of a shell.
    private static func shellWords(_ error: ServiceError) -> [String] {
        let bus = error.busError
        let told = [bus.message] + error.details.flatMap { [$0.key] + texts($0.value) }
        return told.filter { text in
            ["hint", "confirm_with"].contains(text) || text.contains(" --") || text.contains("'--")
                || ["dosetap ", "sqlite3 ", "systemctl ", "journalctl ", "busctl ", "timedatectl ", "chmod "]
                    .contains { text.contains($0) }
        }
    }

    private static func texts(_ value: JSONValue) -> [String] {
        value.stringValue.map { [$0] } ?? value.arrayValue.map { $0.flatMap(texts) } ?? []
    }

    static let failures: [CommandFailure] = [
        .invalidInput("the amount is too large"), .notFound("dose2"), .notFound("last"), .notFound("12ab"),
        .notFound(""), .nothingToDo("nothing was recorded"),
        .unknown(UnknownWord(what: "medication", word: "modafnil", nearest: ["modafinil"])),
        .unknown(UnknownWord(what: "sleep event", word: "x", nearest: [])),
        .unknown(UnknownWord(what: "sleep event", word: "nap", nearest: ["nap_start", "nap_end"])),
    ]

    @Test(arguments: commands)
    func `no error on the bus has a command, and the terminal has one for each`(
        command: DoseTapDomain.Command
    ) throws {
        for failure in Self.failures {
            let error = said(failure, command)
            #expect(Self.shellWords(error) == [] && error.message.hasSuffix(".") || error.message.hasSuffix("?"))
            #expect(try next(error, command)?.hasPrefix("dosetap ") == true, "\(command) \(failure)")
        }
        for kind in ServiceError.Kind.allCases { #expect(try next(ServiceError(kind, "It is so."), command) != nil) }
    }

    @Test func `what a sentence leaves to its surface is typed at a terminal`() throws {
        let open = said(.needsConfirmation(question(.windowUnresolved)))
        #expect(open.message.hasSuffix(" go on. If it was taken, record it. If not, skip it."))
        #expect(
            ErrorText.typed(open.message)
                == "Tonight's dose 2 is neither recorded nor skipped. While its window is open, its reminders go on. If it was taken, record it: "
                + "'dosetap log dose2 --at TIME'. If not: 'dosetap skip'.")
        let first = said(.refused(.dose1Required, Refusal(phase: .noDose1)), .logDose(.dose2))
        #expect(
            ErrorText.typed(first.message).hasSuffix(
                "with its time; then dose 2 with its own: dosetap log dose2 --at TIME."))
        let doubt = try Self.asked(after: 200, clockSet: .minutes(80))
        #expect(
            ErrorText.typed(doubt.message).hasSuffix(
                " Clock right: --confirm clock_suspect=right. Clock wrong: clock_suspect=wrong."))
        let begun = said(.needsConfirmation(question(.nightBegun)), .setRegimen([:]))
        #expect(
            ErrorText.typed(begun.message).hasSuffix(" Without '--from' the regimen holds from the next night."))
        for error in [open, first, doubt, begun] { #expect(Self.shellWords(error) == [], "\(error)") }
    }

    @Test func `facts say which step is next, where the kind alone does not`() throws {
        func next(_ kind: ServiceError.Kind, _ facts: JSONObject) -> String? {
            ErrorText.next(after: kind, facts, to: nil, moments: Moments(zone: .utc))
        }
        #expect(next(.invalidInput, ["option": "At", "known": ["at", "ago"]]) == "known: at, ago")
        #expect(next(.invalidInput, ["option": "cursor"]) == "dosetap history")
        #expect(next(.invalidInput, ["time_zone": "Mars"]) == "timedatectl list-timezones")
        #expect(next(.invalidInput, ["complaints": 2, "key": "a.b"]) == "dosetap config check")
        #expect(next(.invalidInput, ["key": "a.b", "nearest": ["a.c"]]) == "dosetap config set a.c VALUE")
        #expect(next(.invalidInput, ["key": "a.b"]) == "dosetap config show")
        #expect(next(.notFound, ["channel": "journal", "plugin": "journal"]) == "dosetap plugins enable journal")
        #expect(next(.notFound, ["channel": "sund", "nearest": ["sound"]]) == "dosetap reminders --test sound")
        #expect(next(.notFound, ["plugin": "x"]) == "dosetap plugins")
        #expect(next(.notFound, ["night": "x"]) == "dosetap history")
        #expect(next(.readOnly, ["id": "alarm", "file": "/c.yaml"]) == "set plugins.alarm.enabled in /c.yaml")
        #expect(next(.readOnly, ["key": "a.b"]) == "dosetap config check")
        #expect(next(.locked, ["bus_name": "org.dosetap.DoseTap1"]) == "busctl --user status org.dosetap.DoseTap1")
        #expect(next(.internal, ["channel": "sound"]) == "dosetap doctor")
        #expect(next(.internal, ["bus_error": "gone"]) == "systemctl --user status dbus")
        #expect(next(.storeUnavailable, ["open_directory": "/a b"]) == "chmod go-w '/a b'")
        #expect(next(.storeUnavailable, ["remedy": "Set HOME to an absolute path."]) == "Set HOME to an absolute path.")
        let altered: JSONObject = ["fault": "altered", "store": "/s.db", "statement": "DROP VIEW \"v\""]
        #expect(next(.storeUnavailable, altered) == "sqlite3 /s.db 'DROP VIEW \"v\"'")
    }
}
