internal import DoseTapContract
internal import DoseTapSystem
internal import Glibc
internal import SDBus

/// Says on a terminal that an answer takes long, so that nobody thinks the key was not pressed.
enum SlowReplyNotice {
    /// When it is said, in microseconds.
    private static let limit: UInt64 = 3_000_000

    /// Waits for an answer of the service.
    static func wait<Answer>(
        for client: Client, _ context: Context, _ answer: () async throws -> Answer
    ) async throws -> Answer {
        guard isatty(STDERR_FILENO) == 1 else { return try await answer() }
        let timer = LoopTimer(on: client.connection.loop, clock: .boottime) { _ in
            context.notice("waiting for the service; do not type the command again.")
        }
        try? await timer.arm(at: UInt64(max(0, SystemClock().read().bootMicroseconds)) + limit)
        defer { withExtendedLifetime(timer) {} }
        return try await answer()
    }
}
