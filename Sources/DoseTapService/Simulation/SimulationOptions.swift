/// What `dosetapd --simulate` is told.
struct SimulationOptions: Sendable, Equatable {
    /// One JSON object instead of lines.
    var json = false
    /// So many nights made by chance instead of a script on standard input.
    var nights: Int?
    /// Brings random nights back.
    var seed: UInt64 = 1
}
