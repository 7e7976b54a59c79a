/// Whether anything can reach the person at all.
extension ChainFacts {
    /// What is said first, everywhere, when no channel can reach the person; nil when one can, as far as is known. What
    /// could not be asked may work.
    public var silence: Warning? {
        guard !callsPrograms || isOff(.sound) else { return nil }
        guard let screen = screenTrouble, let sound = soundTrouble else { return nil }
        return Warning(
            .noChannel,
            "No reminder can reach you: \(screen), and \(sound). Set an alarm clock. Why: dosetap doctor")
    }

    /// Why nothing is seen.
    private var screenTrouble: String? {
        if isOff(.screen) { return "notifications are off" }
        switch notifications {
        case .unknown(let why): return why.isEmpty ? nil : why
        case .known(.absent): return "no program shows notifications"
        case .known(.silent): return "the notification server does not answer"
        case .known(.startable): return screenFailure.map { _ in "notifications are not shown" }
        case .known(.present):
            if screenFailure != nil { return "notifications are not shown" }
            return doNotDisturb == .known(true) ? "do-not-disturb is on" : nil
        }
    }

    /// Why nothing is heard.
    private var soundTrouble: String? {
        if isOff(.sound) || !rings { return "the alarm's sound is off" }
        if soundFailure != nil { return "the sound does not work" }
        if player == nil { return "no program plays sounds" }
        if lacksSoundServer { return "no sound server runs" }
        if case .known(let volume) = volume, volume.isMuted || volume.percent <= 0 { return "the sound is muted" }
        return nil
    }

    private func isOff(_ means: Plugin.Means) -> Bool {
        guard case .known(let plugins) = plugins, plugins.contains(where: { $0.means.contains(means) }) else {
            return false
        }
        return !plugins.contains { $0.isOn && $0.means.contains(means) }
    }
}
