import Glibc

/// The sources of the configuration on this machine.
public struct ConfigFiles: Sendable, Hashable {
    /// Path of the machine's file.
    public let systemFile: String
    /// Path of the person's file.
    public let userFile: String

    /// Names the files.
    ///
    /// - Parameters:
    ///   - systemFile: For all people of the machine.
    ///   - userFile: Usually `$XDG_CONFIG_HOME/dosetap/config.yaml`.
    public init(systemFile: String = "/etc/dosetap/config.yaml", userFile: String) {
        self.systemFile = systemFile
        self.userFile = userFile
    }

    /// Reads everything: options over environment over user file over system file over defaults.
    ///
    /// A file that is not there says nothing; one that cannot be read is complained of.
    ///
    /// - Parameters:
    ///   - environment: Environment variables.
    ///   - flags: Options of the command line: full key and value.
    ///   - rules: What settings may refer to.
    public func load(
        environment: [String: String] = [:], flags: [(key: String, value: String)] = [],
        rules: ConfigRules = ConfigRules()
    ) -> Configuration {
        Configuration(
            layers: [
                Self.layer(.systemFile(systemFile), systemFile, rules),
                Self.layer(.userFile(userFile), userFile, rules),
                ConfigLayer(environment: environment, rules: rules), ConfigLayer(flags: flags, rules: rules),
            ], rows: rules.rows)
    }

    /// Path of the copy of the person's file as it was last in order.
    public var goodFile: String { userFile + ".last-good" }

    /// What is in force as the service starts: the files, or, where anything is wrong with them, what was last in order.
    public func start(environment: [String: String] = [:], rules: ConfigRules = ConfigRules()) -> Configuration {
        let now = load(environment: environment, rules: rules)
        guard !now.complaints.isEmpty, (try? Self.bytes(goodFile, .userFile(goodFile))) ?? nil != nil else {
            return now
        }
        let good = ConfigFiles(systemFile: systemFile, userFile: goodFile).load(environment: environment, rules: rules)
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

    /// A file's bytes, at most one more than ``ConfigReader/sizeLimit``; nil where there is no file.
    static func bytes(_ path: String, _ source: ConfigSource) throws(ConfigComplaint) -> [UInt8]? {
        // O_NONBLOCK: a FIFO in the file's place must not hang the service.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw ConfigComplaint(source, "cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ConfigComplaint(source, "is no regular file")
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while bytes.count <= ConfigReader.sizeLimit {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else {
                throw ConfigComplaint(source, "cannot be read: \(String(cString: strerror(errno)))")
            }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}
