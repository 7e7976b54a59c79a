import DoseTapDomain
@testable import DoseTapStore

extension FuzzTarget {
    /// The head file, as it is and with a check word that fits, because no mutation would find one.
    static let head = FuzzTarget("head", longest: 600) { bytes in
        let line = bytes.text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init) ?? ""
        for text in [bytes.text, "\(line) \(HeadFile.checkWord(line))\n"] {
            guard case .head(let head, let storeID) = HeadFile.parse(text) else { continue }
            promise(
                HeadFile.parse(HeadFile.text(head, storeID: storeID)) == .head(head, storeID: storeID),
                "a head does not read back")
        }
    }

    /// The reserve: the file as it is, and lines that are kept in it.
    static let reserve = FuzzTarget("reserve", longest: 8_192) { bytes in
        _ = Reserve.content(bytes[...])
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { Array($0).text }
        let content = Reserve.Content(
            generation: UInt64(bytes.count), storeID: "store", lastSequence: Int64(bytes.first ?? 0), lines: lines)
        promise(Reserve.content(Reserve.bytes(content)[...]) == content, "a reserve does not read back")
    }
}
