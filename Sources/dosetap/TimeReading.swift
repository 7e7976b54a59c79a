internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// Reads the times of the command line in the zone in which times are shown. Only a local time needs the zone.
struct TimeReading: Sendable {
    let context: Context
    /// The instant from which "ago" and bare clock times count.
    let now: Instant
    private let asksService: Bool

    /// - Parameter asksService: false for verbs that need no service: the zone is the system's.
    init(_ context: Context, now: Instant? = nil, asksService: Bool = true) {
        self.context = context
        self.now = now ?? context.now
        self.asksService = asksService
    }

    private func zone(of expression: TimeExpression) throws(Failure) -> Zone {
        guard expression.isLocal else { return context.chosenZone ?? .utc }
        return asksService ? try context.serviceZone() : context.zone()
    }

    private func resolve(_ expression: TimeExpression, _ name: String, _ zone: Zone) throws(Failure)
        -> TimeExpression.Resolution
    {
        do throws(TimeParseError) { return try expression.resolve(now: now, in: zone) } catch {
            throw wrong(name, error)
        }
    }

    private func read(_ text: String, _ name: String) throws(Failure) -> TimeExpression {
        do throws(TimeParseError) { return try TimeExpression(text) } catch { throw wrong(name, error) }
    }

    private func wrong(_ name: String, _ error: TimeParseError) -> Failure {
        var again: String?
        // Digits may mean something else, and no dose is proposed for a word that is none (R20.20).
        if case .malformed(let text) = error, let clock = error.clockMeant, !context.line.namesDose {
            again = context.line.again(replacing: text, by: clock)
        }
        let help = "dosetap\(context.line.verb.map { " \($0)" } ?? "") --help"
        return .usage("\(name): \(error)", hint: again ?? help)
    }

    /// Returns the instant that a text means.
    ///
    /// - Parameter name: the option or argument with the text, e.g. `--at`.
    /// - Throws: ``Failure`` for no time, for a time that never was, and for one that was twice if nobody chooses.
    func instant(_ text: String, _ name: String) throws(Failure) -> Instant {
        let expression = try read(text, name)
        let zone = try zone(of: expression)
        switch try resolve(expression, name, zone) {
        case .instant(let instant): return instant
        case .repeated(let earlier, let later): return try choose(text, name, earlier, later, zone)
        }
    }

    func instant(_ text: String?, _ name: String) throws(Failure) -> Instant? {
        guard let text else { return nil }
        return try instant(text, name) as Instant
    }

    /// Returns the instant that a text means, for the service: the contract counts from 1970 and 0 means none.
    func recordable(_ text: String?, _ name: String) throws(Failure) -> Instant? {
        guard let found = try instant(text, name) else { return nil }
        guard found.milliseconds > 0 else { throw .usage(tr("\(name): \"\(text ?? "")\" lies before 1970.")) }
        return found
    }

    /// Returns the moment that a question is about. A clock time without a date that lies a little ahead means what will be, and not
    /// the night before (R23.6).
    func asked(_ text: String?, _ name: String) throws(Failure) -> Instant? {
        guard let text, let found = try recordable(text, name) else { return nil }
        let expression = try read(text, name)
        guard expression.isBareClock, found < now, case let zone = try zone(of: expression),
            case .ahead(let coming)? = expression.doubt(
                found, isOfNight: false, now: now, in: zone, rolloverHour: 0)
        else { return found }
        return coming
    }

    /// Returns the next instant at which the clock shows a time without a date; nil for any other text.
    func coming(_ text: String) -> Instant? {
        guard let expression = try? TimeExpression(text), expression.isBareClock,
            let zone = try? self.zone(of: expression)
        else { return nil }
        for day in ["today", "tomorrow"] {
            let meant = try? TimeExpression("\(day) \(text)").resolve(now: now, in: zone)
            if case .instant(let next)? = meant, next > now { return next }
        }
        return nil
    }

    /// Returns the instant of an entry. A clock time without a date that lies a little ahead is refused as a slip. For
    /// a dose, a skip or a wake, a clock time of another night is refused, too.
    func entry(_ text: String?, _ name: String, isOfNight: Bool) throws(Failure) -> Instant? {
        guard let text, let found = try recordable(text, name) else { return nil }
        let expression = try read(text, name)
        // A recent time is never in doubt, so the service need not be asked.
        guard expression.isBareClock, found < now - .hours(2) else { return found }
        let zone = try zone(of: expression)
        func check(_ isOfNight: Bool, _ rolloverHour: Int) throws(Failure) {
            let doubt = expression.doubt(found, isOfNight: isOfNight, now: now, in: zone, rolloverHour: rolloverHour)
            if let doubt { throw refusal(of: text, meaning: found, name, doubt, context.moments(in: zone)) }
        }
        // The hour of rollover does not matter for a slip.
        try check(false, 0)
        if isOfNight { try check(true, try context.rolloverHour()) }
        return found
    }

