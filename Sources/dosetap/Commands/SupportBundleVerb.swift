internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText
internal import Glibc
internal import SDBus

/// `support-bundle`: the facts for somebody who helps, without anything personal.
struct SupportBundleVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "support-bundle", abstract: "Print or write what somebody who helps needs, nothing personal.",
        discussion: """
            The bundle has versions, settings, the checks of doctor, the plugins, counts
            and sizes of the log, and the kinds of entries in the journal. It has no
            notes, names, amounts, ids, paths or times of day. Settings whose value may
            be personal are listed without it.

            It is printed. With -o it is also written to a new file: at a terminal it is
            shown first and then asked about.

            Example: dosetap support-bundle -o bundle.json
            """)

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write it to this new file, which only you can read.", valueName: "file"),
        completion: .file())
    var output: String?
    @Flag(name: .customLong("yes"), help: "With -o: write it without showing it first.") var yes = false
    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        if let output {
            guard !output.isEmpty else { throw Failure.usage(tr("-o needs the path of a new file.")) }
            guard yes || context.canAsk else {
                throw Failure(
                    .requiresConfirmation,
                    tr(
                        "Nothing was written: the bundle is shown before it is written. dosetap support-bundle shows it."
                    ),
                    hint: context.line.again(adding: ["--yes"]))
            }
        }
        let bundle = SupportBundle(context).made()
        let text = JSONValue.object(bundle).serialized(pretty: true)
        guard let output else {
            Output.print(context.json ? JSONValue.object(bundle).serialized() : text)
            return
        }
        if !yes {
            Output.print(text)
            Output.ask(SupportText.question(output))
            guard let answer = readLine(), YesOrNo.isYes(answer) == true else {
                Output.complain(SupportText.notWritten)
                throw ExitCode(Failure.Code.failed)
            }
        }
        let bytes = Array((text + "\n").utf8)
        do throws(SystemFault) { try NewFile.write(bytes, to: output) } catch {
            let told = SupportText.unwritten(
                output, error.underlying == EEXIST, String(cString: strerror(error.underlying)))
            throw Failure(.invalidInput, told, hint: "dosetap support-bundle -o OTHER-FILE")
        }
        if context.json {
            Output.print(
                JSONValue.object(["written": .string(output), "bytes": .integer(Int64(bytes.count))]).serialized())
        } else {
            Output.print(SupportText.written(output))
        }
    }
}

/// The facts that the command knows, with those of the service if one answers.
private struct SupportBundle {
    /// The most bytes of the service's part.
    private static let most = 8 << 20

    let context: Context

    init(_ context: Context) { self.context = context }

    func made() -> JSONObject {
        var bundle: JSONObject = [
            "bundle": 1, "made_on": .string(String(context.now.iso8601.prefix(10))),
            "command": .string(Release.name), "machine": Self.machine,
        ]
        do {
            for entry in try asked() { bundle[entry.key] = entry.value }
        } catch {
            bundle["service"] = ["unanswered": .string(error.kind)]
            bundle["doctor"] = .array(
                ServiceLink.reach(context).findings.map {
                    ["id": .string($0.id), "level": .string($0.level.rawValue)]
                })
            bundle["files"] = files
        }
        if case .bus(let address) = ServiceLink.Route(context), let unit = ServiceUnit.ask(address) {
            bundle["unit"] = [
                "state": .string(Self.word(unit.state)), "result": .string(Self.word(unit.result)),
                "restarts": .integer(Int64(unit.restarts)),
            ]
        }
        bundle["journal"] = JournalShape.read()
        return bundle
    }

    /// The service's part.
    private func asked() throws(Failure) -> JSONObject {
        try ServiceLink.run(context) { client in
            let file = UnixFD(owning: try MemoryFile.make())
            _ = try await SlowReplyNotice.wait(for: client, context) {
                try await client.call(Contract.Data.supportBundle, (file, [:]))
            }
            guard let bytes = MemoryFile.read(file.rawValue, limit: Self.most),
                let said = try? JSONValue.parse(String(decoding: bytes, as: UTF8.self)), let object = said.objectValue
            else { throw Failure(.internal, tr("The service wrote no bundle.")) }
            return object
        }
    }

    /// The system by names and numbers. The end of a kernel's release may be personal, so it is cut to its numbers.
    private static var machine: JSONValue {
        var names = utsname()
        var machine = JSONObject()
        guard uname(&names) == 0 else { return .object(machine) }
        machine["kernel"] = .string(String(text(&names.release).prefix { $0.isNumber || $0 == "." }))
        machine["processor"] = .string(word(text(&names.machine)))
        let release = (try? PrivateFile.read("/etc/os-release", limit: 65_536)) ?? nil
        for line in String(decoding: release ?? [], as: UTF8.self).split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            guard parts.count == 2, ["ID", "VERSION_ID"].contains(parts[0]) else { continue }
            machine[parts[0] == "ID" ? "system" : "system_version"] = .string(
                word(String(parts[1].filter { $0 != "\"" })))
        }
        return .object(machine)
    }

    private static func text<Tuple>(_ tuple: inout Tuple) -> String {
        withUnsafeBytes(of: &tuple) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// Returns a short word of letters, digits, `-`, `.` and `_` as it is; else `other`.
    private static func word(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || [0x2D, 0x2E, 0x5F].contains(byte)
        }
        return isPlain && text.utf8.count <= 24 ? text : "other"
    }

    /// Sizes and permissions of the store's files, for a bundle without the service.
    private var files: JSONValue {
        let home = Settings.value("HOME").map { $0 + "/.local/share" }
        guard let path = context.store ?? (Settings.value("XDG_DATA_HOME") ?? home).map({ $0 + "/dosetap/dosetap.db" })
        else { return [] }
        return .array(
            ["", "-wal", ".head", ".night", ".reserve", ".lease", ".beside", ".wipe", ".switch"].compactMap { suffix in
                var status = stat()
                guard lstat(path + suffix, &status) == 0 else { return nil }
                return [
                    "file": .string("dosetap.db" + suffix), "bytes": .integer(Int64(status.st_size)),
                    "mode": .string(String(status.st_mode & 0o7777, radix: 8)),
                    "is_plain": .bool(status.st_mode & S_IFMT == S_IFREG),
                ]
            })
    }
}

