/// A NULL-terminated array of C strings for the length of a call.
func withCStrings<R>(
    _ texts: [String],
    _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> R
) -> R {
    let copies = texts.map { text in
        let bytes = Array(text.utf8) + [0]
        let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
        for (index, byte) in bytes.enumerated() { (copy + index).initialize(to: CChar(bitPattern: byte)) }
        return copy
    }
    defer { for copy in copies { copy.deallocate() } }
    var pointers: [UnsafeMutablePointer<CChar>?] = copies + [nil]
    return pointers.withUnsafeMutableBufferPointer { buffer in
        // The array has at least its terminator, so there is an address.
        guard let start = buffer.baseAddress else { preconditionFailure("an array with a terminator is not empty") }
        return body(start)
    }
}
