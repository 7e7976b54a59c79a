/// Writes texts in their JSON form.
public enum JSONText {
    /// Appends a text with its quotation marks. Control characters and the line ends of Unicode are escaped.
    ///
    /// - Parameter text: UTF-8.
    public static func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        defer { bytes.append(UInt8(ascii: "\"")) }
        var plain = 0
        var index = 0
        while index < text.count {
            guard mayBeEscaped(text[index]), let escaped = escape(text, at: index) else {
                index += 1
                continue
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
            append(escaped.scalar, to: &bytes)
            index += escaped.length
            plain = index
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
    }

    /// Appends a text with its quotation marks.
    public static func append(_ text: String, to bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { append($0, to: &bytes) }
    }

    /// A quick check that returns false for most bytes.
    private static func mayBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || byte >= 0x7F
    }

    /// Returns the character that must be escaped at a place, with the length of its bytes; nil for a character without an escape.
    private static func escape(
        _ text: UnsafeBufferPointer<UInt8>, at index: Int
    ) -> (scalar: UInt32, length: Int)? {
        let byte = text[index]
        switch byte {
        case 0x00...0x1F, 0x22, 0x5C, 0x7F: return (UInt32(byte), 1)
        case 0xC2 where index + 1 < text.count && text[index + 1] < 0xA0: return (UInt32(text[index + 1]), 2)
        case 0xE2 where index + 2 < text.count && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8:
            return (0x2000 + UInt32(text[index + 2] & 0x3F), 3)
        default: return nil
        }
    }

    private static func append(_ scalar: UInt32, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch scalar {
        case 0x22, 0x5C: bytes.append(UInt8(truncatingIfNeeded: scalar))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        default:
            bytes.append(UInt8(ascii: "u"))
            for shift in [12, 8, 4, 0] as [UInt32] {
                let digit = UInt8(truncatingIfNeeded: scalar >> shift & 0xF)
                bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}
