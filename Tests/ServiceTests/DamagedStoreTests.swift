import DoseTapContract
import DoseTapDomain
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

@Suite(.serialized) struct DamagedStoreTests {
    enum Damage: CaseIterable { case firstPage, laterPages, everything }

    private func spoil(_ path: String, _ damage: Damage) throws -> Data {
        var data = try Data(contentsOf: URL(fileURLWithPath: path))
        let range =
            switch damage {
            case .firstPage: 0..<4_096
            case .laterPages: 4_096..<data.count
            case .everything: 0..<data.count
            }
        data.replaceSubrange(range, with: Data(repeating: 0xA7, count: range.count))
        try data.write(to: URL(fileURLWithPath: path))
        chmod(path, 0o600)
        return data
    }

    @Test(
        arguments: Obstacle.all(),
        ["run/dosetap/due", "run/dosetap/notifications.json", "config/dosetap/packet-signers"])
    func `G6 what lies in the place of a small file of the service holds nothing up and is not followed`(
        obstacle: Obstacle, name: String
    ) async throws {
        let folder = try ScratchFolder()
        for part in ["run/dosetap", "config/dosetap"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(part), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        chmod(folder.path("run"), 0o700)
        let (theirs, path) = (folder.path("theirs"), folder.path(name))
        try Data("theirs".utf8).write(to: URL(fileURLWithPath: theirs))
        obstacle.put(at: path, theirs: theirs)
        let bus = try PrivateBus()
        let screen = try await ScriptedNotificationServer.start(on: bus.address)
        let bench = try await ServiceBench.start(
            on: bus, in: folder,
            environment: [
                "XDG_RUNTIME_DIR": folder.path("run"), "XDG_CONFIG_HOME": folder.path("config"),
                "DBUS_SESSION_BUS_ADDRESS": bus.address, "DOSETAP_ENCRYPTION_KEY": "file",
            ])
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(155) }
        // The notification of the open window is on the screen.
        _ = try await screen.awaitShown(1)
        #expect(try await bench.client.status().window.phase == .active)
        if name.hasSuffix("packet-signers") {
            _ = try? await bench.client.call(Contract.Data.packetSigner, VariantEntries())
        }
        #expect(try await bench.submit(.logDose(.dose2)).phase == .completed)
        #expect(try await bench.stop() == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: theirs)) == Data("theirs".utf8))
    }

    /// Waits until a status has a warning with the words.
    private func awaitWarning(_ words: String, _ bench: ServiceBench) async throws -> String {
        let limit = ContinuousClock.now + .seconds(20)
        while true {
            if let found = try await bench.client.status().warnings.first(where: { $0.message.contains(words) }) {
                return found.message
            }
            try #require(ContinuousClock.now < limit, "no warning: \(words)")
            try await Task.sleep(for: .milliseconds(50))
        }
    }

