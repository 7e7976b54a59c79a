internal import DoseTapDomain

/// What a notification says, before it is known what the desktop can show.
package struct NotificationContent: Hashable, Sendable {
    /// A button.
    struct Button: Hashable, Sendable {
        var action: NotificationAction
        var label: String
    }

    package var summary: String
    /// Sentences, a line each.
    package var lines: [String]
    var buttons: [Button] = []
    var urgency: ReminderID.Urgency
    /// How long it may stand; nil: as its urgency asks.
    var lasts: Duration?

    /// Says what to type in place of the buttons.
    mutating func spellOutButtons() {
        guard !buttons.isEmpty else { return }
        var commands: [String] = []
        for button in buttons where !commands.contains(button.action.terminal) {
            commands.append(button.action.terminal)
        }
        lines.append("In a terminal: " + commands.joined(separator: ", "))
        buttons = []
    }
}

/// A notification as it goes over the bus.
struct NotificationWire: Hashable, Sendable {
    let summary: String
    let body: String
    /// Keys and labels in turn.
    let actions: [String]
    /// Milliseconds. 0: until it is withdrawn; -1: as long as the desktop thinks right.
    let expiry: Int32

    /// Only what the desktop can show: text is escaped where it would be read as markup, and where there are no buttons
    /// it says what to type instead.
    init(_ content: NotificationContent, for capabilities: Set<NotificationServer.Capability>) {
        var content = content
        if !capabilities.contains(.actions) { content.spellOutButtons() }
        actions = content.buttons.flatMap { [$0.action.rawValue, $0.label] }
        if capabilities.contains(.body) {
            summary = content.summary
            let text = content.lines.joined(separator: "\n")
            body = capabilities.contains(.bodyMarkup) ? Self.escaped(text) : text
        } else {
            summary = ([content.summary] + content.lines).joined(separator: " · ")
            body = ""
        }
        expiry =
            content.lasts.map { Int32(clamping: max(1, $0.wholeMilliseconds)) }
            ?? (content.urgency == .critical ? 0 : -1)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
