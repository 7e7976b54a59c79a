internal import Crypto
internal import DoseTapDomain

/// The products of a stream of whole files. Each file is a line with its name and its length in bytes, and its bytes.
package enum FileStream: String, Hashable, Sendable {
    /// The SHA-256 sums of the files, in the format of sha256sum.
    case sums
    /// A ZIP archive of the files.
    case zip

    /// A file of the stream.
    package struct File: Hashable, Sendable {
        package let name: String
        package let bytes: [UInt8]
    }

    /// Most bytes of all files together.
    package static let most = 48 << 20
    /// Longest line of a name and a length.
    private static let longestHead = 200

    /// Reads the files.
    ///
    /// - Throws: ``ExchangeFault`` with the fault of the stream.
    package static func files(_ source: LineReader.Source) throws(ExchangeFault) -> [File] {
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = room.withUnsafeMutableBytes { source($0) }
            guard count >= 0 else {
                throw ExchangeFault(
                    .stream, sent("The files cannot be read: \(ErrorNumber.sentence(Int32(clamping: -count)))."))
            }
            if count == 0 { break }
            bytes += room[..<min(count, room.count)]
            guard bytes.count <= most else {
                throw ExchangeFault(.usage, sent("The files have more than \(most >> 20) MiB: choose fewer nights."))
            }
        }
        var files: [File] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            guard let end = rest.prefix(longestHead).firstIndex(of: UInt8(ascii: "\n")) else { throw isCut(files) }
            let head = String(decoding: rest[..<end], as: UTF8.self).split(separator: " ")
            rest = rest[(end + 1)...]
            guard head.count == 2, let length = Int(head[1]), length >= 0, length <= rest.count,
                !files.contains(where: { $0.name == head[0] })
            else { throw isCut(files) }
            files.append(File(name: String(head[0]), bytes: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return files
    }

    /// Writes the sums or the archive, with the files in their order.
    package func write(_ files: [File], to output: inout Output) throws(ExchangeFault) {
        switch self {
        case .sums:
            for file in files { try output.write("\(Self.sum(file.bytes))  \(file.name)\n") }
        case .zip:
            var archive = ZipArchive()
            for file in files { try archive.add(file.name, file.bytes, into: &output) }
            try archive.finish(into: &output)
        }
    }

    private static func sum(_ bytes: [UInt8]) -> String {
        Hexadecimal.text(SHA256.hash(data: bytes))
    }

    private static func isCut(_ files: [File]) -> ExchangeFault {
        ExchangeFault(.stream, sent("The stream of files is cut or wrong after \(files.count) of them."))
    }
}
