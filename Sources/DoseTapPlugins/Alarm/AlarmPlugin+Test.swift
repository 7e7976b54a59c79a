internal import DoseTapDomain
internal import DoseTapEngine
internal import SystemdJournal

/// Trying one rung.
extension AlarmPlugin {
    /// More programs that hang are not waited for: a test has 20 seconds.
    private static let mostHanging = 2

    /// Tries a rung for real, marked as a test, within a few seconds.
    package func test(_ channel: String) async throws {
        guard let rung = AlarmRung(rawValue: channel) else { throw PluginFailure.noChannel(channel) }
        let programs: [Program]
        switch rung {
        case .sound: programs = voices.ring(2, chosen: preferences.player)
        case .speech: programs = voices.speech("This is a test. No reminder is due.")
        case .hook: return try await testHooks("alarm")
        case .partner: return try await testHooks("partner")
        }
        var why = rung == .sound ? "no player is installed" : "no program that speaks is installed"
        var hanging = 0
        for var program in lastHeardFirst(programs, rung) where hanging < Self.mostHanging {
            program.limit = .seconds(8)
            let result = await hooks.runner.run(program)
            if AlarmVoices.isHeard(result, of: program) {
                heard[rung] = program.path
                if rung == .sound { soundFailure = nil }
                return journal.send(.channelTested(channel))
            }
            if case .timedOut = result.end { hanging += 1 }
            why = "\(program.path) \(result.complaint)"
        }
        if rung == .sound { soundFailure = why.journalText }
        throw PluginFailure.notWorking(why.journalText)
    }

    private func testHooks(_ event: String) async throws {
        let outcome = await hooks.run(event, HookLine(testOf: event), limit: .seconds(8))
        guard outcome.count > 0 else {
            throw PluginFailure.notWorking("there are no programs in hooks.d/\(event) that may be run")
        }
        if let failure = outcome.failures.first { throw PluginFailure.notWorking(failure.journalText) }
        journal.send(.channelTested(event == "alarm" ? AlarmRung.hook.rawValue : AlarmRung.partner.rawValue))
    }
}
