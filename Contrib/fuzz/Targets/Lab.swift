import DoseTapDomain
import DoseTapExchange

extension FuzzTarget {
    /// A request of the lab and the nights after it. A request reads back as it was written. Each answer can be read
    /// back, and an answer that is not complete has no verdict.
    static let lab = FuzzTarget("lab", longest: 32_768) { bytes in
        if let first = bytes.split(separator: UInt8(ascii: "\n")).first,
            let object = (try? JSONValue.parse(Array(first)))?.objectValue, let request = try? LabRequest(json: object)
        {
            promise((try? LabRequest(json: request.json)) == request, "a request is not read as it was written")
            promise(request.first.map { $0 <= request.today } ?? true, "the nights begin after the present one")
        }
        do throws(ExchangeFault) {
            for answer in try LabProgram.answers(LineReader(bytes)) {
                promise((try? LabAnswer(json: answer.json)) != nil, "an answer that the command does not read")
                promise(answer.isComplete || answer.verdict == nil, "something is told before the nights are complete")
                promise(answer.known >= 0 && answer.family >= 1, "a count below what can be")
            }
        } catch { promise(error.line > 0 && error.kind == .stream, "a fault without a line: \(error)") }
    }
}
