internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `db check`, `db verify`, `db rebuild` and `db repair`.
extension DatabaseVerb {
    struct Check: Verb {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Check the file, its schema and its newest entries quickly.",
            discussion: "Example: dosetap db check")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.examine(.check, context) }
    }

    struct Verify: Verb {
        static let configuration = CommandConfiguration(
            commandName: "verify", abstract: "Verify the whole log: every link of its hash chain.",
            discussion: "Example: dosetap db verify --json")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.examine(.verify, context) }
    }

    struct Rebuild: Verb {
        static let configuration = CommandConfiguration(
            commandName: "rebuild", abstract: "Rebuild all tables from the log, which is not changed.",
            discussion: "Example: dosetap db rebuild")
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.examine(.rebuild, context) }
    }

    struct Repair: Verb {
        static let configuration = CommandConfiguration(
            commandName: "repair", abstract: "Read what can be read of a damaged log, and put it in its place.",
            discussion: """
                Without --replace nothing changes: the command says what can be read and what
                is missing. With --replace the repaired log takes the place of the damaged one,
                with all that was recorded since. The damaged files are kept. It is refused
                while dose 2 is open.

                Example: dosetap db repair
                """)
        @Flag(help: "Replace the damaged log.") var replace = false
        @OptionGroup(title: "For all verbs") var global: GlobalOptions

        func perform(_ context: Context) throws { try DatabaseVerb.examine(.repair(replaces: replace), context) }
    }

    private static func examine(_ member: Client.Examination, _ context: Context) throws {
        let report: JSONObject
        do {
            report = try ServiceLink.run(context) { client in
                try await SlowReplyNotice.wait(for: client, context) { try await client.examine(member) }
            }
        } catch {
            var failure = error
            // The next step with a sound record is to verify it.
            if failure.kind == ErrorKind.nothingToDo.word { failure.hint = "dosetap db verify" }
            throw failure
        }
        let isSound = report["ok"]?.boolValue ?? report["findings"]?.arrayValue?.isEmpty ?? true
        let text =
            switch member {
            case .check, .verify, .rebuild: SettingText.examination(report, isSound: isSound)
            case .repair(let replaces): RepairText.lines(report, isDone: replaces, context.terminal.page)
            }
        context.report(report, text: text)
        if !isSound { throw ExitCode(Failure.Code.failed) }
    }
}
