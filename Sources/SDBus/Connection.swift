internal import CSystemd

/// A connection to a bus or a peer. Everything of it lives on the event loop.
public actor Connection {
    /// The loop the connection lives on.
    public nonisolated let loop: EventLoop
    /// True without a bus: there are no names and no senders.
    public nonisolated let isPeer: Bool
    /// Everything of the connection runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    private(set) var bus: OpaquePointer?
    var pending: [UInt64: PendingCall] = [:]
    var lastCall: UInt64 = 0
    var objects: [ObjectKey: ServedInterface] = [:]
    var unanswered: [UInt64: OpaquePointer] = [:]
    var lastIncoming: UInt64 = 0
    var subscriptions: [UInt64: Subscription] = [:]
    var credentials: [String: Credentials] = [:]
    private var closedHandlers: [@Sendable (BusError) -> Void] = []
    private var disconnectSlot: OpaquePointer?

    private init(loop: EventLoop, isPeer: Bool) {
        self.loop = loop
        self.isPeer = isPeer
    }

    // MARK: Life

    /// Opens a connection; does not wait for the bus to greet, so that errors of the bus come with the first call.
    ///
    /// - Throws: ``BusError`` when there is no such bus.
    public static func open(_ address: BusAddress, on loop: EventLoop) async throws(BusError) -> Connection {
        let connection = Connection(loop: loop, isPeer: address.isPeer)
        try await connection.start(address)
        return connection
    }

    private func start(_ address: BusAddress) throws(BusError) {
        var opened: OpaquePointer?
        switch address {
        case .session: try check(sd_bus_open_user(&opened), "connecting to the session bus")
        case .system: try check(sd_bus_open_system(&opened), "connecting to the system bus")
        case .address(let text):
            try check(sd_bus_new(&opened), "sd_bus_new")
            do {
                try check(sd_bus_set_address(opened, text), "the address '\(text.prefix(80))'")
                try check(sd_bus_set_bus_client(opened, 1), "sd_bus_set_bus_client")
                try check(sd_bus_start(opened), "connecting to '\(text.prefix(80))'")
            } catch {
                sd_bus_unref(opened)
                throw error
            }
        case .peer(let descriptor, let isServer):
            try check(sd_bus_new(&opened), "sd_bus_new")
            do {
                try check(sd_bus_set_fd(opened, descriptor, descriptor), "sd_bus_set_fd")
                if isServer {
                    var id = sd_id128_t()
                    try check(sd_id128_randomize(&id), "sd_id128_randomize")
                    try check(sd_bus_set_server(opened, 1, id), "sd_bus_set_server")
                }
                try check(sd_bus_set_anonymous(opened, 1), "sd_bus_set_anonymous")
                try check(sd_bus_set_trusted(opened, 1), "sd_bus_set_trusted")
                try check(sd_bus_negotiate_fds(opened, 1), "sd_bus_negotiate_fds")
                try check(sd_bus_start(opened), "starting a peer connection")
            } catch {
                sd_bus_unref(opened)
                throw error
            }
        }
        sd_bus_set_close_on_exit(opened, 0)
        do {
            try check(sd_bus_attach_event(opened, loop.event, 0), "sd_bus_attach_event")
        } catch {
            sd_bus_unref(opened)
            throw error
        }
        bus = opened
        watchForDisconnection()
    }

    /// sd-bus synthesises this signal on every kind of connection when the other end has gone.
    private func watchForDisconnection() {
        let rule =
            "type='signal',sender='org.freedesktop.DBus.Local',path='/org/freedesktop/DBus/Local',"
            + "interface='org.freedesktop.DBus.Local',member='Disconnected'"
        sd_bus_add_match(
            bus, &disconnectSlot, rule,
            { _, userdata, _ in
                guard let userdata else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(userdata).takeUnretainedValue()
                connection.assumeIsolated { $0.end(.disconnected) }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// The connection's own name on the bus; nil peer-to-peer.
    public var uniqueName: String? {
        guard let bus, !isPeer else { return nil }
        var name: UnsafePointer<CChar>?
        guard sd_bus_get_unique_name(bus, &name) >= 0, let name else { return nil }
        return String(cString: name)
    }

    /// Whether the connection can still be used.
    public var isOpen: Bool { bus != nil }

    /// Calls back once when the connection ends for another reason than ``close()``; at once when it already has.
    public func onClosed(_ handler: @escaping @Sendable (BusError) -> Void) {
        if bus == nil { handler(.disconnected) } else { closedHandlers.append(handler) }
    }

    /// Sends what is queued, answers pending calls with a named error and lets go of the socket.
    public func close() {
        closedHandlers = []
        if let bus { sd_bus_flush(bus) }
        end(.disconnected)
    }

    func end(_ error: BusError) {
        guard let bus else { return }
        self.bus = nil
        for call in pending.values { call.finish(.failure(error)) }
        pending = [:]
        for message in unanswered.values { sd_bus_message_unref(message) }
        unanswered = [:]
        for subscription in subscriptions.values { subscription.end() }
        subscriptions = [:]
        for object in objects.values { object.release() }
        objects = [:]
        sd_bus_slot_unref(disconnectSlot)
        disconnectSlot = nil
        sd_bus_detach_event(bus)
        sd_bus_close(bus)
        // Inside a callback of this bus the library holds its own reference until the callback returns.
        sd_bus_unref(bus)
        let handlers = closedHandlers
        closedHandlers = []
        for handler in handlers { handler(error) }
    }

    func live() throws(BusError) -> OpaquePointer {
        guard let bus else { throw .disconnected }
        return bus
    }

    // MARK: Names

    /// Takes a well-known name; serve the objects first.
    ///
    /// - Throws: ``BusError`` with `errno` EEXIST when somebody else owns it.
    public func requestName(_ name: String) async throws(BusError) {
        let result = try await call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName", name, UInt32(4),
            returning: UInt32.self)
        guard result == 1 || result == 4 else {
            throw BusError(
                name: "org.freedesktop.DBus.Error.NameHasOwner", message: "the name \(name) has another owner",
                errno: EEXIST)
        }
    }

    /// Gives a well-known name back.
    public func releaseName(_ name: String) async throws(BusError) {
        _ = try await call(
            "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ReleaseName", name,
            returning: UInt32.self)
    }
}
