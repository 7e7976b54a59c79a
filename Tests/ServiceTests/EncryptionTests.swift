import DoseTapContract
import DoseTapDomain
import DoseTapStore
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// Tests of the real service with a real keyring and the real SQLCipher.
@Suite(.serialized, .enabled(if: Cipher.isAvailable, "needs the tests linked with SQLCipher")) struct EncryptionTests {
    private func environment(_ folder: ScratchFolder, _ bus: PrivateBus, key: String = "auto") -> [String: String] {
        [
            "XDG_CONFIG_HOME": folder.path("config"), "XDG_RUNTIME_DIR": folder.path("run"),
            "DBUS_SESSION_BUS_ADDRESS": bus.address, "DOSETAP_ENCRYPTION_KEY": key,
        ]
    }

    /// A service with a night whose window is resolved. A key cannot be changed while a window is open.
    private func night(_ folder: ScratchFolder, _ bus: PrivateBus, key: String = "auto") async throws -> ServiceBench {
        let bench = try await ServiceBench.start(on: bus, in: folder, environment: environment(folder, bus, key: key))
        try await bench.submit(.logDose(.dose1)) {
            $0.at = ServiceBench.now - .minutes(155)
            $0.note = "planted secret"
        }
        try await bench.submit(.skipDose2)
        return bench
    }

    /// True when a file of the store has plain text.
    private func isReadable(_ folder: ScratchFolder) throws -> Bool {
        try FileManager.default.contentsOfDirectory(atPath: folder.path("")).contains { name in
            let data = (try? Data(contentsOf: URL(fileURLWithPath: folder.path(name)))) ?? Data()
            return ["planted secret", "dose_recorded", "SQLite format"].contains {
                data.range(of: Data($0.utf8)) != nil
            }
        }
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs gnome-keyring-daemon"))
    func `R25.8 the key is in the keyring; locked, the record is told so and opens when the keyring does`() async throws
    {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let keyring = try await Keyring(bus: bus.address)
        let first = try await ServiceBench.start(on: bus, in: folder, environment: environment(folder, bus))
        try await first.submit(.logSleepEvent("bathroom")) { $0.note = "planted secret" }
        let preview = try await first.client.changeKey(.encrypt, isDry: true)
        #expect(preview["notes"]?.arrayValue?.count ?? 0 > 5)
        #expect(try isReadable(folder))
        let report = try await first.client.changeKey(.encrypt, isDry: false)
        #expect(report["ok"] == true && report["events"]?.integerValue ?? 0 > 0, "\(report)")
        #expect(try !isReadable(folder))
        #expect(try await first.client.examine(.verify)["ok"] == true)
        #expect(try await first.client.doctor().contains { $0["id"] == "store" && $0["level"] == "green" })
        try await first.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(155) }
        let dose1 = try await first.client.status().dose1
        for change in [KeyChange.rekey, .decrypt] {
            do {
                _ = try await first.client.changeKey(change, isDry: false)
                Issue.record("\(change) in an open window")
            } catch let error as ServiceError { #expect(error.kind == .refused, "\(error)") }
        }

        // The service is killed while the keyring is locked, so the key is in no process.
        try keyring.lock()
        let finding = try await first.client.doctor().first { $0["id"] == "store" }
        let sentence = finding?["sentence"]?.stringValue ?? ""
        #expect(finding?["level"] == "amber" && sentence.contains("after a restart"), "\(sentence)")
        #expect(sentence.contains("keyring is locked"), "\(sentence)")
        let before = try Data(contentsOf: URL(fileURLWithPath: first.store))
        try await first.kill()
        let second = try await ServiceBench.start(on: bus, in: folder, environment: environment(folder, bus))
        do {
            _ = try await second.client.status()
            Issue.record("a locked record answers")
        } catch let error as ServiceError {
            #expect(error.kind == .storeUnavailable && error.details["fault"] == "key_locked")
            #expect(error.message.contains("reminders still come") && error.message.contains("keyring is locked"))
        }
        #expect(await second.refusal(.logDose(.dose2))?.kind == .storeUnavailable)
        #expect(try Data(contentsOf: URL(fileURLWithPath: first.store)) == before)
        let due = try String(contentsOfFile: folder.path("run/dosetap/due"), encoding: .utf8)
        #expect(due.contains("closing_15 ") && !due.contains("secret"), "\(due)")

        #expect(try keyring.unlock())
        try second.daemon.awaitNote("READY=1", count: 2)
        let status = try await second.client.status()
        #expect(status.dose1 == dose1 && status.window.phase == .active)
        #expect(try await second.submit(.logDose(.dose2)).phase == .completed)
        try await second.stop()
        try keyring.stop()
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs gnome-keyring-daemon"), arguments: FalseKeyring.Answer.allCases)
    func `K5 a keyring that answers nonsense, an error or nothing leaves the record locked and holds nothing up`(
        answer: FalseKeyring.Answer
    ) async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let keyring = try await Keyring(bus: bus.address)
        let first = try await night(folder, bus)
        #expect(try await first.client.changeKey(.encrypt, isDry: false)["ok"] == true)
        try await first.stop()
        try keyring.stop()
        let sealed = try Data(contentsOf: URL(fileURLWithPath: first.store))
        let impostor = try FalseKeyring(bus: bus.address, answer)
        let second = try await ServiceBench.start(on: bus, in: folder, environment: environment(folder, bus))
        let began = ContinuousClock.now
        do {
            _ = try await second.client.status()
            Issue.record("\(answer): a locked record answers")
        } catch let error as ServiceError {
            #expect(error.kind == .storeUnavailable && error.details["fault"] == "key_locked", "\(error)")
            #expect(
                error.message.utf8.count < 2_000 && !error.message.contains("\u{1B}"), "\(error.message.prefix(500))")
        }
        #expect(ContinuousClock.now - began < .seconds(10))
        #expect(try Data(contentsOf: URL(fileURLWithPath: first.store)) == sealed)
        try await second.stop()
        try impostor.stop()
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs gnome-keyring-daemon"))
    func `R25.4 rekey and decrypt remove the old key from the keyring`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let keyring = try await Keyring(bus: bus.address)
        let first = try await night(folder, bus)
        _ = try await first.client.changeKey(.encrypt, isDry: false)
        #expect(try keyring.count == 1)
        do {
            _ = try await first.client.changeKey(.encrypt, isDry: false)
            Issue.record("encrypted twice")
        } catch let error as ServiceError {
            #expect(error.kind == .nothingToDo && error.details == ["encrypted": true], "\(error)")
        }
        _ = try await first.client.changeKey(.rekey, isDry: false)
        #expect(try keyring.count == 1)
        try await first.stop()
        let second = try await first.again(environment: environment(folder, bus))
        #expect(try await second.client.status().dose1 != nil)
        _ = try await second.client.changeKey(.decrypt, isDry: false)
        #expect(try keyring.count == 0 && isReadable(folder))
        #expect(try await second.client.examine(.verify)["ok"] == true)
        try await second.stop()
        try keyring.stop()
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs gnome-keyring-daemon"))
    func `R25.10 secret-tool prints the key of the keyring as the guide says, and as a file it opens the record`()
        async throws
    {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let keyring = try await Keyring(bus: bus.address)
        let first = try await ServiceBench.start(on: bus, in: folder, environment: environment(folder, bus))
        try await first.submit(.logSleepEvent("bathroom"))
        _ = try await first.client.changeKey(.encrypt, isDry: false)
        try await first.stop()
        // "dosetap-key-id 1 ID CHECK"
        let line = try String(contentsOfFile: first.store + ".key-id", encoding: .utf8)
        let id = try #require(line.split(separator: " ").dropFirst(2).first)
        let found = try TestProgram.check([
            "env", "DBUS_SESSION_BUS_ADDRESS=\(bus.address)", "secret-tool", "lookup", "xdg:schema",
            "org.dosetap.Key", "key", String(id),
        ])
        #expect(found.text.count == 64 && found.text.allSatisfy(\.isHexDigit), "\(found)")
        try keyring.stop()

        // A computer without the keyring.
        let config = folder.path("config/dosetap")
        try FileManager.default.createDirectory(
            atPath: config, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        #expect(
            FileManager.default.createFile(
                atPath: "\(config)/key-\(id)", contents: Data(found.text.utf8), attributes: [.posixPermissions: 0o600]))
        let second = try await first.again(environment: environment(folder, bus))
        #expect(try await second.client.examine(.verify)["ok"] == true)
        try await second.stop()
    }

    @Test func `R25.10 a backup from before a change of the key is restored with the key that was kept for it`()
        async throws
    {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let bench = try await night(folder, bus, key: "file")
        _ = try await bench.client.changeKey(.encrypt, isDry: false)
        let backup = try await bench.client.backUp()
        let report = try await bench.client.changeKey(.rekey, isDry: false)
        #expect(report["notes"]?.arrayValue?.contains { $0.stringValue?.contains("is kept") == true } == true)
        let file = UnixFD(owning: open(backup.path, O_RDONLY | O_CLOEXEC))
        let restored = try await bench.client.restore(from: file, confirmed: [.restore])
        #expect(restored.isSameRecord && restored.backup.events == backup.events)
        #expect(try await bench.client.examine(.verify)["ok"] == true)
        #expect(try !isReadable(folder))
        try await bench.stop()
        let again = try await bench.again(environment: environment(folder, bus, key: "file"))
        #expect(try await again.client.status().dose1 != nil)
        try await again.stop()
    }

    @Test func `R25.9 without a keyring nothing is encrypted unless a key file is asked for`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let first = try await night(folder, bus)
        do {
            _ = try await first.client.changeKey(.encrypt, isDry: false)
            Issue.record("encrypted without a place for the key")
        } catch let error as ServiceError { #expect(error.details["fault"] == "key_unkept", "\(error)") }
        #expect(try await first.client.examine(.verify)["ok"] == true)
        try await first.stop()

        let second = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        _ = try await second.client.changeKey(.encrypt, isDry: false)
        #expect(try !isReadable(folder))
        try await second.stop()
        let config = folder.path("config/dosetap")
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: config).first { $0.hasPrefix("key-") })
        let file = "\(config)/\(name)"
        let content = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect(content.count == 65)

        // The service makes a key file private before it reads it.
        chmod(file, 0o644)
        let closed = try await second.again(environment: environment(folder, bus, key: "file"))
        #expect(try await closed.client.status().dose1 != nil)
        try await closed.stop()
        #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

        // A key of a wrong length, another key, a link or no file: the service names the fault and writes nothing.
        let sealed = try Data(contentsOf: URL(fileURLWithPath: second.store))
        let theirs = folder.path("theirs")
        try content.write(to: URL(fileURLWithPath: theirs))
        let obstacles = Dictionary(uniqueKeysWithValues: Obstacle.all(withHardLink: true).map { ("\($0)", $0) })
        for fault in ["length", "other", "missing"] + obstacles.keys.sorted() {
            try? FileManager.default.removeItem(atPath: file)
            switch fault {
            case "length": try content.dropLast(9).write(to: URL(fileURLWithPath: file))
            case "other": try Data(String(repeating: "ab", count: 32).utf8).write(to: URL(fileURLWithPath: file))
            default: obstacles[fault]?.put(at: file, theirs: theirs)
            }
            if fault == "length" || fault == "other" { chmod(file, 0o600) }
            // The service waits, as for a locked keyring.
            let third = try await ServiceBench.start(
                on: bus, in: folder, environment: environment(folder, bus, key: "file"))
            do {
                _ = try await third.client.status()
                Issue.record("\(fault): it answers")
            } catch let error as ServiceError {
                let word = fault == "other" || fault == "missing" ? "key_locked" : "key_wrong"
                #expect(error.details["fault"]?.stringValue == word, "\(fault): \(error)")
            }
            try await third.stop()
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: second.store)) == sealed)
        try? FileManager.default.removeItem(atPath: file)
        try content.write(to: URL(fileURLWithPath: file))
        chmod(file, 0o600)
        // A credential that is no key does not hide the file.
        try FileManager.default.createDirectory(atPath: folder.path("credentials"), withIntermediateDirectories: true)
        try Data("short".utf8).write(to: URL(fileURLWithPath: folder.path("credentials/dosetap.key")))
        var both = environment(folder, bus)
        both["CREDENTIALS_DIRECTORY"] = folder.path("credentials")
        let last = try await ServiceBench.start(on: bus, in: folder, environment: both)
        #expect(try await last.client.status().dose1 != nil)
        try await last.stop()
        let said = try Journal.entries(matching: ["_PID": "\(last.daemon.processID)"]).flatMap {
            $0.fields.values.joined()
        }
        .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        #expect(said.contains("DoseTap is ready"))
        #expect(!said.contains(String(decoding: content.prefix(64), as: UTF8.self)))
    }

    private func wipe(_ bench: ServiceBench, backups: Bool = false, dryRun: Bool = false) async throws -> WipeReport {
        var options = WipeOptions()
        (options.confirmations, options.includesBackups, options.dryRun) = (
            [.wipe, .windowUnresolved], backups, dryRun
        )
        return try WipeReport(json: try await bench.client.call(Contract.Data.wipe, options.variants).object)
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs gnome-keyring-daemon"))
    func `R26.11 a removal takes the key from the keyring, unless an encrypted backup stays`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let keyring = try await Keyring(bus: bus.address)
        let first = try await night(folder, bus)
        _ = try await first.client.changeKey(.encrypt, isDry: false)
        _ = try await first.client.backUp()
        #expect(try keyring.count == 1)
        let kept = try await wipe(first)
        #expect(kept.isFinished && kept.isKeyKept && !kept.isKeyRemoved && !kept.isKeyLeft, "\(kept)")
        #expect(try keyring.count == 1, "the backup needs it")
        _ = try first.daemon.awaitExit()
        await first.leave()

        let second = try await night(folder, bus)
        _ = try await second.client.changeKey(.encrypt, isDry: false)
        #expect(try keyring.count == 2)
        let report = try await wipe(second, backups: true)
        #expect(report.isFinished && report.isKeyRemoved && !report.isKeyLeft, "\(report)")
        _ = try second.daemon.awaitExit()
        await second.leave()
        #expect(try keyring.count == 1, "that of the record is gone; the other one was kept for a backup")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.contains(".db") }
                == ["dosetap.db.lease"])
        try keyring.stop()
    }

    @Test(.enabled(if: Keyring.isInstalled, "needs gnome-keyring-daemon"))
    func `R26.11 a removal that ended before its key was gone is finished, also when the keyring was locked`()
        async throws
    {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let keyring = try await Keyring(bus: bus.address)
        let first = try await night(folder, bus)
        _ = try await first.client.changeKey(.encrypt, isDry: false)
        let store = first.store
        try await first.stop()
        // The files are as a process leaves them that is killed after the last file and before the key.
        #expect(try StoreWipe(path: store, spareFolder: nil).run(surface: "test", includingBackups: false).isFinished)
        #expect(access(store, F_OK) != 0 && access(store + ".forget", F_OK) == 0)
        #expect(try keyring.count == 1)
        try keyring.lock()
        let second = try await ServiceBench.start(on: bus, in: folder, environment: environment(folder, bus))
        #expect(try await second.client.status().dose1 == nil)
        // An entry now begins a new record.
        try await second.submit(.logSleepEvent("bathroom"))
        #expect(try keyring.unlock())
        try await awaitGone(store + ".forget")
        #expect(try keyring.count == 0)
        #expect(try await second.client.examine(.verify)["ok"] == true)
        try await second.stop()
        try keyring.stop()
    }

    @Test func `R26.11 the key of a copy that was put back stays for a single command, too`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let bench = try await night(folder, bus, key: "file")
        _ = try await bench.client.changeKey(.encrypt, isDry: false)
        let store = bench.store
        try await bench.stop()
        let copy = folder.path("config/my-own.db")
        try FileManager.default.copyItem(atPath: store, toPath: copy)
        #expect(try StoreWipe(path: store, spareFolder: nil).run(surface: "test", includingBackups: false).isFinished)
        #expect(try ObsoleteKeys.unneeded(besides: store).count == 1)
        // Only the database is put back, so no other file names its key.
        try FileManager.default.moveItem(atPath: copy, toPath: store)
        var ends: [Int32] = [-1, -1]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        _ = fcntl(ends[0], F_SETFD, FD_CLOEXEC)
        let daemon = try DaemonProcess(
            arguments: ["--store", store], environment: environment(folder, bus, key: "file"), peer: ends[1])
        let loop = try EventLoop.spawn(name: "peer")
        let connection = try await Connection.open(.peer(fd: ends[0], server: false), on: loop)
        #expect(try await Client(connection).status().dose1 != nil)
        await connection.close()
        loop.stop()
        #expect(try daemon.awaitExit() == 0)
        let again = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        #expect(try await again.client.status().dose1 != nil, "the key is still in its file")
        try await again.stop()
    }

    @Test(arguments: [true, false])
    func `R26.11 a credential stays, and without a keyring no key counts as left`(isAtHand: Bool) async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        try FileManager.default.createDirectory(atPath: folder.path("credentials"), withIntermediateDirectories: true)
        let credential = folder.path("credentials/dosetap.key")
        try Data(String(repeating: "5a", count: 32).utf8).write(to: URL(fileURLWithPath: credential))
        var environment = environment(folder, bus)
        environment["CREDENTIALS_DIRECTORY"] = folder.path("credentials")
        var bench = try await ServiceBench.start(on: bus, in: folder, environment: environment)
        try await bench.submit(.logSleepEvent("bathroom"))
        _ = try await bench.client.changeKey(.encrypt, isDry: false)
        if !isAtHand {
            try await bench.stop()
            environment["CREDENTIALS_DIRECTORY"] = nil
            bench = try await ServiceBench.start(on: bus, in: folder, environment: environment)
        }
        let report = try await wipe(bench)
        #expect(report.isFinished && report.isKeyRemoved && !report.isKeyLeft, "\(report)")
        _ = try bench.daemon.awaitExit()
        await bench.leave()
        #expect(access(credential, F_OK) == 0)
        // The service found the key nowhere, so a keyring that starts later is still asked for it.
        #expect((access(bench.store + ".forget", F_OK) != 0) == isAtHand)
    }

    private func awaitGone(_ path: String) async throws {
        let limit = ContinuousClock.now + .seconds(20)
        while access(path, F_OK) == 0 {
            guard ContinuousClock.now < limit else { throw CocoaError(.fileWriteFileExists) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test func `R26.6 R26.11 a record whose key is lost is removed with what is kept for its reminders`() async throws {
        let (bus, folder, _, _) = try await locked()
        let screen = try await ScriptedNotificationServer.start(on: bus.address)
        let due = folder.path("run/dosetap/due")
        try "dosetap-due 1\nwindow_open 1\nalarm 9000000000000000\n".write(
            toFile: due, atomically: true, encoding: .utf8)
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        try await screen.heard.wait { heard in
            heard.contains {
                if case .shown(let shown) = $0 { shown.summary.hasPrefix("The window opens.") } else { false }
            }
        }
        let report = try await wipe(bench)
        #expect(report.isFinished && report.isKeyRemoved && !report.isKeyLeft, "\(report)")
        _ = try await screen.awaitClosed(1)
        #expect(access(due, F_OK) != 0)
        #expect(try bench.daemon.awaitExit() == 0)
        await bench.leave()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path("")).filter { $0.contains(".db") }
                == ["dosetap.db.lease"])
        let again = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        #expect(try await again.client.status().dose1 == nil)
        try await again.stop()
    }

    @Test func `R25.8 a plan that could not be kept for a locked record is kept with the next change`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        try await bench.submit(.logSleepEvent("bathroom"))
        _ = try await bench.client.changeKey(.encrypt, isDry: false)
        let due = folder.path("run/dosetap/due")
        // The service can neither replace nor remove the folder.
        try FileManager.default.createDirectory(atPath: due + "/in-the-way", withIntermediateDirectories: true)
        try await bench.submit(.logDose(.dose1)) { $0.at = ServiceBench.now - .minutes(155) }
        _ = try await bench.client.status()
        #expect(access(due + "/in-the-way", F_OK) == 0)
        try FileManager.default.removeItem(atPath: due)
        try await bench.submit(.logSleepEvent("water"))
        try await bench.stop()
        let kept = try String(contentsOfFile: due, encoding: .utf8)
        #expect(kept.hasPrefix("dosetap-due 1\n") && kept.contains("alarm "), "\(kept)")
    }

    @Test(arguments: ["The record is locked.", "Alarm."])
    func `R26.6 a record is removed while a screen takes its time, and nothing of it stays there`(
        summary: String
    ) async throws {
        let (bus, folder, _, _) = try await locked()
        let gate = Gate()
        let screen = try await ScriptedNotificationServer.start(on: bus.address, .hangs(gate, on: summary))
        let due = folder.path("run/dosetap/due")
        try "dosetap-due 1\nalarm 1\nwindow_closed 9000000000000000\n".write(
            toFile: due, atomically: true, encoding: .utf8)
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        try await screen.heard.wait { $0.contains { $0.notification?.summary.hasPrefix(summary) ?? false } }
        #expect(try await wipe(bench).isFinished)
        gate.open()
        #expect(try await screen.awaitClosed(1).last == 1)
        #expect(try bench.daemon.awaitExit() == 0)
        #expect(access(due, F_OK) != 0)
        await bench.leave()
    }

    /// A locked record whose key was taken away: the bus, the folder, the path of the key file and its content.
    private func locked() async throws -> (PrivateBus, ScratchFolder, String, Data) {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let bench = try await night(folder, bus, key: "file")
        _ = try await bench.client.changeKey(.encrypt, isDry: false)
        try await bench.stop()
        let config = folder.path("config/dosetap")
        let name = try #require(
            FileManager.default.contentsOfDirectory(atPath: config).first { $0.hasPrefix("key-") })
        let file = "\(config)/\(name)"
        let content = try Data(contentsOf: URL(fileURLWithPath: file))
        try FileManager.default.removeItem(atPath: file)
        return (bus, folder, file, content)
    }

    @Test func `R25.8 without its key file a record says which one, and opens soon after a call once it is back`()
        async throws
    {
        let (bus, folder, file, content) = try await locked()
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        func refusal() async throws -> String? {
            do {
                _ = try await bench.client.status()
                return nil
            } catch let error as ServiceError { return error.message }
        }
        let told = try await refusal() ?? ""
        #expect(told.contains("The key file \(file) is not there") && !told.contains("keyring"), "\(told)")
        try content.write(to: URL(fileURLWithPath: file))
        chmod(file, 0o600)
        // The service looks for the key each minute, and at once when it is called.
        // After an earlier call found the key, the name may be between two owners. Each call gets an answer.
        do { _ = try await refusal() } catch let error as BusError {
            #expect(error.name == BusError.Name.serviceUnknown, "\(error)")
        }
        try bench.daemon.awaitNote("READY=1", count: 2)
        #expect(try await bench.client.status().dose1 != nil)
        try await bench.stop()
    }

    @Test func `R25.8 of a locked record the planned reminders come, and without any it is said that none will`()
        async throws
    {
        let (bus, folder, _, _) = try await locked()
        let screen = try await ScriptedNotificationServer.start(on: bus.address)
        var boot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &boot)
        let due = Int64(boot.tv_sec + 2) * 1_000_000
        let past = due - 600_000_000
        try "dosetap-due 1\nwindow_open \(past)\nalarm \(due)\nwindow_closed 9000000000000000\n".write(
            toFile: folder.path("run/dosetap/due"), atomically: true, encoding: .utf8)
        let environment = environment(folder, bus, key: "file")
        let bench = try await ServiceBench.start(on: bus, in: folder, environment: environment)
        try await screen.heard.wait { heard in
            let shown = heard.compactMap { if case .shown(let shown) = $0 { shown.summary } else { nil } }
            return shown.contains { $0.contains("Tonight's reminders still come") }
                && shown.contains { $0.hasPrefix("The window opens.") } && shown.contains { $0.hasPrefix("Alarm.") }
        }
        try await bench.stop()

        // A reboot removes the files of the runtime directory.
        try? FileManager.default.removeItem(atPath: folder.path("run/dosetap/due"))
        let later = try await ServiceBench.start(on: bus, in: folder, environment: environment)
        try await screen.heard.wait { heard in
            heard.contains {
                if case .shown(let shown) = $0 { shown.summary.contains("no reminders will come") } else { false }
            }
        }
        do {
            _ = try await later.client.status()
            Issue.record("it answers")
        } catch let error as ServiceError {
            #expect(error.message.hasPrefix("The record is locked, no reminders will come."))
        }
        try await later.stop()
        let said = try Journal.entries(matching: ["_PID": "\(later.daemon.processID)"]).flatMap {
            $0.fields.values.joined()
        }
        .map { String(decoding: $0, as: UTF8.self) }.joined(separator: "\n")
        #expect(said.contains("no reminders will come"))
    }

    @Test(arguments: [true, false])
    func `R25.8 what a locked record has to say waits for a screen, and nothing takes the place of its alarm`(
        isAlarmMissed: Bool
    ) async throws {
        let (bus, folder, _, _) = try await locked()
        var boot = timespec()
        clock_gettime(CLOCK_BOOTTIME, &boot)
        let alarm = Int64(boot.tv_sec + (isAlarmMissed ? -60 : 3_600)) * 1_000_000
        let file = folder.path("run/dosetap/due")
        try "dosetap-due 1\nalarm \(alarm)\n".write(toFile: file, atomically: true, encoding: .utf8)
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        await #expect(throws: ServiceError.self) { _ = try await bench.client.status() }
        let screen = try await ScriptedNotificationServer.start(on: bus.address)
        let statement = "The record is locked. Tonight's reminders still come"
        try await screen.heard.wait { heard in
            heard.contains {
                guard case .shown(let shown) = $0, shown.hints["urgency"] == .byte(2) else { return false }
                guard isAlarmMissed else { return shown.summary.hasPrefix(statement) }
                return shown.summary.hasPrefix("Alarm.") && shown.hints["sound-name"] == .string("alarm-clock-elapsed")
            }
        }
        try await bench.stop()
        // A screen that appears between the two gets the alarm alone, which says that the record is locked.
        let summaries = screen.heard.elements.compactMap {
            if case .shown(let shown) = $0 { shown.summary } else { nil }
        }
        #expect(Set(summaries).count == summaries.count, "each is shown once")
        #expect(summaries.last?.hasPrefix(isAlarmMissed ? "Alarm." : statement) ?? false, "\(summaries)")
    }

    @Test func `R25.9 an encryption that is refused in an open window makes no key`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: environment(folder, bus, key: "file"))
        try await bench.submit(.logDose(.dose1))
        await #expect(throws: ServiceError.self) { try await bench.client.changeKey(.encrypt, isDry: false) }
        let names = FileManager.default.enumerator(atPath: folder.path(""))?.compactMap { $0 as? String } ?? []
        #expect(!names.contains { $0.contains("/key-") || $0.hasPrefix("key-") }, "\(names)")
        try await bench.stop()
    }

    @Test func `R25.9 the setting holds for the next key at once, and a key is found wherever it is`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        var environment = environment(folder, bus)
        environment["DOSETAP_ENCRYPTION_KEY"] = nil
        let first = try await ServiceBench.start(on: bus, in: folder, environment: environment)
        try await first.submit(.logSleepEvent("bathroom"))
        await #expect(throws: ServiceError.self) { try await first.client.changeKey(.encrypt, isDry: false) }
        _ = try await first.client.set("encryption.key", to: "file")
        _ = try await first.client.changeKey(.encrypt, isDry: false)
        #expect(try !isReadable(folder))
        _ = try await first.client.set("encryption.key", to: "keyring")
        try await first.stop()
        let second = try await first.again(environment: environment)
        _ = try await second.client.status()
        #expect(try await second.client.doctor().contains { $0["id"] == "store" && $0["level"] == "green" })
        try await second.stop()
    }

    @Test func `R25.9 a credential of the service manager is a key`() async throws {
        let (bus, folder) = (try PrivateBus(), try ScratchFolder())
        try FileManager.default.createDirectory(atPath: folder.path("credentials"), withIntermediateDirectories: true)
        try Data(String(repeating: "5a", count: 32).utf8).write(
            to: URL(fileURLWithPath: folder.path("credentials/dosetap.key")))
        var environment = environment(folder, bus)
        environment["CREDENTIALS_DIRECTORY"] = folder.path("credentials")
        let first = try await ServiceBench.start(on: bus, in: folder, environment: environment)
        try await first.submit(.logSleepEvent("bathroom"))
        _ = try await first.client.changeKey(.encrypt, isDry: false)
        #expect(try !isReadable(folder))
        // Only the person can change the content of a credential.
        await #expect(throws: ServiceError.self) { try await first.client.changeKey(.rekey, isDry: false) }
        try await first.submit(.logDose(.dose1))
        try await first.stop()
        let second = try await first.again(environment: environment)
        #expect(try await second.client.status().dose1 != nil)
        try await second.stop()
        environment["CREDENTIALS_DIRECTORY"] = nil
        let third = try await first.again(environment: environment)
        await #expect(throws: ServiceError.self) { _ = try await third.client.status() }
        try await third.stop()
    }
}

