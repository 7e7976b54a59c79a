import Testing

@testable import DoseTapDomain

struct ElapsedTimeTests {
    @Test(arguments: 0..<400 as Range<UInt64>)
    func `the readings that are kept say the same as all of them`(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var wall = Instant(seconds: 1_760_000_000)
        var counter: Int64 = 5_000_000_000
        var boot = 1
        var readings: [ClockReading] = []
        for _ in 0..<Int.random(in: 1...40, using: &random) {
            let passed = Int64.random(in: 0...900, using: &random)
            wall += .seconds(passed)
            counter += passed * 1_000_000
            switch Int.random(in: 0..<16, using: &random) {
            case 0: wall += .seconds(Int64.random(in: -9_000...9_000, using: &random))
            case 1:
                boot += 1
                counter = Int64.random(in: 1...90_000_000, using: &random)
            case 2: counter = max(0, counter - Int64.random(in: 0...2_000_000_000, using: &random))
            case 3: boot = max(1, boot - 1)
            default: break
            }
            readings.append(
                ClockReading(
                    wall: wall, counterMicroseconds: counter, bootID: "boot-\(boot)",
                    isSynchronised: Int.random(in: 0..<3, using: &random) == 0))
        }
        let first = readings[0]
        for isNamed in [false, true] {
            let moment = SaidMoment(clock: first, ago: .seconds(isNamed ? 600 : 0), isNamedByClock: isNamed)
            for end in readings.indices {
                let later = readings[0..<end].dropFirst()
                let kept = SaidDose(moment: moment, later: later).later
                #expect(
                    ElapsedTime(since: moment, then: kept, now: readings[end])
                        == ElapsedTime(since: moment, then: later, now: readings[end]), "\(end)")
            }
        }
    }

    @Test func `a night in one boot keeps no more readings than three`() {
        let readings = (1...200).map { minute in
            ClockReading(
                wall: Instant(seconds: 1_760_000_000) + .minutes(minute),
                counterMicroseconds: Int64(minute) * 60_000_000,
                bootID: "boot", isSynchronised: minute > 20)
        }
        let moment = SaidMoment(clock: readings[0], ago: .zero, isNamedByClock: false)
        #expect(SaidDose(moment: moment, later: readings.dropFirst()).later.count == 3)
    }

    @Test(arguments: [Int64.min, .min + 1, .max - 1, .max])
    func `a counter that only a damaged log can hold stops nothing`(counter: Int64) {
        func reading(_ counter: Int64) -> ClockReading {
            ClockReading(
                wall: Instant(seconds: 1_760_000_000), counterMicroseconds: counter, bootID: "boot",
                isSynchronised: true)
        }
        for present in [reading(5_000_000_000), reading(.min), reading(.max)] {
            let damaged = reading(counter)
            let moment = SaidMoment(clock: damaged, ago: .zero, isNamedByClock: false)
            let time = ElapsedTime(since: moment, then: [damaged, present, damaged], now: present)
            #expect(time.shorter <= time.longer)
            #expect(present.moved(to: .max).counterMicroseconds >= present.moved(to: .min).counterMicroseconds)
        }
    }
}
