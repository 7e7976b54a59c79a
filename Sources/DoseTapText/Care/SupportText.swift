internal import DoseTapDomain

/// The text of `support-bundle` beside the bundle.
package enum SupportText {
    package static func question(_ path: String) -> String {
        tr("Write this to \(SafeText.line(path))? y writes it, Return does not. ")
    }

    package static var notWritten: String { tr("Nothing was written.") }

    package static func written(_ path: String) -> String { tr("Written to \(SafeText.line(path)).") }

    /// - Parameter isTaken: true if the path exists already.
    package static func unwritten(_ path: String, _ isTaken: Bool, _ why: String) -> String {
        isTaken
            ? tr("Nothing was written: there is something at \(SafeText.line(path)) already.")
            : tr("Nothing was written to \(SafeText.line(path)): \(why).")
    }
}
