package import DoseTapDomain

/// The text of `why`, and of `show` for one entry.
package enum WhyText {
    package static func lines(_ explanation: Explanation, _ moments: Moments, _ page: Page) -> [String] {
        var rows = [
            (tr("Recorded"), recorded(explanation, moments)), (tr("Asked"), asked(explanation)),
            (tr("Counts"), state(explanation)),
        ]
        if let phase = explanation.phase { rows.append((tr("Phase"), met(phase, explanation.elapsedSeconds))) }
        if !explanation.answers.isEmpty {
            rows.append((tr("Confirmed"), explanation.answers.map(\.rawValue).joined(separator: ", ")))
        }
        if let cause = explanation.cause {
            rows.append(
                (cause.id == explanation.event.target ? tr("Corrects") : tr("Because of"), brief(cause, moments)))
        }
        rows += explanation.consequences.map { (tr("Led to"), brief($0, moments)) }
        rows += explanation.corrections.map { (tr("Corrected"), brief($0, moments)) }
        rows += explanation.rules.map { (tr("Rule \($0.rule)"), SafeText.line(Wire.told($0.text))) }
        return [title(explanation, moments)] + table(rows, page.columns)
    }

    /// Returns the original of an entry, its corrections, and whether the entry still counts.
    package static func history(_ explanation: Explanation, _ moments: Moments, _ page: Page) -> [String] {
        var rows = [(tr("Original"), recorded(explanation, moments) + ", \(Label.from(explanation.event.surface))")]
        rows += explanation.corrections.map { (tr("Corrected"), brief($0, moments)) }
        rows.append((tr("Counts"), state(explanation)))
        return [title(explanation, moments)] + table(rows, page.columns)
            + [page.addressed(tr("Why: dosetap why \(SafeText.line(explanation.event.id.text))"))]
    }

    private static func title(_ explanation: Explanation, _ moments: Moments) -> String {
        let event = explanation.event
        let what = EntryText.what(event)
        let details = EntryText.details(event, moments)
        let night = explanation.sessionDate.map { tr(", night of \($0.text)") } ?? ""
        return tr(
            "\(what.capitalised) at \(moments.dateAndClock(event.timestamp))\(details.isEmpty ? "" : ", \(details)")\(night)"
        )
    }

    private static func recorded(_ explanation: Explanation, _ moments: Moments) -> String {
        let event = explanation.event
        let place = explanation.sequence.map { tr(", event \($0) of the log") } ?? tr(", not yet safe on disk")
        return tr("\(moments.dateAndClock(event.recordedAt))\(place), for \(moments.dateAndClock(event.timestamp))")
    }

    private static func asked(_ explanation: Explanation) -> String {
        let surface = Label.from(explanation.event.surface)
        guard explanation.event.surface != Surface.service.rawValue else { return tr("nobody: the service itself") }
        guard let process = explanation.process else { return tr("\(surface), process unknown") }
        if process == .again { return tr("\(surface); it was lost, and was recorded again") }
        let name = process.command.map { SafeText.line($0) } ?? tr("unknown")
        return tr("\(surface), process \(name)\(process.processID.map { " (\($0))" } ?? "")")
    }

    private static func state(_ explanation: Explanation) -> String {
        switch explanation.state {
        case .active: tr("yes, as recorded")
        case .amended: tr("yes, as amended")
        case .deleted: tr("no, deleted")
        case .undone: tr("no, undone")
        case .superseded: tr("no, superseded")
        }
    }

    private static func met(_ phase: Phase, _ elapsed: Int64?) -> String {
        Label.phase(phase) + (elapsed.map { tr(", \(LocalTimeFormat.interval(.seconds($0))) after dose 1") } ?? "")
    }

    private static func brief(_ entry: NightRecord.Entry, _ moments: Moments) -> String {
        let details = EntryText.details(entry, moments)
        return tr(
            "\(EntryText.what(entry))\(details.isEmpty ? "" : " \(details)"), recorded \(moments.dateAndClock(entry.recordedAt)) \(Label.from(entry.surface)), \(SafeText.line(entry.id.text))"
        )
    }

    private static func table(_ rows: [(String, String)], _ columns: Int) -> [String] {
        Page.rows(rows, columns: columns - 2, indent: 2)
    }
}
