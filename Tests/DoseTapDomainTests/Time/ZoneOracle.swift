import Foundation
import Testing

/// Runs `Tests/Support/zone_oracle.py`, which reads zones with Python and zdump and without DoseTap's code.
struct ZoneOracle {
    /// A zone with all its names and the script's lines about it, each of whole numbers and a last word.
    struct Section {
        let names: [String]
        let lines: [Substring]
    }

    static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Support/zone_oracle.py").standardizedFileURL

    static let python: URL? = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":")
        .map { URL(fileURLWithPath: String($0)).appendingPathComponent("python3") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// The script's output in a mode about the compiled zones in a folder, zone by zone.
    static func sections(_ mode: String, below root: String = SystemZones.root) throws -> [Section] {
        let process = Process()
        process.executableURL = python
        process.arguments = [script.path, mode, root]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        var sections: [Section] = []
        var names: [String] = []
        var lines: [Substring] = []
        for line in String(decoding: output, as: UTF8.self).split(separator: "\n") {
            if line.utf8.first == UInt8(ascii: "Z") {
                if !names.isEmpty { sections.append(Section(names: names, lines: lines)) }
                names = line.split(separator: " ").dropFirst().map(String.init)
                lines = []
            } else {
                lines.append(line)
            }
        }
        if !names.isEmpty { sections.append(Section(names: names, lines: lines)) }
        return sections
    }
}
