internal import ArgumentParser
internal import DoseTapDomain

/// What a shell offers for a word. Names are part of the script; ids are asked of the service when they are wanted, and
/// where it does not answer nothing is offered.
enum Completions {
    /// What `log` takes.
    static let events = CompletionKind.list(["dose1", "dose2", "extra"] + words)

    /// Sleep events.
    static let sleepEvents = CompletionKind.list(words)

    /// What `--confirm` takes.
    static let confirmations = of(Confirmation.self)

    /// What `history --only` takes.
    static let nightKinds = CompletionKind.list(NightKind.allCases.map(\.spelling))

    /// Ids of the entries of the open night, or of the last one.
    static let entries = CompletionKind.shellCommand(
        "{ echo dose1; echo dose2; echo last; dosetap show today --quiet || dosetap show last --quiet; } 2>/dev/null | sed '/^  id /d' | grep -Eo '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'"
    )

    /// Ids of bottles and cups.
    static let stock = CompletionKind.shellCommand(
        "dosetap inventory --quiet 2>/dev/null | grep -Eo '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}'")

    /// The medicines of which there is an inventory.
    static let oxybates = CompletionKind.list(
        MedicationCatalogue.standard.medications.filter(\.isOxybate).map(\.id))

    /// Dates of the nights on record.
    static let nights = CompletionKind.shellCommand(
        "{ echo tonight; echo yesterday; echo last; dosetap history --nights 60 --quiet 2>/dev/null | grep -Eo '[0-9]{4}-[0-9]{2}-[0-9]{2}'; }"
    )

    /// The words of a closed set.
    static func of<Word: CaseIterable & RawRepresentable>(_ type: Word.Type) -> CompletionKind
    where Word.RawValue == String {
        .list(type.allCases.map(\.rawValue))
    }

    private static var words: [String] { SleepEventCatalogue.standard.types.map(\.word) }
}
