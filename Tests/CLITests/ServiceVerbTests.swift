import DoseTapDomain
import Testing

@Suite struct ServiceVerbTests {
    @Test(arguments: ["check", "verify", "rebuild"])
    func `a sound store is reported as such`(verb: String) async throws {
        let cli = try CLIHarness()
        try await cli.json("log", "dose1")
        let report = try await cli.json("db", verb)
        #expect(CLIHarness.keys(report).prefix(3) == ["ok", "events", "rows"])
        #expect(report["ok"] == true)
        #expect(try await cli.json("status")["phase"] == "before_window")
        #expect(try await cli.run("db", verb).out.hasPrefix("All is well"))
    }

    @Test func `without a bus the doctor sees red, and says so by its exit code`() async throws {
        let cli = try CLIHarness()
        let outcome = try await cli.run("doctor")
        #expect(outcome.code == 1)
        #expect(
            outcome.out.contains("red      bus             there is no session bus: ")
                && outcome.out.contains("Something is broken"))
        #expect(try await cli.run("log", "dose1").err.contains("before you sleep") == false)
    }

    @Test func `config and plugins answer with one object each`() async throws {
        let cli = try CLIHarness()
        #expect(CLIHarness.keys(try await cli.json("config", "show")) == ["settings"])
        #expect(try await cli.json("config", "check")["ok"] == true)
        #expect(try await cli.json("config", "reload")["reloaded"] == true)
        #expect(CLIHarness.keys(try await cli.json("plugins")) == ["plugins"])
        #expect(try await cli.error(3, "plugins", "disable", "no-such")["kind"] == "not_found")
    }
}
