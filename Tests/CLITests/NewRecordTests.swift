import DoseTapTestSupport
import Foundation
import Testing

@Suite struct NewRecordTests {
    @Test func `R21.12 no question makes a record, an entry only where its folder exists, and says where`() async throws
    {
        let folder = try ScratchFolder()
        let files = FileManager.default
        let (mistyped, here) = (folder.path("nowhere/x.db"), folder.path("x.db"))
        for path in [mistyped, here] {
            for words in [["status"], ["history"], ["stats"], ["db", "check"]] {
                let tool = try await Tool.run(["--bus", "none", "--store", path] + words)
                #expect(tool.code <= 1, "\(words): \(tool)")
                if words == ["status"] { #expect((tool.out + tool.err).contains("no record at \(path) yet")) }
            }
        }
        #expect(try files.contentsOfDirectory(atPath: folder.path("")).isEmpty)
        let refused = try await Tool.run(["--bus", "none", "--store", mistyped, "log", "dose1"])
        #expect(refused.code == 1 && refused.err.contains("folder"), "\(refused)")
        #expect(try files.contentsOfDirectory(atPath: folder.path("")).isEmpty)
        let made = try await Tool.run(["--bus", "none", "--store", here, "log", "dose1"])
        #expect(made.code == 0 && (made.out + made.err).contains("new record was begun at \(here)"), "\(made)")
        let again = try await Tool.run(["--bus", "none", "--store", here, "status"])
        #expect(again.code == 0 && !(again.out + again.err).contains("no record at"), "\(again)")
    }
}
