/// What a command line asks for: the options that every verb has, and the work.
struct Invocation: Sendable {
    let global: GlobalChoices
    let work: @Sendable (Context) throws -> Void

    /// - Throws: ``Failure``, or what the parser of arguments throws.
    func run() throws { try work(try Context(global)) }
}
