internal import Glibc
internal import Synchronization

/// The keyboard, key by key. During the life of this object the terminal neither echoes nor waits for Enter. Every end
/// restores the terminal: Ctrl-C is a key like the others, and signals are read like keys. If lines are read, the
/// terminal stays as it is, echoes, and lets a line be corrected.
final class RawTerminal {
    enum Key: Equatable {
        case character(Character)
        case enter
        case backspace
        case escape
        /// Ctrl-U.
        case clear
        /// Ctrl-C, Ctrl-D, a signal to end, or the loss of the keyboard.
        case stop
        /// Arrows and the like.
        case other
    }

    /// Nil if lines are read.
    private let modes: TerminalModes?
    private let signals: KeySignals
    private var buffered: [UInt8] = []

    /// The wait after an Escape, in nanoseconds. After the Escape key nothing follows; the rest of an arrow follows at
    /// once.
    private static let escapeWait = 30_000_000

    /// - Returns: nil if standard input is no terminal, or takes no other modes.
    init?(readsLines: Bool) {
        guard let found = TerminalModes() else { return nil }
        let modes = readsLines ? nil : found
        let signals = KeySignals()
        guard modes?.enter() ?? true else {
            signals.restore()
            return nil
        }
        self.modes = modes
        self.signals = signals
    }

    deinit { restore() }

    /// Restores the terminal and the signals.
    func restore() {
        modes?.leave()
        signals.restore()
    }

    var readsLines: Bool { modes == nil }

    /// Waits for the next line; nil if the person stops, as by Ctrl-D or Ctrl-C.
    func line() -> String? {
        var bytes: [UInt8] = []
        while let byte = next() {
            if byte == 0x0A { return String(decoding: bytes, as: UTF8.self) }
            bytes.append(byte)
        }
        return nil
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

    /// Reads Escape alone, or the sequence of a key that has no letter.
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

    /// Reads a character of several bytes, UTF-8.
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

    /// The result of a wait.
    private enum Arrival {
        case key
        /// The time is over.
        case nothing
        /// A signal to end, or the loss of the keyboard.
        case end
    }

    /// Waits for something to read. A pause of the program happens in here.
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
            switch signals.next() {
            case .end: return .end
            case .pause:
                modes?.leave()
                signals.pause()
                guard modes?.enter() ?? true else { return .end }
            case .goOn: guard modes?.enter() ?? true else { return .end }
            case nil:
                if count > 0 { return .key }
                if !isInterrupted { return count == 0 ? .nothing : .end }
            }
        }
        return .key
    }
}

/// The modes to go back to, for the handler of faults: a handler can be given nothing.
nonisolated(unsafe) private var modesBefore = termios()

/// The terminal's treatment of keys: one by one and unechoed between `enter` and `leave`, else as it was found.
final class TerminalModes {
    /// The signals of faults of this program. They cannot be held back: the terminal is put right, and the program
    /// dies.
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

    private let before: termios
    private var faultsBefore: [(number: Int32, action: sigaction)] = []
    private var isRaw = false

    /// - Returns: nil if standard input is no terminal.
    init?() {
        var modes = termios()
        guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
        before = modes
    }

    deinit { leave() }

    /// Reads key by key from now on, also after another program has set the terminal.
    ///
    /// - Returns: true if the terminal does so.
    func enter() -> Bool {
        catchFaults()
        var raw = before
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        raw.c_iflag &= ~tcflag_t(IXON)
        withUnsafeMutableBytes(of: &raw.c_cc) { bytes in
            bytes[Int(VMIN)] = 1
            bytes[Int(VTIME)] = 0
        }
        isRaw = true
        if tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) == 0 { return true }
        leave()
        return false
    }

    /// Restores the terminal as it was found.
    func leave() {
        guard isRaw else { return }
        isRaw = false
        var modes = before
        // In the background the terminal is the shell's. Setting it would only stop this program.
        let foreground = tcgetpgrp(STDIN_FILENO)
        if foreground < 0 || foreground == getpgrp() { tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) }
        for (number, action) in faultsBefore {
            var action = action
            sigaction(number, &action, nil)
        }
        faultsBefore = []
    }

    private func catchFaults() {
        guard faultsBefore.isEmpty else { return }
        modesBefore = before
        for number in Self.faults {
            var action = sigaction()
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            action.__sigaction_handler.sa_handler = { number in
                tcsetattr(STDIN_FILENO, TCSANOW, &modesBefore)
                raise(number)
            }
            var old = sigaction()
            guard sigaction(number, &action, &old) == 0 else { continue }
            faultsBefore.append((number, old))
        }
    }
}

/// The signals that came, a bit for each number. The handler below sets it and may run at any instruction.
private let caught = Atomic<UInt64>(0)

/// Signals while keys are read. They are held back and noticed only while a key is waited for, never in the middle of
/// something.
final class KeySignals {
    /// The demand of a signal.
    enum Demand {
        case end
        /// SIGTSTP: stop for a while.
        case pause
        /// SIGCONT: the program goes on. The terminal may have been another program's in between.
        case goOn
    }

    /// The signals that end a program that does not catch them; 34 to 64 are the real-time signals.
    private static let ends: [Int32] =
        [
            SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO,
            SIGPWR, SIGSTKFLT,
        ] + Array(34...64)

    /// The mask while a key is waited for. It lets these signals through, whatever mask this program was started with.
    private(set) var waiting = sigset_t()
    private var maskBefore = sigset_t()
    private var handlersBefore: [(number: Int32, action: sigaction)] = []
    private var isTaken = true

    init() {
        let numbers = Self.ends + [SIGTSTP, SIGCONT]
        var held = sigset_t()
        sigemptyset(&held)
        for number in numbers { sigaddset(&held, number) }
        caught.store(0, ordering: .relaxed)
        sigprocmask(SIG_BLOCK, &held, &maskBefore)
        waiting = maskBefore
        for number in numbers {
            sigdelset(&waiting, number)
            var action = sigaction()
            action.sa_mask = held
            action.__sigaction_handler.sa_handler = { number in
                caught.bitwiseOr(1 << UInt64(max(0, number - 1)), ordering: .relaxed)
            }
            var old = sigaction()
            guard sigaction(number, &action, &old) == 0 else { continue }
            handlersBefore.append((number, old))
        }
    }

    deinit { restore() }

    /// Returns the demand of the weightiest signal that came since the last call; nil for none.
    func next() -> Demand? {
        let came = caught.exchange(0, ordering: .relaxed)
        let numbers = (1...64).filter { came & (1 << UInt64($0 - 1)) != 0 }.map(Int32.init)
        if numbers.contains(where: Self.ends.contains) { return .end }
        if numbers.contains(SIGTSTP) { return .pause }
        return numbers.contains(SIGCONT) ? .goOn : nil
    }

    /// Stops this program as if it had not caught the signal, and returns when the program goes on.
    func pause() {
        var plain = sigaction()
        plain.__sigaction_handler.sa_handler = SIG_DFL
        var own = sigaction()
        sigaction(SIGTSTP, &plain, &own)
        var stop = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        raise(SIGTSTP)
        sigprocmask(SIG_UNBLOCK, &stop, nil)
        sigprocmask(SIG_BLOCK, &stop, nil)
        sigaction(SIGTSTP, &own, nil)
    }

    /// Restores the handlers and the mask.
    func restore() {
        guard isTaken else { return }
        isTaken = false
        for (number, action) in handlersBefore {
            var action = action
            sigaction(number, &action, nil)
        }
        sigprocmask(SIG_SETMASK, &maskBefore, nil)
    }
}
