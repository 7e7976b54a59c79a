internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc
internal import SDBus

/// The program that serves the page, and the exchange of messages with it (``WebMessage``).
final class WebServer: Sendable {
    /// The socket to watch. Its end tells that the program has ended.
    let socket: UnixFD
    private let complaints: UnixFD
    private let process: ChildProgram

    /// The most bytes of one message from the program.
    private static let mostBytes = 1_024
    /// The time limit for the program to read a message, in seconds.
    private static let timeout = 30

    init(idleMinutes: Int) throws(Failure) {
        let program = try HelperProgram.path("dosetap-web", what: "web")
        var ends: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0 else {
            throw Self.failure(String(cString: strerror(errno)))
        }
        socket = UnixFD(owning: ends[0])
        let other = UnixFD(owning: ends[1])
        var timeout = timeval(tv_sec: Self.timeout, tv_usec: 0)
        setsockopt(ends[0], SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        do throws(SystemFault) { complaints = UnixFD(owning: try MemoryFile.make()) } catch {
            throw Self.failure(error.message)
        }
        let errors = complaints.rawValue
        let started = withExtendedLifetime(other) {
            ChildProgram.start(
                program, ["--idle", "\(idleMinutes * 60)"], input: ends[1], output: nil, errors: errors)
        }
        guard let started else { throw Self.failure(tr("\(program) cannot be started.")) }
        process = started
    }

    /// Waits for the next message of the program.
    ///
    /// - Returns: nil at the end.
    func next() -> (request: WebMessage.Request, text: String)? {
        guard let head = bytes(5), let request = WebMessage.Request(rawValue: head[0]) else { return nil }
        let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
        guard length <= Self.mostBytes, let text = bytes(length) else { return nil }
        return (request, String(decoding: text, as: UTF8.self))
    }

    /// Sends a message to the program; returns false if the program has ended.
    @discardableResult
    func send(_ answer: WebMessage.Answer, _ bytes: [UInt8] = []) -> Bool {
        let length = (0..<4).map { UInt8(truncatingIfNeeded: bytes.count >> (24 - 8 * $0)) }
        return PipeEnd.write([answer.rawValue] + length + bytes, to: socket.rawValue)
    }

    /// Ends the exchange of messages, and with it the program.
    ///
    /// - Throws: ``Failure`` with the last line of the program, if a fault ended it.
    func end() throws(Failure) {
        shutdown(socket.rawValue, Int32(SHUT_RDWR))
        let code = process.ended(within: 5)
        guard code != 0 else { return }
        let said = ChildProgram.lastLine(of: complaints)
        throw Self.failure(said.isEmpty ? tr("dosetap-web ended with exit code \(code).") : said)
    }

    private func bytes(_ count: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: count)
        while bytes.count < count {
            let got = read(socket.rawValue, &room, count - bytes.count)
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            bytes += room[..<got]
        }
        return bytes
    }

    private static func failure(_ text: String) -> Failure {
        Failure(exitCode: Failure.Code.failed, kind: "internal", message: tr("The page cannot be served: \(text)"))
    }
}
