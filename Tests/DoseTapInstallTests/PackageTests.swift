import DoseTapTestSupport
import Foundation
import Testing

/// What a Debian package is made of; that it works is tried by Contrib/package/booted.
@Suite struct PackageTests {
    private let build = Project.path("Contrib/package/build")

    @Test func `the desktop file and the description for software centres are valid`() throws {
        let desktop = try Command.run([
            "desktop-file-validate", Project.path("Config/applications/org.dosetap.DoseTap.desktop"),
        ])
        #expect(desktop.status == 0 && desktop.text.isEmpty, "\(desktop.text)\(desktop.errors)")
        let metainfo = try Command.run([
            "appstreamcli", "validate", "--no-net", Project.path("Config/metainfo/org.dosetap.DoseTap.metainfo.xml"),
        ])
        #expect(metainfo.status == 0, "\(metainfo.text)\(metainfo.errors)")
    }

    @Test func `a package has every program and every file that the system reads`() throws {
        let script = try String(contentsOfFile: build, encoding: .utf8)
        // InstallTests hold that this list has every program.
        #expect(script.contains("for path in \"${programs[@]}\"; do"))
        let config = Project.path("Config")
        let files = try #require(FileManager.default.enumerator(atPath: config)).compactMap { $0 as? String }
        for folder in ["systemd", "dbus-1", "applications", "metainfo"] {
            let mine = files.filter { $0.hasPrefix(folder + "/") && !isFolder("\(config)/\($0)") }
            #expect(!mine.isEmpty, "\(folder)")
            for file in mine { #expect(script.contains("Config/\(file)"), "\(file)") }
        }
    }

    @Test func `the list of what is linked in names every package, and fails for one that nobody looked at`() throws {
        let place = NSTemporaryDirectory() + "sbom-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: place) }
        let script = place + "/Contrib/package/sbom.py"
        try FileManager.default.createDirectory(
            atPath: place + "/Contrib/package", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: Project.path("Contrib/package/sbom.py"), toPath: script)
        let resolved = try String(contentsOfFile: Project.path("Package.resolved"), encoding: .utf8)
        try resolved.write(toFile: place + "/Package.resolved", atomically: true, encoding: .utf8)
        func list() throws -> Command.Outcome {
            try Command.run(
                ["python3", script, "--version", "1.2.3", "--commit", "abcdef"],
                environment: ProcessInfo.processInfo.environment.merging(["SOURCE_DATE_EPOCH": "1767225600"]) { $1 })
        }
        let listed = try list()
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.text.contains("\"created\": \"2026-01-01T00:00:00Z\""))
        for name in ["grdb.swift", "boringssl", "libyaml", "swift-runtime"] {
            #expect(listed.text.contains("\"name\": \"\(name)\""), "\(name)")
        }
        #expect(try list().text == listed.text)
        let foreign = resolved.replacingOccurrences(of: "\"yams\"", with: "\"something-else\"")
        try foreign.write(toFile: place + "/Package.resolved", atomically: true, encoding: .utf8)
        let refused = try list()
        #expect(refused.status != 0 && refused.errors.contains("something-else"))
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
