import DoseTapDomain

@testable import DoseTapStore

/// Plain nights, made by the real rules, for tests that need known content.
struct Nights {
    private(set) var logState = LogState()
    private(set) var now: Instant
    private var ids: IdentifierGenerator
    var zone = Zone.utc
    var rules = NightRules.standard

    init(start: Instant = Instant(milliseconds: 1_751_400_000_000), seed: UInt64 = 7) {
        now = start
        ids = IdentifierGenerator(random: SplitMix64(seed: seed))
    }

    private var context: DecisionContext {
        DecisionContext(
            clock: ClockReading(
                wall: now, counterMicroseconds: now.milliseconds * 1_000 - 1_751_000_000_000_000, bootID: "b",
                isSynchronised: true),
            zone: zone, zoneNamed: { _ in nil }, rules: rules, deviceID: "device-1")
    }

    mutating func pass(_ duration: Duration) { now += duration }

    /// Decides a command with all confirmations given.
    mutating func act(
        _ command: DoseTapDomain.Command, key: String? = nil, note: String? = nil, amount: Int? = nil,
        reason: String? = nil,
        at: Instant? = nil
    ) throws -> CommitBatch {
        try act(command) { options in
            (options.key, options.note, options.amountMilligrams, options.reason) = (key, note, amount, reason)
            options.at = at
        }
    }

    /// Decides a command with all confirmations given.
    mutating func act(
        _ command: DoseTapDomain.Command, _ change: (inout CommandOptions) -> Void
    ) throws -> CommitBatch {
        var options = CommandOptions(surface: .cli)
        change(&options)
        options.confirmations = Set(Confirmation.allCases)
        let recording = try CommandHandler.decide(command, options, logState: logState, context, ids: &ids)
        let (batch, after) = CommitBatch.of(recording.events, on: logState)
        logState = after
        return batch
    }

    /// Decides the events that the passing of time causes.
    mutating func settle() -> CommitBatch {
        let (batch, after) = CommitBatch.of(CommandHandler.settle(logState, context, ids: &ids), on: logState)
        logState = after
        return batch
    }

    /// The fact that a fault was found in the store.
    mutating func restored() throws -> CommitBatch {
        try fact(.storeRestored(StoreRestored(expectedSequence: 9, foundSequence: 9, finding: "a test's finding")))
    }

    /// A fact about the store.
    mutating func fact(_ payload: EventPayload) throws -> CommitBatch {
        let event = CommandHandler.fact(
            payload, .store, session: nil, newest: logState.newest, context, ids: &ids)
        let (batch, after) = CommitBatch.of([event], on: logState)
        logState = after
        return batch
    }

    /// A whole night in five batches: both doses, a snooze and a final wake. The next afternoon closes it.
    mutating func night() throws -> [CommitBatch] {
        var batches = [try act(.logDose(.dose1), amount: 4_500)]
        pass(.minutes(156))
        batches.append(try act(.snooze))
        pass(.minutes(20))
        batches.append(try act(.logDose(.dose2), note: "half asleep", amount: 4_500))
        pass(.minutes(240))
        batches.append(try act(.logFinalWake))
        pass(.minutes(24 * 60 - 416))
        batches.append(settle())
        return batches
    }
}

extension Store {
    /// Commits batches one by one.
    func commit(all batches: [CommitBatch]) throws {
        for batch in batches { _ = try commit(batch) }
    }
}

extension Scratch {
    /// A closed store with `count` nights.
    func filled(nights count: Int, seed: UInt64 = 7) async throws -> Nights {
        var nights = Nights(seed: seed)
        let store = try open()
        for _ in 0..<count { try await store.commit(all: try nights.night()) }
        try await store.close()
        return nights
    }
}
