import DoseTapTestSupport
import Foundation
import Testing

@Suite struct ManualTests {
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let pages = ["dosetap.1", "dosetapd.8", "dosetap-config.5", "org.dosetap.DoseTap1.5"]

    private func text(_ page: String) throws -> String {
        try String(contentsOf: Self.root.appending(path: "Config/man/" + page), encoding: .utf8)
    }

    @Test(arguments: pages)
    func `a manual page has no fault`(page: String) throws {
        let outcome = try Command.run(["mandoc", "-T", "lint", Self.root.appending(path: "Config/man/" + page).path])
        // The pages refer to each other, and are not installed here.
        let faults = (outcome.text + outcome.errors).split(separator: "\n").filter { line in
            !Self.pages.contains { name in
                let parts = name.split(separator: ".")
                let title = parts.dropLast().joined(separator: ".")
                return line.contains("referenced manual not found: Xr \(title) \(parts[parts.count - 1])")
            }
        }
        #expect(faults.isEmpty, "\(faults)")
    }

    /// A command in the parser's own description.
    private struct Verb: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                let kind: String
                let name: String
            }
            let names: [Name]?
        }
        let commandName: String
        let arguments: [Argument]?
        let subcommands: [Verb]?
    }

    private struct Description: Decodable { let command: Verb }

    @Test func `every verb has a section, and in it every option`() async throws {
        let page = try text("dosetap.1")
        let dump = try await Tool.run(["--experimental-dump-help"]).out
        let root = try JSONDecoder().decode(Description.self, from: Data(dump.utf8)).command
        var sections: [String: String] = [:]
        for section in page.components(separatedBy: ".Ss ").dropFirst() {
            let name = String(section.prefix { $0 != "\n" })
            sections[name] = section
        }
        let shared = (sections["Options for all verbs"] ?? "") + (sections["Recording options"] ?? "")
        var checked = 0
        func check(_ verb: Verb, _ path: [String]) throws {
            let name = path.joined(separator: " ")
            let section = try #require(sections[name], "no section on \(name)")
            for option in (verb.arguments ?? []).flatMap({ $0.names ?? [] }) where option.kind == "long" {
                checked += 1
                let isThere = (section + shared).contains("It Fl Fl \(option.name)")
                #expect(isThere, "--\(option.name) of \(name) is not described")
            }
            for inner in verb.subcommands ?? [] { try check(inner, path + [inner.commandName]) }
        }
        for verb in root.subcommands ?? [] where verb.commandName != "help" { try check(verb, [verb.commandName]) }
        #expect(checked > 150)
    }

    @Test func `every example is one that the program understands`() async throws {
        let path = Self.root.appending(path: "Config/man/dosetap.1").path
        let printed = try Command.run(["mandoc", "-T", "ascii", "-O", "width=200", path]).text
        let examples = printed.split(separator: "\n").map { $0.drop { $0 == " " } }
            .filter { $0.hasPrefix("$ dosetap") }.map { String($0.dropFirst(2)) }
        #expect(examples.count > 30 && Set(examples).count == examples.count)
        let scratch = try Scratch()
        try Data("start 2026-01-14 22:30\n".utf8).write(to: URL(fileURLWithPath: scratch.path + "/night.txt"))
        try Data("a backup\n".utf8).write(to: URL(fileURLWithPath: scratch.path + "/dosetap-backup.db"))
        let sleeps = "sid,start,stop,rating\n1,1736118000000,1736146800000,4\n"
        try Data(sleeps.utf8).write(to: URL(fileURLWithPath: scratch.path + "/plees-tracker.csv"))
        for example in examples {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: "/bin/sh")
            process.arguments = ["-c", example]
            process.currentDirectoryURL = URL(fileURLWithPath: scratch.path)
            process.environment = Tool.environment(
                home: scratch.path,
                ["PATH": Tool.folder.path + ":/usr/bin:/bin", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent"])
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            process.standardError = try scratch.file("err")
            // The run has no terminal. A line that the parser refuses does not reach a question.
            let code = try await process.outcome()
            let said = try scratch.text("err")
            #expect([0, 6].contains(code) || said.contains("no terminal to ask at"), "\(example): \(code) \(said)")
        }
    }

    @Test func `every member of the contract is described`() throws {
        let contract = try text("org.dosetap.DoseTap1.5")
        let xml = try String(
            contentsOf: Self.root.appending(path: "Config/dbus-1/interfaces/org.dosetap.DoseTap1.xml"), encoding: .utf8)
        let members = xml.matches(of: /<(method|property|signal) name="(\w+)"/).map { String($0.output.2) }
        #expect(members.count > 40)
        for member in members {
            let isThere = ["Ic", "Va", "Em"].contains { contract.contains(".It \($0) \(member)") }
            #expect(isThere, "\(member) is not described")
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a completion script is sound and knows the names of events and questions`(shell: String) async throws {
        let script = try await Tool.run(["--generate-completion-script", shell]).out
        let file = FileManager.default.temporaryDirectory.appending(path: "completion-\(UUID().uuidString)")
        try Data(script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let outcome = try Command.run([shell, "-n", file.path])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for word in ["lights_out", "dose1", "over_limit", "not-recorded", "dosetap show last"] {
            #expect(script.contains(word), "\(word) is not offered")
        }
    }
}
