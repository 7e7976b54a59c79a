internal import DoseTapBusAPI
internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// Who calls, as far as the bus can tell. A session bus lets nobody else in; the service does not rely on it.
struct Caller: Sendable {
    /// Kept with what is recorded; nil peer-to-peer.
    let origin: Origin?

    init(_ context: CallContext) {
        origin = context.sender.map { sender in
            let process = context.knownCredentials?.processID
            return Origin(sender: sender, processID: process, command: process.flatMap(ProcessName.of))
        }
    }

    /// Lets in the user the service runs for, and nobody of whom the bus says nothing.
    static var policy: CallPolicy {
        CallPolicy(
            overload: ServiceError(
                .busy, "This program has too many calls waiting: it has to wait for their answers first."
            ).busError,
            refusal: BusError(
                name: BusError.Name.accessDenied, message: "this service answers only the user it runs for")
        ) { $0.userID == getuid() }
    }
}
