internal import DoseTapDomain
internal import Glibc

/// The sources of the configuration on this machine.
public struct ConfigFiles: Sendable, Hashable {
    /// Path of the machine's file.
    public let systemFile: String
    /// Path of the person's file.
    public let userFile: String
    /// Path of the machine's policy, which locks settings (R37).
    public let policyFile: String

    /// - Parameters:
    ///   - systemFile: For all people of the machine.
    ///   - userFile: Usually `$XDG_CONFIG_HOME/dosetap/config.yaml`.
    ///   - policyFile: Only the administrator changes it. No variable moves it, or it would be no lock.
    public init(
        systemFile: String = "/etc/dosetap/config.yaml", userFile: String,
        policyFile: String = "/etc/dosetap/policy.yaml"
    ) {
        self.systemFile = systemFile
        self.userFile = userFile
        self.policyFile = policyFile
    }

    /// Reads everything: policy over options over environment over user file over system file over defaults.
    ///
    /// A missing file says nothing; an unreadable one becomes a complaint.
    ///
    /// - Parameters:
    ///   - environment: Environment variables.
    ///   - flags: Options of the command line: full key and value.
    ///   - rules: The settings and what they may refer to.
    public func load(
        environment: [String: String] = [:], flags: [(key: String, value: String)] = [],
        rules: ConfigRules = ConfigRules()
    ) -> Configuration {
        Configuration(
            layers: [
                Self.layer(.systemFile(systemFile), systemFile, rules),
                Self.layer(.userFile(userFile), userFile, rules),
                ConfigLayer(environment: environment, rules: rules), ConfigLayer(flags: flags, rules: rules),
            ], policy: Self.layer(.policy(policyFile), policyFile, rules), from: .policy(policyFile), rows: rules.rows)
    }

    /// Path of a copy of the person's file, made when that file was last without a fault.
    public var goodFile: String { userFile + ".last-good" }

    /// Returns the settings in force at the start of the service: those of the files, or, if there is any complaint, those that
    /// were last in order.
    public func start(
        environment: [String: String] = [:], flags: [(key: String, value: String)] = [],
        rules: ConfigRules = ConfigRules()
    ) -> Configuration {
        let now = load(environment: environment, flags: flags, rules: rules)
        guard !now.complaints.isEmpty, (try? Self.bytes(goodFile, .userFile(goodFile))) ?? nil != nil else {
            return now
        }
        let good = ConfigFiles(systemFile: systemFile, userFile: goodFile, policyFile: policyFile)
            .load(environment: environment, flags: flags, rules: rules)
        return good.complaints.isEmpty ? good.reloaded(with: now) : now
    }

    private static func layer(_ source: ConfigSource, _ path: String, _ rules: ConfigRules) -> ConfigLayer {
        do throws(ConfigComplaint) {
            guard let bytes = try bytes(path, source) else { return ConfigLayer() }
            return ConfigReader.read(bytes, source: source, rules: rules)
        } catch {
            var layer = ConfigLayer()
            layer.complaints = [error]
            return layer
        }
    }

    /// Returns a file's bytes, at most one more than ``ConfigReader/sizeLimit``; nil without a file.
    static func bytes(_ path: String, _ source: ConfigSource) throws(ConfigComplaint) -> [UInt8]? {
        // O_NONBLOCK: a FIFO in the file's place must not hang the service.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            let number = errno
            if number == ENOENT || number == ENOTDIR {
                var status = stat()
                guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK else { return nil }
                // The service sees of the home only its own folders.
                throw ConfigComplaint(
                    source, sent("is a link to a file that is not there, or that the service may not see"))
            }
            throw ConfigComplaint(source, sent("cannot be read: \(String(cString: strerror(number)))"))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigComplaint(source, sent("is no regular file"))
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= ConfigReader.sizeLimit {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ConfigComplaint(source, sent("cannot be read: \(String(cString: strerror(errno)))"))
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}

extension ConfigFiles {
    /// Changes one setting in the person's file and keeps the rest, comments included (`config set`).
    ///
    /// The file is replaced as a whole (a new file, flushed, renamed over the old one, mode 0600), so a reader sees the
    /// old text or the new one.
    ///
    /// - Parameters:
    ///   - key: Full key, such as `snooze.max`.
    ///   - value: Its value as text.
    ///   - rules: The settings and what they may refer to.
    /// - Throws: ``ConfigComplaint`` for an unknown key, a wrong value, a file that cannot be edited in place, a symbolic link
    ///   or another person's file, or a failed write; the file is then unchanged.
    public func set(
        _ key: String, to value: String, rules: ConfigRules = ConfigRules()
    ) throws(ConfigComplaint) {
        let source = ConfigSource.userFile(userFile)
        let edit = try ConfigEdit(key, to: value, source: source, rules: rules)
        let directory = FilePath.folder(of: userFile)
        try Self.createDirectories(directory, source)
        let folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw Self.failed(source) }
        defer { close(folder) }
        // Two editors at once would each overwrite the change of the other.
        guard flock(folder, LOCK_EX) == 0 else { throw Self.failed(source) }
        try checkTarget(source)
        let old = try Self.bytes(userFile, source) ?? []
        guard old.count <= ConfigReader.sizeLimit, let text = String(validating: old, as: UTF8.self) else {
            throw ConfigComplaint(source, sent("is not valid text; mend it by hand first"))
        }
        let new = try edit.applied(to: text)
        if new != text { try replace(with: Array(new.utf8), source) }
        fsync(folder)
    }

    /// Keeps a copy of the person's file, which is now in order. A later start uses the copy if the file is no longer in order.
    /// A failure to write the copy has no other effect.
    public func keepGood() {
        let source = ConfigSource.userFile(goodFile)
        guard let bytes = try? Self.bytes(userFile, source), bytes.count <= ConfigReader.sizeLimit else { return }
        if let kept = try? Self.bytes(goodFile, source), kept == bytes { return }
        let copy = ConfigFiles(systemFile: systemFile, userFile: goodFile)
        guard (try? copy.checkTarget(source)) != nil else { return }
        try? copy.replace(with: bytes, source)
    }

    private func checkTarget(_ source: ConfigSource) throws(ConfigComplaint) {
        var status = stat()
        guard lstat(userFile, &status) == 0 else {
            if errno == ENOENT { return }
            throw Self.failed(source)
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            let isLink = status.st_mode & S_IFMT == S_IFLNK
            throw ConfigComplaint(
                source, isLink ? sent("is a symbolic link; edit the file it points to") : sent("is no regular file"))
        }
        guard status.st_uid == geteuid() else { throw ConfigComplaint(source, sent("belongs to another user")) }
    }

    private func replace(with bytes: [UInt8], _ source: ConfigSource) throws(ConfigComplaint) {
        let temporary = userFile + ".new-" + String(UInt64.random(in: .min ... .max), radix: 36)
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failed(source) }
        do throws(ConfigComplaint) {
            defer { close(file) }
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(file, $0.baseAddress.map { $0 + written }, $0.count - written)
                }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Self.failed(source) }
                written += count
            }
            guard fsync(file) == 0, rename(temporary, userFile) == 0 else { throw Self.failed(source) }
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func createDirectories(_ path: String, _ source: ConfigSource) throws(ConfigComplaint) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        guard errno == ENOENT, path != "/", path != "." else { throw failed(source) }
        try createDirectories(FilePath.folder(of: path), source)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failed(source) }
    }

    private static func failed(_ source: ConfigSource) -> ConfigComplaint {
        ConfigComplaint(source, sent("cannot be written: \(String(cString: strerror(errno)))"))
    }
}
