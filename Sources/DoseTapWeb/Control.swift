internal import DoseTapDomain
internal import NIOCore

/// The messages to and from `dosetap` over standard input, which is a socket (``WebMessage``).
enum Control {
    /// Most bytes of a report.
    static let most = 64 << 20

    static func frame(_ request: WebMessage.Request, _ text: String = "") -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeInteger(request.rawValue)
        frame.writeInteger(UInt32(text.utf8.count))
        frame.writeString(text)
        return frame
    }

    /// Bytes before the text.
    static let headBytes = 5

    /// The bytes are no answer, or the answer is longer than a report can be.
    struct Malformed: Error {}

    /// Reads the head of an answer.
    ///
    /// - Parameter bytes: the first bytes of the answer.
    /// - Returns: the answer, and the number of bytes behind the head; nil if more of the head has to come.
    static func head(_ bytes: [UInt8]) throws(Malformed) -> (answer: WebMessage.Answer, length: Int)? {
        guard let kind = bytes.first else { return nil }
        guard let answer = WebMessage.Answer(rawValue: kind) else { throw Malformed() }
        guard bytes.count >= headBytes else { return nil }
        let length = bytes[1..<headBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= most else { throw Malformed() }
        return (answer, length)
    }

    /// Takes the answers out of the bytes.
    struct Decoder: ByteToMessageDecoder {
        typealias InboundOut = (WebMessage.Answer, [UInt8])

        mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
            let begun = min(Control.headBytes, buffer.readableBytes)
            guard let (answer, length) = try Control.head(buffer.getBytes(at: buffer.readerIndex, length: begun) ?? []),
                buffer.readableBytes >= Control.headBytes + length
            else { return .needMoreData }
            buffer.moveReaderIndex(forwardBy: Control.headBytes)
            context.fireChannelRead(wrapInboundOut((answer, buffer.readBytes(length: length) ?? [])))
            return .continue
        }
    }

    /// Hands the answers to the site. The end of the connection is the end of the program.
    final class Listener: ChannelInboundHandler {
        typealias InboundIn = (WebMessage.Answer, [UInt8])

        private let site: () -> Site?
        private let end: @Sendable () -> Void

        init(site: @escaping () -> Site?, end: @escaping @Sendable () -> Void) { (self.site, self.end) = (site, end) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let (answer, bytes) = unwrapInboundIn(data)
            switch answer {
            case .page: site()?.made(.report(bytes))
            case .failure: site()?.made(.unavailable(String(decoding: bytes, as: UTF8.self)))
            case .changed: site()?.changed()
            }
        }

        func channelInactive(context: ChannelHandlerContext) { end() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
