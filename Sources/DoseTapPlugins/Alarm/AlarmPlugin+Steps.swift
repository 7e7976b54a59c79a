internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapText
internal import SDBus
internal import SystemdJournal

/// The rungs.
extension AlarmPlugin {
    /// Takes a rung. Its success shows later.
    func take(_ rung: EscalationStep) {
        guard let escalation else { return }
        self.escalation?.taken.insert(rung)
        guard rung.calls else { return say(rung, escalation.due) }
        Task { await self.call(rung) }
    }

    private func say(_ rung: EscalationStep, _ due: DueReminder) {
        journal.send(
            rung.message, rung.sentence,
            [
                ("DOSETAP_RUNG", rung.rawValue), ("DOSETAP_REMINDER", due.item.id.rawValue),
                ("DOSETAP_DUE", due.shownDue.iso8601), ("DOSETAP_SESSION_ID", due.session.text),
                ("DOSETAP_SESSION_DATE", due.date.text),
            ], .warning)
    }

    /// Takes a failed rung again. It may work by now: a network may have come up, or a loudspeaker may be plugged in.
    func retry(_ rung: EscalationStep) {
        escalation?.again[rung] = nil
        if rung == .speech { escalation?.spoken = nil }
        take(rung)
    }

    /// Rings again when it is time, and speaks once for each reminder.
    func repeatVoices(_ ladder: AlarmLadder, _ now: Instant) {
        guard let escalation else { return }
        let mayRing = escalation.taken.contains(.sound) || escalation.failed.contains(.sound)
        let speaks =
            escalation.taken.contains(.speech) && ladder.delays[.speech] != nil
            && escalation.spoken != escalation.due.item
            && playing[.speech] == nil
        if speaks {
            self.escalation?.spoken = escalation.due.item
            // A voice that was never heard may hang, and say nothing: the tone waits for it once, and not long.
            if mayRing {
                self.escalation?.nextRing = now + (heard[.speech] == nil ? Self.unprovenVoice : Self.ringEvery)
            }
            // The tone would drown the voice.
            if let tone = playing.removeValue(forKey: .sound) { Task { await tone.stop() } }
            sound(
                .speech,
                voices.speech(preferences.words(escalation.due), isOwn: preferences.isOwnWords(escalation.due)),
                escalation.alarm)
        }
        guard !speaks, mayRing, ladder.delays[.sound] != nil, escalation.nextRing <= now, playing[.sound] == nil else {
            return
        }
        self.escalation?.nextRing = now + Self.ringEvery
        guard playing[.speech] == nil || heard[.speech] == nil else { return }
        self.escalation?.rings += 1
        sound(.sound, voices.ring(escalation.rings, chosen: preferences.player), escalation.alarm)
    }

    /// Plays or speaks with the first program that works.
    private func sound(_ rung: EscalationStep, _ programs: [Program], _ alarm: Instant) {
        guard let due = escalation?.due else { return }
        Task {
            var why = rung == .sound ? sent("no player is installed") : sent("no program that speaks is installed")
            for program in self.lastHeardFirst(programs, rung) {
                // The alarm was answered, or another alarm rings, since the program before was tried.
                guard self.escalation?.alarm == alarm else { return }
                let run = await self.hooks.runner.start(program)
                guard self.escalation?.alarm == alarm else { return await run.stop() }
                self.playing[rung] = run
                let result = await run.finished()
                if self.playing[rung] === run { self.playing[rung] = nil }
                if AlarmVoices.isHeard(result, of: program) {
                    self.heard[rung] = program.path
                    if rung == .speech { self.letToneGoOn(alarm) }
                    return await self.worked(rung, due)
                }
                if result.end == .stopped {
                    // The stopped program could be heard until then, unless the rung had failed before.
                    if self.escalation?.failed.contains(rung) != true {
                        try? await self.engine.delivered(due, by: rung.rawValue)
                    }
                    return
                }
                // The program may hang from now on: the tone need not wait for it any more.
                if self.heard[rung] == program.path { self.heard[rung] = nil }
                why = result.complaint(of: program.path)
            }
            if rung == .speech { self.letToneGoOn(alarm) }
            await self.didNotWork(rung, why, alarm, isWorthAnother: !programs.isEmpty)
        }
    }

    /// Lets the tone ring that waited for the voice. A tone that does not work waits for its own time.
    private func letToneGoOn(_ alarm: Instant) {
        guard escalation?.alarm == alarm, escalation?.failed.contains(.sound) == false else { return }
        escalation?.nextRing = .min
    }

