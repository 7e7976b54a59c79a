import DoseTapSystem
import Foundation
import Testing

@Suite struct DirectoriesTests {
    @Test func `XDG defaults lie below the home directory`() throws {
        let found = try XDGDirectories(environment: ["HOME": "/home/ann/"])
        #expect(found.data == "/home/ann/.local/share")
        #expect(found.config == "/home/ann/.config")
        #expect(found.state == "/home/ann/.local/state")
        #expect(found.runtime == nil)
        #expect(found.systemConfig == ["/etc/xdg"])
        #expect(found.store == "/home/ann/.local/share/dosetap/dosetap.db")
        #expect(found.userConfig == "/home/ann/.config/dosetap/config.yaml")
    }

    @Test func `XDG variables win, relative ones are ignored`() throws {
        let found = try XDGDirectories(environment: [
            "HOME": "/h", "XDG_DATA_HOME": "/d/", "XDG_CONFIG_HOME": "relative", "XDG_STATE_HOME": "",
            "XDG_RUNTIME_DIR": "/run/user/1", "XDG_CONFIG_DIRS": "rel:/a:/b",
        ])
        #expect(found.data == "/d")
        #expect(found.config == "/h/.config")
        #expect(found.state == "/h/.local/state")
        #expect(found.runtime == "/run/user/1")
        #expect(found.systemConfig == ["/a", "/b"])
    }

    @Test func `without a home the directories that are named are enough`() throws {
        let found = try XDGDirectories(environment: ["XDG_DATA_HOME": "/d", "XDG_CONFIG_HOME": "/c"])
        #expect(found.store == "/d/dosetap/dosetap.db" && found.userConfig == "/c/dosetap/config.yaml")
        #expect(found.state == nil)
    }

    @Test(arguments: [[:], ["HOME": "relative"], ["HOME": ""]])
    func `without a home there is a fault that says what to set`(environment: [String: String]) {
        #expect { try XDGDirectories(environment: environment) } throws: { ($0 as? SystemFault)?.hint != nil }
    }

    @Test func `a new directory is private, with its parents`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/share/dosetap"
        try SecureDirectory.prepare(path)
        for each in [path, scratch.path + "/share"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: each)
            #expect(attributes[.posixPermissions] as? Int == 0o700)
        }
        try SecureDirectory.prepare(path)
        try SecureDirectory.prepare(path + "/")
    }

    @Test func `G6 a symbolic link in the directory's place is refused`() throws {
        let scratch = try Scratch()
        let link = try scratch.link("dosetap", to: "/tmp")
        for path in [link, link + "/"] {
            #expect { try SecureDirectory.prepare(path) } throws: { ($0 as? SystemFault)?.code == .unsafeDirectory }
        }
    }

    @Test func `a link on the way is the person's business`() throws {
        let scratch = try Scratch()
        try FileManager.default.createDirectory(atPath: scratch.path + "/real", withIntermediateDirectories: false)
        let link = try scratch.link("home", to: scratch.path + "/real")
        try SecureDirectory.prepare(link + "/dosetap")
        #expect(FileManager.default.fileExists(atPath: scratch.path + "/real/dosetap"))
    }

    @Test(arguments: [0o770, 0o702, 0o777])
    func `G6 a directory others can change is refused`(mode: Int) throws {
        let scratch = try Scratch()
        let path = scratch.path + "/open"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        #expect { try SecureDirectory.prepare(path) } throws: { ($0 as? SystemFault)?.code == .unsafeDirectory }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
    func `G6 a foreign directory is refused`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/foreign"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try #require(chown(path, 12_345, 12_345) == 0)
        #expect { try SecureDirectory.prepare(path) } throws: { ($0 as? SystemFault)?.code == .unsafeDirectory }
    }

    @Test(arguments: ["relative", "", "/tmp/../etc/x", "/tmp/./x"])
    func `only plain absolute paths are prepared`(path: String) {
        #expect { try SecureDirectory.prepare(path) } throws: { ($0 as? SystemFault)?.code == .unsafeDirectory }
    }

    @Test func `R26.10 all files of a long folder lose the rights of others, and only those that are meant`() throws {
        let scratch = try Scratch()
        for number in 0..<1_500 {
            let file = try scratch.write("file\(number)", Data())
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
        }
        let meant = PrivateModes.files(in: scratch.path) { $0 == "file7" }
        #expect(meant == [scratch.path + "/file7"])
        #expect(PrivateModes.repair(files: meant, folders: []).map(\.isRepaired) == [true])
        let files = PrivateModes.files(in: scratch.path)
        #expect(files.count == 1_500)
        #expect(PrivateModes.repair(files: files, folders: []).count == 1_499)
    }

    @Test func `a file in the way is a fault, not a trap`() throws {
        let scratch = try Scratch()
        let file = try scratch.write("file", Data())
        #expect(throws: SystemFault.self) { try SecureDirectory.prepare(file) }
        #expect(throws: SystemFault.self) { try SecureDirectory.prepare(file + "/below") }
    }
}
