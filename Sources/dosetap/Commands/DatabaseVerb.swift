internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `db`: care of the data.
struct DatabaseVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db", abstract: "Check and repair the data.",
        discussion: "Example: dosetap db verify",
        subcommands: [Check.self, Verify.self, Rebuild.self])

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

    private static func examine(_ member: Client.Examination, _ context: Context) throws {
        let report = try ServiceLink.run(context) { client in
            try await SlowReplyNotice.wait(for: client, context) { try await client.examine(member) }
        }
        let isSound = report["ok"]?.boolValue ?? report["findings"]?.arrayValue?.isEmpty ?? true
        context.report(report, text: SettingText.examination(report, isSound: isSound))
        if !isSound { throw ExitCode(Failure.Code.failed) }
    }
}
