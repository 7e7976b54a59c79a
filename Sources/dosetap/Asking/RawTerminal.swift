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

    private var before = termios()
    private var maskBefore = sigset_t()
    /// In force while a key is waited for, whatever mask this program was started with.
    private var maskWaiting = sigset_t()
    private var handlersBefore: [(number: Int32, action: sigaction)] = []
    private var isRaw = false
    private var buffered: [UInt8] = []

    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    /// An escape key alone is followed by nothing for this long, in nanoseconds; the sequence of an arrow at once.
    private static let escapeWait = 30_000_000

    /// - Returns: nil where standard input is no terminal.
    init?() {
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return nil }
        var signals = sigset_t()
        sigemptyset(&signals)
        for number in Self.signals { sigaddset(&signals, number) }
        // Blocked, they are noticed only while a key is waited for: never in the middle of something.
        sigprocmask(SIG_BLOCK, &signals, &maskBefore)
        maskWaiting = maskBefore
        for number in Self.signals { sigdelset(&maskWaiting, number) }
        for number in Self.signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { _ in }
            var old = sigaction()
            sigaction(number, &action, &old)
            handlersBefore.append((number, old))
        }
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON)
        withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
        }
        isRaw = tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0
        guard isRaw else {
            restore()
            return nil
        }
    }

    deinit { restore() }

    /// The terminal and the signals as they were.
    func restore() {
        if isRaw { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        isRaw = false
        for (number, action) in handlersBefore {
            var action = action
            sigaction(number, &action, nil)
        }
        handlersBefore = []
        sigprocmask(SIG_SETMASK, &maskBefore, nil)
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
        guard isReady(within: Self.escapeWait), let second = next() else { return .escape }
        guard second == UInt8(ascii: "[") || second == UInt8(ascii: "O") else { return .other }
        while isReady(within: Self.escapeWait), let byte = next() {
            if (0x40...0x7E).contains(byte) { break }
        }
        return .other
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
        guard isReady(within: nil) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        guard count > 0 else { return nil }
        buffered = Array(bytes[..<count])
        return buffered.removeFirst()
    }

    /// Whether there is something to read; false after a signal, or when nothing came in time.
    private func isReady(within nanoseconds: Int?) -> Bool {
        if !buffered.isEmpty { return true }
        var descriptors = fd_set()
        // Standard input is descriptor 0.
        descriptors.__fds_bits.0 = 1
        guard let nanoseconds else { return pselect(1, &descriptors, nil, nil, nil, &maskWaiting) > 0 }
        var limit = timespec(tv_sec: 0, tv_nsec: nanoseconds)
        return pselect(1, &descriptors, nil, nil, &limit, &maskWaiting) > 0
    }
}
