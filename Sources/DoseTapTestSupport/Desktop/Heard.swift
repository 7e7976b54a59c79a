import Foundation

/// A recording: one channel, 16 bits.
public struct Heard: Sendable {
    /// Samples a second.
    public static let rate = 44_100
    /// Quieter than this share of full loudness is silence.
    public static let silence = 0.003

    /// From the first to the last.
    public let samples: [Int16]

    init(bytes: Data) {
        samples = bytes.withUnsafeBytes { raw in
            (0..<raw.count / 2).map { Int16(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * 2, as: Int16.self)) }
        }
    }

    /// How long it is, in seconds.
    public var seconds: Double { Double(samples.count) / Double(Self.rate) }

    private static func index(_ seconds: Double) -> Int { Int(seconds * Double(rate)) }

    private func part(_ range: ClosedRange<Double>) -> ArraySlice<Int16> {
        let first = min(max(0, Self.index(range.lowerBound)), samples.count)
        return samples[first..<min(max(first, Self.index(range.upperBound)), samples.count)]
    }

    /// How loud a part of it is, from 0 to 1: the root of the mean square. The part is given in seconds.
    public func loudness(_ range: ClosedRange<Double>) -> Double {
        let part = part(range)
        guard !part.isEmpty else { return 0 }
        let sum = part.reduce(0.0) { $0 + Double($1) * Double($1) }
        return (sum / Double(part.count)).squareRoot() / Double(Int16.max)
    }

    /// The pieces of a twentieth of a second that are not silent, by their beginnings in seconds.
    public var sounding: [Double] {
        stride(from: 0, to: seconds, by: 0.05).filter { loudness($0...$0 + 0.05) > Self.silence }
    }

    /// The stretches of sound without a pause of more than 0.3 seconds, in seconds.
    public var stretches: [ClosedRange<Double>] {
        sounding.reduce(into: []) { stretches, piece in
            if let last = stretches.last, piece - last.upperBound < 0.3 {
                stretches[stretches.count - 1] = last.lowerBound...piece + 0.05
            } else {
                stretches.append(piece...piece + 0.05)
            }
        }
    }

    /// How much of the energy of a part lies at some frequencies in Hz, from 0 to 1. The part is given in seconds.
    public func share(of frequencies: [Double], in range: ClosedRange<Double>) -> Double {
        let part = part(range).map(Double.init)
        let block = Self.rate / 20
        var (found, all) = (0.0, 0.0)
        for start in stride(from: 0, through: part.count - block, by: block) {
            let piece = part[start..<start + block]
            all += piece.reduce(0) { $0 + $1 * $1 }
            for frequency in frequencies {
                // Goertzel: one bin of a Fourier transform.
                let factor = 2 * cos(2 * .pi * frequency / Double(Self.rate))
                var (last, before) = (0.0, 0.0)
                for sample in piece { (last, before) = (sample + factor * last - before, last) }
                found += (last * last + before * before - factor * last * before) * 2 / Double(block)
            }
        }
        return all > 0 ? found / all : 0
    }
}
