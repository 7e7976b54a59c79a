import DoseTapDomain
import DoseTapEngine
import DoseTapSimulation
import DoseTapTestSupport
import Testing

@Suite struct ReminderFactTests {
    private func facts(_ bench: NightBench) async throws -> [EventPayload] {
        try await bench.log().map(\.event.payload).filter { payload in
            switch payload {
            case .reminderDelivered, .reminderAcknowledged: true
            default: false
            }
        }
    }

    /// Waits until `count` deliveries are on record.
    private func delivered(_ count: Int, _ bench: NightBench) async throws {
        try await bench.observer.changes.wait { changes in
            let recorded = changes.flatMap { if case .recorded(let events, _) = $0 { events } else { [Event]() } }
            return recorded.count { $0.type == .reminderDelivered } == count
        }
    }

    @Test func `R7.12 a delivery is on record once for each channel, and is nobody's action`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(150))
        let told = try #require(bench.plugin.told.elements.first)
        bench.clock.advance(by: .seconds(2))
        try await bench.context.delivered(told, by: "sound")
        try await bench.context.delivered(told, by: "sound")
        try await bench.context.delivered(told, by: "lamp")
        try await delivered(2, bench)
        try await bench.context.delivered(told, by: "lamp")
        let commits = bench.store.commits.count
        try await bench.submit(.logDose(.dose2))
        #expect(bench.store.commits.count == commits + 1)
        let found = try await facts(bench)
        let expected = ["sound", "lamp"].compactMap(ReminderChannel.init).map { channel in
            EventPayload.reminderDelivered(
                ReminderDelivered(
                    reminder: .windowOpen, due: told.item.due, channel: channel, lateMilliseconds: 2_000))
        }
        #expect(Array(found.prefix(2)) == expected)
        #expect(found.count == 3)
        let undone = try await bench.submit(.undo)
        #expect(undone.type == "action_undone")
        #expect(try await bench.log().allSatisfy { $0.event.request(isFact: $0.event.type) })
        await bench.stop()
    }

    @Test(arguments: [(NightCommand.logDose(.dose2), ReminderAnswer.dose2), (.skipDose2, .skip), (.snooze, .snooze)])
    func `R7.13 an action answers what was told before it in its own commit, and no longer than it stands`(
        command: NightCommand, answer: ReminderAnswer
    ) async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(165))
        let commits = bench.store.commits.count
        let action = try await bench.submit(command)
        #expect(bench.store.commits.count == commits + 1)
        let due = try #require(bench.plugin.told.elements.last)
        #expect(due.item.id == .alarm)
        #expect(
            try await facts(bench) == [
                .reminderAcknowledged(
                    ReminderAcknowledged(reminder: .alarm, due: due.item.due, by: answer, action: action.eventID))
            ])
        #expect(await bench.context.isActive(due) == false)
        try await bench.submit(.undo)
        #expect(await bench.context.isActive(due))
        #expect(try await facts(bench).count == 1)
        await bench.stop()
    }

    @Test func `a reminder stands until the next one takes its place or the window ends`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(160))
        let told = bench.plugin.told.elements
        #expect(told.map(\.item.id) == [.windowOpen, .preAlarm])
        #expect(await bench.context.isActive(told[0]) == false)
        #expect(await bench.context.isActive(told[1]))
        try await bench.advance(to: dose1 + .minutes(239))
        let last = try #require(bench.plugin.told.elements.last)
        #expect(await bench.context.isActive(last))
        bench.clock.advance(to: dose1 + .minutes(240))
        #expect(await bench.context.isActive(last) == false)
        await bench.stop()
    }

    @Test func `a clock that is set changes no lateness on record, and puts no reminder out of its order`() async throws
    {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        try await bench.advance(by: .minutes(150))
        let told = try #require(bench.plugin.told.elements.first)
        bench.clock.step(by: .hours(-2))
        await bench.deadline()
        bench.clock.advance(by: .seconds(2))
        try await bench.context.delivered(told, by: "sound")
        try await delivered(1, bench)
        #expect(
            try await facts(bench) == [
                .reminderDelivered(
                    ReminderDelivered(
                        reminder: .windowOpen, due: told.item.due,
                        channel: try #require(ReminderChannel("sound")), lateMilliseconds: 2_000))
            ])
        let all = await bench.engine.reminders().filter(\.id.isOfWindow)
        #expect(all.first?.id == .windowOpen, "\(all.map(\.id))")
        #expect(all.map(\.due) == all.map(\.due).sorted())
        #expect(all.first?.due == dose1 + .minutes(30), "by the clock as it is now")
        #expect(all.last?.due == dose1 + .minutes(120))
        #expect(try await bench.engine.acknowledge("window_open").reminder.isSeen)
        await bench.stop()
    }

    @Test func `a reminder that was told in time did not come late after a clock was set back and a restart`()
        async throws
    {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(165))
        bench.clock.step(by: .hours(-2))
        try await bench.advance(by: .minutes(1))
        try await bench.crash()
        let next = try await NightBench.open(in: bench.folder, clock: bench.clock)
        let view = try #require(await next.context.view())
        let active = try #require(view.active)
        #expect(active.item.id == .alarm)
        #expect(active.overdue < .seconds(5) && active.lateness < .seconds(5), "\(active)")
        #expect(active.fired == view.status.at - .minutes(1))
        await next.stop()
    }

    @Test func `the list of a night tells what became of each reminder`() async throws {
        let bench = try await NightBench.open()
        let dose1 = try await bench.submit(.logDose(.dose1)).timestamp
        #expect(await bench.engine.reminders().allSatisfy { $0.state == .planned })
        try await bench.advance(to: dose1 + .minutes(151))
        bench.clock.advance(to: dose1 + .minutes(166))
        await bench.deadline()
        try await bench.context.delivered(try #require(bench.plugin.told.elements.last), by: "lamp")
        try await delivered(1, bench)
        func states() async -> [String] {
            await bench.engine.reminders().filter { $0.state != .planned }.map {
                "\($0.id.rawValue) \($0.state.rawValue)"
            }
        }
        #expect(await states() == ["window_open expired", "pre_alarm dropped", "alarm delivered"])
        let alarm = try #require(await bench.engine.reminders().first { $0.id == .alarm })
        #expect(alarm.lateness == .minutes(1) && alarm.channels.map(\.text) == ["lamp"])
        #expect(try ReminderRecord(json: alarm.json) == alarm)
        let seen = try await bench.engine.acknowledge("alarm")
        #expect(seen.goesOn && seen.reminder.isSeen && seen.reminder.state == .delivered)
        _ = try await bench.engine.acknowledge("alarm")
        #expect(try await bench.types().count { $0 == .reminderAcknowledged } == 1)
        #expect(bench.timer.armed == dose1 + .minutes(167))
        try await bench.submit(.logDose(.dose2))
        #expect(await states() == ["window_open acknowledged", "pre_alarm dropped", "alarm acknowledged"])
        #expect(await bench.engine.reminders().filter(\.id.isOfWindow).count == 3)
        let late = await failure { try await bench.engine.acknowledge("alarm") }
        let never = await failure { try await bench.engine.acknowledge("closing_5") }
        let unknown = await failure { try await bench.engine.acknowledge("alram") }
        guard case .command(.nothingToDo) = late, case .command(.notFound) = never,
            case .command(.unknown(let word)) = unknown
        else {
            Issue.record("\(String(describing: late)) \(String(describing: never)) \(String(describing: unknown))")
            return
        }
        #expect(word.nearest == ["alarm"])
        await bench.stop()
    }

    @Test func `R7.16 the check-in answers its reminder alone; one that nobody could tell is on record`() async throws {
        let bench = try await NightBench.open()
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(155))
        try await bench.submit(.logDose(.dose2))
        #expect(await bench.engine.status(at: nil).nextReminder?.id == .checkIn)
        try await bench.submit(.logFinalWake)
        try await bench.advance(to: bench.clock.now)
        let told = try #require(bench.plugin.told.elements.last)
        #expect(told.item.id == .checkIn)
        #expect(await bench.context.isActive(told))
        #expect(await bench.context.view()?.checkIn == told)
        let seen = try await bench.engine.acknowledge("check_in")
        #expect(!seen.goesOn && seen.reminder.isSeen && seen.reminder.state == .fired)
        try await bench.submit(.saveCheckIn([:], night: nil))
        #expect(await bench.context.isActive(told) == false)
        #expect(
            await bench.engine.reminders().last.map { "\($0.id) \($0.answer?.rawValue ?? "")" } == "checkIn checkin")
        #expect(bench.plugin.told.elements.filter { $0.item.id == .checkIn }.count == 1)
        try await bench.advance(by: .hours(21))
        try await bench.submit(.logDose(.dose1))
        try await bench.submit(.skipDose2)
        try await bench.crash()
        bench.clock.advance(by: .hours(14))
        let later = try await NightBench.open(in: bench.folder, clock: bench.clock)
        #expect(later.plugin.told.elements.isEmpty)
        let last = await later.engine.reminders().last
        #expect(last?.id == .checkIn && last?.dropped == .tooLate)
        await later.stop()
    }

    @Test func `a plugin does only what its manifest declares, and names its channels by short words`() async throws {
        let bench = try await NightBench.open()
        let quiet = bench.context(for: BystanderPlugin.manifest)
        let undeclared = PluginFailure.notDeclared(plugin: "bystander", .proposes)
        await #expect(throws: undeclared) { try await quiet.propose(.undo, CommandOptions(surface: .plugin)) }
        try await bench.submit(.logDose(.dose1))
        try await bench.advance(by: .minutes(150))
        let told = try #require(bench.plugin.told.elements.first)
        await #expect(throws: PluginFailure.notDeclared(plugin: "bystander", .notifies)) {
            try await quiet.delivered(told, by: "sound")
        }
        for word in ["", "Sound", "a b", "ü", String(repeating: "a", count: 33)] {
            await #expect(throws: PluginFailure.invalidChannel) { try await bench.context.delivered(told, by: word) }
        }
        #expect(try await facts(bench).isEmpty)
        await bench.stop()
    }

    @Test func `a plugin is woken at the instant it named last, and not after it took that back`() async throws {
        let bench = try await NightBench.open()
        await bench.context.wake(after: .minutes(5))
        await bench.context.wake(after: .minutes(1))
        #expect(bench.retry.armed == bench.clock.now + .minutes(1))
        await bench.host.timeCame()
        bench.clock.advance(by: .minutes(1))
        await bench.host.timeCame()
        try await bench.plugin.wakings.wait(count: 1)
        await bench.context.wake(after: .minutes(1))
        await bench.context.wake(after: nil)
        bench.clock.advance(by: .minutes(1))
        await bench.host.timeCame()
        await bench.stop()
        #expect(bench.plugin.wakings.elements.count == 1)
    }
}

extension Event {
    /// True unless a fact of the service counts as an action of a person.
    fileprivate func request(isFact type: EventType) -> Bool {
        [.reminderDelivered, .reminderAcknowledged].contains(type)
            ? payload.request == nil && surface == .service : true
    }
}
