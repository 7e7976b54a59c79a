/// The objects that `--json` prints. `Contrib/documents` writes `Config/schemas` from them.
public enum Schemas {
    /// All objects, parts of others included.
    public static var all: [Shape] {
        [
            NightStatus.description.shape, WindowState.description.shape, Receipt.description.shape,
            Warning.description.shape, Finding.description.shape, NightSummary.description.shape,
            NightRecord.Entry.description.shape, Explanation.description.shape, NightStatistics.description.shape,
            SleepPlan.shape, Inventory.shape, history, show, intervals, reminders, reminderPlan,
            sessionDate, doctor,
            metrics, StoreReport.description.shape, Backup.description.shape, backups,
            RestoreReport.description.shape, ExportReport.description.shape, SignerReport.description.shape,
            PacketReport.description.shape,
            ImportReport.description.shape, imports, WipeReport.description.shape, plugins,
            plugin, pluginSwitched,
            settings, settingChanged, web,
            complaints, questions,
            medications, sleepList, LiveStage.Report.description.shape, UsualInterval.description.shape,
            labList, LabAnswer.description.shape,
            catalogue, Medication.description.shape, regimen, regimenHistory, channels, channelTest,
            reloaded, script, supportBundle, supportWritten,
            error,
        ]
    }

    private static func list(_ shape: @autoclosure @escaping @Sendable () -> Shape) -> ValueType {
        .list(.object(shape))
    }

    // MARK: Nights

    static let history = Shape(
        "history", "history --json",
        [
            Key("nights", list(NightSummary.description.shape)),
            Key("next", .text, .null, "continues the list with --cursor; null after the last night"),
            Key(
                "groups",
                list(
                    Shape([
                        Key("key", .text), Key("nights", .list(.text)), Key("on_time", .integer()),
                        Key("of", .integer()), Key("mean_interval_min", .number(.minutes), .null),
                    ])), .absent, "with --by"),
        ])

    static let show = Shape(
        "show", "show --json",
        ShownNights.description.shape.keys + [
            Key(
                "entry",
                .object {
                    Shape([
                        Key("original", .object { NightRecord.Entry.description.shape }),
                        Key("standing", .words { Explanation.State.allCases.map(\.rawValue) }),
                        Key("corrections", list(NightRecord.Entry.description.shape)),
                    ])
                }, .absent, "where an entry was named")
        ])

    static let intervals = Shape(
        "intervals", "stats --intervals --json",
        [
            Key("by", .words { Grouping.allCases.map(\.rawValue) }),
            Key("groups", list(IntervalMean.description.shape)),
        ])

    static let reminders = Shape(
        "reminders", "reminders --json", [Key("reminders", list(ReminderRecord.description.shape))])

    static let reminderPlan = Shape(
        "plan-reminders", "plan-reminders --json",
        [
            Key(
                "reminders",
                list(
                    Shape(
                        ReminderPlan.Item.description.shape.keys + [
                            Key("offset_min", .integer(.minutes), .never, "after dose 1")
                        ])))
        ])

    static let channels = Shape(
        "channels", "reminders --test --json, without a channel",
        [Key("channels", list(Shape([Key("channel", .text), Key("plugin", .text, .null)])))])

    static let channelTest = Shape(
        "channel-test", "reminders --test CHANNEL --json", [Key("channel", .text), Key("tested", .bool)])

    static let script = Shape(
        "simulate-script", "simulate --night DATE --script --json",
        [Key("script", .text, .never, "fit to be run by simulate")])

    static let sessionDate = Shape("session-key", "session-key --json", [Key("session_date", .date)])

    // MARK: Medicines

    static let medications = Shape(
        "med-list", "med list --json", [Key("entries", list(NightRecord.Entry.description.shape))])

    static let sleepList = Shape(
        "sleep-list", "sleep list --json", [Key("entries", list(NightRecord.Entry.description.shape))])

    static let labList = Shape(
        "lab-list", "lab list --json", [Key("answers", list(LabAnswer.description.shape), .never, "newest first")])

    static let catalogue = Shape(
        "med-catalogue", "med catalogue --json", [Key("medications", list(Medication.description.shape))])

    static let regimen = Shape(
        "regimen", "regimen show --json",
        [
            Key("date", .date, .never, "the session date it is asked for"),
            Key("active", .object { Regimen.shape }, .null, "null where nothing is prescribed"),
        ])

