import Glibc

/// A reader of bytes from outside, as libFuzzer runs it. The reader must not trap, and ``promise(_:_:)`` checks its
/// promises.
struct FuzzTarget: Sendable {
    /// The name of the target, and of its folder in `corpus`.
    let name: String
    /// The length of the longest input, in bytes.
    let longest: Int
    let read: @Sendable ([UInt8]) -> Void

    init(_ name: String, longest: Int = 4_096, read: @escaping @Sendable ([UInt8]) -> Void) {
        self.name = name
        self.longest = longest
        self.read = read
    }

    static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Ends the run with the sentence when a promise does not hold. libFuzzer then keeps the input.
func promise(_ holds: @autoclosure () -> Bool, _ sentence: @autoclosure () -> String) {
    guard !holds() else { return }
    complain(sentence())
    abort()
}

private func complain(_ sentence: String) {
    let line = "fuzz: \(sentence)\n"
    _ = write(STDERR_FILENO, line, line.utf8.count)
}

extension [UInt8] {
    /// The bytes as text, with replacements for bytes that are no UTF-8.
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The bytes from a place on, for targets whose first bytes are a choice.
    func from(_ place: Int) -> [UInt8] { Array(dropFirst(place)) }
}

/// The target that `DOSETAP_FUZZ` names.
private let chosen: FuzzTarget? = {
    guard let name = getenv("DOSETAP_FUZZ").map({ String(cString: $0) }) else { return nil }
    return FuzzTarget.named(name)
}()

@_cdecl("LLVMFuzzerInitialize")
func initialize(
    _ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
    if getenv("DOSETAP_FUZZ_LIST") != nil {
        for target in FuzzTarget.all { print(target.name, target.longest) }
        exit(0)
    }
    guard chosen == nil else { return 0 }
    complain("DOSETAP_FUZZ names no target")
    exit(64)
}

@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    chosen?.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}
