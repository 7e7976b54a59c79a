import DoseTapDomain
import Foundation
import Testing

@testable import DoseTapExchange

/// `dosetap-exchange lab` reads a request, then the nights.
@Suite struct LabStreamTests {
    private static func answers(_ lines: [String]) throws(ExchangeFault) -> [LabAnswer] {
        try LabProgram.answers(LineReader(Array(lines.map { $0 + "\n" }.joined().utf8)))
    }

    private static let explored =
        #"{"lab":{"today":"2026-01-14","entries":[],"exposure":"interval","outcome":"rested"}}"#

    @Test(arguments: [
        [], ["{}"], ["[]"], ["x"], [#"{"lab":7}"#], [#"{"lab":{"today":"soon","entries":[]}}"#],
        [#"{"lab":{"today":"2026-01-14","entries":[7]}}"#],
        [#"{"lab":{"today":"2026-01-14","entries":[],"exposure":"moon","outcome":"rested"}}"#],
        [explored, "{}"], [explored, "x"], [explored, explored], [explored, #"{"nights":7}"#],
        [explored, #"{"session_id":"s"}"#], [explored, #"{"history":[7]}"#],
    ])
    func `a request or a stream that is wrong is named with its line`(lines: [String]) {
        #expect(throws: ExchangeFault.self) { try Self.answers(lines) }
    }

    @Test func `entries that nobody can read are passed over, and no number in them stops the filter`() throws {
        func plan(_ metadata: String) -> String {
            let entry =
                #"{"id":"p","type":"lab_plan","timestamp":"2026-01-01T12:00:00Z","recorded_at":"2026-01-01T12:00:00Z","#
                + #""surface":"cli","metadata":"# + metadata + "}"
            return #"{"lab":{"today":"2026-01-14","entries":["# + entry + "]}}"
        }
        for metadata in [
            "{}", #"{"routine":"dose2","outcome":"rested","pairs":14,"seed":1,"from_date":"2026-01-01"}"#,
            #"{"routine":"nap","outcome":"rested","pairs":9223372036854775807,"seed":1,"from_date":"2026-01-01"}"#,
            #"{"routine":"nap","outcome":"rested","pairs":14,"seed":-1,"from_date":"2026-01-01"}"#,
        ] {
            #expect(try Self.answers([plan(metadata)]).isEmpty)
        }
        let far = #"{"routine":"nap","outcome":"rested","pairs":180,"seed":1,"from_date":"9999-12-31"}"#
        #expect(try Self.answers([plan(far)]).count == 1)
        #expect(try Self.answers([Self.explored]).map(\.reasons) == [[.fewNights]])
    }
}
