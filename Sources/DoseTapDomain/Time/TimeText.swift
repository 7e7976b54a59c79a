/// Builds the ASCII texts of dates and times, digit by digit, in one buffer.
struct TimeText {
    private var bytes: [UInt8] = []

    init() { bytes.reserveCapacity(32) }

    var string: String { String(decoding: bytes, as: UTF8.self) }

    mutating func append(_ letter: Unicode.Scalar) { bytes.append(UInt8(ascii: letter)) }

    /// Appends `value` padded with zeros to at least `width` digits.
    mutating func append(_ value: Int, width: Int) {
        let value = value.magnitude
        var place: UInt = 1
        for _ in 1..<max(1, width) { place *= 10 }
        while value / place >= 10 { place *= 10 }
        while place > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value / place % 10))
            place /= 10
        }
    }

    mutating func append(_ date: CivilDate) {
        append(date.year, width: 4)
        append("-")
        append(date.month, width: 2)
        append("-")
        append(date.day, width: 2)
    }

    mutating func append(hour: Int, minute: Int) {
        append(hour, width: 2)
        append(":")
        append(minute, width: 2)
    }

    mutating func append(_ local: LocalDateTime, separator: Unicode.Scalar, fraction: Bool) {
        append(local.date)
        append(separator)
        append(hour: local.hour, minute: local.minute)
        append(":")
        append(local.second, width: 2)
        guard fraction else { return }
        append(".")
        append(local.millisecond, width: 3)
    }

    /// Appends `+HH:MM` of an offset, seconds cut off towards zero.
    mutating func append(offsetSeconds: Int) {
        append(offsetSeconds <= -60 ? "-" : "+")
        let minutes = Int(offsetSeconds.magnitude) / 60
        append(hour: minutes / 60, minute: minutes % 60)
    }
}
