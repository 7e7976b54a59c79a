import DoseTapTestSupport
import Foundation
import Testing

/// The reader of pages that looks at what we write as a browser does.
@Suite(.enabled(if: PageCheck.isInstalled, "needs Chromium and packages of Python: run Contrib/test"))
struct PageCheckTests {
    @Test func `Each look at a page and at a PDF finds the fault that is planted for it`() throws {
        let outcome = try PageCheck.run(["--self-test"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }
}

/// Runs `page_check.py`.
enum PageCheck {
    static let isInstalled =
        ExchangeBench.hasModels
        && ["chromium", "chromedriver", "pdffonts"].allSatisfy {
            FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)")
        }

    static func run(_ words: [String]) throws -> TestProgram.Outcome {
        let checker = ExchangeBench.root.appendingPathComponent("Tests/Support/page_check.py").path
        return try TestProgram.run([ExchangeBench.python, "-B", checker] + words)
    }
}
