internal import CSystemd
internal import Glibc

/// A connection to a bus or to a peer, isolated to an event loop.
///
/// A connection that has ended stays ended: open another one.
public actor Connection {
    /// The loop that owns the connection.
    public nonisolated let loop: EventLoop
    /// True for a peer, without a bus in between: there are no names and no senders then.
    public nonisolated let isPeer: Bool
    let core: BusCore

    public nonisolated var unownedExecutor: UnownedSerialExecutor {
        loop.asUnownedSerialExecutor()
    }

    private init(_ address: BusAddress, loop: EventLoop) {
        var isPeer = false
        if case .peer = address { isPeer = true }
        self.loop = loop
        self.isPeer = isPeer
        core = BusCore(loop: loop, isPeer: isPeer)
    }

    deinit {
        let core = core
        loop.execute { core.shutdown(.disconnected) }
    }

    /// Connects. Returns once the bus has accepted the connection; with a peer, at once.
    ///
    /// A peer's socket is taken over also when this throws.
    /// - Throws: ``BusError``: `NoServer` when there is no bus, `AccessDenied`, `Disconnected` and others.
    public static func open(_ address: BusAddress, on loop: EventLoop) async throws(BusError) -> Connection {
        let connection = Connection(address, loop: loop)
        try await connection.start(address)
        return connection
    }

    private func start(_ address: BusAddress) async throws(BusError) {
        core.connection = self
        try core.start(address)
        if isPeer { return }
        let core = core
        let error = await withTaskCancellationHandler {
            await withUnsafeContinuation { continuation in
                // Through self: a closure that does not capture the actor would run on the default executor.
                self.core.connected.wait(continuation)
                if Task.isCancelled { self.core.shutdown(.cancelled) }
            }
        } onCancel: {
            core.loop.execute { core.shutdown(.cancelled) }
        }
        if let error = error ?? core.closeError { throw error }
    }

    /// The name the bus gave to this connection, such as `:1.42`; nil with a peer or once closed.
    public var uniqueName: String? {
        guard !isPeer, let bus = core.bus else { return nil }
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return nil }
        return String(cString: name)
    }

    public var isOpen: Bool {
        core.bus.map { sd_bus_is_open($0) > 0 } ?? false
    }

    /// Sends the queued messages, then closes. Pending calls fail with `Disconnected`, signal sequences end.
    /// - Parameter limit: The longest delay by a peer that does not read.
    public func close(within limit: Duration = .seconds(2)) async {
        await flush(within: limit)
        core.shutdown(.disconnected)
    }

    /// Ends a service without leaving a caller in doubt: releases its name, answers the calls that were sent to the name
    /// before, sends the answers, then closes. A later call to the name is refused by the bus, or starts a new service.
    ///
    /// - Parameters:
    ///   - name: The well-known name of the service.
    ///   - limit: The longest delay by each of the bus, the calls that run, and a peer that does not read.
    public func close(releasing name: String, within limit: Duration = .seconds(1)) async {
        if !isPeer { _ = try? await releaseName(name, within: limit) }
        await awaitAnswers(within: limit)
        await close(within: limit)
    }

    /// Waits until every call that came is answered, at most the given time.
    private func awaitAnswers(within limit: Duration) async {
        guard core.bus != nil, core.desk.open > 0 else { return }
        let settled = LoopPromise<Void>()
        core.desk.settled = settled
        let confined = LoopConfined(settled)
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in confined.value.resolve(()) }
        // Without a timer nothing would end the wait.
        do { try await timer.arm(after: limit) } catch { return }
        await withUnsafeContinuation { settled.wait($0) }
        await timer.disarm()
    }

    /// Closes at once and drops the queued messages.
    public func abort() {
        core.shutdown(.disconnected)
    }

    /// Calls the handler on the loop when either side ends the connection; at once if it has ended.
    public func onClose(_ handler: @escaping @Sendable (BusError) -> Void) {
        if let error = core.closeError {
            handler(error)
        } else {
            core.closeHandlers.append(handler, number: core.nextIdentifier())
        }
    }

    /// Waits for the end of the connection. Returns early when the task is cancelled.
    public func waitUntilClosed() async {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let identifier = core.nextIdentifier()
        if core.closeError != nil { return }
        core.closeHandlers.append({ _ in continuation.finish() }, number: identifier)
        for await _ in stream {}
        core.closeHandlers.remove(identifier)
    }
}

/// The place of a bus or a peer.
public enum BusAddress: Sendable, Hashable {
    /// The user's bus: `DBUS_SESSION_BUS_ADDRESS`, else the socket `bus` in `XDG_RUNTIME_DIR`.
    case session
    /// The system's bus: `DBUS_SYSTEM_BUS_ADDRESS`, else its well-known socket.
    case system
    /// A D-Bus address, such as `unix:path=/run/user/1000/bus`.
    case address(String)
    /// A connected stream socket without a bus in between; the connection takes it over. One side is the server.
    case peer(fd: Int32, server: Bool)

