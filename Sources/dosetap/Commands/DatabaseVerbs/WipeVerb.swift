internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import DoseTapText

extension DatabaseVerb {
    /// `db wipe`: deletes all data.
    struct Wipe: Verb {
        static let configuration = CommandConfiguration(
            commandName: "wipe", abstract: "Delete all data and keep the settings.",
            discussion: """
                The record, every file beside it, unsaved entries and what is shown on the
                screen are deleted. Settings and hooks are kept, and backups, unless
                --backups is given. It also works with a damaged record and without a
                service (--bus none).

                At a terminal it says what happens and waits for the word delete. Elsewhere
                it needs --confirm wipe, and --confirm window_unresolved while dose 2 is
                open or may be.

                Example: dosetap db wipe --dry-run
                """)

        @Flag(name: .customLong("backups"), help: "Delete the backups as well.") var backups = false
        @Option(
            name: .customLong("confirm"),
            help: ArgumentHelp("wipe, or window_unresolved; may be given more than once.", valueName: "kind"),
            completion: .list([Confirmation.wipe.rawValue, Confirmation.windowUnresolved.rawValue]))
        var confirmed: [String] = []
        @Flag(name: .customLong("dry-run"), help: "Say what would be deleted, and delete nothing.") var dryRun = false
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws {
            var options = WipeOptions()
            options.includesBackups = backups
            options.dryRun = dryRun
            for word in confirmed {
                guard let known = Confirmation(rawValue: word) else {
                    throw Failure.unknown(
                        tr("confirmation"), word, known: [.wipe, .windowUnresolved].map(\Confirmation.rawValue),
                        command: "dosetap db wipe --confirm", help: "dosetap db wipe --help")
                }
                options.confirmations.append(known)
            }
            if !dryRun, confirmed.isEmpty, context.canAsk {
                var look = options
                look.dryRun = true
                let report = try Self.ask(look, context)
                Output.print(context.terminal.fitted(WipeText.statement(report)).joined(separator: "\n"))
                Output.ask(WipeText.choices)
                guard readLine().map({ $0.filter { !$0.isWhitespace }.lowercased() }) == WipeText.word else {
                    Output.complain(WipeText.kept)
                    return
                }
                // The word confirms only what the statement said. Anything else is asked again.
                let mayBeOpen = report.isWindowOpen || report.isWindowUnknown
                options.confirmations = mayBeOpen ? [.wipe, .windowUnresolved] : [.wipe]
            }
            let report = try Self.ask(options, context)
            context.report(report.json, text: dryRun ? WipeText.statement(report) : WipeText.done(report))
        }

        /// Wipes by the service, and removes the command's own files, which the service does not see. Reports that
        /// were opened are of the person's own record, not of one that was named.
        private static func ask(_ options: WipeOptions, _ context: Context) throws -> WipeReport {
            let isOwn = context.storeInUse.map { $0 == Context.directories?.store } ?? false
            let files = Draft.apart(context) + (isOwn ? ViewingPlace.files : [])
            var report: WipeReport
            do { report = try send(options, context) } catch let failure as Failure
                where failure.kind == ErrorKind.nothingToDo.word && !options.dryRun
            {
                // An earlier wipe may have ended before it came to these.
                remove(files)
                throw failure
            }
            report.files += files.map(FilePath.name)
            if report.isWiped { remove(files) }
            return report
        }

        private static func remove(_ files: [String]) {
            files.forEach(PrivateFile.remove)
            PrivateFolder.sweep()
        }

        private static func send(_ options: WipeOptions, _ context: Context) throws -> WipeReport {
            do {
                return try ServiceLink.run(context, isLast: false) { client in
                    try await SlowReplyNotice.wait(for: client, context) {
                        try WipeReport(json: try await client.call(Contract.Data.wipe, options.variants).object)
                    }
                }
            } catch {
                var failure = error
                switch failure.kind {
                case ErrorKind.nothingToDo.word: failure.hint = "dosetap"
                case ErrorKind.requiresConfirmation.word:
                    let missing = failure.details["confirmations"]?.arrayValue?.compactMap(\.stringValue) ?? []
                    failure.confirmWith = context.line.again(adding: missing.flatMap { ["--confirm", $0] })
                default: break
                }
                throw failure
            }
        }
    }
}
