import DoseTapDomain
import Foundation
import Testing

/// The terminal gets its modes back, however an interview ends.
@Suite struct TerminalModesTests {
    @Test(arguments: [("5", SIGUSR1), ("5", SIGALRM), ("5", SIGPWR), ("5", 40), ("\u{1B}", SIGTERM)])
    func `a signal to end stops the questions, also just after Escape`(key: String, signal: Int32) async throws {
        let cli = try await CheckInTests.morning()
        let session = try TerminalSession(cli.options + ["checkin"], cli.environment)
        let before = session.modes
        let outcome = try await session.run([("1/19  ", key)], end: "") { session.send(signal) }
        #expect(outcome.code == 1 && outcome.screen.contains("your answers so far are kept"), "\(outcome.screen)")
        #expect(session.modes == before)
    }

    @Test func `a fault puts the terminal right and ends the program`() async throws {
        let cli = try await CheckInTests.morning()
        let session = try TerminalSession(cli.options + ["checkin"], cli.environment)
        let before = session.modes
        let outcome = try await session.run([("1/19  ", "5")], end: "") { session.send(SIGILL) }
        #expect(outcome.code == 128 + SIGILL && session.modes == before, "\(outcome.screen)")
    }

    @Test func `stopped for a while, the terminal is as it was, and after that the questions go on`() async throws {
        let cli = try await CheckInTests.morning()
        let session = try TerminalSession(cli.options + ["checkin"], cli.environment)
        let before = session.modes
        let paused = Paused()
        let outcome = try await session.run(
            [("1/19  ", "\r"), ("2/19  ", "\r"), ("3/19  ", "\u{3}")], end: ""
        ) {
            guard paused.modes == nil else { return }
            session.send(SIGTSTP)
            session.waitUntilStopped()
            paused.modes = session.modes
            session.send(SIGCONT)
        }
        #expect(paused.modes == before)
        #expect(outcome.code == 1 && outcome.screen.contains("3/19  "), "\(outcome.screen)")
        #expect(session.modes == before)
    }

    /// The typing thread writes and reads the value. The test reads the value after that thread has ended.
    private final class Paused: @unchecked Sendable {
        var modes: tcflag_t?
    }
}
