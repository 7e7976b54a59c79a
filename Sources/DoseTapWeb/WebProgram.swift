internal import CLinux
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import SystemdJournal

/// The program `dosetap-web`: serves the report to browsers of the same user on this machine. The program has no way to the
/// service: `dosetap web`, which starts it, supplies the pages.
public enum WebProgram {
    private static let usage = """
        Usage: dosetap-web --idle SECONDS

        Serves the page that dosetap web makes. dosetap web starts it; standard input is a socket to it.

        """

    /// Runs the server to its end.
    ///
    /// - Parameter arguments: the arguments without the program's name.
    /// - Returns: the exit code: 0 done, 64 wrong usage, 71 something that the machine refuses.
    public static func main(arguments: [String]) -> Int32 {
        guard arguments.count == 2, arguments[0] == "--idle", let idle = Int64(arguments[1]),
            (1...86_400).contains(idle)
        else {
            complain(usage)
            return 64
        }
        signal(SIGPIPE, SIG_IGN)
        Speech.speakAsHandedDown { getenv($0).map { String(cString: $0) } }
        guard let (listener, port) = listener() else { return failed("a port", errno) }
        guard let owner = ConnectionOwner() else { return failed("/proc/net/tcp", errno) }
        guard let token = Secret(), let session = Secret() else { return failed("random bytes", EIO) }
        confine()
        let journal = SystemJournal(identifier: "dosetap-web", journalStream: nil)
        let admission = Admission(port: port, token: token, session: session)
        do {
            try serve(admission, on: listener, idle: .seconds(idle), owner: owner) {
                journal.send(
                    JournalEntry(
                        message: "A page of the nights is served to this user on this machine", priority: .info))
            }
        } catch {
            complain("dosetap-web: \(error)\n")
            return 71
        }
        journal.send(JournalEntry(message: "The page of the nights is served no longer", priority: .info))
        return 0
    }

    /// Confines the process before any thread is started, so that the limits hold for all threads: no file is opened from here
    /// on, no privilege is gained, and no other program reads the secrets in memory.
    private static func confine() {
        let wanted = UInt32(CONFINED_NO_PRIVILEGES | CONFINED_LANDLOCK)
        let held = clinux_confine(wanted, confinement_limits(memory: 0, seconds: 0, descriptors: 3))
        if held & UInt32(CONFINED_LANDLOCK) == 0 { complain("dosetap-web: the kernel has no Landlock.\n") }
        _ = clinux_forbid_dumps()
    }

    /// A socket on the loopback address and a free port, which the kernel chooses.
    private static func listener() -> (descriptor: Int32, port: Int)? {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(descriptor, address, size) == 0 && getsockname(descriptor, address, &size) == 0
            }
        }
        guard isBound else { return nil }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private static func serve(
        _ admission: Admission, on listener: Int32, idle: TimeAmount, owner: ConnectionOwner, begun: () -> Void
    ) throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        // An orderly end of the group needs a thread of libdispatch, and libdispatch ends the program if it may open no file of
        // /proc. The end of the process closes all sockets.
        _ = Unmanaged.passRetained(group)
        let loop = group.next()
        let ended = loop.makePromise(of: Void.self)
        let end: @Sendable () -> Void = { ended.succeed() }
        let place = NIOLoopBoundBox.makeBoxSendingValue(nil as Site?, as: Site?.self, eventLoop: loop)
        let control = try ClientBootstrap(group: group)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(ByteToMessageHandler(Control.Decoder()))
                    try pipeline.addHandler(Control.Listener(site: { place.value }, end: end))
                }
            }
            .withConnectedSocket(STDIN_FILENO).wait()
        try loop.submit {
            place.value = Site(
                admission, on: loop, idle: idle,
                ask: { request in
                    control.writeAndFlush(Control.frame(request), promise: nil)
                }, end: end)
        }.wait()
        let user = geteuid()
        let port = UInt16(admission.port)
        let server = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1_024)
            .childChannelOption(.writeBufferWaterMark, value: .init(low: 1 << 10, high: 1 << 12))
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let site = place.value, site.hasRoom(),
                        let client = channel.remoteAddress?.port,
                        owner.user(from: UInt16(client), to: port) == user
                    else { throw UnknownCaller() }
                    let connection = Connection(site)
                    site.entered(connection)
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(QuestionLimit())
                    try pipeline.addHandler(ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes)))
                    try pipeline.addHandler(connection)
                }
            }
            .withBoundSocket(listener).wait()
        begun()
        try control.writeAndFlush(Control.frame(.address, admission.entrance)).wait()
        try ended.futureResult.wait()
        try? server.close().wait()
    }

    /// A connection without an answer: of another user, or one too many.
    private struct UnknownCaller: Error {}

    private static func failed(_ what: String, _ number: Int32) -> Int32 {
        complain("dosetap-web: \(what): \(String(cString: strerror(number)))\n")
        return 71
    }

    private static func complain(_ text: String) {
        _ = Array(text.utf8).withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
