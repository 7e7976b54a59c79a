import DoseTapDomain
import Foundation
import Testing

/// Random nights: hundreds of histories of doses, corrections, clocks and zones, each step checked.
///
/// `DOSETAP_SEED=n` repeats one history. `DOSETAP_HISTORIES=n` and `DOSETAP_STEPS=n` raise the effort.
struct RandomHistoryTests {
    static let environment = ProcessInfo.processInfo.environment
    static let replayed = environment["DOSETAP_SEED"].flatMap { UInt64($0) }
    static let histories = replayed == nil ? environment["DOSETAP_HISTORIES"].flatMap { Int($0) } ?? 300 : 1
    static let steps = environment["DOSETAP_STEPS"].flatMap { Int($0) } ?? 60
    static let base = replayed ?? UInt64.random(in: 0..<1_000_000_000)
    static let shares = replayed == nil ? 10 : 1

    @Test(arguments: 0..<shares)
    func `R22, K8: whatever happens, what must always hold does`(share: Int) throws {
        let names = [
            "UTC", "America/New_York", "Europe/Berlin", "Australia/Lord_Howe", "Africa/Casablanca",
            "America/Sao_Paulo", "Pacific/Apia",
        ]
        let zones = try names.map { try SystemZones.zone($0) }
        var recorded = 0
        for number in stride(from: share, to: Self.histories, by: Self.shares) {
            var history = RandomHistory(seed: Self.base + UInt64(number), zones: zones)
            history.live(steps: Self.steps)
            recorded += history.recorded
        }
        print("random histories from seed \(Self.base), share \(share): \(recorded) actions recorded")
        if Self.replayed == nil { #expect(recorded > 0) }
    }
}
