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
            try questions.prep()
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
            // A name can have blanks: sodium oxybate 4.5 g.
            let amount = words.dropFirst().firstIndex { $0.first?.isNumber == true } ?? 1
            var draft: JSONObject = [
                "medication_id": .string(words[..<amount].joined(separator: " ").lowercased()),
                "total": .string(words[amount...].joined()),
            ]
            if isOnce { draft["once_nightly"] = true }
            let recorder = Recorder(context: context)
            recorder.report(try recorder.send(.setRegimen(draft), RequestOptions(), isLast: false))
        }
    }

    /// Asks for the time of the preparation. A time too near to the planned wake time is not taken.
    func prep() throws {
        func time(_ text: String) -> ClockTime? {
            SettingKind.clockTime.value(text).flatMap { ClockTime.content(of: $0) }
        }
        try setting("schedule.prep", SetupText.prep) { typed, rows in
            guard let prep = time(typed), let wake = time(Self.value(of: "schedule.wake", in: rows)) else { return nil }
            return SetupText.fault(ofPrep: prep, before: wake)
        }
    }

    /// Asks for one setting of the person's file, with the value in force as the default.
    ///
    /// - Parameter fault: returns the reason for which an answer is not taken, from the answer and all settings; nil if
    ///   there is none. The value in force is such an answer, too.
    func setting(
        _ key: String, _ question: String, unless fault: (String, [JSONObject]) -> String? = { _, _ in nil }
    ) throws {
        let rows = try ServiceLink.run(context, isLast: false) { client in try await client.config() }
        let row = rows.first { $0["key"]?.stringValue == key }
        let value = Self.value(of: key, in: rows)
        if row?["locked"]?.boolValue == true {
            Output.ask(question + "\n" + SetupText.locked + "\n")
            return
        }
        let isSwitch = ["true", "false"].contains(value)
        let present = isSwitch ? YesOrNo.word(value == "true") : value
        try ask(question, present: present, isTakenByEnter: true) { typed in
            var wanted = typed
            if isSwitch {
                guard let isOn = YesOrNo.isYes(typed) else { throw Failure.usage(SetupText.typeYesOrNo) }
                wanted = isOn ? "true" : "false"
            }
            if let why = fault(wanted, rows) { throw Failure.usage(why) }
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
            guard isWanted else { return }
            do {
                try DatabaseVerb.change(.encrypt, DatabaseVerb.KeyOptions.parse([]), context)
            } catch let failure as Failure
                where failure.details["fault"]?.stringValue == StoreError.Code.keyUnkept.rawValue
            {
                report(failure)
                try encryptionWithFile()
            }
        }
    }

    /// Offers a file for the key that no other place keeps. The word that encrypts was typed already.
    private func encryptionWithFile() throws {
        try ask(SetupText.keyFile, present: YesOrNo.word(false), isTakenByEnter: true) { typed in
            guard let isWanted = YesOrNo.isYes(typed) else { throw Failure.usage(SetupText.typeYesOrNo) }
            guard isWanted else { return Output.ask(SetupText.unencrypted + "\n") }
            let receipt = try ServiceLink.run(context, isLast: false) { client in
                try await client.set(ServiceSettings.keyPlace.row.key, to: "file")
            }
            for line in SettingText.written(receipt) { Output.ask(line + "\n") }
            let confirmed = ["--confirm", KeyChange.encrypt.rawValue]
            try DatabaseVerb.change(.encrypt, DatabaseVerb.KeyOptions.parse(confirmed), context)
        }
    }

    /// Asks until the answer is taken. Enter keeps the present value.
    ///
    /// - Parameter isTakenByEnter: true if Enter takes the word in brackets as the answer, because it is no state but
    ///   a deed, or has to be checked.
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

    /// Returns the value of a setting as text; empty if there is no such setting.
    private static func value(of key: String, in rows: [JSONObject]) -> String {
        let row = rows.first { $0["key"]?.stringValue == key }
        return row?["value"].map { $0.stringValue ?? $0.serialized() } ?? ""
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
