package import DoseTapDomain
internal import DoseTapText

/// The facts of a packet that its nights do not contain.
package struct SummaryFacts: Hashable, Sendable {
    /// The date on which the packet was made.
    package var made: String
    /// The requested dates.
    package var first: SessionDate?
    package var last: SessionDate?
    package var fingerprint: String
    /// The fingerprint of the key that was lost.
    package var replaces: String?
    /// True if the packet tells other medicines.
    package var hasMedicines: Bool
    /// True if a part of the record could not be read.
    package var isIncomplete: Bool

    package init(
        made: String, first: SessionDate? = nil, last: SessionDate? = nil, fingerprint: String, replaces: String? = nil,
        hasMedicines: Bool = false, isIncomplete: Bool = false
    ) {
        self.made = made
        (self.first, self.last) = (first, last)
        self.fingerprint = fingerprint
        self.replaces = replaces
        self.hasMedicines = hasMedicines
        self.isIncomplete = isIncomplete
    }
}

/// The one page of a packet, for a clinician with a minute. The page is printed on one sheet.
package struct SummaryPage {
    private let facts: SummaryFacts
    private var figures = SummaryFigures()
    private var prescriptions: [(from: SessionDate, text: String)] = []
    /// Regimens so far, in the order in which they came: the newest first.
    private var later: [JSONObject] = []

    /// Most lines of prescriptions, and most names of medicines, so that the page fits on one sheet.
    private static let (mostPrescriptions, mostMedicines) = (4, 12)

    package init(_ facts: SummaryFacts) { self.facts = facts }

    package var count: Int { figures.nights.count }

    package mutating func take(_ night: NightRecord) { figures.take(night) }

    package mutating func take(_ entry: NightRecord.Entry) { figures.take(entry) }

    /// Takes over a prescription in the form of `regimen history`. The newest must come first.
    package mutating func take(regimen: JSONObject) {
        defer { later.append(regimen) }
        guard let id = regimen["medication_id"]?.stringValue else { return }
        for period in PrescribedPeriod.all(of: regimen, later: later) {
            if let until = period.until, until < facts.first ?? period.from { continue }
            if let last = facts.last, period.from > last { continue }
            let text = SummaryText.prescription(
                MedicationCatalogue.standard.displayName(of: id), total: regimen["total_mg"]?.integerValue,
                parts: (regimen["parts_mg"]?.arrayValue ?? []).compactMap(\.integerValue),
                steps: period.steps(of: regimen), from: period.from, until: period.until)
            prescriptions.append((from: period.from, text: text))
        }
    }

    /// Returns the page as bytes.
    package func html() -> [UInt8] {
        var page = Markup()
        page.put("<!doctype html>\n")
        page.element("html", ["lang": Speech.code]) { html in
            html.element("head") { head in
                head.pageHead(title: SummaryText.title) { style in
                    style.put(Style.sheet)
                    style.put(SummaryStyle.sheet)
                }
            }
            html.element("body") { body in
                guard let shown = NightSeries(figures.nights, isNumbered: false) else {
                    body.element("main") { main in
                        main.element("h1", SummaryText.title)
                        main.element("p", ["class": "soft"], SummaryText.nature)
                        if facts.isIncomplete { main.element("p", SummaryText.incomplete) }
                        main.element("p", ReportText.noNights)
                        looseSleeps(&main)
                        signature(&main)
                    }
                    return
                }
                whole(&body, shown)
            }
        }
        page.put("\n")
        return page.bytes
    }

    private func whole(_ body: inout Markup, _ shown: NightSeries) {
        body.element("header") { header in
            header.element("h1", SummaryText.title)
            header.element(
                "p",
                SummaryText.scope(
                    nights: figures.dates, gaps: figures.gaps(from: facts.first, to: facts.last),
                    zones: shown.zones, first: shown.first, last: shown.last))
            header.element("p", ["class": "soft"], SummaryText.nature)
            if facts.isIncomplete { header.element("p", SummaryText.incomplete) }
        }
        body.element("main") { main in
            section(&main, SummaryText.prescribed, wide: true) { section in
                if prescriptions.isEmpty { section.element("p", SummaryText.nothingPrescribed) }
                let newest = prescriptions.sorted { $1.from < $0.from }.prefix(Self.mostPrescriptions)
                for line in newest { section.element("p", line.text) }
                let more = prescriptions.count - Self.mostPrescriptions
                if more > 0 { section.element("p", SummaryText.more(more)) }
            }
            if let chart = IntervalChart(shown) {
                section(&main, ReportText.intervalHeading, wide: true) { section in
                    section.element("p", ["class": "soft"], ReportText.intervalLead)
                    section.element(
                        "figure",
                        ["class": "w", "tabindex": 0, "role": "group", "aria-label": ReportText.intervalHeading],
                        chart.draw)
                }
            }
            section(&main, SummaryText.dose2) { doses(&$0) }
            section(&main, SummaryText.sleep) { sleep(&$0) }
            section(&main, SummaryText.habits) { habits(&$0) }
            section(&main, SummaryText.symptoms) { symptoms(&$0) }
            if facts.hasMedicines { section(&main, SummaryText.medicines, wide: true) { medicines(&$0) } }
            section(&main, SummaryText.record, wide: true) { section in
                let entered = figures.entered
                section.element(
                    "p",
                    SummaryText.record(
                        doses: entered.doses, late: entered.late, corrected: entered.corrected,
                        imported: entered.imported))
            }
            signature(&main)
        }
    }

    private func signature(_ main: inout Markup) {
        section(&main, SummaryText.signature, wide: true) { section in
            section.element("p", SummaryText.signature(made: facts.made, fingerprint: facts.fingerprint))
            if let lost = facts.replaces { section.element("p", SummaryText.replaces(lost)) }
        }
    }

    private func section(
        _ main: inout Markup, _ heading: String, wide: Bool = false, _ body: (inout Markup) -> Void
    ) {
        main.element("section", ["class": wide ? "keep" : "keep half"]) { section in
            section.element("h2", heading)
            body(&section)
        }
    }

    private func doses(_ section: inout Markup) {
        let judged = figures.outcomes.reduce(0) { $0 + $1.count }
        section.element("table") { table in
            table.element("caption", SummaryText.judged(judged))
            head(&table, [SummaryText.dose2, SummaryText.nightsColumn, SummaryText.shareColumn])
            table.element("tbody") { body in
                for (outcome, count) in figures.outcomes {
                    row(&body, SummaryText.outcome(outcome), [String(count), SummaryText.share(count, of: judged)])
                }
                for (outcome, count) in figures.others {
                    row(&body, SummaryText.outcome(outcome), [String(count), ReportText.unknown])
                }
            }
        }
        var lines: [(String, String)] = []
        if let quartiles = Quartiles(figures.intervals) {
            lines.append((SummaryText.interval, SummaryText.interval(quartiles, figures.intervals.count)))
        }
        lines.append((SummaryText.extra, SummaryText.extra(figures.extraDoses, nights: figures.nightsWithExtra)))
        lines.append((SummaryText.over, SummaryText.over(figures.nightsOver, of: figures.nightsCompared)))
        list(&section, lines)
    }

    private func sleep(_ section: inout Markup) {
        section.element("table") { table in
            table.element("caption", SummaryText.meanColumn)
            head(&table, [SummaryText.sleep, SummaryText.diary, SummaryText.device])
            table.element("tbody") { body in
                for measure in SummaryText.measures {
                    let values = figures.sleep(measure.value)
                    row(&body, measure.name, [values.diary, values.device].map(Self.mean))
                }
            }
        }
        section.element("p", ["class": "soft"], SummaryText.sleepNote)
        if figures.recordsTold > 0 {
            section.element("p", ["class": "soft"], SummaryText.recordsTold(figures.recordsTold))
        }
        looseSleeps(&section)
    }

    private func looseSleeps(_ section: inout Markup) {
        guard figures.looseSleeps > 0 else { return }
        section.element("p", ["class": "soft"], SummaryText.looseSleeps(figures.looseSleeps))
        guard let asleep = MeanAndDeviation(figures.looseMinutes) else { return }
        section.element(
            "p", ["class": "soft"],
            SummaryText.looseMinutes(SummaryText.mean(asleep.mean, asleep.deviation, asleep.count)))
    }

    private static func mean(_ values: [Double]) -> String {
        MeanAndDeviation(values).map { SummaryText.mean($0.mean, $0.deviation, $0.count) } ?? ReportText.unknown
    }

    private func habits(_ section: inout Markup) {
        func clock(_ values: [Double]) -> String {
            Quartiles(values).map { SummaryText.clock($0, values.count) } ?? SummaryText.none
        }
        var lines = [
            (SummaryText.bed, clock(figures.bedTimes)), (SummaryText.rise, clock(figures.riseTimes)),
            (
                SummaryText.naps,
                SummaryText.naps(
                    figures.naps.count, days: figures.datesWithNaps.count, median: Quartiles(figures.naps)?.median)
            ),
        ]
        if let score = Quartiles(figures.wellness) {
            lines.append(
                (
                    SummaryText.wellness,
                    SummaryText.wellness(score, figures.wellness.count, byDefault: figures.wellnessByDefault)
                ))
        }
        list(&section, lines)
    }

    private func symptoms(_ section: inout Markup) {
        section.element("table") { table in
            head(&table, [SummaryText.symptoms, SummaryText.morningsColumn])
            table.element("tbody") { body in
                for key in SummaryFigures.symptomKeys {
                    let told = figures.symptoms[key] ?? (0, 0)
                    row(&body, SummaryText.symptom(key), [SummaryText.mornings(told.yes, of: told.of)])
                }
            }
        }
    }

    private func medicines(_ section: inout Markup) {
        let counts = figures.medicines.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        var names = counts.prefix(Self.mostMedicines).map { SummaryText.medicine($0.key, $0.value) }
        if counts.count > names.count { names.append(SummaryText.more(counts.count - names.count)) }
        section.element("p", names.isEmpty ? SummaryText.none : names.joined(separator: ", "))
    }

    private func list(_ section: inout Markup, _ lines: [(name: String, value: String)]) {
        section.element("table") { table in
            table.element("tbody") { body in
                for line in lines {
                    body.element("tr") { row in
                        row.element("th", ["scope": "row"], line.name)
                        row.element("td", ["class": "l"], line.value)
                    }
                }
            }
        }
    }

    private func head(_ table: inout Markup, _ headings: [String]) {
        table.element("thead") { head in
            head.element("tr") { row in
                for heading in headings { row.element("th", ["scope": "col"], heading) }
            }
        }
    }

    private func row(_ body: inout Markup, _ name: String, _ cells: [String]) {
        body.element("tr") { row in
            row.element("th", ["scope": "row"], name)
            for cell in cells { row.element("td", cell) }
        }
    }
}

/// The style of the one page, in addition to that of the report: two columns, and small enough for one sheet.
enum SummaryStyle {
    static let sheet: StaticString = """

        h2{margin:1.2rem 0 .1rem}table{margin:.2rem 0 .6rem;width:100%}p{margin:.1rem 0 .3rem;max-width:none;overflow-wrap:anywhere}
        tbody th,td.l{white-space:normal}td{white-space:nowrap}
        .half{display:inline-block;width:48.5%;vertical-align:top;margin-right:1%}
        @media(max-width:760px){.half{width:100%;margin-right:0}tbody td{white-space:normal}}
        @media print{@page{size:auto;margin:9mm 12mm}
        body{font-size:9pt;line-height:1.3}h1{font-size:14pt}h2{font-size:10pt;margin:.6rem 0 0}
        .half{display:inline-block;width:48.5%;margin-right:1%}
        p,.soft,caption{font-size:8.4pt;margin:.05rem 0 .1rem}table{font-size:8.4pt;margin:.1rem 0 .2rem}th,td{padding:.1rem .3rem .1rem 0;vertical-align:top}caption{padding:0}
        figure{margin:0}}
        """
}
