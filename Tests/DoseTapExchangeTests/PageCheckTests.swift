import DoseTapTestSupport
import Foundation
import Testing

/// The page checker, which looks at written pages in a browser.
@Suite(.enabled(if: PageCheck.isInstalled, "needs Chromium and packages of Python: run Contrib/test"))
struct PageCheckTests {
    @Test func `Each look at a page and at a PDF finds the fault that is planted for it`() throws {
        let outcome = try PageCheck.run(["--self-test"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `Reports of no night, of 3 and of 90 hold in a browser, every mark in its place`() throws {
        let scratch = try ScratchFolder()
        let pages = try [0, 3, 90].map { nights in
            try PageCheck.page("report", nights: nights, in: scratch)
        }
        let outcome = try PageCheck.run(pages)
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }

    @Test func `Reports of one dose a night, a changed clock, a journey, years, and sleep alone hold`() throws {
        let scratch = try ScratchFolder()
        // In New York the clocks go back on 1 November 2026. The pages are checked in one view only, because the
        // largest takes long.
        let pages = try [
            (60, ["--once-nightly"]), (40, ["--end", "2026-11-10", "--zone", "America/New_York"]),
            (30, ["--journey", "Asia/Tokyo"]), (1_095, []), (0, ["--loose", "40"]), (5, ["--loose", "1"]),
        ].map { nights, person in try PageCheck.page("report", nights: nights, of: person, in: scratch) }
        let outcome = try PageCheck.run(pages + ["--few"])
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
        let texts = try pages.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts[0].contains("there is no interval between doses to show"))
        #expect(texts[1].contains("clock −1 h") && texts[2].contains("Europe/Berlin, Asia/Tokyo"))
    }

    @Test func `R33.7 the summary of a packet holds in a browser and fits on one sheet of either paper`() throws {
        let scratch = try ScratchFolder()
        // Three years of nights have the widest numbers.
        let pages = try [3, 1_095].map { nights in
            try PageCheck.page("summary", nights: nights, PageCheck.packet, in: scratch)
        }
        let words = ["Night record, summary for a clinician", "SHA256:7+VmycPtxmyWE3n3"].flatMap { ["--text", $0] }
        let outcome = try PageCheck.run(pages + ["--sheet"] + words)
        #expect(outcome.status == 0, "\(outcome.text)\(outcome.errors)")
    }
}

@Suite struct SummaryTests {
    @Test(arguments: [
        (90, "2026-08-21", []), (90, "2026-07-01", []), (1_095, "2023-11-20", []),
        (90, "2026-08-21", ["--day-alone", "9"]),
    ])
    func `R33.7 the summary has the figures that Python's statistics work out`(
        nights: Int, first: String, person: [String]
    ) throws {
        let scratch = try ScratchFolder()
        let dates = ["--first", first, "--last", "2026-11-18"]
        let page = try PageCheck.page("summary", nights: nights, PageCheck.packet + dates, of: person, in: scratch)
        let checker = ExchangeBench.root.appendingPathComponent("Tests/Support/summary_check.py").path
        let outcome = try TestProgram.run(
            ["python3", "-B", checker, scratch.path("nights-\(nights)"), page] + dates)
        #expect(outcome.text == "ok 23\n", "\(outcome.text)\(outcome.errors)")
    }

    @Test func `R33.7 a summary without nights is a whole page`() throws {
        let scratch = try ScratchFolder()
        let page = try PageCheck.page("summary", nights: 0, PageCheck.packet, in: scratch)
        let html = try String(contentsOfFile: page, encoding: .utf8)
        #expect(html.contains("<p>No nights yet</p>") && html.hasSuffix("</main></body></html>\n"))
    }
}

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

    /// Arguments of the program for a packet.
    static let packet = [
        "--profile", "clinic", "--packet", "medicines", "--salt", "test", "--made", "2026-11-19", "--signer",
        "SHA256:7+VmycPtxmyWE3n3jLxwQnyJ3CQjyLNrFOo1OQNznQM", "--lost",
        "SHA256:PKc1kWqXVwTIAx/XGY+Di+IZVMBzDiIZuAlUBZT5dQQ",
    ]

    /// A page that the program makes of a person's nights. The file of the nights lies beside the page.
    ///
    /// - Parameters:
    ///   - words: arguments of the program.
    ///   - person: arguments of `night_stream.py`.
    static func page(
        _ format: String, nights: Int, _ words: [String] = [], of person: [String] = [], in scratch: ScratchFolder
    ) throws -> String {
        let maker = ExchangeBench.root.appendingPathComponent("Tests/Support/night_stream.py").path
        let (stream, path) = (scratch.path("nights-\(nights)"), scratch.path("\(format)-\(nights).html"))
        let line =
            "python3 -B '\(maker)' \(nights) \(person.joined(separator: " ")) > '\(stream)' && '\(ExchangeBench.program)' \(format) \"$@\" < '\(stream)' > "
            + "'\(path)'"
        let outcome = try TestProgram.run(["bash", "-c", line, "bash"] + words)
        #expect(outcome.status == 0, "\(outcome)")
        return path
    }
}
