internal import DoseTapDomain
internal import DoseTapExchange
internal import DoseTapSystem
internal import Glibc

/// `dosetap-exchange import`: a filter that turns a file of another program into import lines.
public enum ImportProgram {
    private static let usage = """
        Usage: dosetap-exchange import SOURCE [--zone ZONE] [--name NAME] [--wal] < FILE

        """

    private struct Request {
        var source: ImportSource
        var zone: String?
        var name: String?
        var hasLog = false
    }

    /// The descriptor of a write-ahead log: the first after the standard ones.
    private static let log = STDERR_FILENO + 1

    /// Runs the filter to its end.
    ///
    /// - Parameter arguments: the arguments after `import`.
    /// - Returns: the exit code.
    public static func main(arguments: [String]) -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        guard let request = request(arguments) else {
            StandardStreams.complain(
                "dosetap-exchange: wrong arguments\n\(usage)Sources: \(ImportRun.sources.joined(separator: ", "))\n")
            return ExchangeFault.Kind.usage.rawValue
        }
        do throws(ExchangeFault) {
            // The zone file is the only file that the program opens, before the confinement.
            let zone = try request.zone.map { name throws(ExchangeFault) in try Self.zone(name) }
            let log = try request.hasLog ? ForeignFile(descriptor: Self.log) : nil
            let file = try ForeignFile(descriptor: STDIN_FILENO, log: log)
            for sentence in Confinement.begin(descriptors: request.hasLog ? Self.log + 1 : Self.log) {
                StandardStreams.complain("dosetap-exchange: \(sentence)\n")
            }
            try ImportRun.write(
                request.source, file, zone: zone, to: Output { Output.write($0, to: STDOUT_FILENO) })
            return 0
        } catch {
            let name = request.name.map { "\(PlainText.line($0)): " } ?? ""
            StandardStreams.complain("\(name)\(error)\n")
            return error.kind.rawValue
        }
    }

    private static func zone(_ name: String) throws(ExchangeFault) -> Zone {
        do throws(SystemFault) { return try ZoneFiles().named(name) } catch {
            throw ExchangeFault(.usage, error.message)
        }
    }

    private static func request(_ arguments: [String]) -> Request? {
        guard let source = arguments.first.flatMap(ImportSource.init(rawValue:)), source != .log else { return nil }
        var request = Request(source: source)
        var rest = arguments.dropFirst()
        while let word = rest.popFirst() {
            if word == "--wal" {
                request.hasLog = true
                continue
            }
            guard let value = rest.popFirst() else { return nil }
            switch word {
            case "--zone": request.zone = value
            case "--name": request.name = value
            default: return nil
            }
        }
        return request
    }
}
