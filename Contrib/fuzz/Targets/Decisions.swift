import DoseTapText
import SDBus

@testable import DoseTapContract
@testable import DoseTapDomain

extension FuzzTarget {
    /// A JSON object in the place of a caller's `a{sv}`, read as the contract reads it.
    static let parameters = FuzzTarget("parameters") { bytes in
        guard let object = (try? JSONValue.parse(bytes))?.objectValue else { return }
        readContract(AnswersOnBus.entries(object))
        let wire = WireObject(object, .unknown)
        promise(WireObject(variant: wire.variant) != nil, "an object is no a{sv}")
    }

    /// Commands, one on each line: the first byte is the command, the second the minutes that pass, the rest the
    /// options as JSON. A command is recorded, or refused with a sentence.
    static let decision = FuzzTarget("decision", longest: 8_192) { bytes in
        var log = LogState()
        var ids = IdentifierGenerator(random: SplitMix64(seed: 1))
        var clock = ClockReading(
            wall: Instant(seconds: 1_768_428_000), counterMicroseconds: 1_000_000, bootID: "b", isSynchronised: true)
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(16) where line.count >= 2 {
            let line = Array(line)
            clock = clock.moved(to: clock.wall + .minutes(Int(line[1])))
            let said = (try? JSONValue.parse(line.from(2)))?.objectValue ?? JSONObject()
            let context = DecisionContext(
                clock: clock, zone: .utc, zoneNamed: { _ in nil }, rules: .standard, deviceID: "fuzz")
            log.append(CommandHandler.settle(log, context, ids: &ids))
            let (asked, options) = (command(line[0], said, log), options(said))
            do throws(CommandFailure) {
                let recording = try CommandHandler.decide(asked, options, logState: log, context, ids: &ids)
                for event in recording.events {
                    promise(Event(json: event.json) == event, "what was recorded does not read back")
                }
                log.append(recording.events)
            } catch { _ = ErrorText.sentence(error, to: asked, moments: Moments(zone: .utc)) }
        }
        let context = DecisionContext(
            clock: clock, zone: .utc, zoneNamed: { _ in nil }, rules: .standard, deviceID: "fuzz")
        promise((try? NightStatus(json: NightStatus(log, at: nil, context).json)) != nil, "a status does not read back")
    }

    private static func command(_ byte: UInt8, _ said: JSONObject, _ log: LogState) -> Command {
        let kinds = EventType.allCases.filter { $0.entity != nil }
        let newest = log.recentActions.last?.id ?? EventID("")
        switch byte % 12 {
        case 0: return .logDose(.dose1)
        case 1: return .logDose(.dose2)
        case 2: return .logDose(.extra)
        case 3: return .snooze
        case 4: return .skipDose2
        case 5: return .logFinalWake
        case 6: return .logSleepEvent(said["event"]?.stringValue ?? "bathroom")
        case 7: return .saveCheckIn(said, night: said["night"]?.stringValue)
        case 8: return .undo
        case 9: return .amend(newest)
        case 10: return .delete(newest)
        default: return .record(kinds[Int(byte / 12) % kinds.count], said)
        }
    }

    private static func options(_ said: JSONObject) -> CommandOptions {
        var options = CommandOptions(surface: .dbus)
        options.at = said["at"]?.instantValue
        options.isAgo = said["ago"]?.boolValue ?? false
        options.key = said["key"]?.stringValue
        options.note = said["note"]?.stringValue
        options.reason = said["reason"]?.stringValue
        options.amountText = said["amount"]?.stringValue
        options.amountMilligrams = said["amount_mg"]?.integerValue.flatMap(Int.init(exactly:))
        if said["yes"]?.boolValue == true { options.confirmations = Set(Confirmation.allCases) }
        return options
    }
}