    @Test(arguments: [false, true])
    func `R21.18 the repair of a log in use whose chain is broken is made ready by itself`(isOld: Bool) async throws {
        let first = try await ServiceBench.start(environment: ["DOSETAP_BACKUP_ENABLED": "false"])
        try await first.submit(.takeMedication("modafinil")) { $0.at = ServiceBench.now - .hours(72) }
        if isOld {
            // The changed entry is older than the entries that are checked when the record is opened.
            for turn in 1...80 {
                try await first.submit(.takeMedication("modafinil")) {
                    ($0.at, $0.confirmations) = (ServiceBench.now - .minutes(2_000 + 20 * turn), [.duplicate])
                }
            }
        }
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(280) }
        try await first.submit(.logDose(.dose2)) { $0.at = ServiceBench.now - .minutes(110) }
        try await first.stop()
        let sql = "UPDATE events SET payload = payload || ' ' WHERE seq = 1"
        #expect(try Command.run(["sqlite3", first.store, sql]).status == 0)
        let second = try await first.again()
        #expect(try await second.client.status().dose2 != nil)
        if isOld {
            // The service makes no backup of a damaged record after the morning.
            try await second.submit(.logFinalWake)
            try await second.submit(.saveCheckIn(["mood": "good"], night: nil))
        }
        _ = try await awaitWarning("of the damaged record", second)
        #expect(try await second.client.backups().isEmpty)
        try await second.submit(.logSleepEvent("water"))
        let report = try await second.client.examine(.repair(replaces: true))
        let listed = report["repairs"]?.arrayValue?.compactMap(\.stringValue).first { $0.contains(".report") }
        let list = try #require(listed?.trimmingPrefix("what cannot be read is listed in "))
        let lines = try String(contentsOfFile: String(list), encoding: .utf8).split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("event 1, ") }, "\(lines)")
        #expect(try await second.client.examine(.verify)["ok"] == true)
        try await second.stop()
    }

    @Test func `R21.9 an unreadable list of a replacement does not keep the night from going on`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        try await first.stop()
        try Data("torn".utf8).write(to: URL(fileURLWithPath: first.store + ".switch"))
        let second = try await first.again()
        let status = try await second.client.status()
        #expect(status.dose1 != nil && status.window.phase == .active)
        #expect(try await second.submit(.logDose(.dose2)).phase == .completed)
        try await second.stop()
    }

    @Test(arguments: Damage.allCases)
    func `R21.9 with a damaged store the night goes on, is recorded beside it, and all is left as it is`(
        damage: Damage
    ) async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        try await first.stop()
        let spoiled = try spoil(first.store, damage)

        let second = try await first.again()
        let status = try await second.client.status()
        #expect(status.dose1 != nil && status.window.phase == .active)
        #expect(status.warnings.contains { $0.message.contains("is damaged") }, "\(status.warnings)")
        let dose2 = try await second.submit(.logDose(.dose2))
        #expect(dose2.phase == .completed)
        #expect(try await second.client.examine(.verify)["ok"] == false)
        #expect(try await second.client.examine(.check)["ok"] == false)
        #expect(try await second.client.doctor().contains { $0["id"] == "store" && $0["level"] == "red" })
        try await second.stop()

        let third = try await first.again()
        let later = try await third.client.status()
        #expect(later.dose2 == dose2.timestamp && later.window.phase == .completed)
        #expect(later.warnings.contains { $0.message.contains("1 so far") }, "\(later.warnings)")
        try await third.stop()
        #expect(try Data(contentsOf: URL(fileURLWithPath: first.store)) == spoiled)
    }

    @Test(arguments: Damage.allCases)
    func `R21.16 with the fresh log damaged, too, the night goes on in a further one`(damage: Damage) async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        try await first.stop()
        let spoiled = try spoil(first.store, damage)
        let second = try await first.again()
        try await second.submit(.logSleepEvent("bathroom"))
        try await second.stop()
        let alsoSpoiled = try spoil(first.store + ".beside", damage)

        let third = try await first.again()
        let status = try await third.client.status()
        #expect(status.dose1 != nil && status.window.phase == .active && status.nextReminder != nil)
        let told = try #require(status.warnings.first { $0.code == .store })
        #expect(told.message.contains("are damaged") && told.message.contains("1 so far"), "\(status.warnings)")
        let dose2 = try await third.submit(.logDose(.dose2))
        #expect(dose2.phase == .completed)
        #expect(try await third.client.examine(.verify)["ok"] == false)
        #expect(try await third.client.doctor().contains { $0["id"] == "store" && $0["level"] == "red" })
        try await third.stop()

        let fourth = try await first.again()
        let later = try await fourth.client.status()
        #expect(later.dose2 == dose2.timestamp && later.window.phase == .completed)
        #expect(later.warnings.contains { $0.message.contains("2 so far") }, "\(later.warnings)")
        try await fourth.stop()
        let log = try await StoredLog.read(first.store + ".beside-2")
        #expect(log.count { $0.event.type == .sleepEventRecorded } == 1)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first.store)) == spoiled)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first.store + ".beside")) == alsoSpoiled)
    }

    @Test func `R21.9 pages overwritten under the running service lose no dose`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        let size = try Data(contentsOf: URL(fileURLWithPath: first.store)).count
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: first.store))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA7, count: max(0, size - 4_096)))
        try handle.close()
        let dose2 = try await first.submit(.logDose(.dose2))
        try await first.stop()
        let second = try await first.again()
        #expect(try await second.client.status().dose2 == dose2.timestamp)
        try await second.stop()
    }

    @Test func `R21.10 tables that were dropped are rebuilt at the start`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(20) }
        try await first.stop()
        let sql = "DROP TABLE plugin_cursors; DROP TABLE dose_events; DROP TABLE current_session;"
        #expect(try Command.run(["sqlite3", first.store, sql]).status == 0)
        let second = try await first.again()
        let warnings = try await second.client.status().warnings
        #expect(
            warnings.contains { $0.message.contains("rebuilt") && $0.message.contains("dose_events") }, "\(warnings)")
        try await second.submit(.skipDose2)
        #expect(try await second.client.examine(.check)["ok"] == true)
        try await second.stop()
        let third = try await first.again()
        #expect(try await third.client.status().warnings.filter { $0.code == .finding }.isEmpty)
        try await third.stop()
    }

    @Test func `R21.11 a trigger that takes a dose away does not make it vanish`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        try await first.stop()
        let sql = "CREATE TRIGGER sly AFTER INSERT ON dose_events BEGIN DELETE FROM events WHERE id = NEW.id; END;"
        #expect(try Command.run(["sqlite3", first.store, sql]).status == 0)
        let second = try await first.again()
        let dose2 = try await second.submit(.logDose(.dose2))
        #expect(try await second.client.status().warnings.contains { $0.message.contains("is damaged") })
        try await second.stop()
        let third = try await first.again()
        #expect(try await third.client.status().dose2 == dose2.timestamp)
        try await third.stop()
    }

    @Test func `R21.14 rows that were changed by hand are rebuilt after the start, told and recorded`() async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(200) }
        let dose2 = try await first.submit(.logDose(.dose2)) { $0.at = ServiceBench.now - .minutes(20) }
        try await first.stop()
        let sql = "UPDATE dose_events SET timestamp = '2020-01-01T00:00:00.000Z'; DELETE FROM sleep_sessions"
        #expect(try Command.run(["sqlite3", first.store, sql]).status == 0)
        let second = try await first.again()
        try await second.awaitRecorded(.storeRestored)
        let warnings = try await second.client.status().warnings
        #expect(warnings.contains { $0.message.contains("dose_events, sleep_sessions") }, "\(warnings)")
        #expect(try await second.client.examine(.check)["ok"] == true)
        #expect(try await second.client.status().dose2 == dose2.timestamp)
        try await second.stop()
        let third = try await first.again()
        #expect(try await third.client.status().warnings.filter { $0.code == .finding }.isEmpty)
        try await third.stop()
    }

    @Test func `R21.13 a trigger costs no alarm of a night under way`() async throws {
        let sql = "CREATE TRIGGER sly AFTER INSERT ON events BEGIN SELECT 1; END"
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(170) }
        try await first.stop()
        #expect(try Command.run(["sqlite3", first.store, sql]).status == 0)
        let second = try await first.again()
        let status = try await second.client.status()
        #expect(status.window.phase == .active && status.warnings.contains { $0.message.contains("is damaged") })
        try await second.stop()
        #expect(
            try await StoredLog.read(first.store + ".beside").contains { stored in
                if case .storeRestored(let restored) = stored.event.payload {
                    restored.finding.contains("'sly'")
                } else {
                    false
                }
            })
    }

    @Test(arguments: Damage.allCases)
    func `R21.18 a damaged record is repaired by the person's word, never in an open window, and reminders go on`(
        damage: Damage
    ) async throws {
        let first = try await ServiceBench.start()
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(200) }
        let nothing = await #expect(throws: (any Error).self) {
            try await first.client.examine(.repair(replaces: false))
        }
        #expect("\(String(describing: nothing))".contains("nothing to repair"))
        try await first.stop()
        _ = try spoil(first.store, damage)

        let second = try await first.again()
        let looked = try await second.client.examine(.repair(replaces: false))
        #expect(looked["ok"] == true && "\(looked)".contains("none is missing"), "\(looked)")
        let refused = await #expect(throws: (any Error).self) {
            try await second.client.examine(.repair(replaces: true))
        }
        #expect("\(String(describing: refused))".contains("Dose 2 is still open"))
        #expect(try await second.client.status().warnings.contains { $0.message.contains("is damaged") })
        let dose2 = try await second.submit(.logDose(.dose2))
        let done = try await second.client.examine(.repair(replaces: true))
        #expect("\(done)".contains("is kept at"), "\(done)")
        let status = try await second.client.status()
        #expect(status.dose1 != nil && status.dose2 == dose2.timestamp && status.window.phase == .completed)
        #expect(!status.warnings.contains { $0.message.contains("damaged") }, "\(status.warnings)")
        #expect(try await second.client.examine(.verify)["ok"] == true)
        #expect(try await second.client.examine(.check)["ok"] == true)
        let wake = try await second.submit(.logFinalWake)
        try await second.stop()

        let third = try await first.again()
        #expect(try await third.client.status().warnings.isEmpty)
        try await third.stop()
        let log = try await StoredLog.read(first.store)
        #expect(log.contains { $0.event.id == wake.eventID })
        #expect(log.count { $0.event.type == .storeRestored } >= 1)
        let kept = try FileManager.default.contentsOfDirectory(
            atPath: URL(fileURLWithPath: first.store).deletingLastPathComponent().path)
        #expect(
            kept.contains { $0.contains(".damaged-") } && !kept.contains { $0.hasSuffix("dosetap.db.beside") },
            "\(kept)")
    }

    /// - Parameter isNoticed: the service has seen the damage before the restore, as its daily comparison does.
    @Test(arguments: [false, true])
    func `R24.10 R24.12 a record that is damaged in use is restored, with tonight's doses`(
        isNoticed: Bool
    ) async throws {
        let bench = try await ServiceBench.start()
        for hours in [130, 106, 82] {
            try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .hours(hours) }
        }
        let backup = try await bench.client.backUp()
        let dose1 = try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(200) }
        let dose2 = try await bench.submit(.logDose(.dose2))
        // A new start leaves nothing of the file in SQLite's memory after the check.
        try await bench.stop()
        let again = try await bench.again()
        let sound = try await again.client.examine(.check)
        #expect(sound["ok"] == true, "\(sound)")
        let size = try Data(contentsOf: URL(fileURLWithPath: bench.store)).count
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: bench.store))
        try handle.seek(toOffset: 4_096)
        try handle.write(contentsOf: Data(repeating: 0xA7, count: size - 4_096))
        try handle.close()
        if isNoticed {
            let found = try? await again.client.examine(.check)
            #expect(found?["ok"] != true, "\(String(describing: found))")
        }
        let file = UnixFD(owning: open(backup.path, O_RDONLY | O_CLOEXEC))
        let report = try await again.client.restore(from: file, confirmed: [.restore, .windowUnresolved])
        #expect(report.replaced != nil, "\(report)")
        let status = try await again.client.status()
        #expect(status.dose1 == dose1.timestamp && status.dose2 == dose2.timestamp, "\(status)")
        for member in [Client.Examination.verify, .check] {
            let found = try await again.client.examine(member)
            #expect(found["ok"] == true, "\(found)")
        }
        try await again.stop()
    }
}
