internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// The rungs.
extension AlarmPlugin {
    /// Takes a rung; whether it works shows later.
    func take(_ rung: AlarmRung) {
        guard let climb else { return }
        self.climb?.taken.insert(rung)
        guard rung.calls else { return say(rung, climb.due) }
        Task { await self.call(rung) }
    }

    private func say(_ rung: AlarmRung, _ due: Deadline) {
        tell(
            rung.message, rung.sentence,
            [
                ("DOSETAP_RUNG", rung.rawValue), ("DOSETAP_REMINDER", due.item.id.rawValue),
                ("DOSETAP_DUE", due.shownDue.iso8601), ("DOSETAP_SESSION_ID", due.session.text),
                ("DOSETAP_SESSION_DATE", due.date.text),
            ], .warning)
    }

    /// What did not work may work by now: a network that comes up after the machine, a loudspeaker that was unplugged.
    func takeAgain(_ rung: AlarmRung) {
        climb?.again[rung] = nil
        if rung == .speech { climb?.spoken = nil }
        take(rung)
    }

    /// Rings again when it is time, and speaks once for each reminder.
    func repeatVoices(_ ladder: AlarmLadder, _ now: Instant) {
        guard let climb else { return }
        let mayRing = climb.taken.contains(.sound) || climb.failed.contains(.sound)
        let speaks =
            climb.taken.contains(.speech) && ladder.delays[.speech] != nil && climb.spoken != climb.due.item
            && voice[.speech] == nil
        if speaks {
            self.climb?.spoken = climb.due.item
            // A voice that was never heard may hang, and say nothing: the tone waits for it once, and not long.
            if mayRing { self.climb?.nextRing = now + (heard[.speech] == nil ? Self.unprovenVoice : Self.ringEvery) }
            // The tone would drown the voice.
            if let tone = voice.removeValue(forKey: .sound) { Task { await tone.stop() } }
            sound(.speech, voices.speech(preferences.words(climb.due)), climb.alarm)
        }
        guard !speaks, mayRing, ladder.delays[.sound] != nil, climb.nextRing <= now, voice[.sound] == nil else {
            return
        }
        self.climb?.nextRing = now + Self.ringEvery
        guard voice[.speech] == nil || heard[.speech] == nil else { return }
        self.climb?.rings += 1
        sound(.sound, voices.ring(climb.rings, chosen: preferences.player), climb.alarm)
    }

    /// Plays or says something by the first program that can.
    private func sound(_ rung: AlarmRung, _ programs: [Program], _ alarm: Instant) {
        guard let due = climb?.due else { return }
        Task {
            var why = rung == .sound ? "no player is installed" : "no program that speaks is installed"
            for program in self.lastHeardFirst(programs, rung) {
                // It was answered, or another alarm rings, while the program before was tried.
                guard self.climb?.alarm == alarm else { return }
                let run = await self.hooks.runner.start(program)
                guard self.climb?.alarm == alarm else { return await run.stop() }
                self.voice[rung] = run
                let result = await run.finished()
                if self.voice[rung] === run { self.voice[rung] = nil }
                if AlarmVoices.isHeard(result, of: program) {
                    self.heard[rung] = program.path
                    if rung == .speech { self.letToneGoOn(alarm) }
                    return await self.worked(rung, due)
                }
                if result.end == .stopped {
                    // It could be heard until then, if ever it could.
                    if self.climb?.failed.contains(rung) != true {
                        try? await self.engine.delivered(due, by: rung.rawValue)
                    }
                    return
                }
                // It may hang from now on: the tone need not wait for it any more.
                if self.heard[rung] == program.path { self.heard[rung] = nil }
                why = "\(program.path) \(result.complaint)"
            }
            if rung == .speech { self.letToneGoOn(alarm) }
            await self.didNotWork(rung, why, alarm, isWorthAnother: !programs.isEmpty)
        }
    }

    /// The tone waited for the voice; one that does not work waits for its own time.
    private func letToneGoOn(_ alarm: Instant) {
        guard climb?.alarm == alarm, climb?.failed.contains(.sound) == false else { return }
        climb?.nextRing = .min
    }

    func lastHeardFirst(_ programs: [Program], _ rung: AlarmRung) -> [Program] {
        programs.filter { $0.path == heard[rung] } + programs.filter { $0.path != heard[rung] }
    }

    private func call(_ rung: AlarmRung) async {
        guard let climb else { return }
        let preferences = preferences
        let (event, text) =
            rung == .hook ? ("alarm", preferences.words(climb.due)) : ("partner", preferences.partnerText)
        // Nobody is told by programs that are not there.
        let isThere = await !hooks.find(event).hooks.isEmpty
        guard self.climb?.alarm == climb.alarm else { return }
        if isThere { say(rung, climb.due) }
        let line = HookLine(event, climb.due, phase: await engine.phase(), text: text)
        // What was answered while one hook ran must not reach anybody by the next.
        let outcome = await hooks.run(event, line) { [weak self] in await self?.climb?.alarm == climb.alarm }
        guard self.climb?.alarm == climb.alarm else { return }
        if outcome.hasWorked { return await worked(rung, climb.due) }
        await didNotWork(rung, outcome.failures.last, climb.alarm, isWorthAnother: outcome.count > 0)
    }

    private func worked(_ rung: AlarmRung, _ due: Deadline) async {
        if rung == .sound { soundFailure = nil }
        if complained.remove(rung) != nil { await engine.complain(nil) }
        if climb?.session == due.session {
            climb?.failed.remove(rung)
            climb?.taken.insert(rung)
            climb?.again[rung] = nil
            climb?.attempts[rung] = nil
        }
        try? await engine.delivered(due, by: rung.rawValue)
        await settle()
    }

    /// - Parameters:
    ///   - why: nil where the person has no programs of their own, which is nobody's fault.
    ///   - isWorthAnother: whether there is anything to be tried again.
    private func didNotWork(
        _ rung: AlarmRung, _ why: String?, _ alarm: Instant, isWorthAnother: Bool
    ) async {
        if rung == .sound { soundFailure = why?.journalText }
        if let why = why?.journalText, complained.insert(rung).inserted {
            await engine.complain("\(rung.rawValue): \(why)")
            tell(
                .alarmRungFailed, JournalText.alarmFault(rung.rawValue, why),
                [("DOSETAP_RUNG", rung.rawValue), ("DOSETAP_REASON", why)],
                rung == .sound ? .warning : .notice)
        }
        guard climb?.alarm == alarm else { return }
        climb?.taken.remove(rung)
        climb?.failed.insert(rung)
        if let boot = await engine.view()?.counterMicroseconds, let climb, climb.alarm == alarm {
            let now = climb.now(boot)
            if rung == .sound {
                self.climb?.nextRing = now + Self.tryAgain
            } else if isWorthAnother {
                let attempts = climb.attempts[rung, default: 0]
                self.climb?.attempts[rung] = attempts + 1
                self.climb?.again[rung] = now + Self.tryAgain * (1 << min(attempts, 3))
            }
        }
        await settle()
    }
}

extension AlarmRung {
    fileprivate var message: JournalMessage {
        switch self {
        case .sound: .alarmSound
        case .speech: .alarmSpeech
        case .hook: .alarmHooks
        case .partner: .alarmPartner
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .sound: JournalText.alarmRings
        case .speech: JournalText.alarmSpeaks
        case .hook: JournalText.alarmHooks
        case .partner: JournalText.alarmPartner
        }
    }
}

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
        case .speech: programs = voices.speech(SpokenText.test)
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
