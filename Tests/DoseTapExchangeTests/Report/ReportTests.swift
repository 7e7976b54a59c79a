import DoseTapDomain
import DoseTapExchange
import DoseTapTestSupport
import Foundation
import Testing

@testable import DoseTapReport

@Suite struct ReportTests {
    private static func day(_ text: String) -> Double? {
        (try? CivilDate(iso8601: String(text.prefix(10)))).map { Double($0.daysSinceEpoch) }
    }

    private func isNear(_ left: Double?, _ right: Double?) -> Bool {
        guard let left, let right else { return false }
        // A place is written with one decimal, and so are the ticks that it is compared with.
        return abs(left - right) < 0.15
    }

    @Test(arguments: [1, 3, 90, 365, 1_095])
    func `R32.4 every interval stands at its place between the ticks`(count: Int) throws {
        let nights = ReportBench.many(count)
        let chart = try #require(try PageReader.chart("interval", ReportBench.page(nights)))
        var drawn: [String: PageReader.Element] = [:]
        for mark in chart.marks() { #expect(drawn.updateValue(mark, forKey: mark["data-night"] ?? "") == nil) }
        #expect(drawn.count == nights.count)
        for night in nights {
            let mark = try #require(drawn[night.date])
            #expect(mark["data-mark"] == night.outcome.rawValue)
            let x = chart.place(try #require(Self.day(night.date)), axis: "x", Self.day)
            #expect(isNear(mark.place?.x, x), "\(night.date)")
            guard let interval = night.interval else { continue }
            #expect(isNear(mark.place?.y, chart.place(interval, axis: "y") { Double($0) }), "\(night.date)")
        }
        let targets = chart.elements.filter { $0["data-mark"] == "target" }.compactMap { $0["data-value"] }
        #expect(targets == (count == 1 ? ["180"] : ["165", "180"]))
    }

    @Test(arguments: [1, 3, 90, 1_095])
    func `R32.4 doses, sleep and naps stand at their minutes since 18_00`(count: Int) throws {
        let nights = ReportBench.many(count)
        let chart = try #require(try PageReader.chart("nights", ReportBench.page(nights)))
        let doses = chart.marks("dose1")
        #expect(doses.count == nights.count)
        for (night, mark) in zip(nights, doses) {
            #expect(mark["data-night"] == night.date)
            #expect(isNear(mark.place?.x, chart.place(try #require(night.dose1), axis: "x") { Double($0) }))
            #expect(isNear(mark.place?.y, chart.place(try #require(Self.day(night.date)), axis: "y", Self.day)))
        }
        #expect(chart.marks("dose2").count == nights.count { $0.interval != nil })
        for nap in chart.marks("nap") {
            #expect(isNear(nap.place?.x, chart.place(1_200, axis: "x") { Double($0) }))
            let end = nap.place.flatMap { place in nap.number("width").map { place.x + $0 } }
            #expect(isNear(end, chart.place(1_230.5, axis: "x") { Double($0) }))
        }
        let recorded = nights.count(where: \.hasStages)
        // Light and deep sleep with time awake between them make two bars. The diary's sleep makes one.
        #expect(chart.marks("asleep").count == nights.count + recorded)
    }

    @Test func `R32.3 a night in which the clock was put back is as long as it was`() throws {
        let before = ReportBench.Night(date: "2026-10-23", offsets: (120, 120))
        var changed = ReportBench.Night(date: "2026-10-24", offsets: (120, 60))
        changed.interval = 200
        var travelled = ReportBench.Night(date: "2026-10-25", offsets: (540, 540), zone: "Asia/Tokyo")
        travelled.hasStages = true
        let page = try ReportBench.page([before, changed, travelled])
        let chart = try #require(try PageReader.chart("nights", page))
        // In all three nights dose 1 is five hours after 18:00 of the wall clock.
        let places = chart.marks("dose1").compactMap { $0.place?.x }
        #expect(places.count == 3 && Set(places).count == 1)
        let ends = chart.marks("asleep").prefix(2).map { ($0.place?.x ?? 0) + ($0.number("width") ?? 0) }
        #expect(ends[0] == ends[1])
        let words = chart.elements.filter { $0.name == "text" }.map(\.text)
        // The picture has no room for a word at each row. The table has both words.
        #expect(words.contains("clock −1 h"), "\(words)")
        let rows = try #require(try PageReader.table("nights-table", page)).elements
        #expect(rows.contains { $0.name == "td" && $0.text == "Tokyo" })
        // In the morning the wall clock is an hour less ahead: 18:00 and 13 hours are 06:00.
        #expect(rows.contains { $0.name == "td" && $0.text == "23:07–06:00" }, "\(rows.map(\.text))")
        #expect(rows.contains { $0["data-origin"] == "2026-10-24T18:00:00.000+02:00" })
        #expect(page.contains("in Europe/Berlin, Asia/Tokyo"))
    }

    @Test func `R32.4 the table has every value that a chart shows`() throws {
        let nights = ReportBench.many(40)
        let table = try #require(try PageReader.table("nights-table", ReportBench.page(nights))).elements
        #expect(table.count { $0.name == "tr" } == nights.count + 1)
        #expect(table.filter { $0.name == "th" && $0["scope"] == "row" }.map(\.text) == nights.map(\.date))
        let values = table.compactMap { $0.name == "td" ? $0["data-value"] : nil }
        for night in nights {
            if let interval = night.interval { #expect(values.contains(Chart.exact(interval))) }
        }
        #expect(values.count { $0 == "1200 1230.5" } == nights.count)
        #expect(table.filter { $0["data-told"] == "recorded" }.count == nights.count(where: \.hasStages))
    }

    @Test func `R32.5 no night, one dose a night, and nights without a second dose have words of their own`() throws {
        let empty = try ReportBench.page([])
        #expect(empty.contains("No nights yet") && empty.contains("<code>dosetap log dose1</code>"))
        #expect(!empty.contains("<svg"))
        let once = (0..<5).map { index in
            ReportBench.Night(
                date: CivilDate(daysSinceEpoch: 20_454 + index).iso8601, interval: nil, outcome: .onceNightly,
                isOnceNightly: true)
        }
        let page = try ReportBench.page(once)
        #expect(
            page.contains("there is no interval between doses to show") && !page.contains("data-chart=\"interval\""))
        #expect(try PageReader.chart("every-night", page)?.marks("once_nightly").count == 5)
        #expect(!page.contains("<th scope=\"col\">Dose 2</th>"))
        // A second dose that was taken all the same stands in the table, and has no interval.
        var twice = once
        for place in twice.indices { twice[place].interval = 169 }
        let second = try ReportBench.page(twice)
        #expect(second.contains("there is no interval between doses to show") && !second.contains("data-value=\"169\""))
        #expect(second.contains("<th scope=\"col\">Dose 2</th>") && !second.contains("169 minutes"))
        let mixed = try ReportBench.page(twice + [ReportBench.Night(date: "2026-02-01", interval: 180)])
        #expect(mixed.contains("data-value=\"180\"") && !mixed.contains("data-value=\"169\""))
        let pending = ReportBench.Night(date: "2026-01-01", interval: nil, outcome: .pending)
        #expect(try ReportBench.page([pending]).contains("No interval between doses is on record"))
    }

    @Test func `R32.5 recorded sleep without a night stands in words, a chart and a table of its own`() throws {
        let sleeps = """
            {"nights":[],"sleep_records":[\
            {"id":"0197dc21-54bd-7469-ac0c-edd499bbd377","type":"sleep_record","timestamp":"2026-01-01T22:30:00.000Z",\
            "recorded_at":"2026-01-05T10:00:00.000Z","surface":"import","metadata":{"sleep_source":"gadgetbridge","device":"Band",\
            "part":"main","grade":"measured","end_utc":"2026-01-02T06:00:00.000Z","local_offset_minutes":60,\
            "sleep":{"total_sleep_min":402}}}]}
            """
        for (nights, isAlone) in [([], true), (ReportBench.many(3), false)] {
            let stream = ReportBench.stream(nights) + sleeps + "\n"
            let page = try ExchangeBench.make(.report, stream)
            let table = try #require(try PageReader.table("sleeps-table", page)).elements
            #expect(
                table.filter { $0.name == "td" }.map(\.text) == ["2026-01-01", "23:30", "07:00", "402", "gadgetbridge"])
            #expect(page.contains("1 record of sleep belongs to no night") && page.contains("No nights yet") == isAlone)
            let marks = try #require(try PageReader.chart("sleeps", page)).marks("sleep")
            #expect(marks.map { $0["data-night"] } == ["2026-01-01"], "\(marks)")
            let summary = try ExchangeBench.make(.summary, stream)
            #expect(summary.contains("1 record of sleep belongs to no night") && summary.contains("402 ± – (1)"))
            let shared = try ExchangeBench.make(.report, stream, profile: .share)
            #expect(!shared.contains("sleeps-table") && !shared.contains("2026-01-01"))
            #expect(!shared.contains("data-chart=\"sleeps\""))
        }
    }

    @Test func `R32.2 no text of the record becomes markup`() throws {
        let hostile = "</title><script>alert(1)</script>\"'&<img src=x onerror=y>"
        var night = ReportBench.Night(date: "2026-01-01", zone: hostile, word: hostile, medicine: hostile)
        night.hasStages = true
        let page = try ReportBench.page([night, ReportBench.Night(date: "2026-01-02", zone: "b\u{202E}\u{FFFE}\u{0}")])
        #expect(!page.contains("<script") && !page.contains("<img") && !page.contains("\u{202E}"))
        #expect(page.contains("&lt;script&gt;alert(1)"))
        // Every picture and table is still well-formed.
        for chart in ["interval", "nights", "every-night", "night", "medicines"] {
            #expect(try PageReader.chart(chart, page) != nil, "\(chart)")
        }
        for seed in 1...4 {
            let random = try ExchangeBench.make(.report, ExchangeBench.random(seed: UInt64(seed) * 9_973))
            #expect(try PageReader.table("nights-table", random) != nil && !random.contains("<script"))
        }
        #expect(try ExchangeBench.make(.report, PlantedNight.stream).contains("<!doctype html>"))
    }

    @Test func `R32.2 the page names no address and runs nothing`() throws {
        let page = try ReportBench.page(ReportBench.many(20))
        for word in [
            "http:", "https:", "//", "url(", "@import", "<script", "<link", "<iframe", " href", " src=", "javascript",
        ] {
            #expect(!page.contains(word), "\(word)")
        }
        #expect(page.contains("content=\"default-src &#39;none&#39;; style-src &#39;unsafe-inline&#39;"))
    }

    @Test func `R28.9 share has numbers for dates, figures has no night`() throws {
        var nights = ReportBench.many(20)
        nights[2].medicine = "modafinil"
        let shared = try ReportBench.page(nights, profile: .share)
        for secret in ["2026", "Berlin", "modafinil", "Modafinil"] { #expect(!shared.contains(secret), "\(secret)") }
        let chart = try #require(try PageReader.chart("interval", shared))
        #expect(
            chart.marks().compactMap { $0["data-night"] }.sorted { Int($0) ?? 0 < Int($1) ?? 0 }
                == (1...nights.count).map(String.init))
        let counted = try ReportBench.page(nights, profile: .figures)
        #expect(!counted.contains("data-night") && counted.contains("Counts and medians of \(nights.count) nights"))
        #expect(try ReportBench.page(nights, profile: .clinic).contains("Modafinil"))
    }

    @Test func `R32.4 two sessions of a date are one night, and a nap by day is none`() throws {
        var nap = ReportBench.Night(date: "2026-01-02", dose1: nil, interval: nil, outcome: .noDose1)
        nap.isNap = true
        var skipped = ReportBench.Night(date: "2026-01-02", interval: nil, outcome: .skipped)
        skipped.medicine = "modafinil"
        let page = try ReportBench.page([ReportBench.Night(date: "2026-01-01"), skipped, nap])
        let chart = try #require(try PageReader.chart("every-night", page))
        #expect(chart.marks().compactMap { $0["data-mark"] }.sorted() == ["on_time", "skipped"])
        #expect(page.contains("<dd>2<small>of 2 days, first to last</small>"))
        // The table has a row for the nap.
        let rows = try #require(try PageReader.table("nights-table", page)).elements.compactMap { $0["data-night"] }
        #expect(rows == ["2026-01-01", "2026-01-02", "2026-01-02-2"])
        // Heading, figures and the page of a packet count alike.
        let nights = [ReportBench.Night(date: "2026-01-01"), skipped, nap]
        let counted = try ReportBench.page(nights, profile: .figures)
        #expect(counted.contains("Counts and medians of 2 nights") && counted.contains("<dd>2</dd>"))
        #expect(try ReportBench.page(nights, profile: .share).contains("2 nights, numbered from the oldest"))
        #expect(try ExchangeBench.make(.summary, ReportBench.stream(nights)).contains("2 nights on record"))
    }

    @Test func `R32.5 an answer by default is nobody's own, and an unknown sleep has no bar`() throws {
        var night = ReportBench.Night(date: "2026-01-01")
        #expect(try ReportBench.page([night]).contains("<th scope=\"col\">Rested</th>"))
        night.isDefault = true
        #expect(try !ReportBench.page([night]).contains("<th scope=\"col\">Rested</th>"))
        night.knowsSleep = false
        #expect(try PageReader.chart("nights", ReportBench.page([night]))?.marks("asleep").isEmpty == true)
    }

    @Test func `R33.7 a morning score with answers that nobody gave is told as such`() throws {
        let own = ReportBench.Night(date: "2026-01-01")
        var partly = ReportBench.Night(date: "2026-01-02")
        partly.isDefault = true
        func tells(_ nights: [ReportBench.Night]) throws -> Bool {
            try ExchangeBench.make(.summary, ReportBench.stream(nights)).contains(
                "in 1 of them questions were left out")
        }
        #expect(try tells([own, partly]) && !tells([own]))
    }

    @Test func `R33.7 R8.11 times and scores of a packet are those of nights, and naps count by day`() throws {
        let nights = [
            ReportBench.Night(date: "2026-01-01"),
            ReportBench.Night(date: "2026-01-02", dose1: nil, interval: nil, outcome: .noDose1),
        ]
        let lines = ReportBench.stream(nights).split(separator: "\n").map(String.init)
        var second = try #require(try JSONValue.parse(lines[1]).objectValue)
        let both = try ExchangeBench.make(.summary, ReportBench.stream(nights))
        #expect(both.contains("2 nights on record") && both.contains(", n 2"))
        // A session such as that of a second final wake.
        second["belongs_to"] = try JSONValue.parse(lines[0])["session_id"]
        let page = try ExchangeBench.make(.summary, lines[0] + "\n" + JSONValue.object(second).serialized() + "\n")
        #expect(page.contains("1 night on record") && page.contains(", n 1") && !page.contains(", n 2"))
        #expect(page.contains("2 on 2 days, median 30.5 min"))
    }

    @Test func `R13.7 the quartiles of the interval are the same in the report and in a packet`() throws {
        let nights = [170, 171, 172, 174].enumerated().map { place, interval in
            ReportBench.Night(date: "2026-01-0\(place + 1)", interval: Double(interval))
        }
        #expect(try ReportBench.page(nights).contains("middle half 170.8 to 172.5"))
        let summary = try ExchangeBench.make(.summary, ReportBench.stream(nights))
        #expect(summary.contains("quartiles 170.8 and 172.5, n 4"))
    }

    @Test func `R33.1 figures count the dates with a night, as the page does`() throws {
        let nights = [
            ReportBench.Night(date: "2026-01-01"), ReportBench.Night(date: "2026-01-02"),
            ReportBench.Night(date: "2026-01-02", dose1: 900),
        ]
        #expect(try ReportBench.page(nights, profile: .figures).contains("Counts and medians of 2 nights"))
        let figures = try ExchangeBench.resources(ReportBench.stream(nights), profile: .figures).last
        let count = figures?["component"]?.arrayValue?.first {
            $0["code"]?["coding"]?.arrayValue?.first?["code"] == "nights"
        }
        #expect(count?["valueInteger"] == 2)
    }

    @Test func `R28.9 in share an interval is whole minutes`() throws {
        let night = ReportBench.Night(date: "2026-01-01", interval: 170.7)
        #expect(try ReportBench.page([night]).contains("data-value=\"170.7\""))
        let shared = try ReportBench.page([night], profile: .share)
        #expect(shared.contains("data-value=\"170\"") && !shared.contains("170.7"))
    }

    @Test func `R32.2 figures beyond all reason end in a page, too`() throws {
        let stream = ReportBench.stream(ReportBench.many(9)).replacing(
            "\"night_score\":80", with: "\"night_score\":9223372036854775807"
        )
        .replacing("\"total_sleep_min\":443", with: "\"total_sleep_min\":-9223372036854775807")
        #expect(try ExchangeBench.make(.report, stream).hasSuffix("</html>\n"))
    }

    @Test func `R32.9 no sentence of the page advises or judges`() throws {
        let page = try ReportBench.page(ReportBench.many(90)) + ReportBench.page([])
        #expect(try Advice.found(in: page) == [])
        #expect(page.contains("gives no advice"))
    }

    @Test func `R32.1 more nights than a report has are refused by name`() throws {
        let far = [ReportBench.Night(date: "2010-01-01"), ReportBench.Night(date: "2026-01-01")]
        let fault = #expect(throws: ExchangeFault.self) { try ReportBench.page(far) }
        #expect(fault?.kind == .usage && fault?.message.contains("3700 nights at most") == true)
    }

    @Test func `R28.3 one stream gives one page`() throws {
        let nights = ReportBench.many(60)
        #expect(try ReportBench.page(nights) == ReportBench.page(nights))
    }

    @Test func `a scale puts values in proportion and has ticks at multiples`() {
        let scale = Scale(120...270, from: 200, to: 50)
        #expect(scale.place(120) == 200 && scale.place(270) == 50 && scale.place(195) == 125)
        #expect(scale.ticks(every: 60) == [120, 180, 240])
        #expect(scale.held(300) == 270 && scale.held(3) == 120)
        #expect(Scale(5...5, from: 0, to: 10).place(5) == 5)
        #expect(Scale.range([61, 99], step: 30, within: 0...360) == 60...120)
        #expect(Scale.range([], step: 30, within: 0...360) == 0...360)
    }

    @Test(arguments: [(-0.04, "0"), (3, "3"), (2.96, "3"), (12.34, "12.3")])
    func `a number in a picture has a tenth at most`(value: Double, text: String) {
        #expect(Chart.number(value) == text)
    }

    @Test func `a cell has its value to a thousandth`() {
        #expect(Chart.exact(170) == "170" && Chart.exact(170.25) == "170.25" && Chart.exact(-0.5) == "-0.5")
        #expect(Chart.exact(0.007) == "0.007" && Chart.exact(-1.25) == "-1.25")
    }

    @Test func `labels at an edge keep apart in their order`() {
        let placed = Chart.apart([(50, "b"), (40, "a"), (52, "c")])
        #expect(placed.map(\.text) == ["a", "b", "c"])
        #expect(zip(placed, placed.dropFirst()).allSatisfy { $1.y - $0.y >= 14 })
    }

    @Test func `quartiles lie in proportion between two values`() throws {
        let five = try #require(Quartiles([5, 1, 3, 2, 4]))
        #expect((five.lower, five.median, five.upper) == (2, 3, 4))
        let four = try #require(Quartiles([1, 2, 3, 4]))
        #expect((four.lower, four.median, four.upper) == (1.75, 2.5, 3.25))
        #expect(Quartiles([Double]()) == nil)
    }
}
