import DoseTapDomain
import DoseTapText
import Testing

/// The next step after a fault of the store.
@Suite struct ErrorNextTests {
    private func next(_ fault: StoreError.Code) -> String {
        ErrorText.next(
            after: .storeUnavailable, ["fault": .string(fault.rawValue)], to: nil, moments: Moments(zone: .utc)) ?? ""
    }

    @Test func `R21.19 a record of which nothing can be read is not sent to a repair again`() {
        let steps = ["dosetap db repair", "dosetap db restore FILE", "dosetap db wipe"]
        #expect(steps.compactMap { next(.damaged).firstRange(of: $0)?.lowerBound }.count == 3)
        #expect(next(.damaged).hasPrefix(steps[0]))
        let text = next(.unreadable)
        #expect(!text.contains("repair"))
        #expect(text.contains("dosetap db restore FILE") && text.contains("dosetap db wipe"), "\(text)")
    }

    @Test func `R33.4 where the file of a signing key is damaged, both ways out are named`() {
        func next(_ facts: JSONObject) -> String? {
            ErrorText.next(after: .storeUnavailable, facts, to: nil, moments: Moments(zone: .utc))
        }
        let named = next(["fault": "unavailable", "file": "/a b/signing-key-1"]) ?? ""
        #expect(named.contains("'/a b/signing-key-1'") && named.contains("put the key back"), "\(named)")
        #expect(named.contains("remove that file"), "\(named)")
        #expect(next(["fault": "unavailable"])?.contains("path and rights") == true)
    }

    @Test func `R20.15 a few words that may be meant are a command each, a dose never is`() {
        func next(_ nearest: [JSONValue]) -> String? {
            ErrorText.next(
                after: .invalidInput, ["word": "x", "nearest": .array(nearest)], to: .logSleepEvent("x"),
                moments: Moments(zone: .utc))
        }
        #expect(next(["water"]) == "dosetap log water")
        #expect(next(["water", "pain"]) == "dosetap log water, or: dosetap log pain")
        for nearest: [JSONValue] in [[], ["a", "b", "c", "d"], ["dose1", "dose2"], ["water", "extra"]] {
            #expect(next(nearest) == "dosetap log --help", "\(nearest)")
        }
    }

    @Test func `R25.9 where no place keeps a new key, the file is named, and the disk it lies on`() {
        #expect(next(.keyUnkept).hasPrefix("unlock or start your keyring"))
        #expect(next(.keyUnkept).hasSuffix("on the same disk: dosetap config set encryption.key file"))
    }

    @Test(arguments: [StoreError.Code.keyLocked, .keyWrong])
    func `R25.11 without its key a record is told what is left: wipe, then a backup or an import`(
        fault: StoreError.Code
    ) {
        let text = next(fault)
        #expect(text.hasPrefix(fault == .keyLocked ? "unlock your keyring" : "put the key of this record back"))
        let ways = ["dosetap db wipe", "dosetap db restore FILE", "dosetap import log FILE"]
        let places = ways.compactMap { text.firstRange(of: $0)?.lowerBound }
        #expect(places.count == 3 && places == places.sorted(), "\(text)")
    }
}
