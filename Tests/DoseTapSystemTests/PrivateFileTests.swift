import DoseTapSystem
import Foundation
import Testing

@Suite struct PrivateFileTests {
    @Test func `a draft that a killed process with the same number left is in nobody's way`() throws {
        let scratch = try Scratch()
        let path = scratch.path + "/note"
        let draft = try scratch.write("note.\(getpid())", Data("half".utf8))
        try PrivateFile.write(Array("whole".utf8), to: path)
        #expect(try PrivateFile.read(path, limit: 16) == Array("whole".utf8))
        #expect(!FileManager.default.fileExists(atPath: draft))
    }

    @Test func `a memory file keeps its position when its content is replaced`() throws {
        let file = try MemoryFile.make()
        defer { close(file) }
        try MemoryFile.write(Array("longer".utf8), to: file)
        try MemoryFile.write(Array("new".utf8), to: file)
        #expect(lseek(file, 0, SEEK_CUR) == 0)
        #expect(MemoryFile.read(file, limit: 16) == Array("new".utf8))
    }
}
