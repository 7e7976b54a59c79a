import DoseTapConfig
import DoseTapDomain
import DoseTapEngine
import DoseTapPlugins
import Foundation
import Testing

/// The default file and the keys of the manual follow from the rows of the settings; `Contrib/documents` writes them.
@Suite struct SettingDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let defaultFile = root.appending(path: "Config/config.yaml")
    private static let manual = root.appending(path: "Config/man/dosetap-config.5")
    private static let begin =
        #".\" The keys up to "End" are written by Contrib/documents from the rows of the settings."#
    private static let end = #".\" End"#

    /// Compares a file with the printed text, or writes the file.
    private func compare(_ file: URL, _ printed: String) throws {
        if ProcessInfo.processInfo.environment["DOSETAP_WRITE_DOCUMENTS"] != nil {
            try Data(printed.utf8).write(to: file, options: .atomic)
        }
        #expect(
            try text(file) == printed, "\(file.lastPathComponent) is not what the rows print; run Contrib/documents")
    }

    private func text(_ file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    @Test func `the default file is what the rows print`() throws {
        try compare(Self.defaultFile, SettingDocuments.defaultFile)
    }

    @Test func `the keys of the manual are what the rows print`() throws {
        let page = try text(Self.manual).components(separatedBy: "\n")
        let begin = try #require(page.firstIndex(of: Self.begin))
        let end = try #require(page.firstIndex(of: Self.end))
        let written = page[...begin] + SettingDocuments.manualKeys + page[end...]
        try compare(Self.manual, written.joined(separator: "\n"))
    }

    @Test func `the default file changes nothing`() throws {
        #expect(ConfigReader.read(Array(try text(Self.defaultFile).utf8), source: .userFile("c")) == ConfigLayer())
    }

    @Test func `with its lines taken in, the default file says every default`() throws {
        let lines = try text(Self.defaultFile).split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let setting = line.firstMatch(of: /^( *)#([a-z].*)$/)
            return setting.map { $0.output.1 + $0.output.2 } ?? line
        }
        let layer = ConfigReader.read(
            Array(lines.joined(separator: "\n").utf8), source: .userFile("c"), rules: ConfigRules(rows: Roster.settings)
        )
        #expect(layer.complaints == [])
        #expect(Set(layer.values.keys) == Set(Roster.settings.map(\.key)))
        for row in Roster.settings { #expect(layer.values[row.key]?.value == row.defaultValue) }
        #expect(Set(layer.plugins.keys) == Set(Roster.manifests.map(\.id)))
    }
}

/// The documents, printed from the rows of the settings.
private enum SettingDocuments {
    /// The commented default file.
    static var defaultFile: String {
        var lines = [
            "# DoseTap's settings. Every line below shows a default. To change a setting, remove the # before its section "
                + "and its key.",
            "# This file wins over /etc/dosetap/config.yaml. Environment variables DOSETAP_… of the service win over both "
                + "files.", "# Check this file with: dosetap config check",
        ]
        var section: String?
        for row in Roster.settings {
            if row.section == nil || row.section != section { lines.append("") }
            if let name = row.section, name != section {
                if let note = notes[name] { lines += comment(note, "# ", 118) }
                lines.append("#\(name):")
            }
            section = row.section
            let margin = section == nil ? "" : "  "
            let name = row.key.split(separator: ".").last ?? ""
            let value = row.defaultValue.description
            lines += comment(prose(row), margin + "# ", 120)
            lines.append("\(margin)#\(name): \(value.isEmpty ? "\"\"" : value)")
        }
        lines += ["", "# Plugins by name; dosetap plugins lists them.", "#plugins:"]
        for plugin in Roster.manifests { lines += ["  #\(plugin.id):", "    #enabled: true"] }
        return (lines + [""]).joined(separator: "\n")
    }

    private static let notes = [
        "schedule": "Your evening and morning, as times of day.",
        "ladder": "The steps in which an alarm that is not answered gets louder. Each delay is counted from the alarm.",
    ]

    /// The items of the manual's list.
    static var manualKeys: [String] {
        Roster.settings.flatMap { row in
            let value = row.defaultValue.description
            // A sentence has dots, which mdoc treats as punctuation.
            guard value.contains(" ") else {
                return [".It Ic \(row.key) : \(value.isEmpty ? "Ar text" : value)"] + sentences(prose(row))
            }
            let quoted = value.hasSuffix(".") ? "\(value.dropLast()) ." : value
            return [".It Ic \(row.key) : Ar text"] + sentences(prose(row)) + ["The default is", ".Dq \\&\(quoted)"]
        }
    }

    /// The row's text for the manual, or its summary with the range in the first clause.
    private static func prose(_ row: SettingRow) -> String {
        guard row.manual.isEmpty else { return row.manual }
        let range: String
        switch row.kind {
        case .integer(let bounds), .delay(let bounds): range = ", \(bounds.lowerBound) to \(bounds.upperBound)"
        case .choice(let numbers):
            range = ": " + numbers.dropLast().map(String.init).joined(separator: ", ") + " or \(numbers.last ?? 0)"
        default: return row.summary
        }
        // A dot inside a name, as in hooks.d, ends no clause.
        let end = row.summary.firstMatch(of: /;|\.$/)?.range.lowerBound ?? row.summary.endIndex
        let clause = row.summary[..<end]
        return clause + range + row.summary[end...]
    }

    private static func comment(_ prose: String, _ mark: String, _ width: Int) -> [String] {
        wrap(prose.split(separator: " "), width - mark.count).map { mark + $0 }
    }

    /// Each sentence begins on a line of its own, as mandoc wants it.
    private static func sentences(_ prose: String) -> [String] {
        var lines: [String] = []
        var sentence: [Substring] = []
        for word in prose.split(separator: " ") {
            sentence.append(word)
            guard word.hasSuffix(".") else { continue }
            lines += wrap(sentence, 80)
            sentence = []
        }
        return lines + wrap(sentence, 80)
    }

    private static func wrap(_ words: [Substring], _ width: Int) -> [String] {
        words.reduce(into: [String]()) { lines, word in
            if let last = lines.last, last.count + 1 + word.count <= width {
                lines[lines.count - 1] = last + " " + word
            } else {
                lines.append(String(word))
            }
        }
    }
}
