internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem

/// The zone in which the service shows times; its settings may name another one than the system's.
extension Context {
    /// The zone asked for, else that in force in the service, which is asked once.
    ///
    /// - Throws: ``Failure`` where the service cannot be asked: a time must not be read in the wrong zone.
    func serviceZone() throws(Failure) -> Zone {
        if let chosenZone { return chosenZone }
        return zone(inForce: try serviceStatus())
    }

    /// The local hour at which a night's date begins in the service, which is asked once.
    ///
    /// - Throws: ``Failure`` where the service cannot be asked.
    func rolloverHour() throws(Failure) -> Int { try serviceStatus().rolloverHour }

    /// How the night stands, asked once.
    ///
    /// - Throws: ``Failure`` where the service cannot be asked.
    func serviceStatus() throws(Failure) -> NightStatus {
        try askedStatus.value { () throws(Failure) -> NightStatus in
            try ServiceLink.run(self, isLast: false) { client in try await client.status() }
        }
    }

    /// As ``serviceZone()``, in the middle of a conversation; where the service does not answer, the system's.
    func serviceZone(_ client: Client) async -> Zone {
        if let chosenZone { return chosenZone }
        guard let status = try? await client.status() else { return zone() }
        return zone(inForce: status)
    }

    /// As ``serviceZone()``, for showing times of what lies in no night; where the service does not answer, the system's.
    func shownZone() -> Zone { (try? serviceZone()) ?? zone() }

    /// The zone asked for, else the one in force by a status.
    func zone(inForce status: NightStatus) -> Zone {
        if let chosenZone { return chosenZone }
        let own = zone()
        guard own.identifier != status.zoneInForce else { return own }
        return (try? ZoneFiles().named(status.zoneInForce)) ?? own
    }
}
