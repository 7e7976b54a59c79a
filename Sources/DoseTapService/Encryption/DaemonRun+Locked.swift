internal import DoseTapDomain
internal import DoseTapPlugins
internal import DoseTapStore
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus
internal import Synchronization
internal import SystemdJournal

/// A record whose key is not at hand.
extension DaemonRun {
    /// The result of a run after which the record may be opened.
    static let unlocked: Int32 = -1

    /// Interval of the looks at those places of the key that send no signal.
    private static let lookAgain: Duration = .seconds(60)

    /// Says on every channel that the record is locked, brings the reminders that were planned, and waits for the key. The
    /// service counts as started: it is on the bus and answers.
    func wait(_ error: StoreError, _ server: BusServer) async -> Int32 {
        let directories = try? XDGDirectories(environment: environment)
        let path = options.store ?? directories?.store ?? ""
        let record = LockedRecord(on: loop, address, DueFile(runtime: directories?.runtimeFolder), journal: journal)
        let statement = await record.statement
        let told = StoreError(
            code: error.code, context: LockedText.statement(statement, because: error.context),
            underlying: error.underlying)
        let reason = StartFailure(told, store: path)
        if isFirst {
            journal.send(
                .serviceUnhealthy, told.context,
                [("DOSETAP_REASON", error.code.rawValue), ("DOSETAP_HINT", reason.next ?? "")], .error)
        }
        let isUnlocked = (try? await awaitKey(path, reason, statement, record, server)) ?? false
        await record.end(isUnlocked: isUnlocked)
        await keys?.close()
        await server.stop()
        return isUnlocked ? Self.unlocked : 0
    }

    /// - Returns: true if the key has come; false if the service was told to stop or the record was deleted.
    private func awaitKey(
        _ path: String, _ reason: StartFailure, _ statement: String, _ record: LockedRecord, _ server: BusServer
    ) async throws -> Bool {
        let (looks, look) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let signals = try await SignalWatch(on: loop, signals: [SIGTERM, SIGINT]) { [self] _ in
            isEnding.store(true, ordering: .relaxed)
            look.yield()
        }
        defer { withExtendedLifetime(signals) {} }
        try await server.serve(
            reason.interfaces(
                removal: removal(path, reason),
                // A caller who has put the key back calls again and must not wait for the next look. Several requests make one
                // look.
                asked: { look.yield() }
            ) { [keys] in
                KeyKeeper.forgetHeldKey()
                await record.wiped()
                return await keys?.removeForgotten(besides: path) != .left
            } end: { [self, server] in
                await server.flush()
                isEnding.store(true, ordering: .relaxed)
                look.yield()
            })
        SystemdNotify.ready(status: statement)
        await record.begin(isFirst: isFirst)
        await keys?.follow { look.yield() }
        let timer = LoopTimer(on: loop, clock: .boottime) { _ in look.yield() }
        try await timer.arm(after: Self.lookAgain)
        for await _ in looks {
            if isEnding.load(ordering: .relaxed) { return false }
            SystemdNotify.watchdog()
            await record.catchUp()
            let isUnlocked = await hasKey(path)
            if isEnding.load(ordering: .relaxed) { return false }
            if isUnlocked { return true }
            try await timer.arm(after: Self.lookAgain)
        }
        return false
    }

    private func hasKey(_ path: String) async -> Bool {
        guard Cipher.isAvailable, let id = EncryptedFile.keyID(of: path), let key = try? await keys?.key(id) else {
            return false
        }
        KeyKeeper.hold(key)
        return true
    }
}
