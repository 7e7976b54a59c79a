internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// `status --follow` and `tonight`. The follower listens first, then asks, and asks anew after every change, so that no
/// change is missed.
struct Follower: Sendable {
    let context: Context
    let format: StatusFormat?
    /// True if the countdown is big.
    let isBig: Bool

    /// The end of a round of following.
    private enum End: Sendable {
        case stopped
        case lost(BusError)
    }

    /// Follows until stopped. A connection that ends is opened once more; a bus that stays away is a failure.
    ///
    /// - Throws: ``Failure``.
    func run() throws {
        do { try SignalWatch.block(Self.signals) } catch { throw Failure(error, context) }
        let screen = FollowScreen(context: context, format: format, isBig: isBig)
        while true {
            let end = try ServiceLink.run(context, lasts: true) { client in try await follow(client, screen) }
            switch end {
            case .stopped: return
            case .lost(let error):
                // Without a bus the service was a child of this program. Nobody starts it anew behind the person's
                // back.
                if case .child = ServiceLink.Route(context) { throw Failure(error, context) }
                context.notice(FollowText.reconnecting)
            }
        }
    }

    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    private func follow(_ client: Client, _ screen: FollowScreen) async throws -> End {
        let loop = client.connection.loop
        let causes = Causes(FollowCause())
        let signals = try await SignalWatch(on: loop, signals: Self.signals) { _ in causes.add { $0.isStopped = true } }
        // No event is asked for: the end of a reader is reported all the same. A file has no reader to lose.
        let reader = try? await IOWatch(on: loop, descriptor: STDOUT_FILENO, events: []) { _ in
            causes.add { $0.isStopped = true }
        }
        defer { withExtendedLifetime((signals, reader)) {} }
        await client.connection.onClose { error in causes.add { $0.lost = error } }
        let changes = try await client.changes()
        let listening = Task(executorPreference: loop.preference) {
            for await _ in changes { causes.add { $0.isChanged = true } }
        }
        defer { listening.cancel() }
        let owners = try await watchOwner(client, causes)
        defer { owners?.cancel() }
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in causes.add { $0.isTime = true } }
        guard try await look(client, screen, timer) else { return .stopped }
        while let cause = await causes.next() {
            if cause.isStopped {
                screen.end()
                return .stopped
            }
            if let error = cause.lost {
                screen.end()
                return .lost(error)
            }
            if cause.isGone {
                screen.end()
                context.notice(FollowText.serviceGone)
                await timer.disarm()
                guard cause.isBack else { continue }
            }
            if cause.isBack {
                screen.end()
                context.notice(FollowText.serviceBack)
            } else if cause.isTime, !cause.isChanged, screen.tick(Self.now()) {
                try await arm(timer, screen)
                continue
            }
            guard try await look(client, screen, timer) else { return .stopped }
        }
        return .stopped
    }

    /// Asks for the status of the night, and shows it.
    ///
    /// - Returns: false when nobody reads any more.
    private func look(_ client: Client, _ screen: FollowScreen, _ timer: LoopTimer) async throws -> Bool {
        let status = try await client.status()
        guard screen.show(status, now: Self.now()) else { return false }
        try await arm(timer, screen)
        return true
    }

    /// Tells when the service leaves the bus and when it comes back. Without a bus nothing is watched.
    private func watchOwner(_ client: Client, _ causes: Causes<FollowCause>) async throws -> Task<Void, Never>? {
        guard !client.connection.isPeer else { return nil }
        let match = SignalMatch(
            sender: Connection.driver, interface: Connection.driver, member: "NameOwnerChanged",
            firstArgument: Contract.name)
        let changes = try await client.connection.signals(match)
        return Task(executorPreference: client.connection.loop.preference) {
            for await change in changes {
                let isGone = change.arguments.last?.stringValue?.isEmpty == true
                causes.add { cause in
                    cause.isGone = cause.isGone || isGone
                    cause.isBack = !isGone
                }
            }
        }
    }

    /// Sets the timer for the next change of the screen that needs no new entry.
    private func arm(_ timer: LoopTimer, _ screen: FollowScreen) async throws {
        guard let wait = screen.lasts(at: Self.now()) else {
            await timer.disarm()
            return
        }
        try await timer.arm(after: wait)
    }

    /// Microseconds since boot: a change of the clock moves no countdown.
    private static func now() -> Int64 { SystemClock().read().bootMicroseconds }
}

/// The causes since the last look.
private struct FollowCause: Sendable {
    var isStopped = false
    var lost: BusError?
    /// The service left the bus.
    var isGone = false
    /// True if, by the newest change, the service is on the bus.
    var isBack = false
    var isChanged = false
    var isTime = false
}
