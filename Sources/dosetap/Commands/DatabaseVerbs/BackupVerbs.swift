internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import SDBus

extension DatabaseVerb {
    /// `db backup`: one file with the whole record.
    struct BackupVerb: Verb {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Make a backup: the whole record in one file.",
            discussion: """
                Without FILE the backup is made in the folder backups beside the record. The
                service goes on meanwhile. A backup is verified before it gets its name.

                Example: dosetap db backup copy.db
                """)

        @Argument(
            help: ArgumentHelp("The file to make; its folder must exist.", valueName: "file"), completion: .file())
        var file: String?
        @Flag(help: "Replace an existing backup with this name.") var force = false
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            guard let file else {
                if force { throw Failure.usage(tr("--force needs a file.")) }
                return report(try Self.make(context) { client in try await client.backUp() }, context)
            }
            let target = try OutputFile(file, force: force)
            let descriptor = try target.descriptor()
            var backup = try Self.make(context) { client in try await client.backUp(into: descriptor) }
            try target.finish()
            backup.path = target.path
            report(backup, context)
        }

        private static func make(
            _ context: Context, _ call: @escaping @Sendable (Client) async throws -> Backup
        ) throws -> Backup {
            do {
                return try ServiceLink.run(context) { client in
                    try await SlowReplyNotice.wait(for: client, context) { try await call(client) }
                }
            } catch {
                var failure = error
                if failure.kind == ErrorKind.nothingToDo.word { failure.hint = "dosetap" }
                throw failure
            }
        }

        private func report(_ backup: Backup, _ context: Context) {
            context.report(backup.json, text: BackupText.made(backup))
        }
    }

    /// `db backups`: the list of backups.
    struct BackupsVerb: Verb {
        static let configuration = CommandConfiguration(
            commandName: "backups", abstract: "List the backups beside the record, newest first.",
            discussion: """
                A daily backup is made by the service after a night in which something was
                recorded. The newest of 7 days and of 8 weeks stay (backup.daily,
                backup.weekly).

                Example: dosetap db backups
                """)

        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let (backups, zone) = try ServiceLink.ask(context) { client in try await client.backups() }
            context.report(
                ["backups": .array(backups.map { .object($0.json) })],
                text: BackupText.list(backups, context.moments(in: zone), context.terminal.page))
        }
    }
}
