import DoseTapTestSupport
import Foundation
import Testing

/// The commands that the README shows do what it says, with a real service on a real bus.
@Suite struct ReadmeTests {
    /// Commands that begin a new record, each with the commands before it. These stand for the time that passes in the
    /// README's night.
    private static let beginnings: [String: [String]] = [
        "dosetap log dose1 --amount 2.25g": [],
        "dosetap": ["dosetap log dose1 --ago 160m --amount 2.25g"],
        "dosetap log dose2": ["dosetap log dose1 --amount 2.25g"],
        "dosetap log dose1 --ago 160m --amount 2.25g": [],
        "dosetap regimen set xyrem 15mL --split 0.6,0.4": [],
    ]

    /// Commands that no test can run: they need pressed keys, the reader's ids or a loudspeaker.
    private static let elsewhere = [
        "dosetap checkin", "dosetap why 01a1fe5d-fd13-762e-8513-2ad7b659b34d", "dosetap reminders --test sound",
    ]

    /// Ids, days of the week and the widths of columns differ as well.
    private static func shape(_ text: some StringProtocol) -> String {
        var text = String(text)
        text.replace(/[0-9a-f]{8}-[0-9a-f\-]{27}/, with: "ID")
        text.replace(/amend\ [0-9a-f]{4}/, with: "amend ID")
        for day in ["Mon ", "Tue ", "Wed ", "Thu ", "Fri ", "Sat ", "Sun "] {
            text = text.replacingOccurrences(of: day, with: "")
        }
        text.replace(/\ +/, with: " ")
        return GuideTests.shape(text)
    }

    @Test func `what the README shows can be done`() async throws {
        let section = try #require(GuideTests.sections(of: "README.md").first { $0.title == "Use it" })
        var machine = try await GuideTests.Machine(try Scratch(), hasScreen: true)
        var (ran, began) = (0, 0)
        for case .command(let line, _, let shown) in section.steps {
            let command = line.prefix { $0 != "#" }.trimmingCharacters(in: .whitespaces)
            if Self.elsewhere.contains(command) { continue }
            if let earlier = Self.beginnings[command] {
                machine = try await GuideTests.Machine(try Scratch(), hasScreen: true)
                began += 1
                for earlier in earlier {
                    let (code, said) = try await machine.run(["/bin/sh", "-c", earlier])
                    #expect(code == 0, "\(earlier): \(said)")
                }
            }
            let (code, said) = try await machine.run(["/bin/sh", "-c", command])
            let isRefused = shown.contains { $0.hasPrefix("dosetap: ") }
            #expect((code == 0) != isRefused, "\(command): \(code) \(said)")
            for line in shown where !line.isEmpty {
                #expect(Self.shape(said).contains(Self.shape(line)), "\(command) does not say: \(line)\n\(said)")
            }
            ran += 1
        }
        #expect(ran > 12 && began == Self.beginnings.count)
    }
}