    /// The answer of D-Bus `Regimen`.
    public static let regimens = Shape([
        Key("date", .date), Key("active", .object { Regimen.shape }, .absent), Key("history", list(Regimen.shape)),
    ])

    static let regimenHistory = Shape(
        "regimen-history", "regimen history --json",
        [Key("history", list(Regimen.shape), .never, "the one set last first")])

    // MARK: Questionnaires

    static let questions = Shape(
        "questions", "checkin --questions and presleep --questions --json",
        [Key("questions", list(Questionnaire.Item.shape), .never, "in the order in which they are asked")])

    // MARK: The service

    static let doctor = Shape(
        "doctor", "doctor --json",
        [
            Key("ok", .bool, .never, "false when any link is red"),
            Key("findings", list(Finding.description.shape)),
        ])

    static let metrics = Shape("metrics", "metrics --json", [Key("text", .text, .never, "OpenMetrics text")])

    static let imports = Shape(
        "imports", "import list --json",
        [Key("imports", list(ImportOnRecord.description.shape), .never, "newest first")])
    static let web = Shape(
        "web", "web --json",
        [Key("address", .text, .never, "what the browser opens; works once, for this user on this machine")])
    static let backups = Shape(
        "backups", "db backups --json", [Key("backups", list(Backup.description.shape), .never, "newest first")])

    /// One plugin in the answer of D-Bus `Plugins`.
    public static let pluginReport = Shape(pluginKeys(settings: .list(.text)))

    static let plugins = Shape("plugins", "plugins --json", [Key("plugins", list(pluginReport))])

    static let plugin = Shape("plugin", "plugins show --json", pluginKeys(settings: list(setting)))

    private static func pluginKeys(settings: ValueType) -> [Key] {
        [
            Key("id", .text), Key("summary", .text), Key("capabilities", .list(.text)), Key("channels", .list(.text)),
            Key("settings", settings), Key("state", .text),
            Key("cursor", .integer(as: .place), .never, "the place in the log up to which it is done"),
            Key("lag", .integer(as: .place), .never, "events it still has to see"),
            Key("failures", .integer(as: .count)), Key("last_error", .text, .never, "empty without one"),
        ]
    }

    static let pluginSwitched = Shape(
        "plugins-set", "plugins enable and disable --json",
        [
            Key("id", .text), Key("enabled", .bool), Key("written", .bool), Key("file", .text),
            Key("source", .text, .never, "what decides now"),
        ])

    private static let setting = Shape([
        Key("key", .text), Key("value", .text), Key("source", .text, .never, "where the value comes from"),
        Key("default", .text), Key("range", .text),
        Key("night_rule", .bool, .never, "nights are judged by it"),
        Key("locked", .bool, .never, "the policy of the machine decides; nobody else changes it"),
        Key("summary", .text),
    ])

    static let settings = Shape("config-show", "config show --json", [Key("settings", list(setting))])

    static let settingChanged = Shape(
        "config-set", "config set --json",
        [
            Key("key", .text), Key("value", .text), Key("night_rule", .bool), Key("written", .bool), Key("file", .text),
            Key("source", .text, .never, "what decides now"),
        ])

    static let reloaded = Shape("config-reload", "config reload --json", [Key("reloaded", .bool)])

    /// A fault in one of the sources of settings.
    public static let complaint = Shape([
        Key("source", .text), Key("line", .integer(as: .count), .absent), Key("column", .integer(as: .count), .absent),
        Key("key", .text, .absent), Key("message", .text), Key("suggestion", .text, .absent),
        Key("text", .text, .never, "all of it in a sentence"),
    ])

    static let complaints = Shape(
        "config-check", "config check --json", [Key("ok", .bool), Key("complaints", list(complaint))])

    static let supportBundle = Shape(
        "support-bundle", "support-bundle --json",
        [
            Key("bundle", .integer(), .never, "the version of this form"),
            Key("made_on", .date, .never, "the day, UTC"), Key("command", .text, .never, "the version of dosetap"),
            Key("machine", .any, .never, "system, kernel and processor"),
            Key("service", .any, .never, "version, health and warnings by their words, or why it did not answer"),
            Key("settings", list(Shape([Key("key", .text), Key("source", .text), Key("value", .text)])), .absent),
            Key("doctor", list(Shape([Key("id", .text), Key("level", .text)]))),
            Key("plugins", .any, .absent), Key("log", .any, .absent, "counts by type and month, sizes, schema"),
            Key("files", .any, .absent, "the store's files, where no service answered"),
            Key("unit", .any, .absent, "the service as its manager knows it"),
            Key("journal", .any, .never, "the service's entries by their ids and words of the contract"),
        ])

