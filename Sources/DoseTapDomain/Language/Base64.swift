/// Base64 of RFC 4648, with padding.
public enum Base64 {
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    public static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = part.reduce(0) { $0 << 8 | UInt32($1) } << (8 * UInt32(3 - part.count))
            for place in 0..<4 {
                let letter = Self.letters[Int(bits >> (18 - 6 * UInt32(place)) & 63)]
                text.append(place <= part.count ? letter : UInt8(ascii: "="))
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the bytes of a text; nil if the text is not Base64.
    public static func bytes(_ text: some StringProtocol) -> [UInt8]? {
        let letters = Array(text.utf8.reversed().drop { $0 == UInt8(ascii: "=") }.reversed())
        guard text.utf8.count % 4 == 0, text.utf8.count - letters.count <= 2 else { return nil }
        var (bytes, bits, held): ([UInt8], UInt32, UInt32) = ([], 0, 0)
        for letter in letters {
            guard let value = Self.letters.firstIndex(of: letter) else { return nil }
            (bits, held) = (bits << 6 | UInt32(value), held + 6)
            guard held >= 8 else { continue }
            held -= 8
            bytes.append(UInt8(truncatingIfNeeded: bits >> held))
            bits &= (1 << held) - 1
        }
        return bytes
    }
}
