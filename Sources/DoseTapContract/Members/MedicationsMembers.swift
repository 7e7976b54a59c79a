internal import DoseTapDomain
package import SDBus

extension Contract {
    package enum Medications {
        private static let name = InterfaceName.medications

        package static let take = Method(
            name, "Take", records: true, takes: id, options, gives: receipt,
            summary: "Records a medicine; an oxybate is recorded as a dose of the night.",
            details: """
                A medicine opens no session. An oxybate (xywav, xyrem, lumryz) is recorded as dose 1, dose 2 or an extra dose
                of its night, with all their questions and their receipt.

                id: an id of Catalogue, or a name in any spelling.

                InvalidInput: the medicine is unknown (details: nearest as, where any is near), or it has no usual dose and the
                call has no amount. RequiresConfirmation: duplicate, less than five minutes from another one of the same
                ingredient (details: standing_id s, standing_at t).

                receipt: metadata has medication_id s, dose_mg x, dose_unit s, formulation s; where another one of the same
                ingredient is near, warning a{sv} with entry s, minutes_apart x and span_min x; cautions aa{sv} of its label,
                each with text s and source s.
                """)

        package static let list = Method(
            name, "List", takes: Parameter<UInt32>("limit"), gives: Parameter<[WireObject]>("entries"),
            summary: "Returns the recorded medicines, newest first.",
            details: """
                limit: at most so many, 1 to 1000. entries: as those of History.Show. Doses of an oxybate are entries of their
                nights.
                """)

        package static let catalogue = Method(
            name, "Catalogue", gives: Parameter<[WireObject]>("medications"),
            summary: "Returns the medicines that can be recorded, with the cautions of their labels.",
            details: """
                medications: medication_id s, display_name s, generic_name s, ingredient s, category s, formulation s,
                default_mg x, strengths_mg, warning_min x, concentration s, cautions with text s and source s. Those of the
                setting medications.custom come last. Cautions are shown, never enforced.
                """)

        package static let setRegimen = Method(
            name, "SetRegimen", records: true, takes: Parameter<VariantEntries>("regimen"), options, gives: receipt,
            summary: "Sets the prescribed regimen, from a date on.",
            details: """
                Of the regimens that hold on a date the one set last counts: it gives the amount of doses logged without one,
                and says whether the night has one dose. A night with a dose 1 keeps the regimen with which it began: without
                from, the regimen then holds from the next date. A regimen is deleted with Session.Delete, with the same
                question.

                regimen: medication_id s (xywav, xyrem or lumryz), total s (a night's amount, such as 7.5g); optional from s
                and until s (dates, both included), concentration s (500mg/mL, 750mg/tablet), split s (none, equal, custom),
                ratios (ad or as, one or two, with the sum 1), once_nightly b, steps as (2026-02-01=6g, later totals).

                InvalidInput names what is wrong. RequiresConfirmation: night_begun, with from at the date of the present night
                and another number of doses.

                receipt: metadata has the regimen, total_mg x, parts_mg, cautions aa{sv} with text s and source s, and, where
                the open night has a dose 1, tonight s: unchanged, one_dose or two_doses (then with window_opens, window_closes
                and alarm_time).
                """)

        package static let recordings: [Recording] = [(.regimenSet, setRegimen)]

        package static let regimen = Method(
            name, "Regimen", gives: Parameter<WireObject>("regimen"),
            summary: "Returns the regimen of tonight and all regimens that were set.",
            details: """
                regimen: date s, the present session date; active a{sv}, the regimen that holds on it, left out if there is
                none; history, all regimens, the one set last first. Each has the keys of SetRegimen, id s, total_mg x,
                parts_mg, recorded_at t.
                """)

        package static let activeRegimen = Property(
            "ActiveRegimen", WireObject(JSONObject(), .unknown), change: .invalidates,
            summary: "The regimen of tonight; empty if there is none. The signal of a change does not hold the value.")

        package static let interface = Interface(
            name: name, summary: "Medicines beside the doses, and the prescribed regimen.",
            members: [
                take.member, list.member, catalogue.member, setRegimen.member, regimen.member, activeRegimen.member,
            ])
    }
}
