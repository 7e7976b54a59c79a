import DoseTapContract
import DoseTapDomain
import DoseTapSimulation
import Foundation
import Testing

/// The documents of the contract follow from its rows, the JSON Schemas from the keys of the records; `Contrib/documents`
/// writes them.
@Suite struct ContractDocumentTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    static let documents =
        [
            ("Config/dbus-1/interfaces/org.dosetap.DoseTap1.xml", ContractDocuments.interfaceFile),
            ("Config/man/org.dosetap.DoseTap1.5", ContractDocuments.manual),
        ] + schemas.map { ("\(schemaFolder)/\($0.name).json", SchemaDocuments.file($0)) }
    static let schemas = Schemas.all + [SimulationReport.shape]
    static let schemaFolder = "Config/schemas/v1"

    @Test(arguments: documents)
    func `a document is what the rows print`(path: String, printed: String) throws {
        let file = Self.root.appending(path: path)
        if ProcessInfo.processInfo.environment["DOSETAP_WRITE_DOCUMENTS"] != nil {
            try Data(printed.utf8).write(to: file, options: .atomic)
        }
        let written = try String(contentsOf: file, encoding: .utf8)
        #expect(written == printed, "\(path) is not what the rows print; run Contrib/documents")
    }

    @Test func `every schema is one of what is printed, and no other stands in the folder`() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.root.path + "/" + Self.schemaFolder)
        #expect(files.sorted() == Self.schemas.map { $0.name + ".json" }.sorted())
    }

    @Test func `every member is described, and each that records takes options and gives a receipt`() {
        #expect(Set(Contract.interfaces.map(\.name)).count == Contract.interfaces.count)
        for interface in Contract.interfaces {
            #expect(Set(interface.members.map(\.name)).count == interface.members.count)
            for member in interface.members {
                #expect(member.summary.hasSuffix("."), "\(interface.name).\(member.name)")
                #expect(member.records == (member.results.map(\.name) == ["receipt"]), "\(member.name)")
                #expect(!member.records || member.arguments.last?.name == "options", "\(member.name)")
                #expect(!(member.summary + member.details).contains("--"), "\(member.name): XML comments have no --")
            }
        }
    }
}
