/// Sentences about a clock that was set, and about time that is in doubt (R2.17, R2.18).
extension ElapsedTime {
    /// The doubt of the clocks in words, with advice to look at another clock; nil without doubt.
    public var doubtSentence: String? {
        doubtFigures.map { $0 + tr(" Look at another clock before you take anything.") }
    }

    /// The doubt without the advice.
    public var doubtFigures: String? {
        guard !isCertain else { return nil }
        let most = longer.wholeMinutes
        let least = tr("At least \(Plural.of(shorter.wholeMinutes, tr("minute"), tr("minutes"))) since dose 1")
        if shorter.wholeMinutes == most { return tr("\(least); the computer's clock cannot say how many.") }
        return byWall.wholeMinutes == most
            ? tr("\(least), \(most) by the computer's clock.")
            : tr("\(least) by the computer's clock, \(most) as counted.")
    }

    /// Returns how much time has passed since dose 1, and what the window does next by the present clock.
    func passedSentence(now: Instant, _ moments: Moments) -> String {
        let minutes = shorter.wholeMinutes
        let passed =
            minutes == 1
            ? tr("\(minutes) minute has passed since dose 1") : tr("\(minutes) minutes have passed since dose 1")
        if shorter < DoseWindow.opens {
            return tr(
                "\(passed); the window opens at \(moments.clockRoundedUp(now + DoseWindow.opens - shorter)) by the new clock."
            )
        }
        guard shorter < DoseWindow.closes else { return tr("\(passed); the window has closed.") }
        return tr(
            "\(passed); the window closes at \(moments.clock(now + DoseWindow.closes - shorter)) by the new clock.")
    }
}

extension ClockStepped {
    /// Returns in words what was done to the clock, and what remains known of the time since dose 1.
    ///
    /// - Parameter now: the wall clock at the recording.
    public func sentence(now: Instant, _ moments: Moments) -> String {
        if suspect { return tr("Recorded although the clock stands before the newest entry.") }
        let step = Self.step(.milliseconds(byMilliseconds))
        guard let elapsed else { return step ?? tr("The clock of the computer was checked.") }
        let rest = elapsed.doubtSentence ?? elapsed.passedSentence(now: now, moments)
        return [step ?? (elapsed.isCertain ? tr("The computer's clock is synchronised.") : nil), rest]
            .compactMap(\.self).joined(separator: " ")
    }

    /// Returns e.g. "The computer's clock was set back 2 h."; nil for a step within the tolerance.
    static func step(_ step: Duration) -> String? {
        guard step.magnitude > ElapsedTime.tolerance else { return nil }
        let length = LocalTimeFormat.interval(step.magnitude)
        return step < .zero
            ? tr("The computer's clock was set back \(length).") : tr("The computer's clock was set ahead \(length).")
    }
}

extension Session {
    /// Returns the sentence about the clocks while dose 2 is neither taken nor skipped; nil without doubt or step.
    func clockSentence(now: ClockReading, _ moments: Moments) -> String? {
        guard isOpen, hasUnresolvedWindow, let elapsed = elapsed(now: now) else { return nil }
        if let doubt = elapsed.doubtSentence { return doubt }
        let steps = clockSteps.compactMap { event -> Duration? in
            guard case .clockStepped(let payload) = event.payload, event.clock.bootID == now.bootID else { return nil }
            return .milliseconds(payload.byMilliseconds)
        }
        // A clock that was set and then set right again gives no sentence: the steps add up to zero.
        guard let step = ClockStepped.step(steps.reduce(.zero, +)) else { return nil }
        return step + " " + elapsed.passedSentence(now: now.wall, moments)
    }
}
