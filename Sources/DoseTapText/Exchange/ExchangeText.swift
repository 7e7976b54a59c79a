package import DoseTapDomain

/// Words in files for a clinic's program or a calendar.
package enum ExchangeText {
    /// Returns the reason why dose 2 was not taken.
    package static func skipped(_ reason: String?) -> String {
        reason.map { "Skipped by the person: \($0)" } ?? "Skipped by the person"
    }
    package static var notRecorded: String { tr("Not recorded") }
    package static let superseded = "Dose 2 was taken after all"
    package static let corrected = "Corrected later"
    package static let deleted = "Deleted or undone later"
    package static let unknown = "Unknown"

    /// The medicine in a file that does not tell its name.
    package static let someMedicine = "Medicine of the night"
    /// The medicine of a dose whose entry has no medicine.
    package static let unnamedMedicine = "Oxybate, brand not recorded"
    /// Returns one dose of a prescription that has parts.
    package static func dose(_ number: Int, milligrams: Int) -> String { "Dose \(number): \(milligrams) mg" }
    /// A prescription without parts.
    package static func aNight(milligrams: Int) -> String { "\(milligrams) mg a night" }
    /// A step of a prescription, its amount as it was said.
    package static func aNight(_ total: String, from: SessionDate) -> String { "From \(from.text): \(total) a night" }

    package static var nap: String { tr("Nap") }
    package static let sleepDiary = "Sleep duration, told by the person"
    /// `Sleep duration, oura, measured`.
    package static func recordedSleep(source: String?, grade: String?, isNap: Bool) -> String {
        ([isNap ? "Sleep duration of a nap" : "Sleep duration"] + [source, grade].compactMap(\.self))
            .joined(separator: ", ")
    }
    package static func figures(nights: Int) -> String { "Counts and medians of \(Count.nights(nights))" }

    /// Returns the title of a calendar event. The title tells nothing to a person who looks over a shoulder.
    package static func calendarSummary(_ kind: DoseKind) -> String {
        switch kind {
        case .dose1: "Night entry 1"
        case .dose2: "Night entry 2"
        case .extra: "Night entry"
        }
    }
}
