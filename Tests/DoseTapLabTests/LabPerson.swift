import DoseTapDomain
import DoseTapLab
import Foundation

/// A person whose days are like the days before them, with a trend, weekdays, a regimen that changes, and gaps.
struct LabPerson {
    private var generator: SplitMix64
    let length: Int
    /// The correlation of a day with the next.
    var alike = 0.6
    var gaps = 0.15
    /// The amount that a step of x adds to y.
    var effect = 0.0
    var isYesNo = false

    init(seed: UInt64, length: Int) {
        generator = SplitMix64(seed &* 7_919 &+ UInt64(length), for: .order)
        self.length = length
    }

    private mutating func normal() -> Double {
        let (u, v) = (Double.random(in: 1e-12..<1, using: &generator), Double.random(in: 0..<1, using: &generator))
        return (-2 * log(u)).squareRoot() * cos(2 * .pi * v)
    }

    mutating func days() -> [LabDay] {
        let weekdays = (0..<7).map { _ in normal() * 0.5 }
        let (trendX, trendY, stepX, stepY) = (normal(), normal(), normal(), normal() * 1.5)
        let change = length / 3 + Int.random(in: 0..<max(1, length / 3), using: &generator)
        let fresh = (1 - alike * alike).squareRoot()
        var (a, b) = (normal(), normal())
        var days: [LabDay] = []
        for day in 0..<length {
            (a, b) = (alike * a + fresh * normal(), alike * b + fresh * normal())
            let (time, period) = (Double(day) / Double(length), day >= change ? 1 : 0)
            var x = a + trendX * time + weekdays[day % 7] / 2 + stepX * Double(period)
            if isYesNo { x = x > 0 ? 1 : 0 }
            let y = b + trendY * time + weekdays[(day + 3) % 7] + stepY * Double(period) + effect * x
            let isKnown = Double.random(in: 0..<1, using: &generator) >= gaps
            days.append(LabDay(day: 20_000 + day, x: x, y: isKnown ? y : nil, period: period))
        }
        return days
    }
}
