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
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: copies.count + 1)
    pointers.initialize(repeating: nil, count: copies.count + 1)
    defer {
        for copy in copies { copy.deallocate() }
        pointers.deallocate()
    }
    for (index, copy) in copies.enumerated() { pointers[index] = copy }
    return body(pointers)
}
