import DoseTapDomain
import DoseTapText

@testable import DoseTapStore

extension FuzzTarget {
    /// An event as JSON, as the reserve has it. The event reads back the same from its JSON and from a row of the log.
    static let event = FuzzTarget("event") { bytes in
        guard let event = (try? JSONValue.parse(bytes)).flatMap(Event.init(json:)) else { return }
        promise(Event(json: event.json) == event, "an event does not read back")
        let row = LogRow(event, after: ChainHead(sequence: 0, hash: ""))
        promise((try? row.event()) == event, "an event does not read back from its row")
        _ = event.withoutDetails?.json.serialized()
        _ = JournalText.recorded(event, sleepEvent: { $0 }, Moments(zone: .utc))
    }

    /// A payload of the log: the first byte is the type of its event.
    static let record = FuzzTarget("record") { bytes in
        guard let first = bytes.first, let json = try? JSONValue.parse(bytes.from(1)) else { return }
        let type = EventType.allCases[Int(first) % EventType.allCases.count]
        guard let payload = try? EventPayload(type: type, json: json) else { return }
        let written = payload.json(origin: EventPayload.origin(in: json))
        promise((try? EventPayload(type: type, json: written)) == payload, "a payload of \(type) does not read back")
        promise(
            EventPayload.origin(in: written) == EventPayload.origin(in: json), "an origin does not read back")
    }

    /// A log of events as lines of JSON. The log is folded, told as a status at several moments, and settled.
    static let night = FuzzTarget("night", longest: 32_768) { bytes in
        let events = bytes.split(separator: UInt8(ascii: "\n")).prefix(40).compactMap { line in
            (try? JSONValue.parse(line)).flatMap(Event.init(json:))
        }
        guard let last = events.last else { return }
        var log = LogState()
        log.append(events)
        var ids = IdentifierGenerator(random: SplitMix64(seed: 1))
        for hours in [0, 3, 30] {
            let now = last.occurredAt + .hours(hours)
            let clock = ClockReading(
                wall: now, counterMicroseconds: 1_000_000, bootID: "b", isSynchronised: hours == 3)
            let context = DecisionContext(
                clock: clock, zone: .utc, zoneNamed: { _ in nil }, rules: .standard, deviceID: "fuzz")
            let status = NightStatus(log, at: nil, context)
            promise((try? NightStatus(json: status.json)) != nil, "a status does not read back")
            _ = NightStatus(log, at: now + .hours(1), context)
            for session in log.sessions { _ = NightSummary(session, preSleep: []) }
            if let open = log.open { _ = DueReminders(session: open, in: log, context) }
            log.append(CommandHandler.settle(log, context, ids: &ids))
        }
    }
}
