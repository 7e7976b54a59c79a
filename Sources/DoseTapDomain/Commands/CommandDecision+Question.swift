extension CommandDecision {
    /// A failure with what its questions tell beside the rules' own facts: how much time is between the entry and the dose
    /// it is too near to, whatever the clock showed at either.
    func telling(_ failure: CommandFailure, about command: Command) -> CommandFailure {
        guard case .needsConfirmation(var question) = failure, question.confirmations.contains(.early),
            let id = question.standing, let night = diary.sessions.last(where: { $0.doses.contains { $0.id == id } }),
            let dose = night.doses.first(where: { $0.id == id })
        else { return failure }
        let since: ElapsedTime
        if case .amend(let amended) = command {
            let isOwn = night.entry(amended) != nil
            since = ElapsedTime(certain: isOwn ? moment(in: night) - dose.at : at - dose.wall)
        } else {
            since = elapsed(since: dose, of: night)
        }
        question.sinceStanding = since
        if question.elapsed == nil, dose.kind == .dose1, !since.isCertain { question.elapsed = since }
        return .needsConfirmation(question)
    }

    private func elapsed(since dose: Dose, of night: Session) -> ElapsedTime {
        let now = circumstances.clock
        let since = ElapsedTime(since: dose.said, then: night.later(than: dose), now: now, isNamed: asOf != nil)
        // Of a dose of another night the wall clock is believed across boots (R4.14).
        let isBelieved = night.id != self.night?.id && dose.said.clock.bootID != now.bootID
        let known = isBelieved ? ElapsedTime(certain: max(since.counted, since.byWall)) : since
        return known.moved(by: asOf.map { $0 - now.wall } ?? .zero)
    }
}
