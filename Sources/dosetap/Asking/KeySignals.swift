internal import Glibc
internal import Synchronization

/// Which signals came, a bit for each number; set by the handler below, which may run at any instruction.
private let caught = Atomic<UInt64>(0)

/// Signals while keys are read: they are held back, and noticed only while a key is waited for, never in the middle of
/// something.
final class KeySignals {
    /// What a signal asks for.
    enum Wish {
        case end
        /// To stop for a while, SIGTSTP.
        case pause
        /// It went on, SIGCONT: the terminal may have been somebody else's in between.
        case goOn
    }

    /// What ends a program that does not catch it; 34 to 64 are the real-time signals.
    private static let ends: [Int32] =
        [
            SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGVTALRM, SIGPROF, SIGXCPU, SIGXFSZ, SIGIO,
            SIGPWR, SIGSTKFLT,
        ] + Array(34...64)

    /// In force while a key is waited for, whatever mask this program was started with.
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

    /// What came while a key was waited for, the weightiest; nil for nothing.
    func wish() -> Wish? {
        let came = caught.exchange(0, ordering: .relaxed)
        let numbers = (1...64).filter { came & (1 << UInt64($0 - 1)) != 0 }.map(Int32.init)
        if numbers.contains(where: Self.ends.contains) { return .end }
        if numbers.contains(SIGTSTP) { return .pause }
        return numbers.contains(SIGCONT) ? .goOn : nil
    }

    /// Stops this program as if it had not caught the signal, and returns when it goes on.
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

    /// Everything as it was before.
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
