package import DoseTapDomain

/// The text of `--follow`: a line for each change.
package enum FollowText {
    /// Returns the first line: the state of the night.
    package static func first(_ status: NightStatus, _ moments: Moments, _ page: Page) -> String {
        let alarm = status.isAlarmOn ? tr(" The alarm is on. \(TonightText.stops(status, page))") : ""
        let label = status.warnings.silence == nil ? tr("Next") : tr("Not heard")
        let next =
            status.nextReminder.map {
                tr(" \(label): \(ReminderText.name($0.id)) at \(ReminderText.time($0.id, $0.due, moments)).")
            } ?? ""
        let phase = Label.phase(status.window.phase)
        return
            "\(phase.capitalised). \(TonightText.doses(status, moments))\(alarm)\(next)"
    }

    /// Returns the changes of a status, each with its colour.
    package static func changes(
        from old: NightStatus, to new: NightStatus, _ moments: Moments, _ page: Page
    ) -> [(text: String, colour: Page.Colour?)] {
        var lines: [(String, Page.Colour?)] = []
        func add(_ text: String?, _ colour: Page.Colour? = nil) { if let text { lines.append((text, colour)) } }
        if old.sessionID != nil, old.sessionID != new.sessionID {
            add(new.sessionID == nil ? tr("The night is over.") : tr("A new night has begun."))
        }
        add(dose(tr("Dose 1"), old.dose1, new.dose1, new.dose1Surface, moments))
        add(dose(tr("Dose 2"), old.dose2, new.dose2, new.dose2Surface, moments))
        if new.extraDoses != old.extraDoses { add(tr("Extra doses: \(new.extraDoses).")) }
        if new.dose2 == nil, old.dose2 == nil, new.dose2Skipped != old.dose2Skipped {
            let isAutomatic = new.terminalState == .incompleteSleptThrough
            add(
                !new.dose2Skipped
                    ? tr("Dose 2 is open again.") : isAutomatic ? tr("Dose 2: not recorded.") : tr("Dose 2: skipped."))
        }
        if new.window.phase != old.window.phase {
            let colour = StatusText.colour(new.window)
            add(phase(new, moments, page), colour == .bold ? nil : colour)
            if new.window.phase == .closed { Dose2Question.lines(new, moments, page).forEach { add($0) } }
        }
        if new.snoozeCount > old.snoozeCount {
            add(
                tr("Snoozed, \(Label.snoozes(new)).")
                    + (new.alarm.map { tr(" The alarm is at \(moments.clock($0)).") } ?? ""))
        } else if let alarm = new.alarm, old.dose1 == new.dose1, alarm != old.alarm, alarm > new.at, new.isDose2Open {
            add(tr("The alarm is at \(moments.clock(alarm)) now."))
        }
        // A dose, a skip or a snooze that turned the alarm off has a line already.
        let isSettled = !new.isDose2Open || new.snoozeCount > old.snoozeCount
        if new.isAlarmOn, !old.isAlarmOn {
            add(tr("The alarm is on. \(TonightText.stops(new, page))"), .yellow)
        } else if old.isAlarmOn, !new.isAlarmOn {
            if !isSettled { add(tr("The alarm is off.")) }
        } else if let next = old.nextReminder, next != new.nextReminder, next.due <= new.at,
            old.sessionID == new.sessionID
        {
            add(reminder(next.id))
        }
        if let since = new.napOpenSince, since != old.napOpenSince {
            add(tr("A nap began at \(moments.clock(since))."))
        }
        if new.napOpenSince == nil, old.napOpenSince != nil { add(tr("The nap has ended.")) }
        if new.checkInPending, !old.checkInPending {
            add(page.addressed(tr("The morning check-in is due: dosetap checkin")))
        }
        return lines
    }

    private static func dose(
        _ name: String, _ old: Instant?, _ new: Instant?, _ surface: String?, _ moments: Moments
    ) -> String? {
        switch (old, new) {
        case (nil, let at?): "\(name): \(moments.clock(at)), \(Label.from(surface))."
        case (_?, nil): tr("\(name) is no longer on record.")
        case (let was?, let at?): was == at ? nil : tr("\(name) counts at \(moments.clock(at)) now.")
        case (nil, nil): nil
        }
    }

    private static func phase(_ status: NightStatus, _ moments: Moments, _ page: Page) -> String? {
        status.window.phase == .noDose1 ? nil : TonightText.countdown(status, moments, page).first
    }

    /// The line after reminders can reach the person again.
    package static var heard: String { tr("Reminders can reach you again.") }

    /// Returns the goal of the countdown.
    package static func goal(_ phase: Phase) -> String {
        phase == .beforeWindow ? tr("to the opening") : tr("to the close")
    }

    /// The line above a big countdown while the alarm rings.
    package static var alarm: String { tr("THE ALARM IS ON") }

    /// Returns the line of a reminder; nil if another line tells the same.
    private static func reminder(_ id: ReminderID) -> String? {
        switch id.row.message {
        case .opening, .alarm, .closed, .checkIn: nil
        // The line of the new phase tells the same.
        case .closing where id.row.place == .afterDose1(DoseWindow.nearsClose): nil
        default:
            tr("Reminder: \(ReminderText.name(id)).")
        }
    }
}

/// The text beside the lines of `--follow`.
extension FollowText {
    package static var reconnecting: String { tr("the connection to the service ended; trying again.") }
    package static var serviceGone: String { tr("the service has stopped; no reminders come until it is back.") }
    package static var serviceBack: String { tr("the service is back.") }
}
