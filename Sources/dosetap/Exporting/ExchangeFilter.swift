internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// Runs `dosetap-exchange` between a stream and a file.
struct ExchangeFilter {
    let arguments: [String]
    /// The name of the input, for a complaint about it.
    var subject: String?

    /// Exit codes of the filter.
    private static let (wrongUsage, wrongStream): (Int32, Int32) = (64, 65)
    /// The most bytes of a complaint that are read.
    private static let complaintBytes = 2_048

    /// Runs the filter to its end.
    ///
    /// - Parameters:
    ///   - output: the descriptor that the file is written to.
    ///   - feed: writes the stream to the descriptor it gets, and must not keep that descriptor.
    /// - Throws: ``Failure`` with the complaint of the filter, or with the fault of the stream.
    func run(to output: Int32, feed: (Int32) throws -> Void) throws {
        var ends = try Self.pipe()
        defer { for end in [ends.read, ends.write] where end >= 0 { close(end) } }
        let process = try start(input: ends.read, output: output)
        close(ends.read)
        ends.read = -1
        var broken: (any Error)?
        do { try feed(ends.write) } catch {
            // At the end of the stream the filter would make a whole file of a half.
            broken = error
            process.kill()
        }
        close(ends.write)
        ends.write = -1
        let (code, complaint) = try process.ended()
        // A filter that ends early breaks the stream, so the complaint of the filter comes first.
        let isKilled = code == 128 + SIGKILL
        if code == 0 || code == Self.wrongStream || isKilled, let broken { throw broken }
        guard code != 0 else { return }
        if code == Self.wrongUsage { throw Failure.usage(complaint, hint: "dosetap export --help") }
        throw Self.failed(code, complaint)
    }

    /// Runs the filter on a file, to its end.
    ///
    /// - Parameters:
    ///   - beside: a second file, which becomes descriptor 3.
    ///   - take: gets the output as it comes, and no bytes once a second if nothing comes.
    /// - Throws: ``Failure`` with the complaint of the filter, or with the fault.
    func run(from input: Int32, beside: Int32? = nil, take: ([UInt8]) throws -> Void) throws {
        var ends = try Self.pipe()
        defer { for end in [ends.read, ends.write] where end >= 0 { close(end) } }
        let process = try start(input: input, output: ends.write, beside: beside)
        close(ends.write)
        ends.write = -1
        var broken: (any Error)?
        do { try Self.drain(ends.read, take) } catch {
            broken = error
            process.kill()
        }
        let (code, complaint) = try process.ended()
        if let broken { throw broken }
        switch code {
        case 0: return
        case Self.wrongUsage: throw Failure.usage(complaint, hint: "dosetap import --help")
        case Self.wrongStream where !complaint.isEmpty:
            throw Failure(.invalidInput, (subject.map { "\($0): " } ?? "") + complaint)
        default: throw Self.failed(code, complaint)
        }
    }

    private static func drain(_ descriptor: Int32, _ take: ([UInt8]) throws -> Void) throws {
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            var asked = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = poll(&asked, 1, 1_000)
            if ready == 0 { try take([]) }
            guard ready > 0 else { continue }
            let count = read(descriptor, &room, room.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failure("reading", errno) }
            if count == 0 { return }
            try take(Array(room[..<count]))
        }
    }

    private struct Running {
        let process: pid_t
        let program: String
        let complaints: UnixFD

        func kill() { Glibc.kill(process, SIGKILL) }

        /// Waits for the end of the filter.
        ///
        /// - Returns: the exit code, and the last line that the filter said.
        func ended() throws(Failure) -> (code: Int32, complaint: String) {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 {
                guard errno == EINTR else { throw ExchangeFilter.failure("waiting for \(program)", errno) }
            }
            let code = ChildProgram.exitCode(of: status)
            let said = MemoryFile.read(complaints.rawValue, limit: ExchangeFilter.complaintBytes).map {
                String(decoding: $0, as: UTF8.self)
            }
            var lines = (said ?? "").split(separator: "\n").map(String.init)
            // Lines about the kernel come first, the fault comes last.
            let complaint = code == 0 || lines.isEmpty ? "" : FaultText.told(lines.removeLast())
            for line in lines { Output.complain(Wire.told(line)) }
            return (code, complaint)
        }
    }

    private func start(input: Int32, output: Int32, beside: Int32? = nil) throws(Failure) -> Running {
        let program = try HelperProgram.path("dosetap-exchange", what: "exchange")
        let complaints: UnixFD
        do throws(SystemFault) { complaints = UnixFD(owning: try MemoryFile.make()) } catch {
            throw Self.failure("memory", error.underlying)
        }
        var descriptors: [Int32: Spawn.Descriptor] = [
            STDIN_FILENO: .copy(input), STDOUT_FILENO: .copy(output), STDERR_FILENO: .copy(complaints.rawValue),
        ]
        if let beside { descriptors[3] = .copy(beside) }
        let process: Int32
        do throws(SystemFault) { process = try Spawn.start(program, arguments, descriptors) } catch {
            throw Self.failure("starting \(program)", error.underlying)
        }
        return Running(process: process, program: program, complaints: complaints)
    }

    private static func pipe() throws(Failure) -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { throw failure("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    private static func failed(_ code: Int32, _ complaint: String) -> Failure {
        Failure(
            exitCode: Failure.Code.failed, kind: "internal",
            message: complaint.isEmpty ? tr("The exchange program ended with exit code \(code).") : complaint)
    }

    private static func failure(_ what: String, _ number: Int32) -> Failure {
        Failure(
            exitCode: Failure.Code.failed, kind: "internal",
            message: tr("The file could not be made or read: \(what): \(String(cString: strerror(number)))."))
    }
}
