import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct BackupTests {
    @Test func `R24.2 the real service backs up after the check-in of the morning, and lists it`() async throws {
        let bench = try await ServiceBench.start()
        let now = ServiceBench.now
        try await bench.submit(.logDose(.dose1)) { $0.at = now - .hours(8) }
        try await bench.submit(.logDose(.dose2)) { $0.at = now - .hours(5) }
        try await bench.submit(.logFinalWake) { $0.at = now - .minutes(20) }
        #expect(try await bench.client.backups().isEmpty)
        try await bench.submit(.saveCheckIn(["mood": "great"], night: nil))
        try await bench.awaitRecorded(.sessionClosed)
        let folder = bench.folder.path("backups")
        // The service sends no signal for a backup.
        var found: [Backup] = []
        for _ in 0..<400 where found.isEmpty {
            found = try await bench.client.backups()
            if found.isEmpty { try await Task.sleep(for: .milliseconds(50)) }
        }
        #expect(found.map(\.kind) == [.daily] && found.allSatisfy { $0.isVerified && $0.isOwn })
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".db") }.count == 1)
        let doctor = try await bench.client.doctor()
        #expect(doctor.contains { $0["id"] == "backup" && $0["level"] == "green" }, "\(doctor)")
        try await bench.stop()
    }

    @Test func `R24.1 over the bus a backup goes into a caller's file, and into no other`() async throws {
        let bench = try await ServiceBench.start()
        func refusal(_ file: UnixFD? = nil) async -> ErrorKind? {
            do {
                _ = try await bench.client.backUp(into: file)
                return nil
            } catch { return (error as? ServiceError)?.kind }
        }
        #expect(await refusal() == .nothingToDo)
        try await bench.submit(.logDose(.dose1))
        let path = bench.folder.path("mine.db")
        let file = UnixFD(owning: open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600))
        let backup = try await bench.client.backUp(into: file)
        let log = try await StoredLog.read(path)
        #expect(Int64(log.count) == backup.events && log.contains { $0.event.type == .doseRecorded })
        let reading = UnixFD(owning: open(path, O_RDONLY | O_CLOEXEC))
        let (pipe, _) = try UnixFD.pipe()
        for wrong in [reading, file, pipe] {
            #expect(await refusal(wrong) == .invalidInput)
        }
        let beside = try await bench.client.backUp()
        #expect(beside.kind == .manual && beside.path.hasPrefix(bench.folder.path("backups/manual-")))
        try await bench.stop()
    }
}
