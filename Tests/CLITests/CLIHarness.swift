import DoseTapDomain
import Foundation
import Testing

/// A store of one test's own behind `dosetap --bus none`.
final class CLIHarness: Sendable {
    private let scratch: Scratch
    let store: String
    /// What every run finds in its environment.
    let environment: [String: String]

    init(_ environment: [String: String] = [:]) throws {
        scratch = try Scratch()
        self.environment = Self.farFromNow.merging(environment) { $1 }
        store = scratch.path + "/dosetap.db"
    }

    /// Half a day from now: whenever the tests run, no night of theirs comes to its prep or wake time, nor to another date.
    private static var farFromNow: [String: String] {
        let hour = (Int(Date().timeIntervalSince1970) / 3_600 + 12) % 24
        let time = (hour < 10 ? "0" : "") + "\(hour):00"
        return [
            "DOSETAP_SCHEDULE_PREP": time, "DOSETAP_SCHEDULE_WAKE": time, "DOSETAP_SCHEDULE_ROLLOVER_HOUR": "\(hour)",
        ]
    }

    /// Where the store is, before any verb.
    var options: [String] { ["--bus", "none", "--store", store] }

    func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Tool.Outcome {
        try await Tool.run(options + arguments, self.environment.merging(environment) { $1 })
    }

    /// Runs a verb that has to end well, and reads its object.
    @discardableResult
    func json(_ arguments: String...) async throws -> JSONValue { try await json(arguments) }

    @discardableResult
    func json(_ arguments: [String]) async throws -> JSONValue {
        let outcome = try await Tool.run(options + arguments + ["--json"], environment)
        #expect(outcome.code == 0, "\(arguments): \(outcome.out)\(outcome.err)")
        return try outcome.json
    }

    /// Runs a verb that has to fail, and reads its error.
    func error(_ code: Int32, _ arguments: String...) async throws -> JSONValue {
        let outcome = try await Tool.run(options + arguments + ["--json"], environment)
        #expect(outcome.code == code, "\(arguments): \(outcome.out)\(outcome.err)")
        return try #require(try outcome.json["error"])
    }

    /// The keys of an object in their order.
    static func keys(_ value: JSONValue?) -> [String] { value?.objectValue?.keys ?? [] }
}
