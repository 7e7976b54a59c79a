internal import CSystemd
internal import Glibc

/// The state of a connection that libsystemd's callbacks reach.
///
/// Unchecked: every mutable member is used on the loop's thread only; ``Connection`` is isolated to it and callbacks
/// are made on it.
final class BusCore: @unchecked Sendable {
    let loop: EventLoop
    let isPeer: Bool
    /// Nil once the connection is closed.
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
                // Not in the middle of sd-bus's own closing.
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

    /// Looks at what came in one piece with the end of the handshake: sd-bus itself waits for the next byte.
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
            // Later: the filter may be what led here.
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

/// What a match on a signal of the connection itself does.
private final class LocalSignal {
    weak let core: BusCore?
    let action: (BusCore) -> Void

    init(core: BusCore, action: @escaping (BusCore) -> Void) {
        self.core = core
        self.action = action
    }
}
