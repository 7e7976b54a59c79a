internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus
internal import Synchronization

/// Reaches the service: over the bus, or without a bus over a socket to a service of its own.
enum ServiceLink {
    /// The two ways to the service.
    enum Route: Sendable {
        case bus(BusAddress)
        case child

        /// Chooses the way. A bus that exists is used, dead or alive: a second store must never begin in silence.
        init(_ context: Context) {
            switch context.bus {
            case .session: self = .bus(.session)
            case .system: self = .bus(.system)
            case .none: self = .child
            case .auto:
                self = BusAddress.session.busAddress == nil ? .child : .bus(.session)
            }
        }
    }

    /// The notice, printed once, of a service that ends with this program.
    static var noReminders: String { tr("no reminders will come: the service runs for this command only.") }

    /// Runs `body` with a client, on the calling thread.
    ///
    /// - Parameters:
    ///   - lasts: true if `body` goes on until stopped. Its notice is then printed first, else only after success.
    ///   - isLast: false if another call follows, so that the notice is printed once.
    /// - Throws: ``Failure``.
    static func run<Value: Sendable>(
        _ context: Context, lasts: Bool = false, isLast: Bool = true,
        _ body: @escaping @Sendable (Client) async throws -> Value
    ) throws(Failure) -> Value {
        try refuseRecordOfRoot(context)
        switch Route(context) {
        case .bus(let address):
            do { return try talk(to: address, context, body) } catch { throw Failure(error, context) }
        case .child:
            let child = try ChildService(store: context.store)
            if lasts { context.notice(noReminders) }
            do {
                let value = try talk(to: .peer(fd: child.descriptor, server: false), context, body)
                child.wait()
                if !lasts, isLast { context.notice(noReminders) }
                return value
            } catch {
                let status = child.wait()
                if let error = error as? BusError, let failure = child.failure(error, status) { throw failure }
                throw Failure(error, context)
            }
        }
    }

    /// Asks a question, and in the same conversation for the status, whose zone in force the times of the text need. Both are on
    /// their way at once. What the status says of the store comes first in the text (``Context/report(_:text:)``, R21.9).
    ///
    /// - Returns: the answer, and the zone as ``Context/serviceZone(_:)`` has it; UTC if the answer is JSON.
    /// - Throws: ``Failure``.
    static func ask<Value: Sendable>(
        _ context: Context, _ question: @escaping @Sendable (Client) async throws -> Value
    ) throws(Failure) -> (answer: Value, zone: Zone) {
        let (answer, status) = try run(context) { client in
            async let status = context.json ? nil : try? client.status()
            return (try await question(client), await status)
        }
        guard let status else { return (answer, context.json ? .utc : context.zone()) }
        _ = context.askedStatus.value { status }
        _ = context.storeWarnings.value { status.warnings.filter { $0.code == .store } }
        return (answer, context.zone(inForce: status))
    }

    /// Refuses a `sudo` typed by habit: it would begin a record of root's, and the person's own would lack the dose.
    ///
    /// - Throws: ``Failure`` if the command is root's by sudo, doas or pkexec, and neither a bus nor a store was
    ///   named.
    private static func refuseRecordOfRoot(_ context: Context) throws(Failure) {
        guard geteuid() == 0, context.bus == .auto, context.store == nil else { return }
        // Another bus than root's own leads to the person's service.
        if let address = BusAddress.session.busAddress, !address.contains("/run/user/0/") { return }
        let person = ["SUDO_UID", "PKEXEC_UID", "DOAS_USER"].lazy.compactMap(Settings.value).first
        guard let person, person != "0", person != "root" else { return }
        throw .usage(
            ErrorText.recordOfRoot(Settings.value("SUDO_USER")), hint: context.line.again(adding: []))
    }

    /// Examines the owner of the name. Returns false if nobody owns it yet; throws if the owner is not the service.
    private static func believe(_ connection: Connection, _ context: Context) async throws -> Bool {
        guard !connection.isPeer else { return true }
        switch await ServiceOwner.examine(connection) {
        case .nobody: return false
        case .service: return true
        case .unknown(let process):
            context.toldOfOwner.value {
                context.notice(tr("process \(process) answers as dosetapd; it cannot be checked whether it is."))
            }
            return true
        case .foreign(let process): throw Failure(foreignOwner: process)
        }
    }

