import DoseTapTestSupport
import Testing

@Suite struct ClockStyleTests {
    @Test func `R23.3 the setting display.clock is stronger than the locale, and texts for programs are by neither`()
        async throws
    {
        let folder = try ScratchFolder()
        let cli = try CLIHarness(["XDG_CONFIG_HOME": folder.path("config")])
        let written = /[0-9]:[0-9]{2} [AP]M/
        try await cli.json("log", "dose1", "--ago", "20m")
        #expect(try await !cli.run("status").out.contains(written))
        let american = ["LC_ALL": "en_US.UTF-8"]
        #expect(try await cli.run("status", environment: american).out.contains(written))
        #expect(try await cli.run("config", "set", "display.clock", "24h").code == 0)
        #expect(try await !cli.run("status", environment: american).out.contains(written))
        #expect(try await cli.run("config", "set", "display.clock", "12h").code == 0)
        for words in [["status"], ["show"], ["history"], ["log", "dose2"]] {
            let outcome = try await cli.run(words: words)
            #expect((outcome.out + outcome.err).contains(written), "\(words): \(outcome.out) \(outcome.err)")
        }
        #expect(try await !cli.run("show", "--json").out.contains(written))
        #expect(try await cli.run("config", "set", "display.clock", "6h").code != 0)
        #expect(try await cli.run("config", "set", "display.clock", "locale").code == 0)
        #expect(try await !cli.run("status").out.contains(written))
        #expect(try await cli.run("status", environment: ["DOSETAP_DISPLAY_CLOCK": "12h"]).out.contains(written))
    }
}
