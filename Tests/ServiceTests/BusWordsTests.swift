import DoseTapContract
import DoseTapDomain
import DoseTapSystem
import DoseTapTestSupport
import Foundation
import Testing

/// The D-Bus contract carries codes, facts and sentences. Shell commands belong to the command line alone.
@Suite struct BusWordsTests {
    private static func texts(_ value: JSONValue) -> [String] {
        if let text = value.stringValue { return [text] }
        if let object = value.objectValue { return object.flatMap { texts($0.value) } }
        return value.arrayValue?.flatMap(texts) ?? []
    }

    /// The texts of an answer that have a command or an option of a shell.
    private static func commands(_ value: JSONValue) -> [String] {
        texts(value).filter { text in
            [
                "dosetap ", "dosetapd ", "systemctl ", "loginctl ", "journalctl ", "timedatectl ", "busctl ",
                "sqlite3 ",
                "chmod ", " --", "'--",
            ].contains { text.contains($0) }
        }.filter { $0 != "dosetapd \(Release.name) answers" }
    }

    @Test func `no status, receipt, warning or finding on the bus names a command`() async throws {
        let config = try ScratchFolder()
        let file = config.url.appending(path: "dosetap/config.yaml")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let bench = try await ServiceBench.start(
            environment: ["XDG_CONFIG_HOME": config.path(""), "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere"])
        var codes: Set<NextStep.Code> = []
        var warnings: Set<Warning.Code> = []
        func look(_ receipt: Receipt? = nil) async throws {
            let status = try await bench.client.status()
            codes.formUnion([status.next?.code].compactMap(\.self))
            warnings.formUnion(status.warnings.map(\.code))
            #expect(Self.commands(.object(status.json)) == [])
            if let receipt { #expect(Self.commands(.object(receipt.json)) == []) }
            for row in try await bench.client.doctor() { #expect(Self.commands(.object(row)) == []) }
        }
        try await look()
        _ = try await bench.client.setPlugin("alarm", enabled: false)
        try await look(try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(30) })
        try await look(try await bench.submit(.undo))
        try await look(try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) })
        _ = try await bench.client.setPlugin("notifications", enabled: false)
        try Data("dose: [\n".utf8).write(to: file)
        await #expect(throws: ServiceError.self) { try await bench.client.reload() }
        try await look(try await bench.submit(.logDose(.dose2)))
        try await look(try await bench.submit(.logFinalWake))
        #expect(codes == [.logDose1, .follow, .status, .logDose2, .wake, .checkIn])
        #expect(warnings == [.noChannel, .settings])
        #expect(Self.commands(.object(try await bench.client.examine(.verify))) == [])
        #expect(try await bench.stop() == 0)
    }
}
