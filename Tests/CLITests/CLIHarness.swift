import DoseTapDomain
import DoseTapTestSupport
import Foundation
import Testing

/// The store of one test, which `dosetap --bus none` uses.
final class CLIHarness: Sendable {
    private let scratch: Scratch
    let store: String
    /// The environment of every run.
    let environment: [String: String]

    /// - Parameter environment: Additions to an environment in which it is night. A test with fixed dates names a zone.
    init(_ environment: [String: String] = [:]) throws {
        scratch = try Scratch()
        store = scratch.path + "/dosetap.db"
        self.environment = ["TZ": HourZone.night, "DOSETAP_BUS": "none", "DOSETAP_STORE": store]
            .merging(environment) { $1 }
    }

    /// The same store on the command line, before any verb.
    var options: [String] { ["--bus", "none", "--store", store] }

    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Tool.Outcome {
        try await run(words: arguments, environment: environment)
    }

    func run(words: [String], environment: [String: String] = [:]) async throws -> Tool.Outcome {
        try await Tool.run(words, self.environment.merging(environment) { $1 })
    }

    /// Runs a verb, which must succeed, and reads its object.
    @discardableResult
    func json(_ arguments: String...) async throws -> JSONValue { try await json(arguments) }

    @discardableResult
    func json(_ arguments: [String]) async throws -> JSONValue {
        let outcome = try await Tool.run(arguments + ["--json"], environment)
        #expect(outcome.code == 0, "\(arguments): \(outcome.out)\(outcome.err)")
        return try outcome.json
    }

    /// Runs a verb, which must fail, and reads its error.
    func error(_ code: Int32, _ arguments: String...) async throws -> JSONValue {
        let outcome = try await Tool.run(arguments + ["--json"], environment)
        #expect(outcome.code == code, "\(arguments): \(outcome.out)\(outcome.err)")
        return try #require(try outcome.json["error"])
    }

    /// The keys of an object in their order.
    static func keys(_ value: JSONValue?) -> [String] { value?.objectValue?.keys ?? [] }
}
