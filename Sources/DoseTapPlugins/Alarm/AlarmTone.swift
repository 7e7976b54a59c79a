internal import Glibc

/// The alarm's tone: two notes in turn and a pause, made here so that no file can be missing.
enum AlarmTone {
    /// Samples a second.
    static let rate = 44_100
    /// How long one ring is.
    static let length: Duration = .seconds(6)
    /// How loud the first, second, … ring is, of 1; all later ones are as loud as the last.
    static let volumes: [Double] = [0.15, 0.25, 0.4, 0.6, 0.8, 1]

    /// Half a second: a note, a higher one, a pause; as loud as can be.
    private static let beat: [Double] = {
        let (note, pause) = (rate / 5, rate / 10)
        return [880.0, 1_174.66].flatMap { frequency in
            (0..<note).map { index in
                // Fading in and out within 5 ms: a hard edge would crackle.
                let fade = min(1, Double(min(index, note - index)) / Double(rate / 200))
                return sin(2 * .pi * frequency * Double(index) / Double(rate)) * fade
            }
        } + [Double](repeating: 0, count: pause)
    }()

    /// How loud a ring is.
    ///
    /// - Parameter ring: 0 is the first.
    static func volume(ring: Int) -> Double { volumes[min(max(0, ring), volumes.count - 1)] }

    /// A ring as a WAV file: 16 bits, mono.
    static func wav(volume: Double) -> [UInt8] {
        let beats = Int(length / .milliseconds(500))
        var samples: [UInt8] = []
        samples.reserveCapacity(beat.count * 2)
        for sample in beat {
            let value = Int16(max(-1, min(1, sample * volume)) * Double(Int16.max))
            samples.append(UInt8(truncatingIfNeeded: value))
            samples.append(UInt8(truncatingIfNeeded: value >> 8))
        }
        let size = UInt32(samples.count * beats)
        var bytes = Array("RIFF".utf8) + little(size + 36) + Array("WAVEfmt ".utf8)
        // PCM, one channel, samples and bytes a second, bytes a sample, bits a sample.
        bytes += little(16) + [1, 0, 1, 0] + little(UInt32(rate)) + little(UInt32(rate * 2)) + [2, 0, 16, 0]
        bytes += Array("data".utf8) + little(size)
        for _ in 0..<beats { bytes += samples }
        return bytes
    }

    private static func little(_ value: UInt32) -> [UInt8] {
        [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
}
