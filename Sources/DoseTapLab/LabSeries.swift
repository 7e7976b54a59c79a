internal import DoseTapDomain

/// One calendar day of a series: the behaviour in its night, and the outcome on the day after.
public struct LabDay: Hashable, Sendable {
    /// Days since 1970-01-01.
    public var day: Int
    /// The compared value: 0 or 1, or a number of its steps. Nil is unknown.
    public var x: Double?
    /// The outcome of the day after. Nil is unknown.
    public var y: Double?
    /// The number of the regimen in force: equal numbers, equal regimen.
    public var period: Int

    public init(day: Int, x: Double?, y: Double?, period: Int = 0) {
        (self.day, self.x, self.y, self.period) = (day, x, y, period)
    }
}

/// The days from the first to the last one on which both values are known, gaps kept. The values are the residuals after trend,
/// weekday and regimen (R34.4).
public struct LabSeries: Sendable {
    /// The largest number of calendar days in a series; of more days the newest count.
    public static let mostDays = 10_000
    /// Fewest known nights for each regimen. With fewer, its effect and that of the question cannot be told apart.
    public static let nightsOfPeriod = 15

    /// One element for each day: true if both values are known.
    public let known: [Bool]
    /// The residuals, 0 where they are unknown.
    public let x: [Double]
    public let y: [Double]
    /// The number of known days.
    public let count: Int
    /// The nights with 1 and the nights with 0, for a question that is yes or no.
    public let with: Int
    public let without: Int
    /// The number of nights whose value is less than the mean of all.
    public let lessThanMean: Int
    /// The number of regimens in the nights; each step of a regimen counts as one.
    public let periods: Int
    /// The sum of squares of each residual, as a share of the sum of squares around the mean.
    public let spread: (x: Double, y: Double)

    /// - Parameter days: the days in any order; of two with one date the first counts.
    public init(_ days: [LabDay]) {
        var seen: Set<Int> = []
        var pairs = days.filter { $0.x?.isFinite == true && $0.y?.isFinite == true && seen.insert($0.day).inserted }
            .sorted { $0.day < $1.day }
        if let last = pairs.last { pairs.removeAll { last.day - $0.day >= Self.mostDays } }
        let (xs, ys) = (pairs.map { $0.x ?? 0 }, pairs.map { $0.y ?? 0 })
        count = pairs.count
        with = xs.count { $0 == 1 }
        without = xs.count { $0 == 0 }
        let mean = xs.reduce(0, +) / Double(max(xs.count, 1))
        lessThanMean = xs.count { $0 < mean }
        let numbers = Set(pairs.map(\.period))
        periods = numbers.count
        guard let first = pairs.first, let last = pairs.last else {
            (known, x, y, spread) = ([], [], [], (0, 0))
            return
        }
        let basis = Self.basis(pairs, numbers)
        let (restX, restY) = (Self.rest(of: xs, basis), Self.rest(of: ys, basis))
        spread = (Self.share(restX, of: xs), Self.share(restY, of: ys))
        let length = last.day - first.day + 1
        var places = (
            known: [Bool](repeating: false, count: length), x: [Double](repeating: 0, count: length),
            y: [Double](repeating: 0, count: length)
        )
        for (index, pair) in pairs.enumerated() {
            let place = pair.day - first.day
            (places.known[place], places.x[place], places.y[place]) = (true, restX[index], restY[index])
        }
        (known, x, y) = places
    }

    /// Returns orthonormal columns of the constant, the trend, the weekdays and the regimens. Columns that depend on others are
    /// left out.
    private static func basis(_ pairs: [LabDay], _ periods: Set<Int>) -> [[Double]] {
        let middle = pairs.reduce(0.0) { $0 + Double($1.day) } / Double(pairs.count)
        var columns = [pairs.map { _ in 1.0 }, pairs.map { Double($0.day) - middle }]
        for weekday in 1..<7 { columns.append(pairs.map { ($0.day % 7 + 7) % 7 == weekday ? 1 : 0 }) }
        // A series with more regimens gets no answer, so their columns are not needed.
        if periods.count * nightsOfPeriod <= pairs.count {
            for period in periods.sorted().dropFirst() { columns.append(pairs.map { $0.period == period ? 1 : 0 }) }
        }
        var basis: [[Double]] = []
        for column in columns {
            let length = column.squares.squareRoot()
            let left = rest(of: column, basis)
            let size = left.squares.squareRoot()
            if size > 1e-9 * length { basis.append(left.map { $0 / size }) }
        }
        return basis
    }

    /// Returns the rest of a column beside orthonormal ones. A second pass removes the rounding of the first.
    private static func rest(of column: [Double], _ basis: [[Double]]) -> [Double] {
        var left = column
        for _ in 0..<2 {
            for unit in basis {
                let part = unit.product(left)
                for index in left.indices { left[index] -= part * unit[index] }
            }
        }
        return left
    }

    private static func share(_ rest: [Double], of values: [Double]) -> Double {
        let mean = values.reduce(0, +) / Double(max(values.count, 1))
        let all = values.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return all > 0 ? rest.squares / all : 0
    }

    /// Σx̃ỹ/Σx̃², the coefficient of the full regression; nil if x does not vary.
    public var effect: Double? {
        let size = x.squares
        return size > 0 ? x.product(y) / size : nil
    }

    /// The resemblance of a day with the next one: the correlation of a residual with itself a day later, the larger of x and y.
    /// Nil if fewer than ``LabLimits/fewestInARow`` known days follow a known one.
    public var autocorrelation: Double? {
        let count = known.indices.dropFirst().count { known[$0] && known[$0 - 1] }
        return count < LabLimits.fewestInARow ? nil : max(Self.nextDay(x, known), Self.nextDay(y, known))
    }

    private static func nextDay(_ values: [Double], _ known: [Bool]) -> Double {
        var (count, a, b, aa, bb, ab) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
        for place in known.indices.dropFirst() where known[place] && known[place - 1] {
            let (before, after) = (values[place - 1], values[place])
            count += 1
            a += before
            b += after
            aa += before * before
            bb += after * after
            ab += before * after
        }
        let size = (aa - a * a / max(count, 1)) * (bb - b * b / max(count, 1))
        return size > 0 ? (ab - a * b / count) / size.squareRoot() : 0
    }
}

extension [Double] {
    func product(_ other: [Double]) -> Double {
        var sum = 0.0
        for index in indices { sum += self[index] * other[index] }
        return sum
    }

    var squares: Double { product(self) }
}
