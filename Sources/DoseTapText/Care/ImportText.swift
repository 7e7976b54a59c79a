package import DoseTapDomain

/// What `import` says.
package enum ImportText {
    /// What was brought, or would be.
    package static func made(_ report: ImportReport, _ moments: Moments, _ page: Page) -> [String] {
        if report.isOfEvents { return takenOver(report) }
        let verb = report.isDryRun ? "Would be imported" : "Imported"
        var lines = [
            "\(verb) from \(report.source): \(Count.entries(report.new))\(span(report.from, report.to, report.nights))."
        ]
        lines += report.counts.sorted { $0.key < $1.key }.map { "  \(kind($0.key)): \($0.value)" }
        if !report.flags.isEmpty {
            let flags = report.flags.sorted { $0.key < $1.key }.map { "\($0.value) \(flag($0.key))" }
            lines.append("Of them as they were: \(flags.joined(separator: ", ")).")
        }
        if report.known > 0 { lines.append("Imported before: \(Count.rows(Int64(report.known))).") }
        if report.linked > 0 {
            lines.append("On record already: \(Count.rows(Int64(report.linked))). Those entries stay as they are.")
        }
        lines += missing(report, moments)
        lines += report.notes.map { "note: \(SafeText.line($0))" }
        if let id = report.id { lines.append(page.addressed("To take it back: dosetap import --take-back \(id.text)")) }
        return lines
    }

    /// What of a log became part of the record, or would.
    private static func takenOver(_ report: ImportReport) -> [String] {
        let notes = report.notes.map { "note: \(SafeText.line($0))" }
        let known = Count.events(report.known)
        guard report.new > 0 else {
            return ["The record has all of this log, \(known). Nothing was changed."] + notes
        }
        let verb = report.isDryRun ? "Would be taken over" : "Taken over"
        var lines = [
            "\(verb) from the log: \(Count.events(report.new))\(span(report.from, report.to, report.nights))."
        ]
        if report.known > 0 { lines.append("On record already: \(known).") }
        return lines + notes
    }

    /// The nights of a dry run.
    package static func nights(_ report: ImportReport, _ page: Page) -> [String] {
        guard !report.byNight.isEmpty else { return [] }
        let nights = report.byNight
        return Table(columns: [
            .init(heading: "Night", cells: nights.map(\.date.text)),
            .init(heading: "New", cells: nights.map { "\($0.new)" }, alignsRight: true),
            .init(heading: "On record", cells: nights.map { "\($0.linked + $0.known)" }, alignsRight: true),
            .init(heading: "Not taken", cells: nights.map { "\($0.notTaken)" }, alignsRight: true),
        ]).lines(width: page.columns)
    }

    /// What was taken back, or would be.
    package static func takenBack(_ report: ImportReport) -> [String] {
        let verb = report.isDryRun ? "Would be taken back" : "Taken back"
        return ["\(verb): \(Count.entries(report.new))\(span(report.from, report.to, report.nights))."]
            + report.counts.sorted { $0.key < $1.key }.map { "  \(Label.entry($0.key)): \($0.value)" }
    }

    package static func list(_ imports: [ImportOnRecord], _ moments: Moments, _ page: Page) -> [String] {
        guard !imports.isEmpty else { return ["Nothing was imported yet."] }
        return Table(columns: [
            .init(heading: "Imported", cells: imports.map { moments.dateAndClock($0.at) }),
            .init(heading: "From", cells: imports.map { SafeText.line($0.source) }),
            .init(heading: "Entries", cells: imports.map { "\($0.entries)" }, alignsRight: true),
            .init(heading: "Nights", cells: imports.map { "\($0.nights)" }, alignsRight: true),
            .init(heading: "Taken back", cells: imports.map { $0.takenBack.map(moments.dateAndClock) ?? "no" }),
            .init(heading: "Id", cells: imports.map(\.id.text)),
        ]).lines(width: page.columns)
    }

    /// While a large file is read.
    package static func progress(_ read: Int64, of all: Int64) -> String {
        "dosetap: reading, \(all > 0 ? min(100, read * 100 / all) : 100) % of \(BackupText.size(all))"
    }

    /// Every row with what becomes of it, as CSV.
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
            lines.append("Held back: \(Count.rows(Int64(report.heldBack))). Import the file again tomorrow for them.")
        }
        if report.notTaken > 0 { lines.append("Not taken: \(Count.rows(Int64(report.notTaken))).") }
        let told = report.rows.prefix(20)
        lines += told.map { row in
            let at = row.at.map { ", \(moments.dateAndClock($0))" } ?? ""
            let why = row.reason.map { sentence($0, moments) } ?? ""
            return "  \(SafeText.line(row.row)): \(kind(row.kind))\(at): \(SafeText.line(why))"
        }
        if all > told.count { lines.append("  and \(all - told.count) more: --report FILE lists all") }
        return lines
    }

    /// Why a row is not recorded, without a full stop.
    package static func sentence(_ reason: ImportReason, _ moments: Moments) -> String {
        switch reason.word {
        case .tonight: "it is of the night that is open, which an import never touches"
        case .recent: "it is younger than 12 hours"
        case .nightNotOver: "its night is not over yet"
        case .future: "its time lies in the future"
        case .tooOld: "its time lies before 1990"
        case .anotherTime:
            "one is on record at \((try? Instant(iso8601: reason.detail)).map(moments.clock) ?? "another time"): "
                + "the same at another time?"
        case .secondDose1: "the night has a dose 1 already"
        case .onRecord: "the night has one already"
        case .regimenOnRecord: "a regimen on record holds at that time"
        case .refused: refusal(reason.detail)
        case .invalid, .source: reason.detail
        }
    }

    private static func refusal(_ word: String) -> String {
        switch BlockReason(rawValue: word) {
        case .dose1Required: "the night has no dose 1"
        case .order: "its time does not fit the order of the doses"
        case .napOpen: "it lies in another nap"
        case let reason?: String(ErrorText.sentence(reason, "").dropLast())
        case nil: "the rules refuse it"
        }
    }

    private static func kind(_ word: String) -> String {
        switch word {
        case "dose": "doses"
        case "skip": "skips"
        case "final_wake": "final wakes"
        case "sleep_event": "sleep events"
        case "check_in": "check-ins"
        case "pre_sleep": "pre-sleep logs"
        case "medication": "medicines"
        case "regimen": "regimens"
        case "sleep_record": "sleep of devices"
        case "not_taken": "not readable"
        case ImportReport.event: "events"
        default: SafeText.line(word)
        }
    }

    private static func flag(_ word: String) -> String {
        switch Confirmation(rawValue: word) {
        case .early: "early"
        case .late: "late"
        case .afterSkip: "after a skip"
        case .afterWake: "after the final wake"
        case .extra: "extra"
        case .overLimit: "over the label's limit"
        case .onceNightly: "second of a night with one dose"
        default: word
        }
    }

    private static func span(_ from: SessionDate?, _ to: SessionDate?, _ nights: Int) -> String {
        guard let from, let to else { return "" }
        return ", \(Count.nights(nights)), \(from.text) to \(to.text)"
    }
}
