internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// Who calls, as far as the bus can tell. A session bus lets nobody else in; the service does not rely on it.
struct Caller: Sendable {
    /// Kept with what is recorded; nil peer-to-peer.
    let origin: Origin?

    /// - Throws: `AccessDenied` for another user than the one the service runs for.
    init(_ context: CallContext) async throws {
        guard let sender = context.sender else {
            origin = nil
            return
        }
        let credentials = try? await context.credentials()
        if let user = credentials?.userID, user != getuid() {
            throw BusError(
                name: BusError.Name.accessDenied, message: "this service answers only the user it runs for")
        }
        let process = credentials?.processID
        origin = Origin(sender: sender, processID: process, command: process.flatMap(ProcessName.of))
    }

    /// Answers a question, if the caller may ask it.
    static func ask<Answer>(_ context: CallContext, _ answer: () async throws -> Answer) async throws -> Answer {
        _ = try await Caller(context)
        return try await answer()
    }
}
