internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc
internal import SDBus

/// The place of a packet: a folder or an archive, for its owner alone, complete under its name or not there.
struct PacketTarget {
    let path: String
    let isArchive: Bool
    private let force: Bool

    private static let otherArchives = [
        ".tar.gz", ".tar.bz2", ".tar.xz", ".tar.zst", ".tar", ".tgz", ".7z", ".rar",
    ]

    /// - Parameter line: the command line, for the next command.
    /// - Throws: ``Failure`` if the name is taken, or cannot be used.
    init(_ path: String, force: Bool, line: CommandLineWords) throws(Failure) {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        guard path != "/", path != ".", path != "..", !path.hasSuffix("/.."), !path.hasSuffix("/."),
            !path.utf8.contains(0)
        else { throw .usage(tr("'\(path.prefix(60))' names no new folder.")) }
        if let other = Self.otherArchives.first(where: { path.lowercased().hasSuffix($0) }) {
            throw .usage(
                tr(
                    "'\(other)' is the ending of an archive of another kind. A packet is a folder, or an archive NAME.zip."
                ),
                hint: line.again(replacing: path, by: "\(path.dropLast(other.count)).zip")
                    ?? "dosetap packet -o NAME.zip")
        }
        isArchive = path.lowercased().hasSuffix(".zip")
        (self.path, self.force) = (path, force)
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        if isArchive {
            guard status.st_mode & S_IFMT == S_IFREG else { throw OutputFile.failure(path, EINVAL) }
            guard Self.isArchivedPacket(path) else { throw Self.isOther(path) }
        } else {
            guard status.st_mode & S_IFMT == S_IFDIR, Self.isPacket(path) else { throw Self.isOther(path) }
        }
        guard force else { throw OutputFile.failure(path, EEXIST) }
    }

    func write(_ files: [PacketMaker.File]) throws {
        guard !isArchive else {
            let file = try OutputFile(path, force: force)
            let target = try file.descriptor()
            try FileStreamFilter.write("zip", of: files, to: target.rawValue)
            withExtendedLifetime(target) {}
            return try file.finish()
        }
        let draft = "\(path).\(getpid()).part"
        guard mkdir(draft, 0o700) == 0 else { throw OutputFile.failure(path, errno) }
        do {
            for file in files {
                do throws(SystemFault) { try NewFile.write(file.bytes, to: "\(draft)/\(file.name)") } catch {
                    throw OutputFile.failure(path, error.underlying)
                }
            }
            try give(draft)
        } catch {
            Self.remove(draft)
            throw error
        }
    }

    /// Gives the folder its name. An older packet is put aside first, and is put back if that fails.
    private func give(_ draft: String) throws(Failure) {
        var status = stat()
        let isTaken = lstat(path, &status) == 0
        guard isTaken else {
            guard rename(draft, path) == 0 else { throw OutputFile.failure(path, errno) }
            return
        }
        guard force, status.st_mode & S_IFMT == S_IFDIR, Self.isPacket(path) else {
            throw OutputFile.failure(path, EEXIST)
        }
        let old = "\(path).\(getpid()).old"
        guard rename(path, old) == 0 else { throw OutputFile.failure(path, errno) }
        guard rename(draft, path) == 0 else {
            let number = errno
            _ = rename(old, path)
            throw OutputFile.failure(path, number)
        }
        Self.remove(old)
    }

    /// Returns true if a folder has a packet and nothing else.
    private static func isPacket(_ folder: String) -> Bool {
        guard let names = try? Folder.names(in: folder) else { return false }
        let signed: [PacketFile] = [.sums, .signature, .signer]
        return signed.allSatisfy { names.contains($0.rawValue) }
            && names.allSatisfy { PacketFile(rawValue: $0) != nil }
    }

    /// Returns true if the first member of an archive is that of a packet.
    private static func isArchivedPacket(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let name = Array(PacketFile.readMe.rawValue.utf8)
        // The head of a member has 30 bytes; those at 26 and 27 are the length of its name, which follows.
        var head = [UInt8](repeating: 0, count: 30 + name.count)
        return pread(descriptor, &head, head.count, 0) == head.count && head.starts(with: [0x50, 0x4B, 3, 4])
            && head[26...27].elementsEqual([UInt8(name.count), 0]) && head[30...].elementsEqual(name)
    }

    private static func isOther(_ path: String) -> Failure {
        Failure(
            .invalidInput, tr("\(path) holds something else than a packet: it is not replaced."),
            hint: tr("choose another name"))
    }

    /// Removes the files of a packet, and then the folder if it is empty.
    private static func remove(_ folder: String) {
        for file in PacketFile.allCases { unlink("\(folder)/\(file.rawValue)") }
        rmdir(folder)
    }
}
