internal import DoseTapDomain
internal import DoseTapEngine
internal import SDBus
internal import SystemdJournal

/// Trying the desktop.
extension NotificationsPlugin {
    /// Shows a notification that says to be a test, as urgent as an alarm's. It waits for the server's answer.
    package func test(_ channel: String) async throws {
        guard channel == Self.channel else { throw PluginFailure.noChannel(channel) }
        guard let bus else { throw PluginFailure.notWorking("the service is on no bus") }
        let server: NotificationServer
        do throws(BusError) {
            // Asked anew: what was found out earlier may no longer be so.
            server = try await bus.ask(starts: true)
        } catch {
            failure = error.message.journalText
            throw PluginFailure.notWorking("no notification server: \(error.message.journalText)")
        }
        let content = NotificationContent(
            summary: "Test: this is how an alarm looks", lines: ["No reminder is due. Close it."], urgency: .critical)
        let answer = await firstAnswer { [settings] answered in
            bus.show(
                content, of: nil, replacing: 0, sound: settings[Self.soundName], on: server, answered: answered)
        }
        switch answer {
        case .shown(let id):
            test = id
            failure = nil
            journal.send(.channelTested(channel))
        case .failed(let why):
            failure = why.journalText
            throw PluginFailure.notWorking("the notification server refused: \(why.journalText)")
        case .overdue:
            failure = "it does not answer"
            throw PluginFailure.notWorking("the notification server does not answer")
        }
    }

    /// What is answered first; there may be more answers.
    private func firstAnswer(
        _ ask: (@escaping @Sendable (NotificationServer.Answer) -> Void) -> Void
    ) async -> NotificationServer.Answer {
        let (answers, answering) = AsyncStream.makeStream(
            of: NotificationServer.Answer.self, bufferingPolicy: .bufferingOldest(1))
        ask { answering.yield($0) }
        for await answer in answers { return answer }
        return .overdue
    }
}
