import DoseTapDomain

/// The facts of a night, without its log and without the identifiers of derived events.
struct NightFacts: Hashable {
    struct Entry: Hashable {
        var word: String
        var at: Instant
        var amount: Int?
        var note: String?
        var reason: String?
        var count: Int?
    }

    var id: SessionID
    var date: SessionDate
    var zone: String
    var start: Instant
    var end: Instant?
    var rules: NightRules
    var isBackfilled: Bool
    var entries: [Entry]
    var naps: Naps
    var checkIn: Entry?
    var answers: Answers?
    var terminalState: TerminalState?
    var alarm: Duration
    var reminders: [ReminderPlan.Item]
    var window: WindowState

    init(_ night: Session, clock: ClockReading) {
        id = night.id
        date = night.date
        zone = night.timeZone
        start = night.start
        end = night.end
        rules = night.rules
        isBackfilled = night.isBackfilled
        entries =
            night.doses.map {
                Entry(
                    word: $0.kind.rawValue, at: $0.at, amount: $0.amountMilligrams, note: $0.note,
                    count: night.index(of: $0))
            }
            + night.skips.map { Entry(word: "skip", at: $0.at, note: $0.note, reason: $0.reason) }
            + night.snoozes.map {
                Entry(word: "snooze", at: $0.at, amount: $0.stepMinutes, note: $0.note, count: $0.count)
            }
            + night.wakes.map { Entry(word: "wake", at: $0.at, note: $0.note) }
            + night.sleepEvents.map { Entry(word: $0.type, at: $0.at, note: $0.note) }
        naps = night.naps
        checkIn = night.checkIn.map { Entry(word: "checkin", at: $0.at) }
        answers = night.checkIn?.answers
        terminalState = night.terminalState
        alarm = night.alarm
        reminders = night.pendingReminders
        window = night.window(asOf: nil, now: clock)
    }
}

/// The facts of a log state.
struct DiaryFacts: Hashable {
    struct PreSleep: Hashable {
        var at: Instant
        var answers: Answers
        var completion: PreSleepCompletion
        var night: SessionID?
    }

    struct Medicine: Hashable {
        var id: String
        var at: Instant
        var date: SessionDate
        var session: SessionID?
        var milligrams: Int
        var note: String?
        var isConfirmed: Bool
    }

    struct Noted: Hashable {
        var item: InventoryItem
        var at: Instant
        var date: SessionDate
        var note: String?
    }

    var nights: [NightFacts]
    var preSleep: [PreSleep]
    var medications: [Medicine]
    var regimens: [Regimen]
    var inventory: [Noted]
    /// The shown facts of each active entry that is no part of a night.
    var standalone: [String]
    var open: SessionID?
    var deadline: Instant?

    init(_ logState: LogState, _ context: DecisionContext) {
        nights = logState.sessions.map { NightFacts($0, clock: context.clock) }
        preSleep = logState.preSleepLogs.filter(\.isActive).map { log in
            PreSleep(
                at: log.at, answers: log.answers, completion: log.completion,
                night: logState.sessions.first { logState.preSleepLogs(of: $0).contains(log) }?.id)
        }
        medications = logState.medications.filter(\.isActive).map { entry in
            Medicine(
                id: entry.recorded.medicationID, at: entry.at, date: entry.date, session: entry.sessionID,
                milligrams: entry.milligrams, note: entry.note, isConfirmed: entry.confirmedDuplicate)
        }
        regimens = logState.regimenHistory.map(\.regimen)
        inventory = logState.inventory.filter(\.isActive).map {
            Noted(item: $0.item, at: $0.at, date: $0.date, note: $0.note)
        }
        standalone = logState.standalone.filter(\.isActive).map {
            "\($0.entity) at \($0.at) \(JSONValue.object($0.metadata).serialized())"
        }
        open = logState.open?.id
        deadline = CommandHandler.nextDeadline(logState, context)
    }
}

extension SimulatedMachine {
    var facts: DiaryFacts { DiaryFacts(logState, context) }
}
