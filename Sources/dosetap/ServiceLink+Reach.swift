internal import DoseTapContract
internal import DoseTapDomain
internal import SDBus

/// How far one gets towards a service that does not answer.
extension ServiceLink {
    enum Reach: Sendable {
        /// There is no bus, and no service could be started.
        case noBus
        /// The bus does not answer.
        case deadBus
        /// The bus answers, and nobody is the service.
        case nobody
        /// Somebody is the service, and does not answer.
        case silent
    }

    /// Goes as far as one gets.
    static func reach(_ context: Context) -> Reach {
        guard case .bus(let address) = Route(context) else { return .noBus }
        let isOwned = try? EventLoop.run { loop in
            let connection = try await Connection.open(address, on: loop)
            let owner = try? await connection.owner(of: Contract.name)
            await connection.close()
            return owner != nil
        }
        return isOwned.map { $0 ? .silent : .nobody } ?? .deadBus
    }
}

extension ServiceLink.Reach {
    /// The links that can be judged from here, in the order of the chain.
    var findings: [Finding] { [bus, service] }

    private var bus: Finding {
        switch self {
        case .noBus:
            Finding(
                id: "bus", level: .red, sentence: "there is no session bus, so no service runs and no reminders come",
                remedy: "log in to a session with a bus, then: systemctl --user enable --now dosetapd")
        case .deadBus:
            Finding(
                id: "bus", level: .red, sentence: "the bus cannot be reached",
                remedy: "look at DBUS_SESSION_BUS_ADDRESS, or log in anew")
        case .nobody, .silent: Finding(id: "bus", level: .green, sentence: "the bus answers")
        }
    }

    private var service: Finding {
        switch self {
        case .noBus:
            Finding(
                id: "service", level: .red, sentence: "dosetapd does not run and cannot be started from here",
                remedy: "install dosetapd, or name it: DOSETAP_DAEMON=/path/to/dosetapd")
        case .deadBus, .nobody:
            Finding(
                id: "service", level: .red, sentence: "dosetapd does not run or cannot be reached",
                remedy: "systemctl --user enable --now dosetapd")
        case .silent:
            Finding(
                id: "service", level: .red, sentence: "dosetapd is there, but does not answer",
                remedy: "systemctl --user restart dosetapd")
        }
    }
}
