internal import DoseTapDomain

/// Reads the times of the command line in the zone in which times are shown. Only a local time asks which that is.
struct TimeReading: Sendable {
    let context: Context
    /// What "ago" and bare clock times count from.
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
        .usage("\(name): \(error)", hint: "dosetap\(context.line.verb.map { " \($0)" } ?? "") --help")
    }

    /// The instant a text means.
    ///
    /// - Parameter name: the option or argument it stands for, e.g. `--at`.
    /// - Throws: ``Failure``: no time, a time that never was, or one that was twice and nobody to ask.
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
        let expression = try read(text, name)
        guard !expression.isBareClock || found > now - .hours(23) else {
            let meant = LocalTimeFormat.iso8601(found, in: try zone(of: expression))
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
            throw .usage("the clock showed \"\(text)\" twice: write \(choices[0]) or \(choices[1])")
        }
    }

    private func choose(
        _ text: String, _ name: String, _ earlier: Instant, _ later: Instant, _ zone: Zone
    ) throws(Failure) -> Instant {
        let choices = [earlier, later].map { LocalTimeFormat.iso8601($0, in: zone) }
        if context.canAsk,
            let chosen = Asker(context: context).chooses(
                text, earlier: earlier, later: later, context.moments(in: zone))
        {
            return chosen
        }
        var failure = Failure.usage(
            "\(name): the clock of \(zone.identifier) showed \"\(text)\" twice: say \(choices[0]) or \(choices[1]).")
        failure.details["choices"] = .array(choices.map(JSONValue.string))
        throw failure
    }
}