@Suite(.enabled(if: !Cipher.isAvailable, "needs the tests linked with plain SQLite")) struct NoCipherServiceTests {
    /// A service whose record is encrypted, and the bytes of the record.
    ///
    /// - Parameter due: the reminders that an earlier process has planned.
    private func locked(on bus: PrivateBus, due: [String]) async throws -> (ServiceBench, content: Data) {
        let folder = try ScratchFolder()
        let content = Data("DoseTap1".utf8) + Data(repeating: 9, count: 8_184)
        _ = FileManager.default.createFile(
            atPath: folder.path("dosetap.db"), contents: content, attributes: [.posixPermissions: 0o600])
        let run = folder.path("run/dosetap")
        try FileManager.default.createDirectory(
            atPath: run, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        try (["dosetap-due 1"] + due).map { $0 + "\n" }.joined().write(
            toFile: run + "/due", atomically: true, encoding: .utf8)
        let bench = try await ServiceBench.start(
            on: bus, in: folder, environment: ["XDG_RUNTIME_DIR": folder.path("run")])
        return (bench, content)
    }

    @Test func `R25.8 without SQLCipher an encrypted record waits, too, and its reminders come`() async throws {
        let bus = try PrivateBus()
        let screen = try await ScriptedNotificationServer.start(on: bus.address)
        // The check-in, due at the same time, does not replace the alarm.
        let (bench, content) = try await locked(
            on: bus, due: ["alarm 1", "check_in 2", "alarm_repeat 9000000000000000"])
        do {
            _ = try await bench.client.status()
            Issue.record("it answers")
        } catch let error as ServiceError {
            #expect(error.details["fault"] == "no_cipher" && error.message.contains("without encryption"), "\(error)")
        }
        try await screen.heard.wait { heard in
            heard.contains { if case .shown(let shown) = $0 { shown.summary.hasPrefix("Alarm.") } else { false } }
        }
        try await bench.stop()
        #expect(try Data(contentsOf: URL(fileURLWithPath: bench.store)) == content)
        let shown = screen.heard.elements.compactMap { if case .shown(let shown) = $0 { shown.summary } else { nil } }
        #expect(!shown.contains { $0.lowercased().contains("check-in") }, "\(shown)")
    }

    @Test func `R26.4 a locked record whose dose 2 is open is not deleted before both questions are answered`()
        async throws
    {
        let (bench, content) = try await locked(on: PrivateBus(), due: ["window_closed 9000000000000000"])
        var options = WipeOptions()
        options.confirmations = [.wipe]
        do {
            _ = try await bench.client.call(Contract.Data.wipe, options.variants)
            Issue.record("it is deleted")
        } catch let error as ServiceError { #expect(error.confirmations == [.windowUnresolved], "\(error)") }
        #expect(try Data(contentsOf: URL(fileURLWithPath: bench.store)) == content)
        options.confirmations.append(.windowUnresolved)
        let report = try WipeReport(json: try await bench.client.call(Contract.Data.wipe, options.variants).object)
        #expect(report.isFinished && report.isWindowOpen, "\(report)")
        #expect(!FileManager.default.fileExists(atPath: bench.store))
        _ = try bench.daemon.awaitExit()
        await bench.leave()
    }

    @Test(arguments: [1, 25]) func `R26.4 after a reboot dose 2 of a locked record may be open for a day`(hours: Int)
        async throws
    {
        let (bench, _) = try await locked(on: PrivateBus(), due: [])
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -3_600 * Double(hours))], ofItemAtPath: bench.store)
        var options = WipeOptions()
        options.confirmations = [.wipe]
        do {
            let report = try WipeReport(json: try await bench.client.call(Contract.Data.wipe, options.variants).object)
            #expect(hours > 24 && report.isFinished && !report.isWindowUnknown, "\(report)")
        } catch let error as ServiceError {
            #expect(hours < 24 && error.confirmations == [.windowUnresolved], "\(error)")
            options.confirmations.append(.windowUnresolved)
            let report = try WipeReport(json: try await bench.client.call(Contract.Data.wipe, options.variants).object)
            #expect(report.isFinished && report.isWindowUnknown && !report.isWindowOpen, "\(report)")
        }
        _ = try bench.daemon.awaitExit()
        await bench.leave()
    }

    @Test func `R25.7 without SQLCipher the service says that it cannot encrypt, and changes nothing`() async throws {
        let bench = try await ServiceBench.start()
        try await bench.submit(.logDose(.dose1))
        for change in KeyChange.allCases {
            do {
                _ = try await bench.client.changeKey(change, isDry: false)
                Issue.record("\(change)")
            } catch let error as ServiceError { #expect(error.details["fault"] == "no_cipher", "\(error)") }
        }
        #expect(try await bench.client.examine(.verify)["ok"] == true)
        try await bench.stop()
    }
}
