internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `db encrypt`, `db decrypt`, `db rekey`.
extension DatabaseVerb {
    struct Encrypt: Verb {
        static let configuration = CommandConfiguration(
            commandName: "encrypt", abstract: "Encrypt the record with a new key, kept in your keyring.",
            discussion: """
                Says first what is protected and what is not, and asks. Without a terminal
                it needs --confirm encrypt. A key that is lost cannot be replaced.

                Example: dosetap db encrypt
                """)
        @OptionGroup(title: "Options") var options: KeyOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.change(.encrypt, options, context) }
    }

    struct Decrypt: Verb {
        static let configuration = CommandConfiguration(
            commandName: "decrypt", abstract: "Write the record without encryption and remove its key.",
            discussion: "Example: dosetap db decrypt")
        @OptionGroup(title: "Options") var options: KeyOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.change(.decrypt, options, context) }
    }

    struct Rekey: Verb {
        static let configuration = CommandConfiguration(
            commandName: "rekey", abstract: "Encrypt the record with a new key and remove the old one.",
            discussion: "Example: dosetap db rekey")
        @OptionGroup(title: "Options") var options: KeyOptions
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.change(.rekey, options, context) }
    }

    struct KeyOptions: ParsableArguments {
        @Option(help: ArgumentHelp("Do it without a question: the name of the verb.", valueName: "word"))
        var confirm: String?
        @Flag(help: "Say what it would do, and change nothing.") var dryRun = false
    }

    static func change(_ change: KeyChange, _ options: KeyOptions, _ context: Context) throws {
        if let word = options.confirm, word != change.rawValue {
            throw Failure(
                .invalidInput, tr("The confirmation of this verb is '\(change.rawValue)'."),
                hint: "dosetap db \(change.rawValue) --confirm \(change.rawValue)")
        }
        func ask(isDry: Bool) throws -> JSONObject {
            try ServiceLink.run(context) { client in
                try await SlowReplyNotice.wait(for: client, context) {
                    try await client.changeKey(change, isDry: isDry)
                }
            }
        }
        let isAsked = options.confirm == nil
        if options.dryRun || isAsked {
            let preview = try ask(isDry: true)
            let lines = preview["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
            if options.dryRun { return context.report(preview, text: lines) }
            for line in lines { Output.complain(context.terminal.fittedErrors(line)) }
            if context.canAsk { Output.ask(EncryptionText.question(change) + " ") }
            guard context.canAsk, readLine() == change.rawValue else {
                throw Failure(
                    .requiresConfirmation,
                    context.canAsk
                        ? tr("Nothing was changed: only the word '\(change.rawValue)' confirms it.")
                        : tr("Nothing was changed."),
                    hint: "dosetap db \(change.rawValue) --confirm \(change.rawValue)")
            }
        }
        let report = try ask(isDry: false)
        let notes = report["notes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        // The first note says that the record is decrypted, which the first line says already.
        let kept = change == .decrypt ? notes.dropFirst() : notes[...]
        let events = report["events"]?.integerValue ?? 0
        context.report(report, text: [EncryptionText.done(change, events: events)] + kept)
    }
}