    /// Returns the instant to which an entry is corrected. A bare clock time is read in the entry's own night.
    ///
    /// - Throws: ``Failure``, also where the clock of the night and the one in which times are shown now differ: a time that
    ///   was just read from the screen would move the entry by hours.
    func correction(_ text: String, _ name: String, of entry: Explanation) throws(Failure) -> Instant {
        let expression = try read(text, name)
        guard expression.isBareClock else { return try instant(text, name) }
        let night = context.moments(of: entry, inForce: try context.serviceZone()).zone
        let there = try correction(expression, text, name, of: entry, in: context.chosenZone ?? night)
        guard context.chosenZone == nil, case let zone = try context.serviceZone(), zone.identifier != night.identifier,
            case let here = try correction(expression, text, name, of: entry, in: zone), here != there
        else { return there }
        let choices = [LocalTimeFormat.iso8601(there, in: night), LocalTimeFormat.iso8601(here, in: zone)]
        var failure = Failure.usage(
            tr(
                "\(name): the night was in \(night.identifier), and the clock here is that of \(zone.identifier). For \(SafeText.line(text)) there say \(choices[0]), for \(SafeText.line(text)) here \(choices[1])."
            ))
        failure.details["choices"] = .array(choices.map(JSONValue.string))
        throw failure
    }

    private func correction(
        _ expression: TimeExpression, _ text: String, _ name: String, of entry: Explanation, in zone: Zone
    ) throws(Failure) -> Instant {
        let hour = try context.rolloverHour()
        let meant: TimeExpression.Resolution
        do throws(TimeParseError) {
            meant = try expression.resolve(
                correcting: entry.event.timestamp, now: now, in: zone, rolloverHour: hour)
        } catch { throw wrong(name, error) }
        switch meant {
        case .instant(let instant): return instant
        case .repeated(let earlier, let later): return try choose(text, name, earlier, later, zone)
        }
    }

    /// The refusal of a bare clock time, with the ways to say what was meant.
    private func refusal(
        of text: String, meaning found: Instant, _ name: String, _ doubt: BareClockDoubt, _ moments: Moments
    ) -> Failure {
        let dated = "\(name) \(CommandLineWords.quoted(moments.typed(found)))"
        var failure: Failure
        switch doubt {
        case .ahead(let ahead):
            failure = Failure(
                .refused,
                tr(
                    "\(name): \(SafeText.line(text)) is in \(LocalTimeFormat.interval(ahead - now)), and nothing ahead can be recorded. If you mean yesterday's, say \(dated)."
                ), hint: "dosetap status",
                details: ["reason": .string(BlockReason.future.rawValue)])
        case .otherNight(let night, let other):
            failure = Failure.usage(
                tr(
                    "\(name): \(SafeText.line(text)) was \(Moments.ago(now - found)), in the night of \(Moments.date(night))."
                ))
            failure.details["session_date"] = .string(night.text)
            if let other {
                let clock = moments.bareClock(other)
                let typed = CommandLineWords.quoted(moments.typed(other))
                failure.message +=
                    tr(" \(clock) was \(Moments.ago(now - other)): if you mean that, say \(name) \(typed).")
                failure.details["other_half"] = .instant(other)
            }
            failure.message += tr(" If you mean that night, say \(dated).")
        }
        failure.isRefusedEntry = true
        failure.details["meant"] = .instant(found)
        failure.details["dated"] = .string(moments.typed(found))
        return failure
    }

    /// Returns the instant that a text means, without a question: the failure of a time that was twice tells both
    /// instants.
    ///
    /// - Throws: ``Failure``.
    func unasked(_ text: String) throws(Failure) -> Instant {
        let expression: TimeExpression
        do throws(TimeParseError) { expression = try TimeExpression(text) } catch { throw .usage("\(error)") }
        let zone = try zone(of: expression)
        let meant: TimeExpression.Resolution
        do throws(TimeParseError) { meant = try expression.resolve(now: now, in: zone) } catch {
            throw .usage("\(error)")
        }
        switch meant {
        case .instant(let instant): return instant
        case .repeated(let earlier, let later):
            let choices = [earlier, later].map { LocalTimeFormat.iso8601($0, in: zone) }
            throw .usage(
                tr(
                    "the clock showed \"\(text)\" twice: write \(choices[0]) (the first time) or \(choices[1]) (the second time)"
                ))
        }
    }

    private func choose(
        _ text: String, _ name: String, _ earlier: Instant, _ later: Instant, _ zone: Zone
    ) throws(Failure) -> Instant {
        let choices = [earlier, later].map { LocalTimeFormat.iso8601($0, in: zone) }
        if context.canAsk,
            let chosen = ConfirmationPrompt(context: context).chooses(
                text, earlier: earlier, later: later, context.moments(in: zone))
        {
            return chosen
        }
        var failure = Failure.usage(
            tr(
                "\(name): the clock of \(zone.identifier) showed \"\(text)\" twice: say \(choices[0]) (the first time) or \(choices[1]) (the second time)."
            ))
        failure.details["choices"] = .array(choices.map(JSONValue.string))
        throw failure
    }
}
