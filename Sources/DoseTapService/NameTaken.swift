internal import DoseTapBusAPI
internal import SDBus

/// Somebody else owns our name: another service of ours, or a stranger.
struct NameTaken: Error, Sendable {
    /// The owner's command name, where it can be seen.
    let command: String?
    let processID: Int32?

    /// - Returns: nil when the name could not be had for another reason.
    init?(_ error: BusError, on connection: Connection) async {
        guard error.name == BusError.Name.nameExists else { return nil }
        let owner = try? await connection.owner(of: Contract.name)
        var process: Int32?
        if let owner { process = try? await connection.credentials(of: owner).processID }
        processID = process
        command = process.flatMap(ProcessName.of)
    }

    /// A second service of ours must not be tried again and again; a stranger may leave.
    var isOurs: Bool { command == "dosetapd" }
}