    func lastHeardFirst(_ programs: [Program], _ rung: EscalationStep) -> [Program] {
        programs.filter { $0.path == heard[rung] } + programs.filter { $0.path != heard[rung] }
    }

    private func call(_ rung: EscalationStep) async {
        guard let escalation else { return }
        let preferences = preferences
        let (event, text) =
            rung == .hook ? ("alarm", preferences.words(escalation.due)) : ("partner", preferences.wordsToPartner)
        // The journal tells of the rung only if there are hooks.
        let isThere = await !hooks.find(event).hooks.isEmpty
        guard self.escalation?.alarm == escalation.alarm else { return }
        if isThere { say(rung, escalation.due) }
        let line = HookLine(event, escalation.due, phase: await engine.phase(), text: text)
        // An alarm that was answered while one hook ran must not reach anybody by the next hook.
        let outcome = await hooks.run(event, line) { [weak self] in await self?.escalation?.alarm == escalation.alarm }
        guard self.escalation?.alarm == escalation.alarm else { return }
        if outcome.hasWorked { return await worked(rung, escalation.due) }
        await didNotWork(rung, outcome.failures.last, escalation.alarm, isWorthAnother: outcome.count > 0)
    }

    private func worked(_ rung: EscalationStep, _ due: DueReminder) async {
        if rung == .sound { soundFailure = nil }
        if complained.remove(rung) != nil { await engine.complain(nil) }
        if escalation?.session == due.session {
            escalation?.failed.remove(rung)
            escalation?.taken.insert(rung)
            escalation?.again[rung] = nil
            escalation?.attempts[rung] = nil
        }
        try? await engine.delivered(due, by: rung.rawValue)
        await settle()
    }

    /// - Parameters:
    ///   - why: nil if the person has no hooks, which is no fault.
    ///   - isWorthAnother: true if there is anything to be tried again.
    private func didNotWork(
        _ rung: EscalationStep, _ why: String?, _ alarm: Instant, isWorthAnother: Bool
    ) async {
        if rung == .sound { soundFailure = why?.journalText }
        if let why = why?.journalText, complained.insert(rung).inserted {
            await engine.complain("\(rung.rawValue): \(why)")
            journal.send(
                .alarmStepFailed, JournalText.alarmFault(rung.rawValue, why),
                [("DOSETAP_RUNG", rung.rawValue), ("DOSETAP_REASON", why)],
                rung == .sound ? .warning : .notice)
        }
        guard escalation?.alarm == alarm else { return }
        escalation?.taken.remove(rung)
        escalation?.failed.insert(rung)
        if let boot = await engine.view()?.counterMicroseconds, let escalation, escalation.alarm == alarm {
            let now = escalation.now(boot)
            if rung == .sound {
                self.escalation?.nextRing = now + Self.tryAgain
            } else if isWorthAnother {
                let attempts = escalation.attempts[rung, default: 0]
                self.escalation?.attempts[rung] = attempts + 1
                self.escalation?.again[rung] = now + Self.tryAgain * (1 << min(attempts, 3))
            }
        }
        await settle()
    }
}

extension EscalationStep {
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

/// The test of one rung.
extension AlarmPlugin {
    /// The most hanging programs that a test waits for: a test has 20 seconds.
    private static let mostHanging = 2

    /// Tries a rung for real, marked as a test, within a few seconds.
    package func test(_ channel: String) async throws {
        guard let rung = EscalationStep(rawValue: channel) else { throw PluginFailure.noChannel(channel) }
        let programs: [Program]
        switch rung {
        case .sound: programs = voices.ring(2, chosen: preferences.player)
        case .speech: programs = voices.speech(DisplayLanguage.addressingPerson { SpokenText.test }, isOwn: false)
        case .hook: return try await testHooks("alarm")
        case .partner: return try await testHooks("partner")
        }
        var why = rung == .sound ? sent("no player is installed") : sent("no program that speaks is installed")
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
            why = result.complaint(of: program.path)
        }
        if rung == .sound { soundFailure = why.journalText }
        throw PluginFailure.notWorking(why.journalText)
    }

    private func testHooks(_ event: String) async throws {
        let outcome = await hooks.run(event, HookLine(testOf: event), limit: .seconds(8))
        guard outcome.count > 0 else {
            throw PluginFailure.notWorking(sent("there are no programs in hooks.d/\(event) that may be run"))
        }
        if let failure = outcome.failures.first { throw PluginFailure.notWorking(failure.journalText) }
        journal.send(.channelTested(event == "alarm" ? EscalationStep.hook.rawValue : EscalationStep.partner.rawValue))
    }
}
