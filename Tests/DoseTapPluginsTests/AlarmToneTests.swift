import Testing

@testable import DoseTapPlugins

/// The tone is a WAV file for any player, and gets louder with each ring.
@Suite struct AlarmToneTests {
    private func peak(_ wav: [UInt8]) -> Int {
        stride(from: 44, to: wav.count - 1, by: 2).map {
            abs(Int(Int16(bitPattern: UInt16(wav[$0]) | UInt16(wav[$0 + 1]) << 8)))
        }.max() ?? 0
    }

    private func number(_ wav: [UInt8], at offset: Int) -> Int {
        wav[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    @Test func `the file says what it holds`() {
        let wav = AlarmTone.wav(volume: 1)
        #expect(wav.starts(with: Array("RIFF".utf8)) && wav[8..<16].elementsEqual("WAVEfmt ".utf8))
        #expect(number(wav, at: 4) == wav.count - 8 && number(wav, at: 40) == wav.count - 44)
        #expect(number(wav, at: 24) == 44_100 && number(wav, at: 28) == 88_200)
        #expect(wav[20..<24].elementsEqual([1, 0, 1, 0]) && wav[32..<36].elementsEqual([2, 0, 16, 0]))
        #expect(wav.count - 44 == 6 * 88_200)
        #expect(wav.count <= Program.mostInput)
    }

    @Test func `every ring is at least as loud as the one before, the last as loud as can be`() {
        let peaks = (0..<AlarmTone.volumes.count + 2).map { peak(AlarmTone.wav(volume: AlarmTone.volume(ring: $0))) }
        #expect(peaks == peaks.sorted() && peaks.first ?? 0 > 3_000)
        #expect(peaks.last ?? 0 > 32_000 && AlarmTone.volume(ring: .max) == 1 && AlarmTone.volume(ring: -1) == 0.15)
    }
}
