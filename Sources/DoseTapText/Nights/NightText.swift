package import DoseTapDomain

/// The text of `show` for one night.
package enum NightText {
    package static func lines(_ night: NightRecord, _ moments: Moments, _ page: Page) -> [String] {
        let summary = night.summary
        let remark = NightLine.remark(summary)
        var lines = [tr("Night of \(Moments.date(summary.sessionDate))\(remark.isEmpty ? "" : ": \(remark)")")]
        // A dose 1 that was recorded later can lie before the session's start.
        let dose1 = night.entries.first { $0.type == DoseKind.dose1.rawValue }?.timestamp
        let began = min(summary.start, dose1 ?? summary.start)
        lines.append(tr("  id \(SafeText.line(summary.sessionID.text)), began \(moments.dateAndClock(began))"))
        if let minutes = summary.intervalMinutes { lines.append(tr("  interval \(minutes) min")) }
        // Without a dose nothing can be said of a night that goes on, or of what is no night.
        if let bundle = night.bundle, bundle.taken > 0 || night.isNight && summary.end != nil {
            lines.append("  \(RegimenText.bundle(bundle, summary.outcome))")
        }
        if let score = summary.nightScore {
            let grade = Label.grade(NightScore.grade(score))
            lines.append(
                summary.extraDoses > 0
                    ? tr("  night score \(score), \(grade); extra doses are no part of it: \(summary.extraDoses)")
                    : tr("  night score \(score), \(grade)"))
        }
        if let sleep = sleep(night.sleepDiary) {
            lines += SafeText.wrap(tr("sleep: \(sleep)"), columns: page.columns - 2, indent: 2).map {
                "  \($0)"
            }
        }
        if let recorded = night.recordedSleep.flatMap(SleepText.line) {
            lines += SafeText.wrap(recorded, columns: page.columns - 2, indent: 2).map { "  \($0)" }
        }
        if night.entries.isEmpty { lines.append(tr("  no entry stands")) }
        for entry in night.entries {
            var entry = entry
            // Where one dose a night is prescribed a second one is not judged (R13.6).
            if summary.outcome?.hasInterval == false { entry.metadata["is_early"] = nil }
            let remark = night.isSuperseded(entry) ? tr("no longer holds: dose 2 was taken") : nil
            lines += self.lines(entry, moments, page.columns, beside: began, remark: remark)
        }
        lines += night.naps.map { "  \(nap($0, moments, beside: began))" }
        if !night.corrections.isEmpty {
            lines.append(tr("  Corrections:"))
            for entry in night.corrections { lines += self.lines(entry, moments, page.columns, beside: began) }
        }
        return lines
    }

    /// - Parameters:
    ///   - heading: the time in the heading above, which has the zone.
    ///   - remark: the remark of the night on the entry.
    static func lines(
        _ entry: NightRecord.Entry, _ moments: Moments, _ columns: Int, beside heading: Instant, remark: String? = nil
    ) -> [String] {
        let time = moments.cell(entry.target == nil ? entry.timestamp : entry.recordedAt, beside: heading)
        let type = Label.entry(entry.type)
        // German names are longer.
        let pad = String(repeating: " ", count: max(1, (DisplayLanguage.isTranslating ? 21 : 17) - type.count))
        var lines = ["  \(time)  \(type)\(pad)\(SafeText.line(entry.id.text))"]
        let details = details(entry, moments, beside: heading, remark)
        if !details.isEmpty {
            lines += SafeText.wrap(details, columns: columns - 9, indent: 0).map { "         \($0)" }
        }
        return lines
    }

    private static func nap(_ nap: Nap, _ moments: Moments, beside heading: Instant) -> String {
        let start = nap.start.map { moments.cell($0, beside: heading) } ?? "?"
        let end = nap.end.map { moments.cell($0, beside: heading) } ?? "?"
        return switch nap.state {
        case .complete: tr("Nap from \(start) to \(end): \(Figure.length(minutes: nap.length?.wholeMinutes ?? 0))")
        case .open: tr("Nap from \(start): not ended")
        case .unmatched: tr("End of a nap at \(end): it has no start")
        }
    }

    private static func details(
        _ entry: NightRecord.Entry, _ moments: Moments, beside heading: Instant, _ remark: String?
    ) -> String {
        var parts = [remark].compactMap(\.self)
        if let target = entry.target {
            if let original = entry.metadata["original"], let type = original["type"]?.stringValue,
                let at = original["timestamp"]?.instantValue
            {
                parts.append(tr("\(Label.entry(type)) of \(moments.cell(at, beside: heading))"))
            }
            parts.append(tr("entry \(SafeText.line(target.text))"))
        }
        let isAnsweredAnew = entry.type == EventType.checkinRecorded.rawValue
        let known =
            isAnsweredAnew ? answers(entry.metadata, .morning, moments, all: true) : EntryText.details(entry, moments)
        if !known.isEmpty { parts.append(known) }
        if entry.surface != Surface.cli.rawValue { parts.append(Label.from(entry.surface)) }
        return parts.joined(separator: ", ")
    }
}