    static let supportWritten = Shape(
        "support-bundle-written", "support-bundle -o FILE --json", [Key("written", .text), Key("bytes", .integer())])

    // MARK: Errors

    static let error = Shape(
        "error", "Every error with --json; more details may stand beside these",
        [
            Key(
                "error",
                .object {
                    Shape(
                        [
                            Key("kind", .text), Key("message", .text),
                            Key("hint", .text, .absent, "a next step that is always safe"),
                            Key(
                                "confirm_with", .text, .absent,
                                "the command that records it all the same; never a next step"),
                        ] + errorDetails.keys)
                })
        ])

    /// The details of an error on D-Bus.
    public static let errorDetails = Shape([
        Key("reason", .text, .absent), Key("confirmations", .list(.text), .absent, "the questions to be answered"),
        Key("kept", .bool, .absent, "the entry is kept outside the record until the store takes it"),
        Key("nearest", .list(.text), .absent), Key("choices", .list(.any), .absent),
        Key("word", .text, .absent, "what was not understood, as it came in"), Key("bus_error", .text, .absent),
        Key("minutes_to_open", .integer(.minutes, as: .count), .absent),
        Key("limit_mg", .integer(.milligrams, as: .count), .absent),
        Key("sum_mg", .integer(.milligrams, as: .count), .absent), Key("would_record", .text, .absent),
        Key("at", .instant, .absent, "when it would count"),
        Key("phase", .words { Phase.allCases.map(\.rawValue) }, .absent),
        Key("standing_id", .text, .absent, "the entry that is on record"), Key("standing_at", .instant, .absent),
        Key("session_date", .date, .absent), Key("night_ended", .instant, .absent),
        Key("alarm_time", .instant, .absent),
        Key("remaining_s", .integer(.seconds), .absent), Key("elapsed_s", .integer(.seconds), .absent),
        Key("elapsed_most_s", .integer(.seconds), .absent), Key("elapsed_by_clock_s", .integer(.seconds), .absent),
        Key("since_standing_s", .integer(.seconds), .absent), Key("since_standing_most_s", .integer(.seconds), .absent),
        Key("time_named", .bool, .absent, "the time was given"),
        Key("handle", .text, .absent, "the short name of the entry that is on record"),
        Key("record_as", .text, .absent, "the dose as which one that was really taken can be recorded"),
        Key("window_closed", .instant, .absent, "where time alone recorded the skip"),
        Key("retry_at", .instant, .absent, "when it may be tried again"),
        Key("nap_open", .bool, .absent, "the nap that stands in the way has not ended yet"),
        Key("option", .text, .absent, "the option that is unknown, or has a value that it does not take"),
        Key("known", .list(.text), .absent, "what there is to choose from"),
        Key("name", .text, .absent, "the entry that there is not"), Key("night", .text, .absent),
        Key("plugin", .text, .absent), Key("channel", .text, .absent),
        Key("time_zone", .text, .absent, "that of the night in question, or one that this machine does not know"),
        Key("key", .text, .absent, "the setting"),
        Key("complaints", .integer(as: .count), .absent, "how many the settings have"),
        Key("id", .text, .absent, "the plugin that was switched"), Key("enabled", .bool, .absent),
        Key("written", .bool, .absent), Key("file", .text, .absent),
        Key("fault", .text, .absent, "what is wrong with the store"), Key("store", .text, .absent, "its path"),
        Key("statement", .text, .absent, "the SQL that takes away what does not belong there"),
        Key("open_directory", .text, .absent, "a directory that other users can change"),
        Key("remedy", .text, .absent, "what to do, in words"), Key("bus_name", .text, .absent),
        Key("encrypted", .bool, .absent, "whether the record is, where a change of its key has nothing to do"),
        Key("session_id", .text, .absent), Key("surface", .text, .absent), Key("timestamp", .instant, .absent),
    ])
}
