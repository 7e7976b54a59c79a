internal import DoseTapDomain
internal import DoseTapText

/// The `--format` of `status`: text with placeholders, for status bars.
struct StatusFormat: Sendable {
    /// The words that can stand in braces.
    enum Placeholder: String, Sendable, CaseIterable {
        case phase
        case elapsed
        case remaining
        case dose1
        case dose2
        case nextReminder = "next_reminder"
        case sessionDate = "session_date"
        case snoozes
        case warning
    }

    private enum Part: Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let parts: [Part]

    /// - Throws: ``Failure`` that names the known placeholders; `{{` and `}}` stand for braces.
    init(_ text: String) throws(Failure) {
        let known = Placeholder.allCases.map { "{\($0.rawValue)}" }.joined(separator: " ")
        var parts: [Part] = []
        var plain = ""
        var rest = Substring(text)
        while let letter = rest.popFirst() {
            switch letter {
            case "{" where rest.first == "{", "}" where rest.first == "}":
                rest.removeFirst()
                plain.append(letter)
            case "{":
                guard let end = rest.firstIndex(of: "}") else {
                    throw .usage(tr("The format has a { without a }. Known: \(known)"), hint: "dosetap status --help")
                }
                let word = String(rest[..<end])
                guard let placeholder = Placeholder(rawValue: word) else {
                    let nearest = Suggestions.to(word, in: Placeholder.allCases.map(\.rawValue)).first
                    let meant = nearest.map { tr(" Did you mean {\($0)}?") } ?? ""
                    throw .usage(
                        tr("The format has an unknown {\(word.prefix(40))}.\(meant) Known: \(known)"),
                        hint: "dosetap status --help")
                }
                parts += [.text(plain), .placeholder(placeholder)]
                plain = ""
                rest = rest[rest.index(after: end)...]
            default: plain.append(letter)
            }
        }
        self.parts = parts + [.text(plain)]
    }

    /// True if the text changes with time alone.
    var counts: Bool {
        parts.contains { part in
            switch part {
            case .placeholder(.elapsed), .placeholder(.remaining): true
            case .placeholder, .text: false
            }
        }
    }

    /// Returns the text for a status. A missing value is `-`.
    func text(_ status: NightStatus, _ moments: Moments) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .placeholder(let placeholder): Self.value(placeholder, status, moments)
            }
        }.joined()
    }

    private static func value(_ placeholder: Placeholder, _ status: NightStatus, _ moments: Moments) -> String {
        switch placeholder {
        case .phase: status.window.phase.rawValue
        case .elapsed: status.window.elapsed.map(LocalTimeFormat.interval) ?? "-"
        case .remaining: status.window.remaining.map(LocalTimeFormat.interval) ?? "-"
        case .dose1: status.dose1.map(moments.cell) ?? "-"
        case .dose2:
            status.dose2.map(moments.cell) ?? Label.withoutDose2(isSkipped: status.dose2Skipped, status.outcome) ?? "-"
        case .nextReminder where status.warnings.silence != nil: "-"
        case .nextReminder:
            status.nextReminder.map { "\($0.id.rawValue) \(moments.cell($0.due))" } ?? "-"
        case .sessionDate: status.sessionDate?.text ?? "-"
        case .snoozes: "\(status.snoozeCount)"
        case .warning: status.warnings.first.map(AdviceText.sentence) ?? "-"
        }
    }
}
