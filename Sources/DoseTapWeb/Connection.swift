internal import NIOCore
internal import NIOHTTP1

/// Lets the bytes of one question through, and says where there are more than a question may have.
final class QuestionLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    /// Most bytes of a question.
    static let most = 8 << 10
    /// What is said to the handlers behind.
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

/// One connection: one question, one answer. Everything of it runs on the loop of its channel.
final class Connection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart

    /// How long a question may take, and how long the reading of an answer.
    private static let timeout = TimeAmount.seconds(30)
    /// How long what still comes is thrown away, so that the answer is read first.
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

    /// No limit while a page is made: that has its own.
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

    /// Sends more of a stream; who does not read loses the connection.
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
