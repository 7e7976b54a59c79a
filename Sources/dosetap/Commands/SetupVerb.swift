internal import ArgumentParser
internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapText

/// `setup`: the first minute, in six questions. Each has a default, and each sets what another verb sets, too.
struct SetupVerb: Verb {
    static let configuration = CommandConfiguration(
        commandName: "setup", abstract: "Answer six questions, ring the alarm once, and check everything.",
        discussion: """
            Asks about the regimen, your times, the alarm, privacy, encryption and
            backups. Enter keeps what is in brackets. Each answer holds at once, so
            that stopping with Ctrl-D loses nothing. It can be run again at any time.
            At the end it is the same as dosetap doctor.

            Example: dosetap setup
            """)

    @OptionGroup(title: "For all verbs") var global: GlobalOptions

    func perform(_ context: Context) throws {
        guard context.canAsk else {
            throw Failure.usage(
                tr("setup asks questions, and there is no terminal to ask at."), hint: "dosetap config show")
        }
        Output.ask(SetupText.opening)
        let questions = SetupQuestions(context: context)
        do {
            try questions.regimen()
            try questions.setting("schedule.wake", SetupText.wake)
            try questions.setting("schedule.prep", SetupText.prep)
            try questions.setting("dose.target_minutes", SetupText.target)
            try questions.ring()
            try questions.setting("privacy.details", SetupText.privacy)
            try questions.encryption()
            try questions.setting("backup.enabled", SetupText.backup)
        } catch is SetupQuestions.Stopped {
            Output.ask(SetupText.stopped)
            throw ExitCode(Failure.Code.failed)
        }
        Output.ask(SetupText.closing)
        try DoctorVerb.examine(context)
    }
}

/// The questions of `setup`, each at the terminal.
private struct SetupQuestions {
    /// The person typed Ctrl-D.
    struct Stopped: Error {}

    let context: Context

    /// Asks for the prescribed regimen. Without an answer nothing is set.
    func regimen() throws {
        let answer = try ServiceLink.run(context, isLast: false) { client in try await client.regimen() }
        let present = answer["active"]?.objectValue.map(RegimenText.short)
        try ask(SetupText.regimen, present: present ?? SetupText.none) { typed in
            var words = typed.split(separator: " ").map(String.init)
            let isOnce = words.last?.lowercased() == "once"
            if isOnce { words.removeLast() }
            guard words.count >= 2 else { throw Failure.usage(SetupText.howRegimen) }
            var draft: JSONObject = [
                "medication_id": .string(words[0].lowercased()), "total": .string(words.dropFirst().joined()),
            ]
            if isOnce { draft["once_nightly"] = true }
            let recorder = Recorder(context: context)
            recorder.report(try recorder.send(.setRegimen(draft), RequestOptions(), isLast: false))
        }
    }

    /// Asks for one setting of the person's file, with the value in force as the default.
    func setting(_ key: String, _ question: String) throws {
        let rows = try ServiceLink.run(context, isLast: false) { client in try await client.config() }
        let row = rows.first { $0["key"]?.stringValue == key }
        let value = row?["value"].map { $0.stringValue ?? $0.serialized() } ?? ""
        if row?["locked"]?.boolValue == true {
            Output.ask(question + "\n" + SetupText.locked + "\n")
            return
        }
        let isSwitch = ["true", "false"].contains(value)
        try ask(question, present: isSwitch ? YesOrNo.word(value == "true") : value) { typed in
            var wanted = typed
            if isSwitch {
                guard let isOn = YesOrNo.isYes(typed) else { throw Failure.usage(SetupText.typeYesOrNo) }
                wanted = isOn ? "true" : "false"
            }
            guard wanted != value else { return }
            let receipt = try ServiceLink.run(context, isLast: false) { [wanted] client in
                try await client.set(key, to: wanted)
            }
            for line in SettingText.written(receipt) { Output.ask(line + "\n") }
        }
    }

    /// Offers to ring the tone of the alarm once, so that nobody hears it first at night.
    func ring() throws {
        try ask(SetupText.ring, present: YesOrNo.word(true), isTakenByEnter: true) { typed in
            guard let isWanted = YesOrNo.isYes(typed) else { throw Failure.usage(SetupText.typeYesOrNo) }
            guard isWanted else { return }
            do {
                try ServiceLink.run(context, isLast: false) { client in try await client.test(channel: "sound") }
                Output.ask(PluginText.tested("sound") + "\n")
            } catch let failure as Failure { report(failure) }
        }
    }

    /// Offers encryption, if the record can be encrypted and is not.
    func encryption() throws {
        do {
            _ = try ServiceLink.run(context, isLast: false) { client in
                try await client.changeKey(.encrypt, isDry: true)
            }
        } catch {
            Output.ask("\n\(SetupText.encryption)\n")
            return report(error)
        }
        try ask(SetupText.encryption, present: YesOrNo.word(false)) { typed in
            guard let isWanted = YesOrNo.isYes(typed) else { throw Failure.usage(SetupText.typeYesOrNo) }
            if isWanted { try DatabaseVerb.change(.encrypt, DatabaseVerb.KeyOptions.parse([]), context) }
        }
    }

    /// Asks until the answer is taken. Enter keeps the present value.
    ///
    /// - Parameter isTakenByEnter: true if Enter takes the word in brackets as the answer, because it is no state but
    ///   a deed.
    private func ask(
        _ question: String, present: String, isTakenByEnter: Bool = false, _ take: (String) throws -> Void
    ) throws {
        let kept = "[\(SafeText.line(present))] >"
        let prompt = context.terminal.fittedQuestion(question, kept, orLast: "\(SetupText.step(question)) \(kept)")
        while true {
            Output.ask("\n\(prompt) ")
            guard let line = readLine() else { throw Stopped() }
            let typed = line.trimming()
            if typed.isEmpty, !isTakenByEnter { return }
            do { return try take(typed.isEmpty ? present : typed) } catch let failure as Failure { report(failure) }
        }
    }

    private func report(_ failure: Failure) {
        Output.complain(context.terminal.fittedErrors(SafeText.line(Wire.told(failure.message))))
    }
}

extension String {
    /// Returns the text without blanks at both ends.
    fileprivate func trimming() -> String {
        String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
    }
}
