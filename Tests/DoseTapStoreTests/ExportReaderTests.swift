import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapStore

/// Readers that stall, readers that go away, and descriptors without a reader.
@Suite struct ExportReaderTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A store whose log fills any pipe.
    private func store(_ nights: inout Nights) async throws -> Store {
        let store = try scratch.open()
        for _ in 0..<40 { try await store.commit(all: try nights.night()) }
        return store
    }

    private func run(
        _ store: Store, _ content: ExportContent, _ descriptor: Int32, timeout: Duration = .seconds(60)
    ) async throws -> ExportReport {
        try #require(
            try await store.export(ExportRequest(content), into: descriptor, timeout: timeout) { _ in nil })
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [-1, -1]
        try #require(Foundation.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }

    /// Reads to the end, away from the test's own thread.
    private static func drain(_ descriptor: Int32) -> Task<Data, any Error> {
        Task.detached {
            try await withCheckedThrowingContinuation { continuation in
                Thread {
                    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
                    continuation.resume(with: Result { try handle.readToEnd() ?? Data() })
                }.start()
            }
        }
    }

    @Test func `R27.2 a reader that takes nothing ends the export by name`() async throws {
        var nights = Nights()
        let store = try await store(&nights)
        let (read, write) = try Self.pipe()
        let error = await #expect(throws: StoreError.self) {
            try await run(store, .log, write, timeout: .milliseconds(50))
        }
        #expect(error?.code == .stalled)
        // The export leaves the flags of the caller's descriptor as they were.
        #expect(fcntl(write, F_GETFL) & O_NONBLOCK == 0)
        for end in [read, write] { close(end) }
        try await store.close()
    }

    @Test(arguments: [true, false])
    func `K6 R27.2 a reader that goes away ends the export without a signal`(isSocket: Bool) async throws {
        var nights = Nights()
        let store = try await store(&nights)
        var ends: [Int32] = [-1, -1]
        if isSocket {
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        } else {
            let made = try Self.pipe()
            ends = [made.read, made.write]
        }
        let (read, write) = (ends[0], ends[1])
        let export = Task { try await run(store, .log, write) }
        var first = [UInt8](repeating: 0, count: 10)
        #expect(Foundation.read(read, &first, first.count) == 10)
        close(read)
        #expect(try await export.value.isComplete == false)
        // This export has no reader from its start on.
        #expect(try await run(store, .table("dose_events"), write).isComplete == false)
        close(write)
        try await store.close()
    }

    @Test(arguments: [true, false])
    func `R27.1 a pipe and a socket get the bytes that a file gets`(isSocket: Bool) async throws {
        var nights = Nights()
        let store = try await store(&nights)
        let file = open(scratch.folder + "/log", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        _ = try await run(store, .log, file)
        close(file)
        var ends: [Int32] = [-1, -1]
        if isSocket {
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        } else {
            let made = try Self.pipe()
            ends = [made.read, made.write]
        }
        let reading = Self.drain(ends[0])
        let report = try await run(store, .log, ends[1])
        close(ends[1])
        let bytes = [UInt8](try await reading.value)
        close(ends[0])
        #expect(report.isComplete && bytes.count == Int(report.bytes))
        #expect(bytes == (try scratch.bytes("log")))
        try await store.close()
    }

    @Test func `R27.2 a cancelled export ends although its reader waits`() async throws {
        var nights = Nights()
        let store = try await store(&nights)
        let (read, write) = try Self.pipe()
        let export = Task { try await run(store, .log, write, timeout: .seconds(3_600)) }
        var first = [UInt8](repeating: 0, count: 10)
        #expect(Foundation.read(read, &first, first.count) == 10)
        export.cancel()
        let error = await #expect(throws: StoreError.self) { try await export.value }
        #expect(error?.code == .interrupted)
        for end in [read, write] { close(end) }
        try await store.close()
    }

    @Test func `R27.1 R27.4 R27.9 doses are logged meanwhile: the log is that of its head, a table says that it moved`()
        async throws
    {
        var nights = Nights()
        let store = try await store(&nights)
        let before = try await store.head
        for content in [ExportContent.log, .table("dose_events"), .nights] {
            let (read, write) = try Self.pipe()
            // The pipe holds one page, so the export waits in its middle.
            _ = fcntl(write, Self.setPipeSize, 4_096)
            let head = try await store.head
            let export = Task(priority: .utility) { try await run(store, content, write) }
            var first = [UInt8](repeating: 0, count: 1)
            #expect(Foundation.read(read, &first, 1) == 1)
            _ = try await store.commit(try nights.act(.logDose(.dose1)))
            nights.pass(.seconds(20))
            _ = try await store.commit(try nights.act(.undo))
            nights.pass(.minutes(30))
            let reading = Self.drain(read)
            let report = try await export.value
            close(write)
            let rest = try await reading.value
            close(read)
            #expect(Int64(rest.count + 1) == report.bytes)
            #expect(report.sequence == head.sequence && report.hash == head.hash)
            #expect(report.isMoved == (content != .log), "\(content)")
            if content == .log {
                #expect(report.rows == before.sequence)
                let end = String(decoding: rest, as: UTF8.self).split(separator: "\n").last ?? ""
                #expect(end.hasPrefix("{\"events\":\(before.sequence),"))
            }
        }
        try await store.close()
    }

    @Test func `R27.9 tables that are rebuilt meanwhile are told as moved, though nothing was recorded`() async throws {
        var nights = Nights()
        let store = try await store(&nights)
        let (read, write) = try Self.pipe()
        _ = fcntl(write, Self.setPipeSize, 4_096)
        let export = Task(priority: .utility) { try await run(store, .nights, write) }
        var first = [UInt8](repeating: 0, count: 1)
        #expect(Foundation.read(read, &first, 1) == 1)
        _ = try await store.rebuild()
        let reading = Self.drain(read)
        let report = try? await export.value
        // A page that is read after the change would have other rows. The export then ends with an error that says so.
        #expect(report == nil || report?.isMoved == true)
        close(write)
        _ = try await reading.value
        close(read)
        try await store.close()
    }

    /// F_SETPIPE_SZ of fcntl(2).
    private static let setPipeSize: Int32 = 1_031

    @Test func `K6 R27.2 a descriptor that cannot be written is refused by name, and a full target told`() async throws
    {
        var nights = Nights()
        let store = try await store(&nights)
        let (read, write) = try Self.pipe()
        let pathOnly: Int32 = 0o10_000_000
        let wrong = [
            open(scratch.path, O_RDWR | O_CLOEXEC), open(scratch.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC), read,
            open(scratch.folder, pathOnly | O_CLOEXEC), -1, open("/dev/null", O_RDONLY | O_CLOEXEC),
        ]
        for descriptor in wrong {
            let error = await #expect(throws: StoreError.self) { try await run(store, .log, descriptor) }
            #expect(error?.code == .unfit)
        }
        #expect(try await store.verify().findings.isEmpty)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        let error = await #expect(throws: StoreError.self) { try await run(store, .table("dose_events"), full) }
        #expect(error?.code == .noSpace)
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        #expect(try await run(store, .log, null).isComplete)
        for descriptor in wrong + [full, null, write] where descriptor >= 0 { close(descriptor) }
        try await store.close()
    }

    @Test(.enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher"))
    func `R27.1 an encrypted record is exported as it was before`() async throws {
        var nights = Nights()
        let store = try await store(&nights)
        func bytes(_ name: String) async throws -> [UInt8] {
            let file = open(scratch.folder + "/" + name, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
            defer { close(file) }
            _ = try await run(store, .log, file)
            return try scratch.bytes(name)
        }
        let plain = try await bytes("plain")
        try await store.changeKey(to: try StoreKey.random())
        #expect(try await bytes("encrypted") == plain)
        try await store.close()
    }
}
