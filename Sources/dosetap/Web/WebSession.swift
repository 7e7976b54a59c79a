internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

/// `web` from its beginning to its end: gives the server pages, and tells the server of changes.
struct WebSession: Sendable {
    let nights: Int?
    let opens: Bool
    let context: Context

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    /// Serves until stopped.
    ///
    /// - Throws: ``Failure``.
    func run() throws {
        // The first question to the service may start a thread. A signal that is blocked later would end the process
        // there.
        do { try SignalWatch.block(Self.signals) } catch { throw Failure(error, context) }
        let idleMinutes = try context.setting(ServiceSettings.webIdleMinutes)
        context.handDownLanguage()
        let server = try WebServer(idleMinutes: idleMinutes)
        guard let (request, address) = server.next(), request == .address else {
            try server.end()
            throw Failure(.internal, tr("The page cannot be served."))
        }
        context.report(["address": .string(address)], text: WebText.address(address, idleMinutes: idleMinutes))
        let forwarding = ForwardingPlace()
        defer { forwarding.remove() }
        if opens, forwarding.make(to: address).map(Launcher.open) != true { context.notice(WebText.notOpened) }
        do {
            let isStopped = try EventLoop.run { loop in try await serve(server, forwarding, loop) }
            try server.end()
            if !isStopped { context.notice(WebText.idle(idleMinutes)) }
        } catch {
            try? server.end()
            throw error
        }
    }

    /// - Returns: true if the person ended it, and not the server.
    private func serve(_ server: WebServer, _ forwarding: ForwardingPlace, _ loop: EventLoop) async throws -> Bool {
        let causes = Causes(WebCause())
        let signals = try await SignalWatch(on: loop, signals: Self.signals) { _ in causes.add(.stopped) }
        let talk = try await IOWatch(on: loop, descriptor: server.socket.rawValue, events: .readable) { _ in
            causes.add(.spoken)
        }
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in causes.add(.late) }
        defer { withExtendedLifetime((signals, talk)) {} }
        var link = await changes(loop, causes)
        var maker: PageMaker?
        var watch: IOWatch?
        var isStopped = false
        serving: while let cause = await causes.next() {
            if cause.contains(.stopped) {
                isStopped = true
                break
            }
            if cause.contains(.late) { maker?.process.kill() }
            if cause.contains(.made), let ended = maker {
                await watch?.cancel()
                (maker, watch) = (nil, nil)
                await timer.disarm()
                let (page, complaint) = ended.made()
                if let page { server.send(.page, page) } else { server.send(.failure, Array(complaint.utf8)) }
            }
            if cause.contains(.lost) { link = nil }
            if cause.contains(.changed) { server.send(.changed) }
            guard cause.contains(.spoken) else { continue }
            switch server.next()?.request {
            case nil: break serving
            case .address: break
            case .entered: forwarding.remove()
            case .page:
                // The connection comes before the page, so that no change after the page is missed.
                if link == nil { link = await changes(loop, causes) }
                maker = PageMaker.begin(nights: nights, context)
                if let maker {
                    watch = try await IOWatch(on: loop, descriptor: maker.process.end.rawValue, events: .readable) {
                        _ in
                        causes.add(.made)
                    }
                    try await timer.arm(after: PageMaker.timeout)
                } else {
                    server.send(.failure, Array(WebText.notMade.utf8))
                }
            }
        }
        if let maker {
            maker.process.kill()
            _ = maker.process.ended()
        }
        await link?.close()
        return isStopped
    }

    /// Opens a connection that tells of recorded events. Without a bus the service lives for each page alone, and
    /// nothing is told.
    private func changes(_ loop: EventLoop, _ causes: Causes<WebCause>) async -> Connection? {
        guard case .bus(let address) = ServiceLink.Route(context) else { return nil }
        guard let connection = try? await Connection.open(address, on: loop) else { return nil }
        await connection.onClose { _ in causes.add(.lost) }
        guard let changes = try? await Client(connection).changes() else { return nil }
        Task(executorPreference: loop.preference) {
            for await change in changes where change.member == "EventRecorded" { causes.add(.changed) }
        }
        return connection
    }
}

/// Causes to look again. A descriptor stays ready until somebody has looked, so a cause that came already counts once.
private struct WebCause: OptionSet, Sendable {
    let rawValue: Int
    static let stopped = WebCause(rawValue: 1)
    /// The server sent a message, or ended.
    static let spoken = WebCause(rawValue: 2)
    static let changed = WebCause(rawValue: 4)
    /// The maker of a page has ended.
    static let made = WebCause(rawValue: 8)
    /// The maker takes too long.
    static let late = WebCause(rawValue: 16)
    /// The bus is gone.
    static let lost = WebCause(rawValue: 32)
}
