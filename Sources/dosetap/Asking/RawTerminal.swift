internal import Glibc

/// The keyboard, key by key. While this lives the terminal neither echoes nor waits for Enter; it is as before when
/// this ends, whatever ended it: Ctrl-C is a key like the others, and signals are read like keys.
final class RawTerminal {
    /// One key.
    enum Key: Equatable {
        case character(Character)
        case enter
        case backspace
        case escape
        /// Ctrl-U.
        case clear
        /// Ctrl-C, Ctrl-D, a signal to end, or nobody at the keyboard any more.
        case stop
        /// Arrows and the like.
        case other
    }

    private let modes: TerminalModes
    private let signals: KeySignals
    private var buffered: [UInt8] = []

    /// An escape key alone is followed by nothing for this long, in nanoseconds; the sequence of an arrow at once.
    private static let escapeWait = 30_000_000

    /// - Returns: nil where standard input is no terminal.
    init?() {
        guard let modes = TerminalModes() else { return nil }
        let signals = KeySignals()
        guard modes.enter() else {
            signals.restore()
            return nil
        }
        self.modes = modes
        self.signals = signals
    }

    deinit { restore() }

    /// The terminal and the signals as they were.
    func restore() {
        modes.leave()
        signals.restore()
    }

    /// Waits for the next key.
    func key() -> Key {
        guard let byte = next() else { return .stop }
        switch byte {
        case 0x03, 0x04: return .stop
        case 0x0A, 0x0D: return .enter
        case 0x08, 0x7F: return .backspace
        case 0x15: return .clear
        case 0x1B: return escape()
        case 0x00...0x1F: return .other
        case 0x20...0x7E: return .character(Character(Unicode.Scalar(byte)))
        default: return character(from: byte)
        }
    }

    /// Escape alone, or the sequence of a key that has no letter.
    private func escape() -> Key {
        switch wait(atMost: Self.escapeWait) {
        case .nothing: return .escape
        case .end: return .stop
        case .key: break
        }
        guard let second = next() else { return .stop }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return .other }
        while true {
            switch wait(atMost: Self.escapeWait) {
            case .nothing: return .other
            case .end: return .stop
            case .key: break
            }
            guard let byte = next() else { return .stop }
            if (0x40...0x7E).contains(byte) { return .other }
        }
    }

    /// A character of several bytes, UTF-8.
    private func character(from first: UInt8) -> Key {
        var bytes = [first]
        let more = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : first >= 0xC0 ? 1 : 0
        for _ in 0..<more {
            guard let byte = next() else { return .stop }
            bytes.append(byte)
        }
        guard let text = String(validating: bytes, as: UTF8.self), let character = text.first else { return .other }
        return .character(character)
    }

    private func next() -> UInt8? {
        if !buffered.isEmpty { return buffered.removeFirst() }
        guard wait(atMost: nil) == .key else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return nil }
        buffered = Array(bytes[..<count])
        return buffered.removeFirst()
    }

    /// What came of waiting.
    private enum Arrival {
        case key
        /// The time is over.
        case nothing
        /// A signal to end, or no keyboard any more.
        case end
    }

    /// Waits for something to read; a pause in between is taken here.
    private func wait(atMost nanoseconds: Int?) -> Arrival {
        while buffered.isEmpty {
            var descriptors = fd_set()
            // Standard input is descriptor 0.
            descriptors.__fds_bits.0 = 1
            var mask = signals.waiting
            var limit = timespec(tv_sec: 0, tv_nsec: nanoseconds ?? 0)
            let count = withUnsafePointer(to: &limit) { limit in
                pselect(1, &descriptors, nil, nil, nanoseconds == nil ? nil : limit, &mask)
            }
            let isInterrupted = count < 0 && errno == EINTR
            switch signals.wish() {
            case .end: return .end
            case .pause:
                modes.leave()
                signals.pause()
                guard modes.enter() else { return .end }
            case .goOn: guard modes.enter() else { return .end }
            case nil:
                if count > 0 { return .key }
                if !isInterrupted { return count == 0 ? .nothing : .end }
            }
        }
        return .key
    }
}
