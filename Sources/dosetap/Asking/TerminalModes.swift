internal import Glibc

/// The modes to go back to, for the handler of faults, which can be given nothing.
nonisolated(unsafe) private var modesBefore = termios()

/// How the terminal treats keys: one by one and unechoed between `enter` and `leave`, else as it was found.
final class TerminalModes {
    /// What a fault of this program raises. They cannot be held back: the terminal is put right, and the program dies.
    private static let faults = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

    private let before: termios
    private var faultsBefore: [(number: Int32, action: sigaction)] = []
    private var isRaw = false

    /// - Returns: nil where standard input is no terminal.
    init?() {
        var modes = termios()
        guard tcgetattr(STDIN_FILENO, &modes) == 0 else { return nil }
        before = modes
    }

    deinit { leave() }

    /// Reads key by key from now on, also after somebody else has set the terminal.
    ///
    /// - Returns: whether the terminal does so.
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

    /// The terminal as it was found.
    func leave() {
        guard isRaw else { return }
        isRaw = false
        var modes = before
        // In the background it is the shell's, and setting it would only stop this program.
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
