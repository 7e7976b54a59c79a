public import DoseTapDomain

/// The sentence of every error, and the next command by ``next(after:_:to:moments:)``. The service puts the sentence into the
/// error; a surface adds the words to type, press or call. The switches over errors have no `default`, so a new case must choose
/// its words.
public enum ErrorText {
    public static var nothingRecorded: String { tr("Nothing was recorded.") }

    /// Returns the outcome after a question without an answer.
    ///
    /// - Parameter word: the entry that would have been recorded.
    public static func nothingDone(ofRecording word: String?) -> String {
        switch word {
        case Confirmation.wipe.rawValue: WipeText.kept
        case EventType.storeRestored.rawValue: tr("Nothing was changed.")
        default: nothingRecorded
        }
    }

    /// - Parameters:
    ///   - command: the command, if it was to record something.
    ///   - moments: the moments that show times; those of a night are told in its zone.
    public static func sentence(_ failure: CommandFailure, to command: Command?, moments: Moments) -> String {
        switch failure {
        case .needsConfirmation(let question): sentence(question, moments.told(in: question.zone))
        case .refused(let reason, let refusal): sentence(reason, refusal, command, moments.told(in: refusal.zone))
        case .invalidInput(let text), .nothingToDo(let text, _): sentence(text)
        case .unknown(let word): sentence(word, command)
        case .notFound(let name) where command?.savesAnswers == true:
            name.isEmpty ? tr("There is no night to check in for.") : tr("There is no night '\(name.prefix(40))'.")
        case .notFound(let id): noEntry(id)
        }
    }

    /// - Parameter kept: true if the entry stays in memory until the store takes it.
    public static func sentence(_ error: StoreError, kept: Bool) -> String {
        if error.code == .internal { return somethingWrong }
        let told = sentence(error.context)
        let lost = error.code == .noSpace || error.code == .readOnly ? told + tr(" Nothing was recorded.") : told
        let message = kept ? told + tr(" The entry is kept outside the record until it can be written there.") : lost
        return error.code == .interrupted ? message + tr(" The service has more urgent work.") : message
    }

    /// The sentence for an error without one of its own. The details are for the journal only.
    public static var somethingWrong: String { tr("Something went wrong in the service.") }

    /// Returns the sentence about an unknown word.
    ///
    /// - Parameter known: the words to choose from, told if no word is near.
    public static func unknown(_ what: String, _ word: String, nearest: [String], known: [String] = []) -> String {
        let meant = nearest.map { tr("'\($0)'", context: "quoted") }.joined(separator: tr(" or "))
        let choice = known.isEmpty ? "" : tr(" Known: \(known.joined(separator: ", ")).")
        return tr("There is no \(Wire.told(what)) '\(word)'.")
            + (nearest.isEmpty ? choice : tr(" Did you mean \(meant)?"))
    }

    private static func sentence(_ word: UnknownWord, _ command: Command?) -> String {
        let sentence = unknown(word.what, word.word, nearest: word.nearest)
        guard case .record(.medicationRecorded, _) = command, word.nearest.isEmpty else { return sentence }
        return sentence + tr(" A medicine of your own goes into the setting medications.custom.")
    }

    /// Returns the sentence about a name that names no entry.
    private static func noEntry(_ name: String) -> String {
        let shown = String(name.prefix(40))
        switch Handle(name) {
        case .dose(let kind):
            return switch kind {
            case .dose1:
                tr("The newest night has no dose 1 on record. An older one is named by the end of its id.")
            case .dose2:
                tr("The newest night has no dose 2 on record. An older one is named by the end of its id.")
            case .extra:
                tr("The newest night has no extra dose on record. An older one is named by the end of its id.")
            }
        case .last(nil): return tr("The newest nights have no entry on record.")
        case .last: return tr("The newest nights have no entry '\(shown.lowercased().trimmingPrefix("last "))'.")
        case .id(let part) where part.utf8.count < Handle.shortestBeginning:
            return tr("No entry of the newest nights has an id that ends with '\(shown)'.")
        case .id, nil:
            return tr(
                "There is no entry '\(shown)'. Entries are named dose1, dose2, last, \"last bathroom\", or by the last four or more characters of their id."
            )
        }
    }

    /// Returns a sentence with a capital at its start and a stop at its end.
    private static func sentence(_ text: String) -> String {
        let stop = text.hasSuffix(".") || text.hasSuffix("?") ? "" : "."
        return text.capitalised + stop
    }
}

/// Phrases in a sentence of the service that each surface replaces, and their form at a terminal.
extension ErrorText {
    typealias Phrase = (said: String, typed: String)

    static let recordOrSkip: Phrase = (
        sent("If it was taken, record it. If not, skip it."),
        sent("If it was taken, record it: 'dosetap log dose2 --at TIME'. If not: 'dosetap skip'.")
    )
    static let recordOrSkipThen: Phrase = (
        sent("If it was taken, record it. If not, skip it with the time of the close."),
        sent(
            "If it was taken, record it: 'dosetap log dose2 --at TIME'. If not: 'dosetap skip --at TIME' with the time of the close."
        )
    )
    static let dose2Then: Phrase = (
        sent("; then dose 2 with its own."), sent("; then dose 2 with its own: dosetap log dose2 --at TIME.")
    )
    static let clockRight: Phrase = (
        sent("Clock right: confirm clock_suspect=right."), sent("Clock right: --confirm clock_suspect=right.")
    )
    static let nextNight: Phrase = (
        sent("Without 'from' the regimen holds from the next night."),
        sent("Without '--from' the regimen holds from the next night.")
    )

    /// The dates of a regimen, which are options at a terminal.
    private static let dates: [Phrase] = ["from", "until"].map { ("'\($0)' is a date", "'--\($0)' is a date") }

    static let keptBare: Phrase = (sent("; correct them"), sent("; correct them with dosetap amend"))
    static let repair: Phrase = (
        sent("A repair brings back what can be read."), sent("'dosetap db repair' brings back what can be read.")
    )
    static let madeAnew: Phrase = (sent("; a rebuild makes it anew"), sent("; 'dosetap db rebuild' makes it anew"))

    public static func unknownZone(_ name: String) -> String { tr("“\(name)” is no time zone of this machine.") }

    /// The instruction after an unknown zone.
    public static var zoneNames: String {
        tr("Give a name such as America/New_York; timedatectl list-timezones prints them all.")
    }

    /// Returns a sentence of the service with the commands and options to type.
    public static func typed(_ sentence: String) -> String {
        let own = [recordOrSkip, recordOrSkipThen, dose2Then, clockRight, nextNight, repair, madeAnew, keptBare]
        return (own + dates).reduce(sentence) { $0.replacing($1.said, with: $1.typed) }
    }
}

extension Command {
    /// True if the command saves a questionnaire of a night.
    var savesAnswers: Bool {
        switch self {
        case .saveCheckIn, .record(.preSleepRecorded, _): true
        default: false
        }
    }
}
