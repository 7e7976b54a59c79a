internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// The newest entries of one kind, of which a list shows a chosen number.
struct NewestEntries {
    private let entries: [NightRecord.Entry]
    private let hasOlder: Bool
    /// The zone of the times, which lie in no night.
    private let zone: Zone
    private let table: String

    /// The most entries that the service gives at once.
    private static let most = 1_000

    /// - Parameters:
    ///   - limit: the value of `--limit`.
    ///   - table: the table of the record that has all of them.
    ///   - read: asks for the newest entries, up to a number.
    init(
        limit: Int, of table: String, _ context: Context,
        read: @escaping @Sendable (Client, Int) async throws -> [NightRecord.Entry]
    ) throws {
        guard (1...Self.most).contains(limit) else { throw Failure.usage(tr("--limit goes from 1 to \(Self.most).")) }
        // One entry more tells if there are older ones.
        let (found, zone) = try ServiceLink.ask(context) { client in try await read(client, min(limit + 1, Self.most)) }
        self.zone = zone
        // An answer with the most that the service gives may leave older entries out.
        (entries, hasOlder) = (Array(found.prefix(limit)), found.count > limit || found.count == Self.most)
        self.table = table
    }

    /// Prints the entries, and how to list the older ones.
    ///
    /// - Parameter lines: writes entries with their times, for so many columns.
    func report(_ context: Context, _ lines: ([NightRecord.Entry], Moments, Int) -> [String]) {
        let moments = context.moments(in: zone)
        context.report(
            ["entries": .array(entries.map { .object($0.json) })],
            text: lines(entries, moments, context.terminal.columns) + older(context))
    }

    /// Returns the line on how to list the older entries; empty if all are shown.
    private func older(_ context: Context) -> [String] {
        guard hasOlder else { return [] }
        guard entries.count < Self.most else {
            return [CommandLead.allEntries + context.line.addressed("dosetap export csv \(table) -o \(table).csv")]
        }
        let command = context.line.again(adding: ["--limit", "\(Self.most)"], dropping: "--limit")
        return ["\(CommandLead.olderEntries)\(command)"]
    }
}