    /// The address of a bus, nil for a peer or when the environment names no session bus.
    public var busAddress: String? {
        switch self {
        case .session:
            return Self.session(in: Self.environment)
        case .system:
            return Self.environment("DBUS_SYSTEM_BUS_ADDRESS") ?? "unix:path=/run/dbus/system_bus_socket"
        case .address(let address):
            return address
        case .peer:
            return nil
        }
    }

    /// False if the address is the path of one socket, and nothing is at that path: a connection need not be tried.
    public var mayExist: Bool {
        let prefix = "unix:path="
        guard let address = busAddress, address.hasPrefix(prefix), !address.utf8.contains(where: Self.divides) else {
            return true
        }
        return access(String(address.dropFirst(prefix.count)), F_OK) == 0 || errno != ENOENT
    }

    /// Returns true for a byte that stands between the parts of an address, or begins an escaped byte.
    private static func divides(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ",") || byte == UInt8(ascii: ";") || byte == UInt8(ascii: "%")
    }

    /// The session bus that an environment names. The socket is not tried here.
    static func session(in environment: (String) -> String?) -> String? {
        if let address = environment("DBUS_SESSION_BUS_ADDRESS"), !address.isEmpty { return address }
        guard let directory = environment("XDG_RUNTIME_DIR"), directory.hasPrefix("/") else { return nil }
        let path = directory + "/bus"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        return "unix:path=" + escape(path)
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Escapes a value as the D-Bus specification says for addresses.
    static func escape(_ value: String) -> String {
        let digits = Array("0123456789abcdef")
        var escaped = ""
        for byte in value.utf8 {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "/"),
                UInt8(ascii: "."), UInt8(ascii: "\\"), UInt8(ascii: "*"):
                escaped.unicodeScalars.append(UnicodeScalar(byte))
            default:
                escaped += "%"
                escaped.append(digits[Int(byte >> 4)])
                escaped.append(digits[Int(byte & 15)])
            }
        }
        return escaped
    }
}

/// The state of a connection that libsystemd's callbacks reach.
///
/// Unchecked: every mutable member is used on the loop's thread only; ``Connection`` is isolated to it and callbacks
/// are made on it.
final class BusCore: @unchecked Sendable {
    let loop: EventLoop
    let isPeer: Bool
    private(set) var bus: OpaquePointer?
    weak var connection: Connection?
    private(set) var closeError: BusError?

    var pending = NumberedList<PendingReply>()
    var subscriptions = NumberedList<Subscription>()
    var registrations: [ObjectPath: [Registration]] = [:]
    var propertyHooks: [ObjectPath: PropertyHook] = [:]
    let desk = CallDesk()
    var floodGuard: FloodGuard?
    var closeHandlers = NumberedList<@Sendable (BusError) -> Void>()
    var knownCredentials: [String: Credentials] = [:]
    /// Nil once the bus has accepted the connection, or the reason why not.
    let connected = LoopPromise<BusError?>()
    private var localSlots: [BusSlot] = []
    private var lastIdentifier: UInt64 = 0

    init(loop: EventLoop, isPeer: Bool) {
        self.loop = loop
        self.isPeer = isPeer
    }

    func nextIdentifier() -> UInt64 {
        lastIdentifier += 1
        return lastIdentifier
    }

    /// The bus, or the reason why there is none any more.
    func openBus() throws(BusError) -> OpaquePointer {
        loop.preconditionIsolated()
        guard let bus else { throw closeError ?? .disconnected }
        return bus
    }

    /// Sets the bus up and starts it; nothing here waits.
    func start(_ address: BusAddress) throws(BusError) {
        loop.preconditionIsolated()
        guard let event = loop.events.value else { throw BusError.disconnected }
        var bus: OpaquePointer?
        try check(sd_bus_new(&bus), "make a bus connection")
        guard let bus else { throw BusError.disconnected }
        do {
            try configure(bus, address)
            try check(sd_bus_set_connected_signal(bus, 1), "ask for the connected signal")
            try watchLocal(bus, "Connected") { core in
                core.connected.resolve(nil)
                if core.isPeer { core.loop.executeLater { core.processWhatCame() } }
            }
            try watchLocal(bus, "Disconnected") { core in
                // The shutdown comes later, not in the middle of sd-bus's own closing.
                core.loop.executeLater { core.shutdown(.disconnected) }
            }
            try check(sd_bus_start(bus), "connect to \(address.busAddress ?? "the peer")")
            try check(sd_bus_attach_event(bus, event, Int32(SD_EVENT_PRIORITY_NORMAL)), "attach the bus")
        } catch {
            localSlots = []
            sd_bus_close_unref(bus)
            throw error
        }
        self.bus = bus
    }

