import DoseTapTestSupport
import Foundation
import Testing

/// The parts of a Debian package. Contrib/package/booted tests that the package works.
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
        let place = NSTemporaryDirectory() + "metainfo-" + UUID().uuidString + ".metainfo.xml"
        defer { try? FileManager.default.removeItem(atPath: place) }
        for (version, kind) in [("1.2.3", "stable"), ("1.2.3~dev+20260102030405.gabcdef", "development")] {
            let made = try release(
                "metainfo '\(version)' 2026-01-02 \(kind) <Config/metainfo/org.dosetap.DoseTap.metainfo.xml >'\(place)'"
            )
            #expect(made.status == 0, "\(made.errors)")
            let text = try String(contentsOfFile: place, encoding: .utf8)
            #expect(text.contains("<release version=\"\(version)\" date=\"2026-01-02\" type=\"\(kind)\"/>"))
            let valid = try Command.run(["appstreamcli", "validate", "--no-net", place])
            #expect(valid.status == 0, "\(valid.text)\(valid.errors)")
        }
    }

    private func release(_ words: String) throws -> Command.Outcome {
        try Command.run(["bash", "-c", "cd '\(Project.path(""))' && . Contrib/lib/release.sh && \(words)"])
    }

    @Test func `a program without its protections is refused, with what it lacks`() throws {
        let place = NSTemporaryDirectory() + "hardened-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(atPath: place) }
        try "int main(void) { return 0; }\n".write(toFile: place + "/a.c", atomically: true, encoding: .utf8)
        let whole = [
            "-pie", "-fPIE", "-Wl,-z,relro", "-Wl,-z,now", "-Wl,-z,noexecstack", "-fstack-protector-all",
        ]
        func lacks(_ options: [String]) throws -> String {
            let compiled = try Command.run(["gcc"] + whole + options + [place + "/a.c", "-o", place + "/a"])
            #expect(compiled.status == 0, "\(compiled.errors)")
            let checked = try release("is_hardened '\(place)/a'")
            #expect((checked.status == 0) == checked.errors.isEmpty, "\(checked)")
            return checked.errors
        }
        #expect(try lacks([]).isEmpty)
        #expect(try lacks(["-no-pie", "-fno-pie"]).contains("position independence"))
        #expect(try lacks(["-Wl,-z,norelro"]).contains("RELRO"))
        #expect(try lacks(["-Wl,-z,lazy"]).contains("BIND_NOW"))
        #expect(try lacks(["-Wl,-z,execstack"]).contains("a stack that is not run"))
        #expect(try lacks(["-fno-stack-protector"]).contains("a stack that is checked"))
        let script = try String(contentsOfFile: build, encoding: .utf8)
        #expect(script.components(separatedBy: "    is_hardened \"$stage").count == 3)
        #expect(script.contains("    -Xcc -fstack-protector-strong\n"))
    }

    @Test func `a package has every program and every file that the system reads`() throws {
        let script = try String(contentsOfFile: build, encoding: .utf8)
        // InstallTests check that this list has every program.
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
        func list(_ more: [String] = []) throws -> Command.Outcome {
            try Command.run(
                ["python3", script, "--version", "1.2.3", "--commit", "abcdef"] + more,
                environment: ProcessInfo.processInfo.environment.merging(["SOURCE_DATE_EPOCH": "1767225600"]) { $1 })
        }
        let listed = try list()
        #expect(listed.status == 0, "\(listed.errors)")
        #expect(listed.text.contains("\"created\": \"2026-01-01T00:00:00Z\""))
        for name in ["grdb.swift", "boringssl", "libyaml", "swift-runtime"] {
            #expect(listed.text.contains("\"name\": \"\(name)\""), "\(name)")
        }
        #expect(try list().text == listed.text)
        // A revision may be one of a mirror; the version is the same everywhere.
        let named = listed.text.firstMatch(of: /pkg:swift\/github\.com\/groue\/GRDB\.swift@([0-9.]+)"/)
        let version = try #require(named).1
        #expect(resolved.contains("\"version\" : \"\(version)\""))
        #expect(!listed.text.contains(/@[0-9a-f]{40}/))
        // The program contains the data of ICU, which its symbol shows.
        #expect(!listed.text.contains("\"name\": \"icu\""))
        let programs = place + "/programs"
        try FileManager.default.createDirectory(atPath: programs, withIntermediateDirectories: false)
        try "int icudt99_dat; int main(void) { return icudt99_dat; }\n"
            .write(toFile: place + "/a.c", atomically: true, encoding: .utf8)
        #expect(try Command.run(["gcc", place + "/a.c", "-o", programs + "/tool"]).status == 0)
        let withICU = try list(["--programs", programs]).text
        #expect(withICU.contains("\"name\": \"icu\"") && withICU.contains("\"versionInfo\": \"99\""), "\(withICU)")
        #expect(withICU.contains("in tool"))
        let foreign = resolved.replacingOccurrences(of: "\"yams\"", with: "\"something-else\"")
        try foreign.write(toFile: place + "/Package.resolved", atomically: true, encoding: .utf8)
        let refused = try list()
        #expect(refused.status != 0 && refused.errors.contains("something-else"))
    }

    @Test func `every script builds with the versions that the repository lists`() throws {
        let contrib = Project.path("Contrib")
        let files = try #require(FileManager.default.enumerator(atPath: contrib)).compactMap { $0 as? String }
        var building: Set<String> = []
        let options = try String(contentsOfFile: contrib + "/lib/versions.sh", encoding: .utf8)
        #expect(options.contains("\nbuild_options=(--force-resolved-versions)\n"))
        for file in files where !file.hasPrefix("fuzz/corpus") && !isFolder("\(contrib)/\(file)") {
            guard let text = try? String(contentsOfFile: "\(contrib)/\(file)", encoding: .utf8),
                text.hasPrefix("#!/usr/bin/env bash") || file.hasSuffix(".sh")
            else { continue }
            for line in text.split(separator: "\n").map({ $0.drop { $0 == " " } }) where !line.hasPrefix("#") {
                let builds = line.contains("swift build") || line.contains("swift test")
                guard builds, !line.contains("--show-bin-path"), !line.contains("echo") else { continue }
                building.insert(file)
                #expect(line.contains("\"${build_options[@]}\""), "\(file): \(line)")
                #expect(text.contains("settle_versions"), "\(file)")
            }
        }
        #expect(
            building.isSuperset(of: ["check", "test", "run", "documents", "sanitize", "fuzz/run", "lib/release.sh"]))
    }

    /// A project uses package a, which uses package b. A newer version of b exists, which a would accept.
    @Test func `what is built in has the listed version, also where a newer one was released`() throws {
        let place = NSTemporaryDirectory() + "versions-" + UUID().uuidString
        defer { try? FileManager.default.removeItem(atPath: place) }
        func shell(_ words: String) throws -> Command.Outcome {
            try Command.run(["bash", "-ec", "cd '\(place)'\n" + words])
        }
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
        let made = try shell(
            """
            export GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@example.org GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@example.org
            project() { # NAME DEPENDENCY PRODUCT
                mkdir -p "$1/Sources/$1"
                echo "public let $1 = 1" >"$1/Sources/$1/A.swift"
                cat >"$1/Package.swift" <<EOF
            // swift-tools-version: 6.0
            import PackageDescription
            let package = Package(
                name: "$1", products: [.library(name: "$1", targets: ["$1"])], dependencies: [$2],
                targets: [.target(name: "$1", dependencies: [$3])])
            EOF
            }
            project b "" ""
            project a ".package(url: \\"file://$PWD/b\\", from: \\"1.0.0\\")" '.product(name: "b", package: "b")'
            project own ".package(url: \\"file://$PWD/a\\", exact: \\"1.0.0\\")" '.product(name: "a", package: "a")'
            for name in a b; do
                git -C $name init -q && git -C $name add -A && git -C $name commit -q -m one && git -C $name tag 1.0.0
            done
            git -C b commit -q --allow-empty -m two && git -C b tag 1.1.0
            mkdir -p own/Contrib/lib
            """)
        #expect(made.status == 0, "\(made.errors)")
        func settle(_ list: String) throws -> Command.Outcome {
            try list.write(toFile: place + "/own/Contrib/lib/versions.txt", atomically: true, encoding: .utf8)
            return try shell(
                "cd own; . '\(Project.path("Contrib/lib/versions.sh"))'; settle_versions; resolved_versions")
        }
        let settled = try settle("# The list.\na 1.0.0\nb 1.0.0\n")
        #expect(settled.status == 0 && settled.text == "a 1.0.0\nb 1.0.0\n", "\(settled)")
        #expect(try settle("a 1.0.0\nb 1.1.0\n").text == "a 1.0.0\nb 1.1.0\n")
        let refused = try settle("a 1.0.0\n")
        #expect(refused.status != 0 && refused.errors.contains("< b 1.1.0"), "\(refused)")
        #expect(refused.errors.hasSuffix("change it in Contrib/lib/versions.txt, then build again.\n"), "\(refused)")
    }

    private func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}
