import DoseTapDomain

extension FuzzTarget {
    /// Zone files, and rules as in `TZ`.
    static let zones = FuzzTarget("zones", longest: 8_192) { bytes in
        for zone in [try? Zone(identifier: "X", tzif: bytes), try? Zone(posixRule: bytes.text)].compactMap(\.self) {
            for seconds: Int64 in [-62_135_596_800, -2_000_000_000, 0, 1_767_225_600, 1_774_746_000, 4_102_444_800] {
                let instant = Instant(seconds: seconds)
                _ = (zone.offsetMinutes(at: instant), zone.abbreviation(at: instant), zone.isDaylight(at: instant))
                let local = zone.local(instant)
                _ = try? TimeExpression("02:30").resolve(now: instant, in: zone)
                _ = Moments(zone: zone).dateAndClock(instant)
                _ = SessionDate.key(of: instant, in: zone, rolloverHour: local.hour)
            }
        }
    }
}
