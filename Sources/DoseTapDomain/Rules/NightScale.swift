/// A moment of a night: on its scale, and by the wall clock as it is now.
struct NightMoment: Hashable {
    let scale: Instant
    /// Nil is whatever is on record.
    let wall: Instant?

    /// After everything.
    static let end = NightMoment(scale: .max, wall: nil)

    /// Whether something had happened by then. Where both clocks agree to a second the wall clock says so, by which times are
    /// named: the counter is read a moment later, and drifts.
    ///
    /// - Parameters:
    ///   - at: when on the scale.
    ///   - by: when by the wall clock, as that was then.
    func isReached(_ at: Instant, _ by: Instant) -> Bool {
        guard let wall else { return at <= scale }
        let apart = (at - scale) - (by - wall)
        return apart.magnitude < .seconds(1) ? by <= wall : at <= scale
    }
}

/// The one scale on which the entries of a night are compared, whatever was done to the wall clock meanwhile: the wall clock
/// as it was when the night began, carried on by the counter (R2.16).
struct NightScale: Hashable {
    private struct Anchor: Hashable {
        var at: Instant
        var clock: ClockReading
        var isVouchedFor: Bool
    }

    private struct Vouched: Hashable {
        var wall: Instant
        var at: Instant
    }

    private var anchors: [String: Anchor] = [:]
    /// How far each boot's counter was when it was read last.
    private var counters: [String: Int64] = [:]
    /// The boot in which it was said when dose 1 was: the night is counted from there, so it stays where it was put first.
    private let pinned: String?
    /// The last synchronised reading: across boots the wall between two of them counts.
    private var vouched: Vouched?
    /// The furthest so far, and the furthest of those that are not the word of an unsynchronised wall clock alone.
    private var latest = Instant.min
    private var latestKnown = Instant.min

    init(pinned: String? = nil) { self.pinned = pinned }

    /// Where a reading lies.
    func moment(of reading: ClockReading) -> Instant {
        var scale = self
        return scale.read(reading)
    }

    /// What is added for a time that was named by the wall clock: it goes by that clock where both agree to a second.
    ///
    /// - Parameter moment: where the reading lies.
    func named(_ reading: ClockReading, at moment: Instant) -> Duration {
        guard let anchor = anchors[reading.bootID] else { return .zero }
        let apart = anchor.at + (reading.wall - anchor.clock.wall) - moment
        return apart.magnitude < .seconds(1) ? apart : .zero
    }

    /// Takes up what the clocks said, in the order of the log.
    @discardableResult
    mutating func read(_ reading: ClockReading) -> Instant {
        let isFirstBoot = anchors.isEmpty || anchors.count == 1 && anchors[reading.bootID] != nil
        let isKnown = isFirstBoot || reading.isSynchronised || anchors[reading.bootID]?.isVouchedFor == true
        let floor = isKnown ? latestKnown : latest
        let isBehind = counters[reading.bootID].map { reading.counter(since: $0) < .seconds(-1) } ?? false
        let counted = anchors[reading.bootID].flatMap { anchor in
            reading.bootID.isEmpty || isBehind || reading.counterMicroseconds < anchor.clock.counterMicroseconds
                ? nil : anchor.at + reading.counter(since: anchor.clock.counterMicroseconds)
        }
        counters[reading.bootID] = reading.counterMicroseconds
        let isVouchedFor = anchors[reading.bootID]?.isVouchedFor ?? false
        var at: Instant
        if let counted, isFirstBoot || isVouchedFor || !reading.isSynchronised || reading.bootID == pinned {
            at = max(counted, floor)
        } else {
            // Another boot, a counter that went back, or the first time that this boot's wall clock is synchronised.
            if reading.isSynchronised, let vouched {
                at = vouched.at + (reading.wall - vouched.wall)
            } else {
                at = counted ?? reading.wall
            }
            at = max(at, floor)
            anchors[reading.bootID] = Anchor(at: at, clock: reading, isVouchedFor: reading.isSynchronised)
        }
        latest = max(latest, at)
        if isKnown { latestKnown = max(latestKnown, at) }
        if reading.isSynchronised { vouched = Vouched(wall: reading.wall, at: at) }
        return at
    }
}
