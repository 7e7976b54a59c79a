package import DoseTapDomain
internal import DoseTapLab
internal import Glibc

/// `dosetap-exchange lab`: reads a request, the regimens and the lab's values of the nights from standard input, and writes one
/// answer on each line of standard output.
public enum LabProgram {
    /// Runs the filter to its end.
    ///
    /// - Returns: the exit code.
    public static func main() -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        for sentence in Confinement.begin() { StandardStreams.complain("dosetap-exchange: \(sentence)\n") }
        do throws(ExchangeFault) {
            let input = LineReader(LineReader.standardInput)
            var output = Output { Output.write($0, to: STDOUT_FILENO) }
            for answer in try answers(input) { try output.write(JSONValue.object(answer.json).serialized() + "\n") }
            try output.flush()
            return 0
        } catch {
            StandardStreams.complain("\(error)\n")
            return error.kind.rawValue
        }
    }

    /// Returns the answers to the request of the first line, from the nights and regimens of all other lines.
    ///
    /// - Throws: ``ExchangeFault`` with the line of the fault.
    package static func answers(_ input: LineReader) throws(ExchangeFault) -> [LabAnswer] {
        var input = input
        guard let first = try input.next() else { throw ExchangeFault(.stream, line: 1, sent("It asks nothing.")) }
        let object = (try? JSONValue.parse(first, limits: NightStream.limits))?.objectValue ?? JSONObject()
        let request: LabRequest
        do throws(PayloadError) { request = try LabRequest(json: object) } catch {
            throw ExchangeFault(.stream, line: 1, sent("The request of the lab cannot be read: \(error)."))
        }
        var nights = LabNights()
        while let bytes = try input.next() {
            let object = try NightStream.object(bytes, line: input.count)
            if object["history"] != nil {
                let regimens = try NightsLine.regimens(object, line: input.count)
                if !regimens.isEmpty { nights.take(history: regimens) }
                continue
            }
            do throws(PayloadError) { nights.take(try LabNight(json: object)) } catch {
                throw ExchangeFault(.stream, line: input.count, "\(error).")
            }
        }
        return Lab.answers(request, nights)
    }
}
