internal import ArgumentParser

/// A verb of the command line. It works with the options that every verb has, resolved once.
protocol Verb: ParsableCommand, Sendable {
    var global: GlobalOptions { get }
    func perform(_ context: Context) throws
}

extension Verb {
    mutating func run() throws { try perform(try Context(global.choices)) }
}
