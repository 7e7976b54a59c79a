internal import DoseTapDomain
internal import DoseTapText

/// Medicines beside the doses: one row for each medicine, by the time of day.
struct MedicinesChart {
    /// An intake of a medicine, at the wall-clock time in minutes since 18:00.
    struct Intake: Hashable {
        let medicine: ReportNight.Medicine
        let clock: NightClock

        var key: String { clock.local(medicine.at).date.iso8601 }

        var minutes: Double {
            let time = clock.local(medicine.at)
            return Double((time.hour * 60 + time.minute + 360) % 1_440)
        }
    }

    let intakes: [Intake]
    private let names: [String]
    /// Most rows. The medicines taken least often stand in the table alone.
    private static let most = 20
    private let across = Scale(0...1_440, from: 200, to: 850)

    /// - Returns: nil without a medicine.
    init?(_ intakes: [Intake]) {
        guard !intakes.isEmpty else { return nil }
        self.intakes = intakes.sorted { $0.medicine.at < $1.medicine.at }
        let counts = Dictionary(grouping: intakes, by: \.medicine.name).mapValues(\.count)
        names = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.most).map(\.key)
    }

    func draw(_ page: inout Markup) {
        let counts = names.map { name in (name, intakes.count { $0.medicine.name == name }) }
        let bottom = 26 + 22 * Double(names.count)
        page.picture(
            "medicines", height: bottom + 8, title: ReportText.medicinesTitle,
            description: ReportText.medicinesDescription(counts)
        ) { svg in
            svg.group(.grid) { $0.hourTicks(across, from: 26, to: bottom) }
            svg.hourLabels(across, 18)
            for (row, (name, count)) in counts.enumerated() {
                let y = 37 + 22 * Double(row)
                svg.label(0, y + 4, name.count > 28 ? name.prefix(27) + "…" : name)
                svg.figure(Chart.width - 8, y + 4, "\(count)", size: 12, anchor: "end")
                svg.element("g", ["class": "pill", "fill": "#1f5f8b", "fill-opacity": "0.7"]) { svg in
                    for intake in intakes where intake.medicine.name == name {
                        svg.dot(intake.key, "medicine", across.place(intake.minutes), y, 3)
                    }
                }
            }
        }
    }
}
