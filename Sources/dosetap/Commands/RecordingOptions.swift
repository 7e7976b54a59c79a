internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain

/// The options that every recording verb takes.
struct RecordingOptions: ParsableArguments, Sendable {
    @Option(help: ArgumentHelp("The time of the entry; default: now.", valueName: "T"))
    var at: String?

    @Option(help: ArgumentHelp("How long ago it happened, e.g. 20m or 1h30m.", valueName: "duration"))
    var ago: String?

    @Option(
        help: ArgumentHelp("Confirm a question in advance, e.g. early; repeatable.", valueName: "kind"),
        completion: Completions.confirmations)
    var confirm: [String] = []

    @Option(help: ArgumentHelp("A note in your own words.", valueName: "text"))
    var note: String?

    @Option(
        help: ArgumentHelp(
            "A key of your own: repeated with the same key, a command records only once.", valueName: "key"))
    var key: String?

    @Flag(name: .customLong("dry-run"), help: "Print what would be recorded, and record nothing.")
    var dryRun = false

    var choices: RecordingChoices {
        RecordingChoices(at: at, ago: ago, confirm: confirm, note: note, key: key, dryRun: dryRun)
    }
}

/// The chosen values of the options that every recording verb has.
struct RecordingChoices: Hashable, Sendable {
    var at: String?
    var ago: String?
    var confirm: [String]
    var note: String?
    var key: String?
    var dryRun: Bool

    /// Returns the options as sent to the service.
    ///
    /// - Parameter isOfNight: true for a dose, a skip or the final wake.
    func request(_ context: Context, isOfNight: Bool = false) throws(Failure) -> RequestOptions {
        var request = try Self.request(context, confirm: confirm, key: key, dryRun: dryRun)
        request.at = try instant(context, isOfNight)
        request.isAgo = ago != nil || Self.isAgo(at)
        request.note = note
        return request
    }

    /// Returns the options that recording and correcting verbs have in common.
    static func request(
        _ context: Context, confirm: [String], key: String?, dryRun: Bool
    ) throws(Failure) -> RequestOptions {
        var request = RequestOptions()
        request.surface = .cli
        request.timeZone = context.chosenZone?.identifier
        let answers = [true, false].filter { confirm.contains(RequestOptions.clockWord($0)) }
        guard answers.count < 2 else { throw .usage(tr("--confirm: the clock is either right or wrong, not both")) }
        request.isClockRight = answers.first
        request.confirmations = try confirmations(
            confirm.filter { ![true, false].map(RequestOptions.clockWord).contains($0) })
        request.key = key
        request.dryRun = dryRun
        return request
    }

    private func instant(_ context: Context, _ isOfNight: Bool) throws(Failure) -> Instant? {
        switch (at, ago) {
        case (nil, nil): return nil
        case (.some, .some): throw .usage(tr("--at and --ago exclude each other."))
        case (let at?, nil): return try TimeReading(context).entry(at, "--at", isOfNight: isOfNight)
        case (nil, let ago?): return try Self.instant(ago: ago, context)
        }
    }

    /// Returns true if a time is given as the time since then: no clock was read for it.
    static func isAgo(_ at: String?) -> Bool {
        guard let at, let expression = try? TimeExpression(at) else { return false }
        return expression.isAgo
    }

    static func instant(ago: String, _ context: Context) throws(Failure) -> Instant {
        do throws(TimeParseError) { return context.now - (try TimeExpression.parseDuration(ago)) } catch {
            // A number without a unit from ten on never means hours.
            let minutes = Int(ago).flatMap { (10...600).contains($0) ? "\($0)m" : nil }
            throw .usage(
                "--ago: \(error)", hint: minutes.flatMap { context.line.again(replacing: ago, by: $0) })
        }
    }

    static func confirmations(_ words: [String]) throws(Failure) -> [Confirmation] {
        var confirmations: [Confirmation] = []
        for word in words {
            let wire = String(word.lowercased().map { $0 == "-" ? "_" : $0 })
            guard let confirmation = Confirmation(rawValue: wire) else {
                let known = Confirmation.allCases.map(\.rawValue)
                let help = "known: " + known.joined(separator: ", ")
                var failure = Failure.unknown(tr("confirmation"), word, known: known, command: "--confirm", help: help)
                // The hint of two words, `--confirm` and a kind, is no command.
                failure.hint = help
                throw failure
            }
            if !confirmations.contains(confirmation) { confirmations.append(confirmation) }
        }
        return confirmations
    }
}

extension RequestOptions {
    /// Puts in an amount as people write it. A fault of the text alone is told here. The service knows the content of a
    /// millilitre or a tablet.
    ///
    /// - Throws: ``Failure``: no amount, or no whole number of milligrams.
    mutating func take(amount text: String?, hint: String? = nil) throws(Failure) {
        guard let text else { return }
        do throws(AmountError) {
            let amount = try Amount(text: text)
            if !amount.unit.needsConcentration { _ = try amount.milligrams(nil) }
            self.amount = amount.text
        } catch { throw .usage("\(error).", hint: hint) }
    }
}
