internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// Makes import lines of a file, in a program that can do nothing else. The lines are kept in memory until that program
/// has ended: the service gets them when they are known to be whole.
struct ImportFilter {
    let arguments: [String]
    let context: Context

    /// The most readings of a file that another program writes meanwhile.
    private static let attempts = 3

    /// Reads the file of a path.
    ///
    /// - Returns: a file in memory with the lines.
    /// - Throws: ``Failure`` with the fault of the file.
    func run(on path: String) throws -> UnixFD {
        var input = try ImportInput(path)
        for _ in 1..<Self.attempts {
            let made = Result { try lines(of: input) }
            if input.isUnchanged { return try made.get() }
            input = try ImportInput(path)
        }
        let made = Result { try lines(of: input) }
        guard input.isUnchanged else {
            throw Failure(
                .invalidInput, tr("\(path.prefix(200)) is written while it is read. Close the program that writes it."))
        }
        return try made.get()
    }

    private func lines(of input: ImportInput) throws -> UnixFD {
        let lines: UnixFD
        do throws(SystemFault) { lines = UnixFD(owning: try MemoryFile.make()) } catch {
            throw Failure(
                .internal, tr("There is no memory for the import: \(String(cString: strerror(error.underlying)))."))
        }
        var (total, isTold, last) = (0, false, time(nil))
        let begin = last
        let tells = isatty(STDERR_FILENO) == 1 && !context.quiet
        let words = arguments + (input.log == nil ? [] : ["--wal"])
        let filter = ExchangeFilter(arguments: words, subject: SafeText.line(input.name))
        try filter.run(from: input.file.rawValue, beside: input.log?.rawValue) { bytes in
            total += bytes.count
            guard total <= ImportFile.mostBytes else {
                throw Failure(.invalidInput, tr("The file has more than can be imported at once."))
            }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(lines.rawValue, $0.baseAddress, $0.count) }
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { throw Failure(.internal, tr("There is no memory for the import.")) }
                rest = rest.dropFirst(count)
            }
            let now = time(nil)
            guard tells, now >= begin + 2, now > last else { return }
            (last, isTold) = (now, true)
            let place = lseek(input.file.rawValue, 0, SEEK_CUR)
            Output.ask("\r\(ImportText.progress(Int64(max(0, place)), of: input.bytes))")
        }
        if isTold { Output.ask("\n") }
        lseek(lines.rawValue, 0, SEEK_SET)
        return lines
    }
}
