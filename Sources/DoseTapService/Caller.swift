internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// Who calls, as far as the bus can tell. A session bus lets nobody else in; the service does not rely on it.
struct Caller: Sendable {
    /// Kept with what is recorded; nil peer-to-peer.
    let origin: Origin?

    /// - Throws: `AccessDenied` for another user than the one the service runs for.
    init(_ context: CallContext) async throws {
        let credentials = try await Self.admit(context)
        origin = context.sender.map { sender in
            let process = credentials?.processID
            return Origin(sender: sender, processID: process, command: process.flatMap(ProcessName.of))
        }
    }

    /// Answers what records nothing, if the caller may ask it.
    static func ask<Answer>(_ context: CallContext, _ answer: () async throws -> Answer) async throws -> Answer {
        _ = try await admit(context)
        return try await answer()
    }

    /// Turns away everyone but the user the service runs for; gives what the bus knows of the caller.
    static func admit(_ context: CallContext) async throws -> Credentials? {
        guard context.sender != nil else { return nil }
        let credentials = try? await context.credentials()
        if let user = credentials?.userID, user != getuid() {
            throw BusError(
                name: BusError.Name.accessDenied, message: "this service answers only the user it runs for")
        }
        return credentials
    }
}
