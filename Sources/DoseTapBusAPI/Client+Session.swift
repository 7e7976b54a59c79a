public import DoseTapDomain
internal import SDBus

/// The open night: where it stands, and every action.
extension Client {
    /// Where the night stands, now or at an instant.
    public func status(at instant: Instant? = nil) async throws -> NightStatus {
        var options = VariantEntries()
        if let instant { options["at"] = Variant(UInt64(max(0, instant.microseconds))) }
        let answer = try await call(
            Contract.InterfaceName.session, "Status", options, returning: WireObject.self,
            timeout: Client.questionTimeout)
        return try NightStatus(json: Self.complete(answer.object))
    }

    /// Asks for an action.
    public func submit(_ command: Command, _ options: RequestOptions) async throws -> Receipt {
        let interface = command.interface
        let answer: WireObject
        if let answers = command.answers {
            var options = options.variants
            if let own = command.ownOption { options[own.key] = Variant(own.word) }
            answer = try await call(
                interface, command.member, AnswersOnBus.variants(answers), options, returning: WireObject.self)
        } else if let argument = command.argument {
            answer = try await call(
                interface, command.member, argument, options.variants, returning: WireObject.self)
        } else {
            answer = try await call(interface, command.member, options.variants, returning: WireObject.self)
        }
        return try Receipt(json: answer.object)
    }

    /// Puts back the keys that D-Bus leaves out because it knows no null.
    private static func complete(_ object: JSONObject) -> JSONObject {
        var object = object
        if object["errors"] == nil { object["errors"] = .array([]) }
        if object["warnings"] == nil { object["warnings"] = .array([]) }
        return object
    }
}
