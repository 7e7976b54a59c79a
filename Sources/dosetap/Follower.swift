internal import DoseTapBusAPI
internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// `status --follow`: listens first, then asks, then asks anew after every change; so nothing falls between.
struct Follower: Sendable {
    let context: Context
    let format: StatusFormat?

    /// Why to look again.
    private enum Cause: Sendable {
        case change
        case minute
        case serviceGone
        case lost(BusError)
        case stop
    }

    /// How a round of following ended.
    private enum End: Sendable {
        case stopped
        case lost(BusError)
    }

    /// Follows until stopped. A connection that ends is opened once more; a bus that stays away is a failure.
    ///
    /// - Throws: ``Failure``.
    func run() throws {
        do { try SignalWatch.block(Self.signals) } catch { throw Failure(error, context) }
        let screen = FollowScreen(context: context, format: format)
        while true {
            let end = try ServiceLink.run(context, lasts: true) { client in try await follow(client, screen) }
            switch end {
            case .stopped: return
            case .lost(let error):
                // Without a bus the service was our own: nobody starts it anew behind the person's back.
                if case .child = ServiceLink.Route(context) { throw Failure(error, context) }
                context.notice("the connection ended; opening it once more.")
            }
        }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private func follow(_ client: Client, _ screen: FollowScreen) async throws -> End {
        let loop = client.connection.loop
        let (causes, feed) = AsyncStream.makeStream(of: Cause.self)
        let signals = try await SignalWatch(on: loop, signals: Self.signals) { _ in feed.yield(.stop) }
        // No event is asked for: a reader that goes away is reported all the same. A file has none to lose.
        let reader = try? await IOWatch(on: loop, descriptor: STDOUT_FILENO, events: []) { _ in feed.yield(.stop) }
        defer { withExtendedLifetime((signals, reader)) {} }
        await client.connection.onClose { feed.yield(.lost($0)) }
        let changes = try await client.changes()
        let listening = Task(executorPreference: loop) { for await _ in changes { feed.yield(.change) } }
        defer { listening.cancel() }
        let owners = try await watchOwner(client, feed)
        defer { owners?.cancel() }
        let timer = LoopTimer(on: loop, clock: .realtime) { _ in feed.yield(.minute) }
        var status = try await client.status()
        guard screen.show(status) else { return .stopped }
        try await arm(timer, status, screen)
        for await cause in causes {
            switch cause {
            case .stop:
                screen.end()
                return .stopped
            case .lost(let error):
                screen.end()
                return .lost(error)
            case .serviceGone:
                screen.end()
                context.notice("the service has stopped; waiting for it to come back.")
                await timer.disarm()
                continue
            case .change, .minute:
                status = try await client.status()
                guard screen.show(status) else { return .stopped }
                try await arm(timer, status, screen)
            }
        }
        return .stopped
    }

    /// Tells when the service leaves the bus and when it comes back; without a bus there is nothing to watch.
    private func watchOwner(
        _ client: Client, _ feed: AsyncStream<Cause>.Continuation
    ) async throws -> Task<Void, Never>? {
        guard !client.connection.isPeer else { return nil }
        let match = SignalMatch(
            sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
            firstArgument: Contract.name)
        let changes = try await client.connection.signals(match)
        return Task(executorPreference: client.connection.loop) {
            for await change in changes {
                feed.yield(change.arguments.last?.stringValue?.isEmpty == true ? .serviceGone : .change)
            }
        }
    }

    /// Wakes at the next whole minute after dose 1, where something counts that is shown.
    private func arm(_ timer: LoopTimer, _ status: NightStatus, _ screen: FollowScreen) async throws {
        guard screen.counts, status.window.phase.isRunning, let elapsed = status.window.elapsed else {
            await timer.disarm()
            return
        }
        let toNext = Duration.seconds(60 - elapsed.wholeSeconds % 60)
        // Seconds are cut off in the answer: a second later the minute has passed for certain.
        let due = status.at + toNext
        try await timer.arm(at: UInt64(max(0, due.microseconds)))
    }
}