    private func configure(_ bus: OpaquePointer, _ address: BusAddress) throws(BusError) {
        if case .peer(let descriptor, let isServer) = address {
            try Self.checkSocket(descriptor)
            try check(sd_bus_set_fd(bus, descriptor, descriptor), "use the socket")
            if isServer {
                var identifier = sd_id128_t()
                try check(sd_id128_randomize(&identifier), "make a server id")
                try check(sd_bus_set_server(bus, 1, identifier), "be the server")
            }
            try check(sd_bus_set_anonymous(bus, 1), "allow anonymous peers")
            try check(sd_bus_set_trusted(bus, 1), "trust the peer")
            try check(sd_bus_negotiate_fds(bus, 1), "pass descriptors")
        } else {
            guard let text = address.busAddress else {
                throw BusError(
                    name: BusError.Name.noServer,
                    message: "no session bus: neither DBUS_SESSION_BUS_ADDRESS nor a bus in XDG_RUNTIME_DIR",
                    errno: ENOMEDIUM
                )
            }
            try check(sd_bus_set_address(bus, text), "use the address \(text)")
            try check(sd_bus_set_bus_client(bus, 1), "be a bus client")
        }
    }

    /// sd-bus aborts the process when it closes a descriptor that is not open, and would talk to any file.
    private static func checkSocket(_ descriptor: Int32) throws(BusError) {
        var kind: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &size) == 0 else {
            let code = errno
            if code != EBADF { Glibc.close(descriptor) }
            throw BusError(errno: code, doing: "use descriptor \(descriptor)")
        }
        guard kind == Int32(SOCK_STREAM.rawValue) else {
            Glibc.close(descriptor)
            throw BusError(errno: EPROTOTYPE, doing: "use descriptor \(descriptor)")
        }
    }

    private func watchLocal(
        _ bus: OpaquePointer,
        _ member: String,
        _ action: @escaping (BusCore) -> Void
    ) throws(BusError) {
        let context = LocalSignal(core: self, action: action)
        var slot: OpaquePointer?
        try check(
            sd_bus_match_signal(
                bus,
                &slot,
                "org.freedesktop.DBus.Local",
                "/org/freedesktop/DBus/Local",
                "org.freedesktop.DBus.Local",
                member,
                { _, userdata, _ in
                    if let local = SDBus.context(userdata, as: LocalSignal.self), let core = local.core {
                        local.action(core)
                    }
                    return 0
                },
                Unmanaged.passUnretained(context).toOpaque()
            ),
            "watch the connection"
        )
        if let slot { localSlots.append(BusSlot(slot, loop: loop, context: context)) }
    }

    /// Processes messages that arrived together with the end of the handshake; sd-bus itself waits for the next byte.
    private func processWhatCame() {
        var rounds = 0
        while let bus, rounds < 64, sd_bus_process(bus, nil) > 0 { rounds += 1 }
    }

    /// Ends everything at once; later calls do nothing.
    func shutdown(_ reason: BusError) {
        guard let bus = bus.take() else { return }
        closeError = reason
        for reply in pending.elements { reply.finish(.failure(reason)) }
        pending = .init()
        for subscription in subscriptions.elements { subscription.end() }
        subscriptions = .init()
        registrations = [:]
        propertyHooks = [:]
        if let guardian = floodGuard.take() {
            // Later: this may run inside the filter.
            loop.executeLater { [loop] in loop.floodGuards.value.removeAll { $0 === guardian } }
        }
        localSlots = []
        sd_bus_detach_event(bus)
        sd_bus_close_unref(bus)
        connected.resolve(reason)
        let handlers = closeHandlers.elements
        closeHandlers = .init()
        for handler in handlers { handler(reason) }
    }
}

private final class LocalSignal {
    weak let core: BusCore?
    let action: (BusCore) -> Void

    init(core: BusCore, action: @escaping (BusCore) -> Void) {
        self.core = core
        self.action = action
    }
}

/// A slot of a bus, released on the loop's thread before the objects that its callback uses.
///
/// Unchecked: the members are constant; the pointer is used on the loop's thread only.
final class BusSlot: @unchecked Sendable {
    private let raw: OpaquePointer
    private let loop: EventLoop
    private let context: AnyObject

    init(_ raw: OpaquePointer, loop: EventLoop, context: AnyObject) {
        self.raw = raw
        self.loop = loop
        self.context = context
    }

    deinit {
        let rest = LoopConfined((raw, context))
        loop.execute { sd_bus_slot_unref(rest.value.0) }
    }
}

/// Elements by number, in order of arrival: for the few things that wait on a connection.
///
/// An array, not a dictionary: for each key type the runtime looks through all conformances of the program to find its
/// hash function, which takes a short-lived client longer than its call.
struct NumberedList<Element> {
    private var entries: [(number: UInt64, element: Element)] = []

    var elements: [Element] { entries.map(\.element) }

    mutating func append(_ element: Element, number: UInt64) { entries.append((number, element)) }

    @discardableResult
    mutating func remove(_ number: UInt64) -> Element? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        return entries.remove(at: index).element
    }
}
