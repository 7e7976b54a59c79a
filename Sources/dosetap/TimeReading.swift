internal import DoseTapDomain

/// Reads the times of the command line in the zone in force.
struct TimeReading: Sendable {
    let context: Context
    let zone: Zone
    /// What "ago" and bare clock times count from.
    let now: Instant

    init(_ context: Context, now: Instant? = nil) {
        self.context = context
        zone = context.zone()
        self.now = now ?? context.now
    }

    /// The instant a text means.
    ///
    /// - Parameter name: the option or argument it stands for, e.g. `--at`.
    /// - Throws: ``Failure``: no time, a time that never was, or one that was twice and nobody to ask.
    func instant(_ text: String, _ name: String) throws(Failure) -> Instant {
        let meant: TimeExpression.Resolution
        do throws(TimeParseError) {
            meant = try TimeExpression(text).resolve(now: now, in: zone)
        } catch {
            throw .usage("\(name): \(error)", hint: "dosetap\(context.line.verb.map { " \($0)" } ?? "") --help")
        }
        switch meant {
        case .instant(let instant): return instant
        case .repeated(let earlier, let later): return try choose(text, name, earlier, later)
        }
    }

    func instant(_ text: String?, _ name: String) throws(Failure) -> Instant? {
        guard let text else { return nil }
        return try instant(text, name) as Instant
    }

    /// The instant a text means, where it will travel to the service: the contract counts from 1970 and 0 means none.
    func recordable(_ text: String?, _ name: String) throws(Failure) -> Instant? {
        guard let found = try instant(text, name) else { return nil }
        guard found.milliseconds > 0 else { throw .usage("\(name): \"\(text ?? "")\" lies before 1970.") }
        return found
    }

    /// The instant at which an entry is said to have been. A clock time a little ahead is more likely a slip than the
    /// time of almost a day ago.
    func entry(_ text: String?, _ name: String) throws(Failure) -> Instant? {
        guard let text, let found = try recordable(text, name) else { return nil }
        guard (try? TimeExpression(text))?.isBareClock != true || found > now - .hours(23) else {
            let meant = LocalTimeFormat.iso8601(found, in: zone)
            throw .usage(
                "\(name): \(text) lies less than an hour ahead, and nothing ahead can be recorded. "
                    + "If yesterday's is meant, say \(meant).")
        }
        return found
    }

    /// The instant a text means, where nothing more can be asked: a time that was twice is told with both its instants.
    ///
    /// - Throws: ``Failure``.
    func unasked(_ text: String) throws(Failure) -> Instant {
        let meant: TimeExpression.Resolution
        do throws(TimeParseError) { meant = try TimeExpression(text).resolve(now: now, in: zone) } catch {
            throw .usage("\(error)")
        }
        switch meant {
        case .instant(let instant): return instant
        case .repeated(let earlier, let later):
            let choices = [earlier, later].map { LocalTimeFormat.iso8601($0, in: zone) }
            throw .usage("the clock showed \"\(text)\" twice: write \(choices[0]) or \(choices[1])")
        }
    }

    private func choose(
        _ text: String, _ name: String, _ earlier: Instant, _ later: Instant
    ) throws(Failure) -> Instant {
        let choices = [earlier, later].map { LocalTimeFormat.iso8601($0, in: zone) }
        if context.canAsk,
            let chosen = Asker(context: context).chooses(
                text, earlier: earlier, later: later, zone: zone)
        {
            return chosen
        }
        var failure = Failure.usage(
            "\(name): the clock of \(zone.identifier) showed \"\(text)\" twice: say \(choices[0]) or \(choices[1]).")
        failure.details["choices"] = .array(choices.map(JSONValue.string))
        throw failure
    }
}
