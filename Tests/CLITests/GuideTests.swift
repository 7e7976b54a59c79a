import DoseTapTestSupport
import Foundation
import Testing

/// The guide for people does what it says, with a real service on a real bus.
@Suite struct GuideTests {
    enum Step: Sendable {
        /// A line after the prompt, the exit codes that it may have, and the lines shown below it.
        case command(String, codes: [Int32], shown: [String])
        case python(String)
        /// The later steps run on another machine, which has the files of the first machine's folder.
        case newMachine
    }

    struct Section: Sendable, CustomTestStringConvertible {
        let title: String
        var steps: [Step] = []
        /// Commands of blocks that are not run here.
        var elsewhere: [String] = []

        var testDescription: String { title }
    }

    static let sections = sections(of: "Contrib/guide.md")

    /// - Parameter document: The path in the repository of a text with Markdown's headings and fences.
    static func sections(of document: String) -> [Section] {
        let path = ManualTests.root.appending(path: document)
        var sections: [Section] = []
        var block: String?
        var python = ""
        for line in ((try? String(contentsOf: path, encoding: .utf8)) ?? "").components(separatedBy: "\n") {
            if block == nil, line.hasPrefix("## ") { sections.append(Section(title: String(line.dropFirst(3)))) }
            guard var section = sections.popLast() else { continue }
            defer { sections.append(section) }
            if line.hasPrefix("```") {
                if block == "python" { section.steps.append(.python(python)) }
                (block, python) = (block == nil ? String(line.dropFirst(3)) : nil, "")
            } else if line == "<!-- test: new machine -->" {
                section.steps.append(.newMachine)
            } else if line.hasPrefix("<!-- test: ") {
                section.steps.append(.command(String(line.dropFirst(11).dropLast(4)), codes: [0], shown: []))
            } else if block == "console" {
                if line.hasPrefix("$ ") {
                    section.steps.append(command(line.dropFirst(2)))
                } else if case .command(let command, let codes, let shown)? = section.steps.popLast() {
                    section.steps.append(.command(command, codes: codes, shown: shown + [line]))
                }
            } else if block == "python" {
                python += line + "\n"
            } else if block != nil {
                section.elsewhere.append(line)
            }
        }
        return sections
    }

    /// A line with `# exit 0 or 2` behind it names its exit codes.
    private static func command(_ line: Substring) -> Step {
        guard let comment = line.range(of: "# exit ") else { return .command(String(line), codes: [0], shown: []) }
        let codes = line[comment.upperBound...].split { !$0.isNumber }.compactMap { Int32($0) }
        return .command(String(line[..<comment.lowerBound]), codes: codes, shown: [])
    }

    /// A bus with the service, a home of its own, and the folder where the commands are run.
    final class Machine {
        private let bus: PrivateBus
        private let daemon: DaemonProcess
        private let home: Scratch
        private let folder: Scratch
        private let environment: [String: String]
        private let screen: ScriptedNotificationServer?

        /// - Parameter hasScreen: True for a notification server that starts before the service.
        init(_ folder: Scratch, hasScreen: Bool = false) async throws {
            bus = try PrivateBus()
            screen = hasScreen ? try await .start(on: bus.address) : nil
            home = try Scratch()
            self.folder = folder
            // The zone is one where it is night, so a dose belongs to the open night.
            environment = Tool.environment(
                home: home.path,
                [
                    "PATH": Tool.folder.path + ":/usr/bin:/bin", "TZ": HourZone.night,
                    "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": home.path,
                    "XDG_CONFIG_HOME": home.path + "/.config", "XDG_DATA_HOME": home.path + "/.local/share",
                    "XDG_STATE_HOME": home.path + "/.local/state",
                ])
            daemon = try DaemonProcess(arguments: [], environment: environment)
            try daemon.awaitReady()
        }

        func run(_ words: [String]) async throws -> (code: Int32, said: String) {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: words[0])
            process.arguments = Array(words.dropFirst())
            process.environment = environment
            process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
            process.standardInput = FileHandle.nullDevice
            let said = try home.file("said")
            process.standardOutput = said
            process.standardError = said
            let code = try await process.outcome()
            try said.close()
            return (code, try home.text("said"))
        }
    }

    /// Digits and padding differ from night to night.
    static func shape(_ text: some StringProtocol) -> String {
        String(text).replacing(/[0-9]+/, with: "0").trimmingCharacters(in: .whitespaces)
    }

    @Test(arguments: sections)
    func `what a section says can be done`(section: Section) async throws {
        let folder = try Scratch()
        var machine = try await Machine(folder)
        for step in section.steps {
            switch step {
            case .newMachine: machine = try await Machine(folder)
            case .command(let command, let codes, let shown):
                let (code, said) = try await machine.run(["/bin/sh", "-c", command])
                #expect(codes.contains(code), "\(command): \(code) \(said)")
                for line in shown {
                    #expect(Self.shape(said).contains(Self.shape(line)), "\(command) does not say: \(line)\n\(said)")
                }
            case .python(let program):
                let (code, said) = try await machine.run(["/usr/bin/python3", "-c", program])
                #expect(code == 0 && said.hasPrefix("phase: "), "\(said)")
            }
        }
    }

    @Test func `the guide has a section for each task, and names what no test here can run`() {
        let titles = [
            "A first night", "During the night", "A missed dose", "A restart or a power cut in the night",
            "What else can be recorded", "Travel", "A clinic visit",
            "The nights of a watch", "In German", "With a screen reader or a braille display", "A headless machine",
            "Moving to a new machine",
            "Recovering data", "Removing DoseTap", "Writing a hook", "Writing a plugin",
            "The bus, from a shell and from Python",
        ]
        #expect(Self.sections.map(\.title) == titles)
        #expect(Self.sections.allSatisfy { !$0.steps.isEmpty })
        // The commands need root or a login. The guide says that no test runs them.
        #expect(
            Self.sections.flatMap(\.elsewhere) == [
                "sudo apt install ./dosetap_*.deb", "sudo apt install --no-install-recommends ./dosetap_*.deb",
                "sudo apt install alsa-utils espeak-ng", "sudo adduser \"$USER\" audio",
                "sudo loginctl enable-linger \"$USER\"", "sudo apt remove dosetap",
            ])
    }
}
