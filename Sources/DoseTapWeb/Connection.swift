internal import NIOCore
internal import NIOHTTP1

/// Passes on the bytes of one question, and reports a question with more bytes than ``most``.
final class QuestionLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Most bytes of a question.
    static let most = 8 << 10
    /// The event for the handlers behind: the question is too long.
    struct Exceeded: Sendable {}

    private var rest = QuestionLimit.most

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        let isMore = bytes.readableBytes > rest
        if rest > 0, let part = bytes.readSlice(length: min(rest, bytes.readableBytes)) {
            rest -= part.readableBytes
            context.fireChannelRead(wrapInboundOut(part))
        }
        if isMore { context.fireUserInboundEventTriggered(Exceeded()) }
    }
}

/// One connection: one question, one answer. All its code runs on the loop of its channel.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// The time limit for a question, and for the reading of an answer.
    private static let timeout = TimeAmount.seconds(30)
    /// The time in which bytes that still come are discarded, so that the browser reads the answer first.
    private static let lingering = TimeAmount.seconds(2)

    private let site: Site
    private var channel: (any Channel)?
    private var timer: Scheduled<Void>?
    private var isAnswered = false
    private(set) var isHead = false

    init(_ site: Site) { self.site = site }

    func handlerAdded(context: ChannelHandlerContext) {
        channel = context.channel
        limit(Self.timeout)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered, case .head(let head) = unwrapInboundIn(data) else { return }
        isAnswered = true
        isHead = head.method == .HEAD
        let length = head.headers["content-length"]
        let question = Question(
            method: head.method.rawValue, target: head.uri, hosts: head.headers["host"],
            origins: head.headers["origin"],
            sites: head.headers["sec-fetch-site"],
            hasBody: head.headers.contains(name: "transfer-encoding") || length.contains { $0 != "0" })
        site.answer(question, on: self)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is QuestionLimit.Exceeded { refuse(.headers) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError { refuse(.malformed) } else { context.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        timer?.cancel()
        site.left(self)
    }

    private func refuse(_ why: Refusal) {
        guard !isAnswered else { return }
        isAnswered = true
        send(.refused(why))
    }

    /// Stops the time limit while a page is made. The making has its own limit.
    func wait() { timer?.cancel() }

    /// Sends an answer and ends the connection.
    func send(_ answer: Answer) {
        guard let channel else { return }
        limit(Self.timeout)
        let lingering = Self.lingering
        channel.writeAndFlush(ByteBuffer(bytes: answer.bytes(isHead: isHead))).whenComplete { _ in
            channel.close(mode: .output, promise: nil)
            channel.eventLoop.scheduleTask(in: lingering) { channel.close(promise: nil) }
        }
    }

    /// Begins a stream that lasts until one side ends it.
    func begin(_ answer: Answer) {
        timer?.cancel()
        channel?.writeAndFlush(ByteBuffer(bytes: answer.bytes(isHead: isHead)), promise: nil)
    }

    /// Sends more of a stream. A browser that does not read loses the connection.
    func send(_ bytes: [UInt8]) {
        guard let channel else { return }
        guard channel.isWritable else { return channel.close(promise: nil) }
        channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
    }

    private func limit(_ time: TimeAmount) {
        timer?.cancel()
        timer = channel.map { channel in channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) } }
    }
}
