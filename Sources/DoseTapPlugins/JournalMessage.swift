/// The message ids of the journal catalog (`Config/systemd/catalog/dosetap.catalog`).
public enum JournalMessage: String, Sendable, CaseIterable {
    case serviceStarted = "00b6cda313514653a089acf20bdba8e5"
    case serviceStopped = "94afd3c14895456aa045ba9f76a5282e"
    case serviceUnhealthy = "f8c53a6fd1ae4caca09619c4aff0d8a8"
    case eventRecorded = "bc52b684b5034861827d45ce421ef1b0"
    case commandRefused = "e73f973efccf4d02b8c894a1f790fe0a"
    case confirmationNeeded = "ba0a615120274e6ea9068e43722ff51d"
    case phaseChanged = "7e822f4595f149c0977fbbf4b2e7a29f"
    case windowOpen = "ae199e31724441ac80a0245774bc9890"
    case alarm = "f4ce7a793eed4c2f89f5c193f497f2f6"
    case closing = "70a6c6239dcc4393b725cd557aa627e4"
    case windowClosed = "28e4b4efbb9a4b0b993907ec9ca12161"
    case reminder = "ab4b1dcef5eb4713876b5d8fa49dcd2f"
    case reminderDropped = "8b4edf4d33744735837fbd207213bc0b"
    case sessionOpened = "ef568382b11e4ed5819c8afeaebad544"
    case sessionClosed = "67a03f6cd1c841bfafbe697e7763ff60"
    case sleptThrough = "647583b3d10e415a9bdb24a3034dd29d"
    case clockStepped = "971d27541d4f4e4385a5d52e3c730fa9"
    case clockSuspect = "b8254e8e57c24329aa05d595aaad12c6"
    case storeFault = "290f22a1183d499eaaf82716d51bd1af"
    case storeRecovered = "337a1dec0e964f679f1630dfacff3b2e"
    case storeRolledBack = "f7aee231adf246b7bfd401f0d28f853a"
    case pluginFailed = "5cdb50f2e7464770b087eef2eddb6324"
    case configRefused = "ab9a67ad88f544d19cdca3b60e39cd4a"
    case zoneUnknown = "c1d3faae4c444a669c4c25e18b0024f2"

    /// 32 lowercase hexadecimal digits.
    public var id: String { rawValue }
}
