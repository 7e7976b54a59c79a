internal import DoseTapDomain

/// The channels of a simulated night: since when each reaches somebody, and the reminder told last.
struct JudgedChannels {
    /// How long a channel that lives may go without what was told while it was dead. The service tries again at least
    /// once a minute.
    private static let patience: Duration = .seconds(61)

    private var aliveSince: [SimulatedChannel: Instant] = [:]
    private var dead: Set<SimulatedChannel> = []
    private var last: (told: NightJudge.Told, at: Instant)?

    mutating func note(_ channel: SimulatedChannel, isDead: Bool, at: Instant) {
        if isDead { dead.insert(channel) } else { dead.remove(channel) }
        aliveSince[channel] = at
    }

    /// What was being tried is asked for no more: it was answered, or a life of the service or a sleep ended.
    mutating func forget() { last = nil }

    mutating func note(_ told: NightJudge.Told, at: Instant) { last = (told, at) }

    /// The reminder told last, and the channels that have lived long enough to have it.
    func owed(at: Instant) -> (told: NightJudge.Told, channels: [SimulatedChannel])? {
        guard let last else { return nil }
        let owed = SimulatedChannel.allCases.filter { channel in
            !dead.contains(channel) && max(last.at, aliveSince[channel] ?? .min) + Self.patience <= at
        }
        return (last.told, owed)
    }
}

extension NightJudge {
    /// Has every channel that lives again what was told last, as long as it is true and nobody answered it?
    mutating func judgeChannels(_ clock: ClockReading, _ at: Instant) {
        guard let owed = channels.owed(at: at), !owed.channels.isEmpty else { return }
        if isBehind { fold() }
        guard let night, night.id == owed.told.session, night.isOpen, night.hasUnresolvedWindow,
            night.standingReminder?.item == owed.told.item, owed.told.item.id != .windowClosed,
            let elapsed = elapsed(clock, at), elapsed.least >= DoseWindow.opens, elapsed.most < DoseWindow.closes
        else { return }
        for channel in owed.channels where !reached.contains(Reached(channel: channel, told: owed.told)) {
            guard missed.insert(owed.told).inserted else { return }
            verdict.complain(.missed, "\(owed.told.item.id.rawValue) not on \(channel.rawValue) at \(at.iso8601)")
        }
    }
}
