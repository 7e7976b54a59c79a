import DoseTapDomain
import Glibc

/// The source of an import: a pipe, a socket or a plain file that a caller opened. Only the thread of the import waits for it,
/// and a cancellation of the import ends the wait.
final class CallersLines {
    private static let chunk = 1 << 16
    /// Longest wait for a whole import.
    static let longest: Duration = .seconds(600)

    private let descriptor: CInt
    private let timeout: Duration
    private let longest: Duration
    private var waited: Duration = .zero
    private let cancellation: ExportCancellation

    /// - Parameters:
    ///   - timeout: time for which nothing may come.
    ///   - longest: longest wait for all of it.
    /// - Throws: `.unfit` with the reason.
    init(
        _ descriptor: CInt, timeout: Duration, longest: Duration = CallersLines.longest,
        _ cancellation: ExportCancellation
    ) throws(StoreError) {
        var status = stat()
        let flags = fcntl(descriptor, F_GETFL)
        guard flags >= 0, fstat(descriptor, &status) == 0 else { throw Self.wrong("the descriptor is not open") }
        guard flags & SystemCall.pathOnly == 0, [O_RDONLY, O_RDWR].contains(flags & O_ACCMODE) else {
            throw Self.wrong("the descriptor was not opened for reading")
        }
        guard [S_IFREG, S_IFIFO, S_IFSOCK].contains(status.st_mode & S_IFMT) else {
            throw Self.wrong(sent("the descriptor is no file, pipe or socket"))
        }
        self.descriptor = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard self.descriptor >= 0 else { throw SystemCall.failure("fcntl", "an import", errno, context: Self.reading) }
        (self.timeout, self.longest) = (timeout, longest)
        self.cancellation = cancellation
    }

    deinit { close(descriptor) }

    private static let reading = sent("reading the import")

    private static func wrong(_ why: String) -> StoreError { StoreError(code: .unfit, context: why) }

    private static func fault(_ why: String, line: Int, of name: String) -> StoreError {
        wrong(
            name == "log"
                ? sent("line \(line) of the log: \(why); nothing was taken")
                : sent("line \(line) of the import: \(why); nothing was taken"))
    }

    /// Reads the lines of an import.
    ///
    /// - Throws: `.unfit` naming the line; `.stalled` if nothing came for too long; `.interrupted` after a cancellation.
    func file() throws(StoreError) -> ImportFile {
        var file = ImportFile()
        let count = try read("import", mostBytes: ImportFile.mostBytes) { line, number throws(StoreError) in
            do throws(ImportFault) { try file.take(line) } catch {
                throw Self.fault(error.description, line: number, of: "import")
            }
        }
        do throws(ImportFault) { try file.finish() } catch {
            throw Self.fault(error.description, line: count + 1, of: "import")
        }
        return file
    }

    /// Reads line by line, with one line in memory.
    ///
    /// - Parameters:
    ///   - name: name of the input, for an error.
    ///   - take: gets each line without its end, and its number.
    /// - Returns: the number of lines.
    /// - Throws: as ``file()``, and what `take` throws.
    func read(
        _ name: String, mostBytes: Int, _ take: ([UInt8], Int) throws(StoreError) -> Void
    ) throws(StoreError) -> Int {
        var (rest, room, total, line) = ([UInt8](), [UInt8](repeating: 0, count: Self.chunk), 0, 0)
        while true {
            let count = try next(&room)
            if count == 0 { break }
            total += count
            guard total <= mostBytes else {
                throw Self.wrong(sent("the file has more than \(mostBytes >> 20) MiB; nothing was taken"))
            }
            var chunk = room[..<count]
            while let end = chunk.firstIndex(of: UInt8(ascii: "\n")) {
                rest += chunk[..<end]
                line += 1
                guard rest.count <= ImportFile.lineBytes else {
                    throw Self.fault(sent("it is too long"), line: line, of: name)
                }
                try take(rest, line)
                rest.removeAll(keepingCapacity: true)
                chunk = chunk[(end + 1)...]
            }
            rest += chunk
            guard rest.count <= ImportFile.lineBytes else {
                throw Self.fault(sent("it is too long"), line: line + 1, of: name)
            }
        }
        guard rest.isEmpty else { throw Self.fault(sent("it is cut"), line: line + 1, of: name) }
        return line
    }

    /// - Returns: the number of bytes read; 0 at the end.
    private func next(_ room: inout [UInt8]) throws(StoreError) -> Int {
        while true {
            try wait()
            let count = Glibc.read(descriptor, &room, room.count)
            if count < 0, errno == EINTR || errno == EAGAIN { continue }
            guard count >= 0 else { throw SystemCall.failure("read", "an import", errno, context: Self.reading) }
            return count
        }
    }

    private func wait() throws(StoreError) {
        var asked = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: cancellation.waits, events: Int16(POLLIN), revents: 0),
        ]
        while true {
            let (begin, rest) = (ContinuousClock.now, longest - waited)
            guard rest > .zero else {
                throw StoreError(
                    code: .stalled,
                    context: "the import did not come within \(longest.wholeSeconds) seconds, so it was ended")
            }
            let ready = poll(&asked, 2, CInt(clamping: max(1, min(timeout, rest).wholeMilliseconds)))
            let code = errno
            waited += ContinuousClock.now - begin
            if ready < 0, code == EINTR { continue }
            guard ready >= 0 else { throw SystemCall.failure("poll", "an import", code, context: Self.reading) }
            if ready == 0, rest <= timeout { continue }
            guard ready > 0 else {
                throw StoreError(
                    code: .stalled,
                    context: "nothing of the import came for \(timeout.wholeSeconds) seconds, so it was ended")
            }
            guard asked[1].revents == 0 else { throw ImportJob.cancelled }
            return
        }
    }
}
