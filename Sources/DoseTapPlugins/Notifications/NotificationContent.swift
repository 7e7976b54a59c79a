internal import DoseTapDomain

/// What a notification says, before it is known what the desktop can show.
struct NotificationContent: Hashable, Sendable {
    /// A button.
    struct Button: Hashable, Sendable {
        var action: NotificationAction
        var label: String
    }

    var summary: String
    /// Sentences, a line each.
    var lines: [String]
    var buttons: [Button] = []
    var urgency: ReminderID.Urgency
}

/// A notification as it goes over the bus.
struct NotificationWire: Hashable, Sendable {
    let summary: String
    let body: String
    /// Keys and labels in turn.
    let actions: [String]
    /// 0: until it is withdrawn; -1: as long as the desktop thinks right. Milliseconds.
    let expiry: Int32

    /// Only what the desktop can show: text is escaped where it would be read as markup, and where there are no buttons
    /// it says what to type instead.
    init(_ content: NotificationContent, for capabilities: Set<NotificationServer.Capability>) {
        var lines = content.lines
        if capabilities.contains(.actions) {
            actions = content.buttons.flatMap { [$0.action.rawValue, $0.label] }
        } else {
            actions = []
            if !content.buttons.isEmpty {
                lines.append("In a terminal: " + content.buttons.map(\.action.terminal).joined(separator: ", "))
            }
        }
        if capabilities.contains(.body) {
            summary = content.summary
            let text = lines.joined(separator: "\n")
            body = capabilities.contains(.bodyMarkup) ? Self.escaped(text) : text
        } else {
            summary = ([content.summary] + lines).joined(separator: " · ")
            body = ""
        }
        expiry = content.urgency == .critical ? 0 : -1
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
