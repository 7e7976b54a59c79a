import DoseTapDomain

/// A night made by the rules, for tests of records on the wire.
struct Night: Sendable {
    let start: Instant
    /// The log state after dose 1.
    private(set) var open = LogState()
    /// The log state after dose 2 at 175 minutes.
    private(set) var resolved = LogState()
    /// The log state after dose 2 was amended and the snooze deleted.
    private(set) var corrected = LogState()
    /// The receipts of all commands.
    private(set) var receipts: [Receipt] = []

    init(start: Instant = Instant(seconds: 1_768_429_800)) {
        self.start = start
        var logState = LogState()
        var ids = IdentifierGenerator()
        submit(.logDose(.dose1), at: 0, &logState, &ids) {
            $0.amountMilligrams = 2_250
            $0.note = "2026-01-14T22:30:00.000Z"
            $0.key = "k"
        }
        open = logState
        submit(.snooze, at: 160, &logState, &ids) { $0.note = "ten more" }
        let snooze = receipts.last?.eventID
        submit(.logDose(.dose2), at: 175, &logState, &ids) { $0.amountMilligrams = 2_250 }
        let dose2 = receipts.last?.eventID
        resolved = logState
        guard let snooze, let dose2 else { return }
        submit(.delete(snooze), at: 180, &logState, &ids) { $0.reason = "slip" }
        let amended = start + .minutes(170)
        submit(.amend(dose2), at: 185, &logState, &ids) {
            $0.at = amended
            $0.note = ""
        }
        corrected = logState
    }

    func context(at moment: Instant) -> DecisionContext {
        let boot = 1_000_000_000 + (moment - start).wholeMilliseconds * 1_000
        return DecisionContext(
            clock: ClockReading(wall: moment, counterMicroseconds: boot, bootID: "b", isSynchronised: true), zone: .utc,
            zoneNamed: { $0 == "UTC" ? .utc : nil }, rules: .standard, deviceID: "d")
    }

    private mutating func submit(
        _ command: Command, at minutes: Int, _ logState: inout LogState, _ ids: inout IdentifierGenerator,
        _ change: (inout CommandOptions) -> Void
    ) {
        var options = CommandOptions(surface: .cli)
        change(&options)
        let context = context(at: start + .minutes(minutes))
        guard let recording = try? CommandHandler.decide(command, options, logState: logState, context, ids: &ids)
        else {
            return
        }
        logState.append(recording.events)
        let session = recording.primary.sessionID.flatMap { logState.session($0) }
        receipts.append(
            Receipt(recording.primary, session: session, duplicate: false, clock: context.clock))
    }
}
