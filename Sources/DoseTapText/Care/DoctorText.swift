package import DoseTapDomain

/// The text of `doctor`, and its one line after dose 1.
package enum DoctorText {
    /// Returns a line for each link, in full on any width of terminal, with the remedy below.
    package static func lines(_ findings: [Finding], _ page: Page) -> [String] {
        let columns = page.columns
        let width = findings.reduce(0) { max($0, SafeText.line($1.id).count) }
        // A narrow terminal has no room for text beside the heads, so the text goes below.
        let isNarrow = columns - 9 - width - 2 < 30
        let indent = isNarrow ? 2 : 9 + width + 2
        return findings.flatMap { finding in
            let level = Words.state(finding.level.rawValue)
            let head =
                page.paint(level, colour(finding.level)) + "".padded(to: 9 - level.count)
                + SafeText.line(finding.id).padded(to: isNarrow ? 0 : width + 2)
            let remedy = page.addressed(AdviceText.instruction(finding))
            // A plugin that was switched off on purpose is told with the way back, not as a task.
            let isChosen = finding.level == .amber && finding.remedy == .enablePlugin
            var texts = wrapped(Wire.told(finding.sentence) + (isChosen ? " (\(remedy))" : ""), columns, indent)
            if !remedy.isEmpty, !isChosen { texts += wrapped(tr("Do: \(remedy)"), columns, indent) }
            let blank = "".padded(to: indent)
            if isNarrow { return [head] + texts.map { blank + $0 } }
            return texts.enumerated().map { ($0.offset == 0 ? head : blank) + $0.element }
        } + [verdict(findings)]
    }

    /// The line while the service checks.
    package static var asking: String { tr("asking whether a reminder can reach you ...") }

    /// The line after the check, if no fault was found.
    package static var ready: String { tr("reminders should reach you, as far as this can be checked.") }

    /// The reason of a trial lock in `systemd-inhibit --list`. The lock only shows whether sleep can be blocked.
    package static var lockProbe: String { tr("Checking whether sleep can be blocked") }

    /// Returns a warning of a second program with this program's name.
    package static func second(_ path: String) -> String {
        tr("A second dosetap is at \(path). Remove one of the two: they can be of different versions.")
    }

    private static func colour(_ level: Finding.Level) -> Page.Colour {
        switch level {
        case .green: .green
        case .amber: .yellow
        case .red: .red
        case .unknown: .dim
        }
    }

    private static func wrapped(_ text: String, _ columns: Int, _ indent: Int) -> [String] {
        SafeText.wrap(SafeText.line(text), columns: max(20, columns - indent), indent: 0)
    }

    private static func verdict(_ findings: [Finding]) -> String {
        switch findings.worst?.level {
        case .red: tr("Something is broken: a reminder may not reach you.")
        case .amber: tr("Reminders should reach you, unless one of the amber points prevents it.")
        default: tr("Reminders should reach you, as far as this can be checked.")
        }
    }

    /// Returns the line before the person goes to sleep; nil if there is nothing to say.
    package static func line(_ finding: Finding, _ page: Page) -> String? {
        if finding.level == .unknown {
            return page.addressed(tr("it is not known yet whether a reminder can reach you. Check: dosetap doctor"))
        }
        guard finding.level >= .amber else { return nil }
        let instruction = SafeText.line(AdviceText.instruction(finding))
        let remedy = instruction.isEmpty ? "" : " (\(instruction))"
        let said = tr(
            "before you sleep: \(SafeText.line(Wire.told(finding.sentence)))\(remedy). Details: dosetap doctor")
        return page.addressed(said)
    }
}
