internal import CLinux

/// 256 bits that nobody can guess.
struct Secret: Hashable, Sendable {
    /// 64 hexadecimal digits.
    let text: String

    init(text: String) { self.text = text }

    /// Draws a secret from the kernel's generator; nil if the generator gives none.
    init?() {
        var bytes = [UInt8](repeating: 0, count: 32)
        guard bytes.withUnsafeMutableBytes({ clinux_random($0.baseAddress, $0.count) }) == 0 else { return nil }
        let digits = Array("0123456789abcdef")
        text = String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    /// Returns true if a target is this secret between two texts. The time of the comparison does not tell how much was right.
    func ends(_ target: String, after begin: String, before end: String = "") -> Bool {
        let (given, own) = (Array(target.utf8), Array((begin + text + end).utf8))
        guard given.count == own.count else { return false }
        return zip(given, own).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
