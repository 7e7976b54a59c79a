/// A type of sleep event: something of a night beside its doses (R8).
public struct SleepEventType: Hashable, Sendable {
    /// Wire word, the `event_type` of `sleep_events`.
    public let word: String
    /// As people read it.
    public let displayName: String
    /// Other normalised words that mean it.
    public let aliases: [String]
    /// How soon after the last one a live repeat is refused, in seconds; 0 never.
    public let cooldownSeconds: Int
    /// The `color_hex` of `sleep_events`, `#RRGGBB`; nil for none.
    public let colourHex: String?

    init(
        _ word: String, _ displayName: String? = nil, aliases: [String] = [], cooldownSeconds: Int = 0,
        colourHex: String? = nil
    ) {
        self.word = word
        self.displayName = displayName ?? SleepEventWord.title(of: word)
        self.aliases = aliases
        self.cooldownSeconds = cooldownSeconds
        self.colourHex = colourHex
    }
}

extension SleepEventType {
    /// All that every machine knows, in the order in which they are listed.
    static let standard: [SleepEventType] = [
        SleepEventType("in_bed", aliases: ["inbed"], colourHex: "#5B6BB5"),
        SleepEventType("lights_out", aliases: ["lightsout", "🌙"], colourHex: "#3F4A8A"),
        SleepEventType("wake_temp", "Brief Wake", aliases: ["waketemp", "brief_wake"], colourHex: "#C9A227"),
        // Its rows come from an event of its own and have never had a colour.
        SleepEventType(
            SleepEventWord.finalWake, "Final Wake",
            aliases: ["wakefinal", "final_wake", "wake", "wakeup", "wake_up", "☀"]),
        SleepEventType("bathroom", aliases: ["🚽"], cooldownSeconds: 60, colourHex: "#3E8FB0"),
        SleepEventType("water", aliases: ["💧"], cooldownSeconds: 60, colourHex: "#2F9FD0"),
        SleepEventType("snack", aliases: ["🍎"], cooldownSeconds: 60, colourHex: "#6A9F3D"),
        SleepEventType(SleepEventWord.napStart, aliases: ["napstart"], colourHex: "#8A6FB8"),
        SleepEventType(SleepEventWord.napEnd, aliases: ["napend"], colourHex: "#B39AD6"),
        SleepEventType("anxiety", aliases: ["restless", "😰"], colourHex: "#B5548A"),
        SleepEventType("dream", aliases: ["💭"], colourHex: "#7A86D1"),
        SleepEventType("heart_racing", aliases: ["heartracing", "💓"], colourHex: "#C74B5A"),
        SleepEventType("noise", aliases: ["🔊"], colourHex: "#8C8C5A"),
        SleepEventType("temperature", aliases: ["temp", "🌡"], colourHex: "#D07A3A"),
        SleepEventType("pain", aliases: ["🤕"], colourHex: "#A83A3A"),
    ]
}
