package import DoseTapDomain

/// The text of `import`.
package enum ImportText {
    /// Returns the result of an import, or of a dry run.
    package static func made(_ report: ImportReport, _ moments: Moments, _ page: Page) -> [String] {
        if report.isOfEvents { return takenOver(report) }
        let span = span(report.from, report.to, report.nights)
        var lines = [
            report.isDryRun
                ? tr("Would be imported from \(report.source): \(Count.entries(report.new))\(span).")
                : tr("Imported from \(report.source): \(Count.entries(report.new))\(span).")
        ]
        lines += report.counts.sorted { $0.key < $1.key }.map { "  \(kind($0.key)): \($0.value)" }
        if !report.flags.isEmpty {
            let flags = report.flags.sorted { $0.key < $1.key }.map { "\($0.value) \(flag($0.key))" }
            lines.append(tr("Of them as they were: \(flags.joined(separator: ", "))."))
        }
        if report.known > 0 {
            lines.append(tr("Imported before, or twice in the file: \(Count.rows(Int64(report.known)))."))
        }
        if report.linked > 0 {
            lines.append(tr("On record already: \(Count.rows(Int64(report.linked))). Those entries stay as they are."))
        }
        lines += missing(report, moments)
        lines += report.notes.map { tr("note: \(SafeText.line(Wire.told($0)))") }
        if let id = report.id {
            lines.append(page.addressed(tr("To take it back: dosetap import --take-back \(id.text)")))
        }
        return lines
    }

    /// Returns the events of a log that became part of the record, or would.
    private static func takenOver(_ report: ImportReport) -> [String] {
        let notes = report.notes.map { tr("note: \(SafeText.line(Wire.told($0)))") }
        let known = Count.events(report.known)
        guard report.new > 0 else {
            return [tr("The record has all of this log, \(known). Nothing was changed.")] + notes
        }
        let span = span(report.from, report.to, report.nights)
        var lines = [
            report.isDryRun
                ? tr("Would be taken over from the log: \(Count.events(report.new))\(span).")
                : tr("Taken over from the log: \(Count.events(report.new))\(span).")
        ]
        if report.known > 0 { lines.append(tr("On record already: \(known).")) }
        return lines + notes
    }

    /// Returns the nights of a dry run.
    package static func nights(_ report: ImportReport, _ page: Page) -> [String] {
        guard !report.byNight.isEmpty else { return [] }
        let nights = report.byNight
        return Table(columns: [
            .init(heading: tr("Night"), cells: nights.map(\.date.text)),
            .init(heading: tr("New"), cells: nights.map { "\($0.new)" }, alignsRight: true),
            .init(heading: tr("On record"), cells: nights.map { "\($0.linked + $0.known)" }, alignsRight: true),
            .init(
                heading: tr("Not taken", context: "import"), cells: nights.map { "\($0.notTaken)" },
                alignsRight: true),
        ]).lines(width: page.columns)
    }

    /// Returns the entries that were taken back, or would be.
    package static func takenBack(_ report: ImportReport) -> [String] {
        let span = span(report.from, report.to, report.nights)
        return [
            report.isDryRun
                ? tr("Would be taken back: \(Count.entries(report.new))\(span).")
                : tr("Taken back: \(Count.entries(report.new))\(span).")
        ]
            + report.counts.sorted { $0.key < $1.key }.map { "  \(Label.entry($0.key)): \($0.value)" }
    }

    package static func list(_ imports: [ImportOnRecord], _ moments: Moments, _ page: Page) -> [String] {
        guard !imports.isEmpty else { return [tr("Nothing was imported yet.")] }
        return Table(columns: [
            .init(heading: tr("Imported"), cells: imports.map { moments.dateAndClock($0.at) }),
            .init(heading: tr("From"), cells: imports.map { SafeText.line($0.source) }, isNeeded: true),
            .init(heading: tr("Entries"), cells: imports.map { "\($0.entries)" }, alignsRight: true),
            .init(heading: tr("Nights"), cells: imports.map { "\($0.nights)" }, alignsRight: true),
            // As long as nothing was taken back, the source and the id have its place in a narrow window.
            .init(
                heading: tr("Taken back"), cells: imports.map { $0.takenBack.map(moments.dateAndClock) ?? tr("no") },
                isNeeded: imports.contains { $0.takenBack != nil }),
            .init(heading: tr("Id"), cells: imports.map(\.id.text), isNeeded: true),
        ]).lines(width: page.columns)
    }

    /// Returns the line during the reading of a large file.
    package static func progress(_ read: Int64, of all: Int64) -> String {
        tr("dosetap: reading, \(all > 0 ? min(100, read * 100 / all) : 100) % of \(BackupText.size(all))")
    }

    /// Returns every row with its outcome, as CSV.
    package static func table(_ rows: [ImportRow], _ moments: Moments) -> [UInt8] {
        var csv = CSVWriter(isExact: false)
        csv.header(["row", "kind", "time", "night", "outcome", "flags", "reason"])
        for row in rows {
            csv.text(row.row)
            csv.text(row.kind)
            if let at = row.at { csv.text(at.iso8601) } else { csv.null() }
            if let night = row.night { csv.text(night.text) } else { csv.null() }
            csv.text(row.outcome.rawValue)
            if row.flags.isEmpty { csv.null() } else { csv.text(row.flags.map(\.rawValue).joined(separator: " ")) }
            if let reason = row.reason { csv.text(sentence(reason, moments)) } else { csv.null() }
            csv.end()
        }
        return csv.take()
    }

    private static func missing(_ report: ImportReport, _ moments: Moments) -> [String] {
        let all = report.heldBack + report.notTaken
        guard all > 0 else { return [] }
        var lines: [String] = []
        if report.heldBack > 0 {
            // The person may have taken a dose tonight that is on record on another computer only.
            let doses = report.rows.filter(\.isDoseOfTonight).compactMap(\.at).sorted()
            if !doses.isEmpty {
                let times = doses.map(moments.dateAndClock).joined(separator: ", ")
                lines.append(tr("The file has doses of tonight, and they do not count here: \(times)."))
            }
            lines.append(
                tr("Held back: \(Count.rows(Int64(report.heldBack))). Import the file again tomorrow for them."))
        }
        if report.notTaken > 0 {
            // The reader of the file also names parts of rows that are taken, and several rows in one line.
            let isOfReader = report.reasons[ImportReason.Word.source.rawValue] != nil
            lines.append(
                isOfReader
                    ? tr("Not taken, in whole or in part: \(Count.places(report.notTaken)) of the file.")
                    : tr("Not taken: \(Count.rows(Int64(report.notTaken)))."))
        }
        let told = (report.rows.filter(\.isDoseOfTonight) + report.rows.filter { !$0.isDoseOfTonight }).prefix(20)
        lines += told.map { row in
            let at = row.at.map { ", \(moments.dateAndClock($0))" } ?? ""
            // What the reader of the file gave up has no kind and no time.
            let what = row.kind == "not_taken" ? "" : " \(kind(row.kind))\(at):"
            let why = row.reason.map { sentence($0, moments) } ?? ""
            return "  \(SafeText.line(FaultText.place(row.row))):\(what) \(SafeText.line(why))"
        }
        if all > told.count { lines.append(tr("  and \(all - told.count) more: --report FILE lists all")) }
        return lines
    }

    /// Returns the reason why a row is not recorded, without a full stop.
    package static func sentence(_ reason: ImportReason, _ moments: Moments) -> String {
        switch reason.word {
        case .tonight: tr("it is of the night that is open, which an import never touches")
        case .recent: tr("it is younger than 12 hours")
        case .nightNotOver: tr("its night is not over yet")
        case .future: tr("its time lies in the future")
        case .tooOld: tr("its time lies before 1990")
        case .anotherTime:
            tr(
                "one is on record at \((try? Instant(iso8601: reason.detail)).map(moments.clock) ?? tr("another time")): the same at another time?"
            )
        case .secondDose1: tr("the night has a dose 1 already")
        case .onRecord: tr("the night has one already")
        case .regimenOnRecord: tr("a regimen on record holds at that time")
        case .refused: refusal(reason.detail)
        case .invalid, .source: Wire.told(reason.detail)
        }
    }

    private static func refusal(_ word: String) -> String {
        switch BlockReason(rawValue: word) {
        case .dose1Required: tr("the night has no dose 1")
        case .order: tr("its time does not fit the order of the doses")
        case .napOpen: tr("it lies in another nap")
        case .phase: tr("no dose 2 is expected in a night of one dose")
        case let reason?: String(ErrorText.sentence(reason, "").dropLast())
        case nil: tr("the rules refuse it")
        }
    }

    private static func kind(_ word: String) -> String {
        switch word {
        case "dose": tr("doses")
        case "skip": tr("skips")
        case "final_wake": tr("final wakes")
        case "sleep_event": tr("sleep events")
        case "check_in": tr("check-ins")
        case "pre_sleep": tr("pre-sleep logs")
        case "medication": tr("medicines")
        case "regimen": tr("regimens")
        case "sleep_record": tr("recorded sleep")
        case ImportReport.event: tr("events")
        default: SafeText.line(word)
        }
    }

    private static func flag(_ word: String) -> String {
        switch Confirmation(rawValue: word) {
        case .early: tr("early")
        case .late: tr("late")
        case .afterSkip: tr("after a skip")
        case .afterWake: tr("after the final wake")
        case .extra: tr("extra")
        case .overLimit: tr("over the label's limit")
        case .onceNightly: tr("second of a night with one dose")
        default: word
        }
    }

    private static func span(_ from: SessionDate?, _ to: SessionDate?, _ nights: Int) -> String {
        guard let from, let to else { return "" }
        return tr(", \(Count.nights(nights)), \(from.text) to \(to.text)")
    }
}
