import DoseTapConfig
import Foundation
import Testing

@Suite struct DefaultFileTests {
    private func text() throws -> String {
        let root = #filePath.split(separator: "/").dropLast(3).reduce("") { $0 + "/" + $1 }
        return try String(contentsOfFile: root + "/Config/config.yaml", encoding: .utf8)
    }

    @Test func `the default file changes nothing`() throws {
        #expect(ConfigReader.read(Array(try text().utf8), source: .userFile("c")) == ConfigLayer())
    }

    @Test func `with its lines taken in, the default file says every default`() throws {
        let lines = try text().split(separator: "\n", omittingEmptySubsequences: false).map { line in
            let setting = line.firstMatch(of: /^( *)#([a-z].*)$/)
            return setting.map { $0.output.1 + $0.output.2 } ?? line
        }
        let layer = ConfigReader.read(Array(lines.joined(separator: "\n").utf8), source: .userFile("c"))
        #expect(layer.complaints == [])
        #expect(Set(layer.values.keys) == Set(SettingKey.allCases))
        for key in SettingKey.allCases { #expect(layer.values[key]?.value == key.value(in: Settings())) }
    }

    @Test(arguments: SettingKey.allCases)
    func `the default file tells what each setting is for`(key: SettingKey) throws {
        let first = key.summary.split(whereSeparator: { ".,;".contains($0) }).first.map(String.init) ?? key.summary
        #expect(try text().contains(first), "\(first)")
    }
}
