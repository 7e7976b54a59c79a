public import DoseTapDomain

extension Command {
    /// The D-Bus member that asks for it.
    public var member: String {
        switch self {
        case .logDose(.dose1): "LogDose1"
        case .logDose(.dose2): "LogDose2"
        case .logDose(.extra): "LogExtraDose"
        case .snooze: "Snooze"
        case .skipDose2: "SkipDose2"
        case .logFinalWake: "LogFinalWake"
        case .logSleepEvent: "LogSleepEvent"
        case .saveCheckIn: "SaveCheckIn"
        case .savePreSleep: "SavePreSleep"
        case .takeMedication: "Take"
        case .setRegimen: "SetRegimen"
        case .inventory(.addBottle): "AddBottle"
        case .inventory(.pour): "Pour"
        case .inventory(.discard): "Discard"
        case .inventory(.correct): "Correct"
        case .undo: "Undo"
        case .amend: "Amend"
        case .delete: "Delete"
        }
    }

    /// The D-Bus interface of that member.
    var interface: String {
        switch self {
        case .logSleepEvent, .saveCheckIn, .savePreSleep: Contract.InterfaceName.diary
        case .takeMedication, .setRegimen: Contract.InterfaceName.medications
        case .inventory: Contract.InterfaceName.inventory
        case .logDose, .snooze, .skipDose2, .logFinalWake, .undo, .amend, .delete: Contract.InterfaceName.session
        }
    }

    /// What the member takes before its options: the entry or the type it names.
    var argument: String? {
        switch self {
        case .amend(let id), .delete(let id), .inventory(.discard(let id)): id.text
        case .logSleepEvent(let type): type
        case .takeMedication(let id): id
        case .logDose, .snooze, .skipDose2, .logFinalWake, .saveCheckIn, .savePreSleep, .setRegimen,
            .inventory(.addBottle), .inventory(.pour), .inventory(.correct), .undo:
            nil
        }
    }

    /// The answers, the regimen or what is said of the stock that the member takes before its options.
    var answers: JSONObject? {
        switch self {
        case .saveCheckIn(let answers, _), .savePreSleep(let answers, _): answers
        case .setRegimen(let draft): draft
        case .inventory(.addBottle(let draft)), .inventory(.pour(let draft)), .inventory(.correct(let draft)): draft
        case .logDose, .snooze, .skipDose2, .logFinalWake, .logSleepEvent, .takeMedication, .inventory(.discard), .undo,
            .amend, .delete:
            nil
        }
    }

    /// The option that only this member has.
    var ownOption: (key: String, word: String)? {
        switch self {
        case .saveCheckIn(_, let night?): ("night", night)
        case .savePreSleep(_, let completion): ("completion", completion.rawValue)
        case .logDose, .snooze, .skipDose2, .logFinalWake, .logSleepEvent, .saveCheckIn, .takeMedication, .setRegimen,
            .inventory, .undo, .amend, .delete:
            nil
        }
    }
}