/// The service's entries in the journal, by their ids and words of the contract: no sentence, and no time of day.
private enum JournalShape {
    /// The most entries that are read.
    private static let most = 1_000
    private static let mostBytes = 8 << 20

    static func read() -> JSONValue {
        // No word of the command comes from outside.
        let command =
            "timeout 10 journalctl --no-pager -q -o json -n \(most) _UID=\(getuid()) SYSLOG_IDENTIFIER=dosetapd "
            + "2>/dev/null"
        guard let stream = popen(command, "r") else { return ["read": false] }
        var bytes: [UInt8] = []
        var room = [UInt8](repeating: 0, count: 65_536)
        while bytes.count < mostBytes {
            let count = fread(&room, 1, room.count, stream)
            guard count > 0 else { break }
            bytes += room[..<count]
        }
        let isRead = pclose(stream) == 0
        var last: Int64?
        let entries = bytes.split(separator: UInt8(ascii: "\n")).compactMap { line -> JSONValue? in
            guard let entry = try? JSONValue.parse(String(decoding: line, as: UTF8.self)) else { return nil }
            let time = entry["__REALTIME_TIMESTAMP"]?.stringValue.flatMap { Int64($0) }
            defer { last = time ?? last }
            return shape(entry, after: time.flatMap { time in last.map { time - $0 } })
        }
        return ["read": .bool(isRead), "entries": .array(entries)]
    }

    private static func shape(_ entry: JSONValue, after wait: Int64?) -> JSONValue? {
        guard let id = entry["MESSAGE_ID"]?.stringValue, id.utf8.count == 32, id.allSatisfy(\.isHexDigit) else {
            return nil
        }
        var shape: JSONObject = ["message_id": .string(id), "after": .string(roughly(wait))]
        if let priority = entry["PRIORITY"]?.stringValue.flatMap(Int64.init) { shape["priority"] = .integer(priority) }
        for (field, words) in fields {
            guard let text = entry[field]?.stringValue else { continue }
            // A word outside the contract may be anything.
            shape[field.dropFirst(8).lowercased()] = .string(words.contains(text) ? text : "(not shown)")
        }
        for field in numbers {
            guard let number = entry[field]?.stringValue.flatMap(Int64.init) else { continue }
            shape[field.dropFirst(8).lowercased()] = .integer(number)
        }
        return .object(shape)
    }

    /// Returns the time since the entry before, as a class: sums of exact times would be times of day.
    private static func roughly(_ microseconds: Int64?) -> String {
        switch microseconds {
        case nil: "first"
        case let wait? where wait < 1_000_000: "a second"
        case let wait? where wait < 60_000_000: "a minute"
        case let wait? where wait < 3_600_000_000: "an hour"
        case let wait? where wait < 86_400_000_000: "a day"
        default: "longer"
        }
    }

    private static func words<Word: CaseIterable & RawRepresentable>(_: Word.Type) -> [String]
    where Word.RawValue == String { Word.allCases.map(\.rawValue) }

    /// Fields that hold a word of the contract.
    private static let fields: [(name: String, words: Set<String>)] = [
        ("DOSETAP_EVENT", Set(words(EventType.self) + ["phase_changed", "confirmation_needed", "command_refused"])),
        (
            "DOSETAP_REASON",
            Set(
                words(BlockReason.self) + words(StoreError.Code.self) + words(ReminderDrop.self)
                    + ErrorKind.allCases.map(\.word) + ["told to"])
        ),
        ("DOSETAP_REMINDER", Set(words(ReminderID.self))), ("DOSETAP_PHASE", Set(words(Phase.self))),
        ("DOSETAP_PHASE_BEFORE", Set(words(Phase.self))), ("DOSETAP_SURFACE", Set(words(Surface.self))),
        ("DOSETAP_TERMINAL_STATE", Set(words(TerminalState.self))),
        ("DOSETAP_PLUGIN", ["journal", "notifications", "awake", "alarm", "hooks"]),
        ("DOSETAP_CHANNEL", ["journal", "notification", "sound", "speech", "hook", "partner"]),
        ("DOSETAP_RUNG", ["sound", "speech", "hook", "partner"]),
        ("DOSETAP_VERSION", [Release.name]),
    ]

    private static let numbers = [
        "DOSETAP_LATE_MS", "DOSETAP_EXPECTED_SEQ", "DOSETAP_FOUND_SEQ", "DOSETAP_DIFFERENCE_SECONDS",
    ]
}
