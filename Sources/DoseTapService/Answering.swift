internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import SDBus

/// The one place where an internal error becomes an error of the contract. An error without a sentence of its own is
/// `Internal`; its details are for the journal only.
extension ServiceError {
    init(_ error: any Error, _ command: Command?, moments: Moments) {
        switch error {
        case let error as ServiceError: self = error
        case EngineFailure.command(let failure):
            self.init(
                failure, command, sentence: ErrorText.sentence(failure, to: command, moments: moments))
        case EngineFailure.store(let error, let kept):
            self.init(error, kept: kept, sentence: ErrorText.sentence(error, kept: kept))
        case EngineFailure.busy: self.init(.busy, sent("The service has too much to do at once."))
        case EngineFailure.stopping: self.init(.busy, sent("The service is stopping."))
        default: self.init(.internal, ErrorText.somethingWrong)
        }
    }
}

extension LiveSystemEnvironment {
    /// Returns the zone that a call names.
    ///
    /// - Throws: ``ServiceError`` of kind `invalidInput` for a name that this machine does not know.
    func zone(asked name: String) throws(ServiceError) -> Zone {
        if let zone = zone(named: name) { return zone }
        throw ServiceError(
            .invalidInput, sent("This machine knows no time zone '\(name.prefix(60))'."),
            details: ["time_zone": .string(String(name.prefix(60)))])
    }
}
