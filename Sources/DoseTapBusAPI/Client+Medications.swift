public import DoseTapDomain

/// Medicines, what is prescribed and what there is.
extension Client {
    /// The newest medicines on record, newest first.
    ///
    /// - Parameter limit: at most so many, 1 to 1,000.
    public func medications(limit: Int) async throws -> [NightRecord.Entry] {
        try await call(Contract.Medications.list, UInt32(clamping: limit)).map {
            try NightRecord.Entry(json: $0.object)
        }
    }

    /// The medicines that can be recorded.
    public func medicationCatalogue() async throws -> [JSONObject] {
        try await call(Contract.Medications.catalogue, ()).map(\.object)
    }

    /// What is prescribed: `active` where something is, `date` for which, and `history`, the newest first.
    public func regimen() async throws -> JSONObject { try await call(Contract.Medications.regimen, ()).object }

    /// What there is of the medicines of the night, how long it lasts, and the cups that stand ready.
    ///
    /// - Parameter limit: how long the answer may take.
    public func inventory(within limit: Duration = Client.questionTimeout) async throws -> JSONObject {
        Inventory.shape.completed(try await call(Contract.Inventory.show, (), within: limit).object)
    }
}
