internal import ArgumentParser

/// `tonight`: the night as it changes, with a big countdown.
struct TonightVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "tonight", abstract: "Follow the night: a big countdown, a line per change.",
        discussion: """
            Like status --follow, with a big countdown on a terminal. Stop it with
            Ctrl-C.

            Example: dosetap tonight
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws { try Follower(context: context, format: nil, isBig: true).run() }
}
