import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapPlugins

/// The choice of the programs that are hooks. A program that another user could change is refused by name.
@Suite struct HookFoldersTests {
    private let manager = FileManager.default

    @Test func `hooks are run in the order of their names, the person's own first, leftovers never`() async throws {
        let bench = try await ProgramBench()
        for name in [
            "a/alarm/20-b", "a/alarm/10-a", "a/alarm/.hidden", "a/alarm/10-a~", "a/alarm/x.bak", "b/alarm/10-a",
        ] {
            _ = try bench.script(name, "exit 0")
        }
        _ = try bench.script("a/alarm/folder/30-c", "exit 0")
        let folders = HookFolders(roots: [bench.folder.path("a"), bench.folder.path("b"), bench.folder.path("none")])
        let found = folders.find("alarm")
        #expect(found.refused.isEmpty)
        #expect(found.hooks == ["a/alarm/10-a", "b/alarm/10-a", "a/alarm/20-b"].map(bench.folder.path))
        #expect(folders.find("partner") == HookFolders.Found())
        bench.stop()
    }

    static let refusals: [(change: @Sendable (String) throws -> Void, reason: String)] = [
        ({ try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: $0) }, "not executable"),
        ({ try FileManager.default.setAttributes([.posixPermissions: 0o702], ofItemAtPath: $0) }, "others may write"),
        ({ try FileManager.default.setAttributes([.posixPermissions: 0o720], ofItemAtPath: $0) }, "others may write"),
        (
            { path in
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/bin/true")
            }, "leads out"
        ),
        (
            { path in
                try FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "nowhere")
            }, "leads nowhere"
        ),
        (
            { path in
                try FileManager.default.removeItem(atPath: path)
                #expect(mkfifo(path, 0o700) == 0)
            }, "no file"
        ),
        (
            { path in
                if getuid() == 0 { #expect(chown(path, 31_417, 31_417) == 0) } else { chmod(path, 0o722) }
            }, getuid() == 0 ? "belongs to user 31417" : "others may write"
        ),
    ]

    @Test(arguments: refusals.indices)
    func `what is not safe is refused, and the others still run`(index: Int) async throws {
        let bench = try await ProgramBench()
        let path = try bench.script("hooks.d/alarm/10-bad", "exit 0")
        let good = try bench.script("hooks.d/alarm/20-good", "exit 0")
        let folders = HookFolders(roots: [bench.folder.path("hooks.d")])
        #expect(folders.find("alarm").hooks == [path, good])
        try Self.refusals[index].change(path)
        let found = folders.find("alarm")
        #expect(found.hooks == [good] && found.refused.map(\.path) == [path])
        #expect(found.refused.first?.reason.contains(Self.refusals[index].reason) == true, "\(found.refused)")
        bench.stop()
    }

    @Test(arguments: ["hooks.d", "hooks.d/alarm"])
    func `of a folder that others may write to nothing is run`(name: String) async throws {
        let bench = try await ProgramBench()
        _ = try bench.script("hooks.d/alarm/10-a", "exit 0")
        try manager.setAttributes([.posixPermissions: 0o777], ofItemAtPath: bench.folder.path(name))
        let found = HookFolders(roots: [bench.folder.path("hooks.d")]).find("alarm")
        #expect(found.hooks.isEmpty && found.refused.map(\.path) == [bench.folder.path(name)])
        bench.stop()
    }

    @Test func `a link that stays inside is followed`() async throws {
        let bench = try await ProgramBench()
        _ = try bench.script("hooks.d/lib/phone", "exit 0")
        try manager.createDirectory(atPath: bench.folder.path("hooks.d/alarm"), withIntermediateDirectories: true)
        let link = bench.folder.path("hooks.d/alarm/10-phone")
        try manager.createSymbolicLink(atPath: link, withDestinationPath: "../lib/phone")
        #expect(HookFolders(roots: [bench.folder.path("hooks.d")]).find("alarm").hooks == [link])
        bench.stop()
    }
}
