internal import DoseTapDomain

/// One night in a sentence.
enum NightLine {
    static func text(_ night: NightSummary, _ moments: Moments) -> String {
        let dose1 = night.dose1.map { "dose 1 at \(moments.clock($0))" } ?? "no dose 1"
        let dose2: String
        if let at = night.dose2 {
            let minutes = night.intervalMinutes.map { ", \(Words.minutes($0)) later" } ?? ""
            dose2 = "dose 2 at \(moments.clock(at))\(minutes)"
        } else {
            dose2 =
                night.dose2Skipped
                ? "dose 2 skipped" : night.outcome == .notRecorded ? "dose 2 not recorded" : "no dose 2"
        }
        return "\(dose1), \(dose2)"
    }

    /// What is to be said about a night in a word or two.
    static func remark(_ night: NightSummary) -> String {
        var remarks = ""
        func add(_ remark: String) { remarks += remarks.isEmpty ? remark : ", " + remark }
        if night.outcome == .anomaly {
            add("dose 2 before dose 1!")
        } else if night.onTime == false, let interval = night.interval {
            add(interval < DoseWindow.opens ? "early" : "late")
        }
        if night.onTime == true { add("on time") }
        if night.extraDoses > 0 { add("\(night.extraDoses) extra") }
        if night.outcome == .noDose1 { add("no dose") }
        if night.end == nil {
            add("open")
        } else if let state = night.terminalState {
            add(Words.terminal(state))
        }
        return remarks
    }
}