    private static func talk<Value: Sendable>(
        to address: BusAddress, _ context: Context, _ body: @escaping @Sendable (Client) async throws -> Value
    ) throws -> Value {
        try EventLoop.run { loop in
            let connection = try await Connection.open(address, on: loop)
            do {
                let isKnown = try await believe(connection, context)
                let client = Client(connection)
                await context.askDisplay(client)
                let value = try await body(client)
                // The call itself has started the service.
                if !isKnown { _ = try await believe(connection, context) }
                await connection.close()
                return value
            } catch {
                await connection.close()
                throw error
            }
        }
    }
}

/// The last point reached on the way to a service that does not answer.
extension ServiceLink {
    enum Reach: Sendable {
        /// No bus exists, and no service could be started.
        case noBus
        /// The bus does not answer.
        case deadBus
        /// The bus answers, and nobody owns the service's name.
        case nobody
        /// The service's name has an owner that does not answer.
        case silent
    }

    /// Finds how far a connection gets.
    static func reach(_ context: Context) -> Reach {
        guard case .bus(let address) = Route(context) else { return .noBus }
        let isOwned = try? EventLoop.run { loop in
            let connection = try await Connection.open(address, on: loop)
            let owner = try? await connection.owner(of: Contract.name)
            await connection.close()
            return owner != nil
        }
        return isOwned.map { $0 ? .silent : .nobody } ?? .deadBus
    }
}

extension ServiceLink.Reach {
    /// The findings on the links that can be judged from here, in the order of the chain.
    var findings: [Finding] { [bus, service] }

    private var bus: Finding {
        switch self {
        case .noBus:
            Finding(
                id: "bus", level: .red,
                sentence: tr("there is no session bus, so no service runs and no reminders come"),
                remedy: .openSession)
        case .deadBus:
            Finding(
                id: "bus", level: .red, sentence: tr("the bus cannot be reached"),
                remedy: .repairBus)
        case .nobody, .silent: Finding(id: "bus", level: .green, sentence: tr("the bus answers"))
        }
    }

    private var service: Finding {
        switch self {
        case .noBus:
            Finding(
                id: "service", level: .red, sentence: tr("dosetapd does not run and cannot be started from here"),
                remedy: .installService)
        case .deadBus, .nobody:
            Finding(
                id: "service", level: .red, sentence: tr("dosetapd does not run or cannot be reached"),
                remedy: .startService)
        case .silent:
            Finding(
                id: "service", level: .red, sentence: tr("dosetapd is there, but does not answer"),
                remedy: .restartService)
        }
    }
}

/// Tells on a terminal that an answer takes long, so that nobody thinks the key was not pressed.
enum SlowReplyNotice {
    /// The wait before the notice.
    private static let limit: Duration = .seconds(3)

    /// Waits for an answer of the service.
    static func wait<Answer>(
        for client: Client, _ context: Context, _ answer: () async throws -> Answer
    ) async throws -> Answer {
        try await wait(
            for: client, context, said: tr("waiting for the service; do not type the command again."), after: limit,
            answer
        ).answer
    }

    /// Waits, and prints `sentence` on a terminal if the wait takes longer than `limit`.
    static func wait<Answer>(
        for client: Client, _ context: Context, said sentence: String, after limit: Duration,
        _ answer: () async throws -> Answer
    ) async throws -> (answer: Answer, wasTold: Bool) {
        guard isatty(STDERR_FILENO) == 1 else { return (try await answer(), false) }
        let told = Mutex(false)
        let timer = LoopTimer(on: client.connection.loop, clock: .boottime) { _ in
            told.withLock { $0 = true }
            context.notice(sentence)
        }
        try? await timer.arm(after: limit)
        defer { withExtendedLifetime(timer) {} }
        let given = try await answer()
        return (given, told.withLock { $0 })
    }
}
