import DoseTapTestSupport
import Foundation
import Testing

/// `Contrib/release` in a small repository. Its gate and packages are one line each.
@Suite struct ReleaseTests {
    private struct Repository {
        let path: String

        init() throws {
            path = NSTemporaryDirectory() + "release-" + UUID().uuidString
            for folder in ["Contrib/package", "Sources/DoseTapSystem", ".ci"] {
                try FileManager.default.createDirectory(atPath: "\(path)/\(folder)", withIntermediateDirectories: true)
            }
            try FileManager.default.copyItem(atPath: Project.path("Contrib/release"), toPath: path + "/Contrib/release")
            try write("Sources/DoseTapSystem/Release.swift", "    private static let version = \"1.2.3\"\n")
            try write("CHANGELOG.md", "## [Unreleased]\n\n## [1.2.3] - 2026-01-02\n\n- A thing.\n")
            try write(".ci/run", "#!/bin/sh\nexit 0\n")
            try write("Contrib/package/build", Self.build())
            try write("Contrib/package/try", "#!/bin/sh\n[ \"$1\" = --strict ] && [ -f \"$5\" ] || exit 64\n")
            try git("init", "-q", "-b", "main")
            try commit()
        }

        /// A script in place of the package build, with the content of either package, and with the commit that the
        /// packaged program names.
        static func build(
            dosetap: String = "echo made", symbols: String = "echo symbols",
            commit: String = "$(git rev-parse --short=12 HEAD)"
        ) -> String {
            """
            #!/bin/sh
            mkdir -p "$2" .build/package-build/dosetap/usr/bin
            printf '#!/bin/sh\\necho dosetap 1.2.3+g%s\\n' "\(commit)" >.build/package-build/dosetap/usr/bin/dosetap
            chmod 755 .build/package-build/dosetap/usr/bin/dosetap
            \(dosetap) >"$2/dosetap_1.2.3-1_amd64.deb"
            \(symbols) >"$2/dosetap-dbgsym_1.2.3-1_amd64.deb"

            """
        }

        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(path)/\(name)")
        }

        @discardableResult
        func git(_ words: String...) throws -> String {
            let who = ["-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
            let outcome = try Command.run(["git", "-C", path] + who + words)
            #expect(outcome.status == 0, "\(words): \(outcome.errors)")
            return outcome.text
        }

        func commit() throws {
            try git("add", "-A")
            try git("commit", "-q", "-m", "a")
        }

        func release(_ options: String...) throws -> Command.Outcome {
            let who = ["GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@example.org"]
            return try Command.run(
                [path + "/Contrib/release", "--output", path + "-made"] + options,
                environment: ProcessInfo.processInfo.environment.merging(who) { $1 })
        }

        func remove() {
            for folder in [path, path + "-made"] { try? FileManager.default.removeItem(atPath: folder) }
        }
    }

    @Test func `a release is tagged once, with its packages`() throws {
        let repository = try Repository()
        defer { repository.remove() }
        let done = try repository.release()
        #expect(done.status == 0, "\(done)")
        #expect(try repository.git("tag") == "v1.2.3\n")
        let made = try FileManager.default.contentsOfDirectory(atPath: repository.path + "-made").sorted()
        #expect(made == ["dosetap-dbgsym_1.2.3-1_amd64.deb", "dosetap_1.2.3-1_amd64.deb"])
        let again = try repository.release()
        #expect(again.status == 1 && again.errors.contains("tagged already"))
    }

    @Test func `a machine that can boot no Debian releases only what it is told to`() throws {
        let repository = try Repository()
        defer { repository.remove() }
        try repository.write("Contrib/package/try", "#!/bin/sh\nexit 77\n")
        try repository.commit()
        let refused = try repository.release()
        #expect(refused.status == 1 && refused.errors.contains("--unbooted"), "\(refused)")
        #expect(try repository.git("tag").isEmpty)
        #expect(try repository.release("--unbooted").status == 0)
        #expect(try repository.git("tag") == "v1.2.3\n")
    }

    @Test func `what is committed meanwhile is not released`() throws {
        let repository = try Repository()
        defer { repository.remove() }
        let git = "git -C '\(repository.path)' -c user.name=a -c user.email=a@example.org -c commit.gpgsign=false"
        try repository.write(".ci/run", "#!/bin/sh\n\(git) commit -q --allow-empty -m later\n")
        try repository.commit()
        let tried = try repository.git("rev-parse", "HEAD")
        #expect(try repository.release().status == 0)
        #expect(try repository.git("rev-parse", "v1.2.3^{commit}") == tried)
        #expect(try repository.git("rev-parse", "HEAD") != tried)
    }

    @Test(arguments: [
        (
            "Sources/DoseTapSystem/Release.swift", "    private static let version = \"1.2.3-dev\"\n",
            "none of a release"
        ),
        ("CHANGELOG.md", "## [Unreleased]\n\n- Another thing.\n\n## [1.2.3] - 2026-01-02\n", "Another thing"),
        ("CHANGELOG.md", "## [Unreleased]\n\n## [1.2.3]\n", "no section [1.2.3] with a date"),
        (
            "CHANGELOG.md", "## [Unreleased]\n\n## [1.3.0] - 2026-02-02\n\n## [1.2.3] - 2026-01-02\n",
            "newest section"
        ),
        (".ci/run", "#!/bin/sh\nexit 1\n", "gate failed"),
        ("Contrib/package/build", "#!/bin/sh\nexit 1\n", "could not be built"),
        ("Contrib/package/build", Repository.build(dosetap: "pwd"), "dosetap differs between two builds"),
        ("Contrib/package/build", Repository.build(symbols: "pwd"), "dosetap-dbgsym differs between two builds"),
        ("Contrib/package/build", Repository.build(dosetap: "#"), "no package dosetap"),
        ("Contrib/package/build", Repository.build(commit: "0123456789ab"), "says 'dosetap 1.2.3+g0123456789ab'"),
        ("Contrib/package/try", "#!/bin/sh\nexit 1\n", "does not hold on a booted Debian"),
    ])
    func `a release is refused, and nothing is tagged`(file: String, text: String, reason: String) throws {
        let repository = try Repository()
        defer { repository.remove() }
        try repository.write(file, text)
        let dirty = try repository.release()
        #expect(dirty.status == 1, "\(dirty)")
        try repository.commit()
        let refused = try repository.release()
        #expect(refused.status == 1 && refused.errors.contains(reason), "\(refused)")
        #expect(try repository.git("tag").isEmpty)
    }
}