extension NightText {
    /// Returns answers in one line: each question in a word or two, and its answer.
    ///
    /// - Parameter all: true also lists the answers with no.
    static func answers(
        _ values: JSONObject, _ kind: Questionnaire.Kind, _ moments: Moments, all: Bool = false
    ) -> String {
        let questionnaire = Questionnaire.of(kind)
        return questionnaire.restored(values).values.compactMap { entry -> String? in
            if entry.value == false, !all { return nil }
            let item = questionnaire[entry.key]
            let name = QuestionText.name(of: entry.key, item)
            if item?.kind == .instant, let instant = entry.value.instantValue {
                return "\(name) \(moments.dateAndClock(instant))"
            }
            let answer = AnswerLabel.text(entry.value, item, in: kind)
            return SafeText.line(entry.value == true ? name : "\(name): \(answer)")
        }.joined(separator: ", ")
    }

    /// Returns the known measures of the sleep diary; nil for none.
    static func sleep(_ diary: SleepDiary) -> String? {
        func minutes(_ value: Int?) -> String? { value.map { Figure.length(minutes: Int64($0)) } }
        let parts = [
            minutes(diary.timeInBedMinutes).map { tr("\($0) in bed") },
            minutes(diary.totalSleepMinutes).map { tr("\($0) asleep") },
            diary.sleepEfficiencyPercent.map { tr("\($0) % of it") },
            minutes(diary.sleepOnsetLatencyMinutes).map { tr("asleep after \($0)") },
            diary.awakenings.map { tr("woke up \(Count.times($0))") },
            minutes(diary.wakeAfterSleepOnsetMinutes).map { tr("awake for \($0)") },
        ].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    /// Returns the entries about the stock.
    package static func stock(
        _ entries: [NightRecord.Entry], _ moments: @autoclosure () -> Moments, _ page: Page
    ) -> [String] {
        guard !entries.isEmpty else { return [] }
        let moments = moments()
        return [tr("Inventory:")]
            + entries.flatMap { lines($0, moments, page.columns, beside: $0.timestamp) }
    }

    package static func loose(
        _ entries: [NightRecord.Entry], _ moments: @autoclosure () -> Moments, _ page: Page
    ) -> [String] {
        guard !entries.isEmpty else { return [] }
        let moments = moments()
        return entries.flatMap { entry in
            [tr("\(moments.dateAndClock(entry.timestamp)), it belongs to no night")]
                + lines(entry, moments, page.columns, beside: entry.timestamp)
        }
    }
}

/// One night in a sentence.
enum NightLine {
    static func text(_ night: NightSummary, _ moments: Moments) -> String {
        let dose1 = night.dose1.map { tr("dose 1 at \(moments.clock($0))") } ?? tr("dose 1 not recorded")
        let dose2: String
        if night.dose2 == nil, night.outcome == .onceNightly {
            dose2 = Label.outcome(.onceNightly)
        } else if let at = night.dose2 {
            let minutes = night.intervalMinutes.map { tr(", \(Figure.length(minutes: $0)) later") } ?? ""
            let early = night.outcome == .early ? tr(", too early") : ""
            dose2 = tr("dose 2 at \(moments.clock(at))\(minutes)\(early)")
        } else {
            let settled = Label.withoutDose2(isSkipped: night.dose2Skipped, night.outcome)
            dose2 = settled.map { tr("dose 2 \($0)") } ?? tr("dose 2 not recorded")
        }
        let extra = night.extraDoses > 0 ? tr(", and \(Count.extraDoses(night.extraDoses))") : ""
        return "\(dose1), \(dose2)\(extra)"
    }

    /// Returns the remarks on a night, a word or two each.
    static func remark(_ night: NightSummary) -> String {
        var remarks = ""
        func add(_ remark: String) { remarks += remarks.isEmpty ? remark : ", " + remark }
        if night.outcome == .anomaly {
            add(tr("dose 2 before dose 1!"))
        } else if night.onTime == false, let interval = night.countedInterval {
            add(interval < DoseWindow.opens ? tr("early") : tr("late"))
        }
        if night.onTime == true { add(tr("on time")) }
        if night.outcome == .onceNightly, night.dose2 != nil { add(tr("one dose more than prescribed")) }
        if night.extraDoses > 0 { add(tr("\(night.extraDoses) extra")) }
        if night.belongsTo != nil {
            add(tr("belongs to the night before"))
        } else if night.outcome == .noDose1 {
            add(tr("no dose recorded"))
        }
        if night.end == nil {
            add(tr("open"))
        } else if let state = night.terminalState {
            add(Label.terminal(state))
        }
        return remarks
    }
}
