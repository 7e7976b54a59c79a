internal import NIOCore

/// The talk with `dosetap` over standard input, a socket: a kind (a byte), a length (four, the highest first), that many bytes.
enum Control {
    /// What this program says.
    enum Wish: UInt8 {
        /// The first address.
        case address = 0x41
        /// A report is wanted.
        case page = 0x50
        /// The first address was used.
        case entered = 0x45
    }

    /// What `dosetap` says.
    enum Word: UInt8 {
        /// A report.
        case page = 0x50
        /// Why there is none.
        case failure = 0x46
        /// Something was recorded.
        case changed = 0x43
    }

    /// Most bytes of a report.
    static let most = 64 << 20

    static func frame(_ wish: Wish, _ text: String = "") -> ByteBuffer {
        var frame = ByteBuffer()
        frame.writeInteger(wish.rawValue)
        frame.writeInteger(UInt32(text.utf8.count))
        frame.writeString(text)
        return frame
    }

    /// Bytes before what a word says.
    static let headBytes = 5

    /// It is none of the words, or longer than a report can be.
    struct Malformed: Error {}

    /// Reads the head of a word.
    ///
    /// - Parameter bytes: with which it begins.
    /// - Returns: the word, and how many bytes follow the head; nil where more of the head has to come.
    static func head(_ bytes: [UInt8]) throws(Malformed) -> (word: Word, length: Int)? {
        guard let kind = bytes.first else { return nil }
        guard let word = Word(rawValue: kind) else { throw Malformed() }
        guard bytes.count >= headBytes else { return nil }
        let length = bytes[1..<headBytes].reduce(0) { $0 << 8 | Int($1) }
        guard length <= most else { throw Malformed() }
        return (word, length)
    }

    /// Takes the words out of the bytes.
    struct Decoder: ByteToMessageDecoder {
        typealias InboundOut = (Word, [UInt8])

        mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
            let begun = min(Control.headBytes, buffer.readableBytes)
            guard let (word, length) = try Control.head(buffer.getBytes(at: buffer.readerIndex, length: begun) ?? []),
                buffer.readableBytes >= Control.headBytes + length
            else { return .needMoreData }
            buffer.moveReaderIndex(forwardBy: Control.headBytes)
            context.fireChannelRead(wrapInboundOut((word, buffer.readBytes(length: length) ?? [])))
            return .continue
        }
    }

    /// Hands the words to the site; the end of the talk is the end of the program.
    final class Listener: ChannelInboundHandler {
        typealias InboundIn = (Word, [UInt8])

        private let site: () -> Site?
        private let end: @Sendable () -> Void

        init(site: @escaping () -> Site?, end: @escaping @Sendable () -> Void) { (self.site, self.end) = (site, end) }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let (word, bytes) = unwrapInboundIn(data)
            switch word {
            case .page: site()?.made(.report(bytes))
            case .failure: site()?.made(.unavailable(String(decoding: bytes, as: UTF8.self)))
            case .changed: site()?.changed()
            }
        }

        func channelInactive(context: ChannelHandlerContext) { end() }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
