internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import SDBus

extension DatabaseVerb {
    /// `db backup`: one file with everything in it.
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
                if force { throw Failure.usage("--force needs a file.") }
                return tell(try Self.make(context) { client in try await client.backUp() }, context)
            }
            let target = try BackupTarget(file, force: force)
            do {
                let descriptor = try target.begin()
                var backup = try Self.make(context) { client in try await client.backUp(into: descriptor) }
                try target.finish(descriptor, events: backup.events)
                backup.path = target.path
                tell(backup, context)
            } catch {
                target.discard()
                throw error
            }
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

        private func tell(_ backup: Backup, _ context: Context) {
            context.report(backup.json, text: BackupText.made(backup))
        }
    }

    /// `db backups`: what there is.
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
            let backups = try ServiceLink.run(context) { client in try await client.backups() }
            context.report(
                ["backups": .array(backups.map { .object($0.json) })],
                text: BackupText.list(backups, context.moments(in: context.shownZone()), context.terminal.page))
        }
    }
}

/// The file a backup is to become: made under another name in the same folder and renamed when it is whole.
private struct BackupTarget {
    let path: String
    private let draft: String
    private let force: Bool

    /// - Throws: ``Failure`` where the name is taken.
    init(_ path: String, force: Bool) throws(Failure) {
        guard !path.isEmpty, !path.hasSuffix("/"), !path.utf8.contains(0) else {
            throw .usage("'\(path.prefix(60))' names no file.")
        }
        self.path = path
        self.force = force
        draft = "\(path).part-\(getpid())"
        // A lease lies beside a record, never beside a backup.
        guard access(path + ".lease", F_OK) != 0 else {
            throw Failure(
                .invalidInput, "\(path) is a record, not a backup: it is not replaced.",
                hint: "choose another name")
        }
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Failure(.invalidInput, "\(path) is no plain file: it is not replaced.", hint: "choose another name")
        }
        guard force else {
            throw Failure(
                .invalidInput, "\(path) exists already. Nothing was changed.",
                hint: "choose another name, or add --force")
        }
    }

    func begin() throws(Failure) -> UnixFD {
        let descriptor = open(draft, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw Self.failure("\(path) cannot be made", errno) }
        _ = fchmod(descriptor, 0o600)
        return UnixFD(owning: descriptor)
    }

    /// Gives the file its name, when it is flushed.
    func finish(_ descriptor: UnixFD, events: Int64) throws(Failure) {
        guard fsync(descriptor.rawValue) == 0 else { throw Self.failure("\(path) cannot be flushed", errno) }
        // Without --force a file that appeared meanwhile stays as it is. Some file systems know no second name.
        let isLinked = !force && link(draft, path) == 0
        guard isLinked || force || errno != EEXIST else { throw Self.failure("\(path) cannot be made", EEXIST) }
        guard (isLinked ? unlink(draft) : rename(draft, path)) == 0 else {
            throw Self.failure("\(path) cannot be made", errno)
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { return }
        _ = fsync(opened)
        close(opened)
    }

    func discard() { unlink(draft) }

    private static func failure(_ what: String, _ code: Int32) -> Failure {
        Failure(
            code == ENOSPC || code == EDQUOT ? .noSpace : code == EROFS ? .readOnly : .invalidInput,
            "\(what): \(String(cString: strerror(code))).", hint: "choose another place")
    }
}
