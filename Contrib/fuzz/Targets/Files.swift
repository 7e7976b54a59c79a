import DoseTapExchange

extension FuzzTarget {
    /// A stream of whole files. No more is read than came, no name comes twice, and each file gets a checksum.
    static let files = FuzzTarget("files", longest: 8_192) { bytes in
        var rest = bytes[...]
        let files: [FileStream.File]
        do throws(ExchangeFault) {
            files = try FileStream.files { room in
                let part = rest.prefix(min(room.count, 700))
                rest = rest.dropFirst(part.count)
                room.copyBytes(from: part)
                return part.count
            }
        } catch { return promise(error.kind == .stream && !error.message.isEmpty, "a fault without a name: \(error)") }
        promise(Set(files.map(\.name)).count == files.count, "two files of one name")
        // The head of a file has at least four bytes: a name, a blank, a length and the end of the line.
        promise(files.reduce(0) { $0 + 4 + $1.bytes.count } <= bytes.count, "more was read than came")
        for kind in [FileStream.sums, .zip] {
            var written: [UInt8] = []
            var output = Output { part in
                written += part
                return 0
            }
            do throws(ExchangeFault) {
                try kind.write(files, to: &output)
                try output.flush()
            } catch {
                return promise(error.kind != .output && !error.message.isEmpty, "a fault of a sink that takes all")
            }
            guard kind == .sums else { return promise(written.count > 21, "an archive without an end") }
            promise(written.count { $0 == UInt8(ascii: "\n") } >= files.count, "a file without its sum")
        }
    }
}
