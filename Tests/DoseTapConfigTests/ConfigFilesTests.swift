import DoseTapConfig
import DoseTapDomain
import Foundation
import Testing

@Suite final class ConfigFilesTests {
    private let directory = NSTemporaryDirectory() + "dosetap-config-" + UUID().uuidString
    private var path: String { directory + "/dosetap/config.yaml" }
    private var files: ConfigFiles { ConfigFiles(systemFile: directory + "/etc.yaml", userFile: path) }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    private func write(_ text: String) throws {
        try FileManager.default.createDirectory(atPath: directory + "/dosetap", withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
    }

    private func text() throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func `files that are not there say nothing`() {
        #expect(files.load() == Configuration())
    }

    @Test func `the user's file wins over the system's`() throws {
        try write("snooze:\n  max: 2\n")
        try Data("snooze:\n  max: 1\n  step_minutes: 5\n".utf8).write(to: URL(fileURLWithPath: directory + "/etc.yaml"))
        let settings = files.load().settings
        #expect(settings[ServiceSettings.snoozeMax] == 2 && settings[ServiceSettings.snoozeStepMinutes] == 5)
    }

    @Test func `a directory or pipe in the file's place is told`() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try #require(mkfifo(directory + "/etc.yaml", 0o600) == 0)
        let configuration = files.load()
        #expect(configuration.complaints.map(\.message) == ["is no regular file", "is no regular file"])
        #expect(configuration.settings == SettingValues())
    }

    @Test func `a huge file is told, not read whole`() throws {
        try write(String(repeating: "# 0123456789\n", count: 200_000))
        #expect(files.load().complaints.map(\.message) == ["the file is larger than 256 KiB"])
    }

    @Test(arguments: [
        ("", "snooze.max", "5", "snooze:\n  max: 5\n"),
        ("# mine\n", "snooze.max", "5", "# mine\nsnooze:\n  max: 5\n"),
        ("snooze:\n  max: 3  # few\n", "snooze.max", "5", "snooze:\n  max: 5  # few\n"),
        ("snooze:\n    # how many\n    max: 3", "snooze.max", "5", "snooze:\n    # how many\n    max: 5"),
        (
            "snooze:\n    # step\n    step_minutes: 3\n", "snooze.max", "5",
            "snooze:\n    max: 5\n    # step\n    step_minutes: 3\n"
        ),
        (
            "snooze:\n  # max: 3\nundo:\n  window_seconds: 9\n", "snooze.max", "5",
            "snooze:\n  max: 5\n  # max: 3\nundo:\n  window_seconds: 9\n"
        ),
        (
            "schedule: {wake: \"06:00\", prep: 18:00}\n", "schedule.wake", "07:15",
            "schedule: {wake: 07:15, prep: 18:00}\n"
        ),
        ("schedule:\r\n  wake: '06:00'\r\n", "schedule.wake", "07:15", "schedule:\r\n  wake: 07:15\r\n"),
        ("# a\r\nsnooze:\n  max: 3\n", "snooze.max", "5", "# a\r\nsnooze:\n  max: 5\n"),
        (
            "# a\r\nsnooze:\r\n  max: 3", "time_zone", "Asia/Tokyo",
            "# a\r\nsnooze:\r\n  max: 3\r\ntime_zone: Asia/Tokyo\r\n"
        ),
        ("snooze:\n  max: 99\n", "snooze.max", "5", "snooze:\n  max: 5\n"),
        ("snooze:\n  max:\n", "snooze.max", "5", "snooze:\n  max: 5\n"),
        ("time_zone: Europe/Berlin\n", "time_zone", "", "time_zone: \"\"\n"),
        ("time_zone: \"\" # none\n", "time_zone", "Asia/Tokyo", "time_zone: Asia/Tokyo # none\n"),
        (
            "plugins:\n  # ding\n  bell:\n    enabled: true\n", "plugins.journal.enabled", "no",
            "plugins:\n  journal:\n    enabled: false\n  # ding\n  bell:\n    enabled: true\n"
        ),
        ("plugins:\n  bell:\n", "plugins.bell.enabled", "on", "plugins:\n  bell:\n    enabled: true\n"),
        ("", "plugins.bell.enabled", "on", "plugins:\n  bell:\n    enabled: true\n"),
        ("snooze:\n  max: 5\n", "snooze.max", "5", "snooze:\n  max: 5\n"),
        (
            "sleep_events:\n  custom: hunger # mine\n", "sleep_events.custom", "hunger,Leg Cramps",
            "sleep_events:\n  custom: \"hunger, leg_cramps\" # mine\n"
        ),
    ])
    func `a setting is changed in place and comments stay`(
        before: String, key: String, value: String, after: String
    ) throws {
        if !before.isEmpty { try write(before) }
        try files.set(key, to: value)
        #expect(try text() == after)
        let entry = files.load().entries.first { $0.key == key }
        #expect(entry?.source == .userFile(path))
        #expect(files.load().complaints == [])
    }

    @Test(arguments: [
        ("snooze: {step_minutes: 3}\n", "snooze.max", "5"), ("snooze: {}\n", "snooze.max", "5"),
        ("snooze: [\n", "snooze.max", "5"), ("snooze:\n  mx: 3\n", "snooze.max", "5"),
        ("snooze:\n  max: 3\n", "snooze.max", "11"), ("snooze:\n  max: 3\n", "snooze.maxx", "1"),
        ("snooze:\n  max: 3\n  max: 4\n", "snooze.max", "5"),
        ("schedule:\n  wake: \"06:\\x30\\x30\"\n", "dose.target_minutes", "1"),
        ("sleep_events:\n  custom: [a]\n", "sleep_events.custom", "b"), ("", "sleep_events.custom", "dose1"),
        ("- a\n", "snooze.max", "5"), ("snooze: &a\n  max: 3\n", "snooze.max", "5"),
    ])
    func `what cannot be changed safely is left as it is`(before: String, key: String, value: String) throws {
        try write(before)
        #expect(throws: ConfigComplaint.self) { try files.set(key, to: value) }
        #expect(try text() == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory + "/dosetap") == ["config.yaml"])
    }

    @Test func `the written file is private and new directories too`() throws {
        try files.set("snooze.max", to: "1")
        for (file, mode) in [(path, 0o600), (directory + "/dosetap", 0o700), (directory, 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test func `a link to a file that cannot be seen is told and is not taken for no file`() throws {
        try write("")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory + "/nowhere")
        let complaints = files.load().complaints.map(\.message)
        #expect(
            complaints.count == 1 && complaints[0].hasPrefix("is a link to a file that is not there"), "\(complaints)")
    }

    @Test func `a symbolic link in the file's place is refused`() throws {
        try write("")
        try FileManager.default.moveItem(atPath: path, toPath: directory + "/target")
        try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: directory + "/target")
        #expect { try files.set("snooze.max", to: "1") } throws: {
            ($0 as? ConfigComplaint)?.message.contains("symbolic link") == true
        }
        #expect(try String(contentsOfFile: directory + "/target", encoding: .utf8) == "")
    }
}
