import DoseTapDomain
import Testing

@testable import DoseTapText

/// Counted things in the texts: none, one, and more.
@Suite struct CountTests {
    private static let texts: [@Sendable (Int) -> String] = [
        { Count.nights($0) }, { Count.days($0) }, { Count.events($0) }, { Count.entries($0) }, { Count.doses($0) },
        { Count.backups($0) }, { Count.pairs($0) }, { Count.files($0) }, { Count.otherSources($0) },
        { Count.minutes(Int64($0)) }, { Count.rows(Int64($0)) }, { Count.failures(Int64($0)) },
        { Count.bottles(Int64($0)) }, { Count.packets(Int64($0)) }, { Count.amountsAre(Int64($0)) },
        { ReportText.extraDoses($0) }, { ReportText.outside($0) },
    ]

    @Test func `each has its singular for one alone`() {
        for text in Self.texts {
            let (none, one, two) = (text(0), text(1), text(2))
            #expect(none.hasPrefix("0 ") && one.hasPrefix("1 ") && two.hasPrefix("2 "))
            #expect(none.dropFirst() == two.dropFirst() && one.dropFirst() != two.dropFirst(), "\(one)")
        }
    }

    @Test(
        arguments: zip(
            [0, 1, 2],
            ["0 backups and kept records", "1 backup or kept record", "2 backups and kept records"]))
    func `what still needs a key`(count: Int, text: String) {
        #expect(
            EncryptionText.needed("k", by: count)
                == "The key k is kept until nothing here needs it: \(text) may need it now.")
    }

    @Test func `figures of so many nights`() {
        #expect(
            [0, 1, 2].map { ExchangeText.figures(nights: $0) } == [
                "Counts and medians of 0 nights", "Counts and medians of 1 night", "Counts and medians of 2 nights",
            ])
    }
}
