import DoseTapDomain
import DoseTapExchange
import DoseTapImporters

extension FuzzTarget {
    /// Files of other programs. The first byte chooses the source. A wrong file gives a named error, and a right one a
    /// whole stream of lines that the service reads back.
    static let imports = FuzzTarget("imports", longest: 65_536) { bytes in
        guard let first = bytes.first.map(Int.init) else { return }
        let sources = ImportSource.allCases.filter { $0 != .log }
        var written: [UInt8] = []
        let output = Output { part in
            written += part
            return 0
        }
        do throws(ExchangeFault) {
            try ImportRun.write(
                sources[first % sources.count], ForeignFile(bytes.from(1)), zone: first >= 128 ? .utc : nil, to: output)
        } catch {
            promise(!error.message.isEmpty && error.kind != .output, "a fault without a name: \(error)")
            return
        }
        var count = ImportCount()
        for line in written.split(separator: UInt8(ascii: "\n")) {
            guard let object = (try? JSONValue.parse(line))?.objectValue, let read = try? ImportLine(json: object)
            else {
                return promise(false, "a line that the service does not read: \(line.text)")
            }
            switch read {
            case .header: promise(count == ImportCount(), "a second header")
            case .entry, .sleep: count.records += 1
            case .notTaken: count.notTaken += 1
            case .end(let told): promise(told == count, "the end has another count")
            }
            if case .sleep(let sleep) = read, case .stages(let spans) = sleep.course {
                let line = spans.filter { $0.stage != .inBed }
                promise(
                    zip(line, line.dropFirst()).allSatisfy { $0.end <= $1.start }, "stages of a sleep overlap")
            }
        }
    }
}

extension Sequence<UInt8> {
    fileprivate var text: String { String(decoding: Array(self), as: UTF8.self) }
}
