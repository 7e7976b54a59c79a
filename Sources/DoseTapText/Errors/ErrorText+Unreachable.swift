internal import DoseTapDomain

/// The text of faults between the command and the service. The uncertainty comes before the remedy.
extension ErrorText {
    /// A sentence, and the next step.
    public typealias Message = (sentence: String, next: String)

    /// - Parameter mayHaveActed: true if the command was to record something.
    public static func unanswered(seconds: Int64, mayHaveActed: Bool) -> Message {
        (
            tr("The service is there but did not answer within \(seconds) s\(mayHaveActed ? "; \(notKnown)" : "")."),
            mayHaveActed ? statusFirst : "systemctl --user status dosetapd"
        )
    }

    /// - Parameter reason: the reason that the bus gave.
    public static func noReply(_ reason: String) -> Message {
        (tr("The service did not answer (\(reason)); \(notKnown)."), statusFirst)
    }

    /// - Parameter person: the user who became root; nil if the user is unknown.
    public static func recordOfRoot(_ person: String?) -> String {
        let own = person.map { tr("that of \($0)") } ?? tr("your own")
        return tr(
            "Nothing was recorded: root would get a record apart from \(own). Type the command without sudo; --bus none means root's record."
        )
    }

    /// Returns the message about a request that the service does not know.
    public static func otherVersion(unknown request: String) -> Message {
        (tr("The service does not know this request (\(request)): it is of another version."), versions)
    }

    /// Returns the message about an answer that the command cannot read.
    public static func otherVersion(unread answer: String) -> Message {
        (tr("The service answered what this version of dosetap does not understand: \(answer)."), versions)
    }

    /// - Parameters:
    ///   - withoutBus: the same command with a service of its own.
    ///   - hasManager: false where no systemd runs, as in most containers.
    public static func notInstalled(bus: String, withoutBus: String, hasManager: Bool) -> Message {
        (
            tr(
                "Nothing was recorded; no reminders will come: the service dosetapd does not run, and nothing on the \(name(ofBus: bus)) bus starts it. Set an alarm clock."
            ),
            hasManager
                ? tr(
                    "systemctl --user enable --now dosetapd (not installed yet: Contrib/install), or without reminders: \(withoutBus)"
                ) : tr("start dosetapd in another terminal, or without reminders: \(withoutBus)")
        )
    }

    /// - Parameters:
    ///   - reason: the reason that the bus gave.
    ///   - withoutBus: the same command with a service of its own.
    ///   - hasManager: false where no systemd runs, as in most containers.
    public static func unreached(bus: String, _ reason: String, withoutBus: String, hasManager: Bool) -> Message {
        (
            tr(
                "Nothing was recorded; no reminders will come: the service cannot be reached on the \(name(ofBus: bus)) bus (\(reason))."
            ),
            hasManager
                ? tr("systemctl --user start dosetapd, or: \(withoutBus)")
                : tr("start dosetapd in another terminal, or without reminders: \(withoutBus)")
        )
    }

    /// - Parameters:
    ///   - mayHaveActed: true if a command was sent to the service.
    ///   - last: the service's last line in the journal.
    public static func crashes(restarts: Int, result: String, mayHaveActed: Bool, last: String?) -> Message {
        (
            tr(
                "The service crashes again and again (\(restarts) restarts, result \(result)): \(mayHaveActed ? notKnown : tr("nothing was recorded")); no reminders will come."
            )
                + (last.map { tr(" Its last line in the journal: \($0)") } ?? ""),
            tr("journalctl --user -u dosetapd -n 30, then: systemctl --user restart dosetapd")
        )
    }

    /// - Parameter name: the name of the service on the bus.
    public static func foreignOwner(process: Int32?, name: String) -> Message {
        let who = process.map { tr(" (process \($0))") } ?? ""
        return (
            tr("Another program\(who) answers in place of dosetapd: it is not believed, and it records nothing."),
            "busctl --user status \(name)"
        )
    }

    // MARK: A service of the command's own

    /// The store is in use by another service.
    public static var held: Message { (tr("Another service holds the store."), "dosetap status") }

    /// Returns the message about a service that ended without an answer.
    public static func ended(code: Int32) -> Message {
        (
            tr("The service ended before it answered (exit code \(code)); ask what is on record first."),
            "DOSETAP_DEBUG=1 dosetap status"
        )
    }

    /// Returns the message about a service program that was not found.
    public static func missing(program: String) -> Message {
        (
            tr("The service program '\(program)' was found neither beside dosetap nor in PATH."),
            tr("install dosetapd, or name it: DOSETAP_DAEMON=/path/to/dosetapd")
        )
    }

    /// - Parameter step: the call that failed.
    public static func notStarted(_ step: String, _ reason: String) -> Message {
        (tr("The service could not be started: \(step): \(reason)."), "dosetap --help")
    }

    private static func name(ofBus bus: String) -> String {
        bus == "system" ? tr("system", context: "bus") : tr("session", context: "bus")
    }

    private static var notKnown: String { tr("whether anything was recorded is not known") }
    private static var statusFirst: String { tr("dosetap status, or: systemctl --user status dosetapd") }
    private static let versions = "dosetap --version; dosetapd --version"
}
