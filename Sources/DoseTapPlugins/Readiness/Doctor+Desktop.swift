internal import DoseTapDomain
internal import SDBus

/// What is asked on the session bus.
extension Doctor {
    /// The notification server, and whether it keeps quiet.
    ///
    /// - Parameter starts: whether a server that does not run is started to be asked.
    func askNotifications(
        starts: Bool
    ) async -> (server: ChainFacts.Answer<ChainFacts.NotificationServer>, isQuiet: ChainFacts.Answer<Bool>) {
        guard let session else { return (.unknown("there is no session bus"), .unknown("there is no session bus")) }
        let names = await ask { () -> [String] in
            try await session.call(
                Connection.driver, "/org/freedesktop/DBus", Connection.driver, "ListNames",
                returning: [String].self)
        }
        guard case .known(var known) = names else { return (.unknown("the bus does not answer"), .unknown("")) }
        var refusal: String?
        if !known.contains(SessionNotifications.name), starts {
            let started = await ask { try await SessionNotifications(session).ask(starts: true).title }
            switch started {
            case .known: known.append(SessionNotifications.name)
            case .unknown(let why): refusal = why
            }
        }
        guard known.contains(SessionNotifications.name) else {
            let startable = await ask {
                try await session.call(
                    Connection.driver, "/org/freedesktop/DBus", Connection.driver, "ListActivatableNames",
                    returning: [String].self
                ).contains(SessionNotifications.name)
            }
            let server: ChainFacts.NotificationServer =
                startable == .known(true) ? refusal.map { .silent($0) } ?? .startable : .absent
            return (.known(server), .unknown("nobody is there to be asked"))
        }
        let server = await ask { try await SessionNotifications(session).ask(starts: false).title }
        switch server {
        case .unknown(let why): return (.known(.silent(why)), .unknown(why))
        case .known(let title): return (.known(.present(title)), await askQuiet(title, on: session))
        }
    }

    /// Servers tell it in ways of their own, many in none.
    private func askQuiet(_ title: String, on session: Connection) async -> ChainFacts.Answer<Bool> {
        if let question = QuietQuestion.of(title) {
            let quiet = await question.answers(runner).flatMap(question.read)
            return quiet.map { .known($0) } ?? .unknown("\(title) does not tell")
        }
        let isDunst = title.lowercased().contains("dunst")
        let (interface, property) =
            isDunst ? ("org.dunstproject.cmd0", "paused") : (SessionNotifications.name, "Inhibited")
        let quiet = await ask {
            try await session.property(
                SessionNotifications.name, SessionNotifications.path, interface, property, as: Bool.self)
        }
        if case .unknown = quiet { return .unknown("\(title) does not tell") }
        return quiet
    }

    /// Whether the person's service manager can wake the machine; nil: it can, as far as it says.
    func askWake() async -> ChainFacts.Answer<String?> {
        guard let session else { return .known("there is no session bus") }
        let version = await ask { try await UserManager(connection: session).version() }
        switch version {
        case .known(let text):
            return .known(UserManager.refusal(version: text, clocks: PluginEnvironment.Folders.machineClocks))
        case .unknown(let why): return .known("no systemd user manager answers: \(why)")
        }
    }
}
