import DoseTapDomain
import DoseTapText

extension FuzzTarget {
    /// The answers of a service, as a command of another version reads and prints them. The first byte is the kind.
    static let answer = FuzzTarget("answer", longest: 16_384) { bytes in
        guard let first = bytes.first, let object = (try? JSONValue.parse(bytes.from(1)))?.objectValue else { return }
        let page = Page(
            isTerminal: true, columns: 40, textColumns: nil, usesUnicode: true, paint: { text, _ in text },
            addressed: { $0 }, address: { "" })
        let moments = Moments(zone: .utc)
        switch first % 7 {
        case 0:
            guard let status = try? NightStatus(json: object) else { return }
            promise((try? NightStatus(json: status.json)) != nil, "a status does not read back")
            _ = (StatusText(status, moments, page), TonightText(status, moments, page))
        case 1:
            guard let receipt = try? Receipt(json: object) else { return }
            _ = ReceiptText.lines(receipt, moments, page, now: receipt.timestamp)
        case 2:
            guard let night = try? NightRecord(json: object) else { return }
            _ = NightText.lines(night, moments, page)
            _ = NightScript.text(replaying: night)
        case 3:
            guard let explanation = try? Explanation(json: object) else { return }
            _ = WhyText.lines(explanation, moments, page)
        case 4:
            guard let statistics = try? NightStatistics(json: object) else { return }
            _ = StatsText.lines(statistics, hasSleep: true, page)
        case 5: _ = InventoryText.lines(object, moments, now: .min, page)
        default:
            _ = MedicationText.one(object, 40)
            _ = RegimenText.active(object, hasBegun: true)
        }
    }
}
