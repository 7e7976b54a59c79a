internal import DoseTapSystem
internal import Glibc

/// Runs `dosetap-exchange` between the stream of the nights and a file.
struct ExchangeFilter {
    /// Its words.
    let arguments: [String]

    /// Exit codes of the filter.
    private static let (wrongUsage, wrongStream): (Int32, Int32) = (64, 65)
    /// Most of a complaint that is looked at, in bytes.
    private static let complaintBytes = 2_048

    /// Runs it to its end.
    ///
    /// - Parameters:
    ///   - output: where the file is written to.
    ///   - feed: gets the descriptor to write the stream to, and must not keep it.
    /// - Throws: ``Failure``: what the filter says, or what went wrong with the stream.
    func run(to output: Int32, feed: (Int32) throws -> Void) throws {
        let program = try HelperProgram.path("dosetap-exchange", what: "export")
        let complaints: Int32
        do throws(SystemFault) { complaints = try MemoryFile.make() } catch {
            throw Self.failure("memory", error.underlying)
        }
        defer { close(complaints) }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { throw Self.failure("pipe", errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let process: pid_t
        do throws(Failure) {
            process = try spawn(program, input: ends[0], output: output, complaints: complaints)
        } catch {
            ends.forEach { close($0) }
            throw error
        }
        close(ends[0])
        var broken: (any Error)?
        do { try feed(ends[1]) } catch {
            // At the end of the stream it would make a whole file of a half.
            broken = error
            kill(process, SIGKILL)
        }
        close(ends[1])
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 {
            guard errno == EINTR else { throw Self.failure("waiting for \(program)", errno) }
        }
        let code = status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
        let said = MemoryFile.read(complaints, limit: Self.complaintBytes).map { String(decoding: $0, as: UTF8.self) }
        var lines = (said ?? "").split(separator: "\n").map(String.init)
        // What it says of the kernel comes first, what went wrong last.
        let complaint = code == 0 || lines.isEmpty ? "" : lines.removeLast()
        for line in lines { Output.complain(line) }
        // A filter that ends early breaks the stream, so its own word comes first.
        let isKilled = code == 128 + SIGKILL
        if code == 0 || code == Self.wrongStream || isKilled, let broken { throw broken }
        guard code != 0 else { return }
        if code == Self.wrongUsage { throw Failure.usage(complaint, hint: "dosetap export --help") }
        throw Failure(
            exitCode: Failure.Code.failed, kind: "internal",
            message: complaint.isEmpty ? "The export program ended with exit code \(code)." : complaint)
    }

    private func spawn(
        _ program: String, input: Int32, output: Int32, complaints: Int32
    ) throws(Failure) -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO)
        var vector: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) }
        vector.append(nil)
        defer { for word in vector { free(word) } }
        var process: pid_t = 0
        let result = posix_spawn(&process, program, &actions, nil, vector, environ)
        guard result == 0 else { throw Self.failure("starting \(program)", result) }
        return process
    }

    private static func failure(_ what: String, _ number: Int32) -> Failure {
        Failure(
            exitCode: Failure.Code.failed, kind: "internal",
            message: "The export could not be made: \(what): \(String(cString: strerror(number))).")
    }
}
