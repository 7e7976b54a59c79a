internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

extension DatabaseVerb {
    /// `db restore`: replaces the record by a backup.
    struct RestoreVerb: Verb {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Replace the record by a backup, after a preview.",
            discussion: """
                What would be gained and lost is shown first. What was recorded in the last
                24 hours is brought in. The replaced record is kept beside the new one; its
                path is printed, and it can be restored in the same way.

                Example: dosetap db restore dosetap-backup.db --dry-run
                """)

        @Argument(help: ArgumentHelp("The backup.", valueName: "file"), completion: .file()) var file: String
        @Flag(help: "Show what would be gained and lost, and change nothing.") var dryRun = false
        @Option(
            help: ArgumentHelp(
                "Confirm what would be asked: restore, other_record, window_unresolved.", valueName: "kind"),
            completion: Completions.confirmations)
        var confirm: [String] = []
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            let backup = try Self.open(file)
            let (moments, page) = (context.moments(in: context.shownZone()), context.terminal.page)
            let confirmed = try RecordingChoices.confirmations(confirm)
            let asks = context.canAsk && !dryRun
            if dryRun || asks {
                let preview = try Self.restore(context, backup, dryRun: true, isLast: dryRun)
                if dryRun {
                    return context.report(preview.json, text: BackupText.preview(preview, moments, page))
                }
                BackupText.preview(preview, moments, page).forEach(Output.complain)
            }
            let report = try Self.restore(context, backup, confirmed)
            context.report(report.json, text: BackupText.restored(report, moments, page))
        }

        /// Opens a plain file for reading, and nothing else. A pipe does not hold the command up.
        private static func open(_ path: String) throws(Failure) -> UnixFD {
            guard access(path + ".lease", F_OK) != 0 else {
                let quoted = CommandLineWords.quoted(path)
                throw Failure(
                    .invalidInput, tr("\(path) is a record, not a backup."),
                    hint: "dosetap --bus none --store \(quoted) db backup \(quoted)-backup")
            }
            var log = stat()
            guard lstat(path + "-wal", &log) != 0 || log.st_size == 0 else {
                let quoted = CommandLineWords.quoted(path)
                throw Failure(
                    .invalidInput, tr("A part of \(path) lies in the write-ahead log beside it."),
                    hint: "dosetap --bus none --store \(quoted) db backup \(quoted)-backup")
            }
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
            guard descriptor >= 0 else {
                let code = errno
                throw Failure(
                    code == ENOENT ? .notFound : .invalidInput,
                    tr("\(path) cannot be opened: \(String(cString: strerror(code)))."), hint: "dosetap db backups")
            }
            let file = UnixFD(owning: descriptor)
            var status = stat()
            guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
                throw Failure(.invalidInput, tr("\(path) is no plain file."), hint: "dosetap db backups")
            }
            return file
        }

        private static func restore(
            _ context: Context, _ backup: UnixFD, _ confirmed: [Confirmation] = [], dryRun: Bool = false,
            isLast: Bool = true
        ) throws -> RestoreReport {
            try ServiceLink.run(context, isLast: isLast) { client in
                var request = RequestOptions()
                request.confirmations = confirmed
                while true {
                    do {
                        let given = request.confirmations
                        return try await SlowReplyNotice.wait(for: client, context) {
                            try await client.restore(from: backup, confirmed: given, dryRun: dryRun)
                        }
                    } catch let error as ServiceError where error.kind == .requiresConfirmation {
                        try await ConfirmationPrompt(context: context).answer(
                            error, by: client, ifDeclined: tr("Nothing was changed."), &request)
                    }
                }
            }
        }
    }
}
