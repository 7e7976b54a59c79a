/// A moment of a night: on its scale, and by the present wall clock.
struct NightMoment: Hashable {
    let scale: Instant
    /// Nil includes everything on record.
    let wall: Instant?

    /// The moment after everything.
    static let end = NightMoment(scale: .max, wall: nil)

    /// Returns true if something had happened by this moment. If both clocks agree to a second, the wall clock decides, because
    /// times are named by it: the counter is read a moment later, and drifts.
    ///
    /// - Parameters:
    ///   - at: the time on the scale.
    ///   - by: the time by the wall clock of that time.
    func isReached(_ at: Instant, _ by: Instant) -> Bool {
        guard let wall else { return at <= scale }
        let apart = (at - scale) - (by - wall)
        return apart.magnitude < .seconds(1) ? by <= wall : at <= scale
    }
}

/// The one scale for comparing the entries of a night, whatever was done to the wall clock meanwhile. The scale is the wall
/// clock at the beginning of the night, carried on by the counter (R2.16).
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
    /// The last value of each boot's counter.
    private var counters: [String: Int64] = [:]
    /// The boot in which the time of dose 1 was said. The night is counted from there, so this boot keeps its place on the scale.
    private let pinned: String?
    /// The last synchronised reading. Across boots the wall clock counts between two such readings.
    private var vouched: Vouched?
    /// The latest moment so far, and the latest that rests on more than an unsynchronised wall clock.
    private var latest = Instant.min
    private var latestKnown = Instant.min

    init(pinned: String? = nil) { self.pinned = pinned }

    /// Returns the place of a reading on the scale.
    func moment(of reading: ClockReading) -> Instant {
        var scale = self
        return scale.read(reading)
    }

    /// Returns the addition for a time named by the wall clock: the time goes by that clock if both agree to a second.
    ///
    /// - Parameter moment: the place of the reading.
    func named(_ reading: ClockReading, at moment: Instant) -> Duration {
        guard let anchor = anchors[reading.bootID] else { return .zero }
        let apart = anchor.at + (reading.wall - anchor.clock.wall) - moment
        return apart.magnitude < .seconds(1) ? apart : .zero
    }

    /// Takes up a reading of the clocks, in the order of the log, and returns its place.
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
            // The reading is of another boot, of a counter that went back, or the first synchronised one of its boot.
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
