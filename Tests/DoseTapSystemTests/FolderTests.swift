import DoseTapSystem
import Foundation
import Testing

@Suite struct FolderTests {
    @Test func `the names in a folder come without the folder itself and its parent`() throws {
        let scratch = try Scratch()
        #expect(try Folder.names(in: scratch.path) == [])
        for name in ["a", ".b", "c d"] { _ = try scratch.write(name, Data()) }
        #expect(try Folder.names(in: scratch.path).sorted() == [".b", "a", "c d"])
        #expect(try Folder.names(in: scratch.path, most: 3).count == 3)
    }

    @Test func `a list that is not whole is a fault`() throws {
        let scratch = try Scratch()
        for name in ["a", "b", "c"] { _ = try scratch.write(name, Data()) }
        #expect { try Folder.names(in: scratch.path, most: 2) } throws: {
            ($0 as? SystemFault)?.underlying == E2BIG
        }
        #expect { try Folder.names(in: scratch.path + "/missing") } throws: {
            ($0 as? SystemFault)?.underlying == ENOENT
        }
        #expect { try Folder.names(in: scratch.path + "/a") } throws: { ($0 as? SystemFault)?.underlying == ENOTDIR }
    }

    @Test func `a link in the folder's place is followed unless the caller says no`() throws {
        let (scratch, other) = (try Scratch(), try Scratch())
        _ = try other.write("a", Data())
        let link = try scratch.link("link", to: other.path)
        #expect(try Folder.names(in: link) == ["a"])
        #expect(throws: SystemFault.self) { try Folder.names(in: link, followsLink: false) }
    }
}
