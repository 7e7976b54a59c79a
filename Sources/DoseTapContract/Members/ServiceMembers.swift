package import SDBus

extension Contract {
    package enum Service {
        private static let name = InterfaceName.service

        package static let plugins = Method(
            name, "Plugins", gives: Parameter<[WireObject]>("plugins"), summary: "Returns all plugins.",
            details: """
                plugins: for each id s, summary s, capabilities as, channels as (what Reminders.Test takes), settings as (keys
                of Config about it), state s (running, retrying, hanging, disabled), cursor t (the number of the last event it
                has seen), lag t (events it has not seen yet), failures u in a row, last_error s.
                """)

        package static let setPlugin = Method(
            name, "SetPlugin", records: true, takes: id, Parameter<Bool>("enabled"), options, gives: receipt,
            summary: "Turns a plugin on or off and writes this to the user's settings file.",
            details: """
                id: as in Plugins. options: none yet. receipt: id s, enabled b (what is in force: a variable of the environment
                has priority over the file), written b, file s, source s (what decides).

                NotFound: there is no such plugin. ReadOnly: the file cannot be changed; then the change is in force until the
                settings are read again (details: enabled b, written b, which is false); or the policy of the machine sets it,
                and nothing changed (details: locked b, which is true).
                """)

        package static let config = Method(
            name, "Config", gives: Parameter<[WireObject]>("settings"), summary: "Returns all settings in force.",
            details: """
                settings: for each key s, value v, source s (default, a file, a variable or an option), default v, range s,
                night_rule b (whether a change is recorded as an event), locked b (the policy of the machine decides),
                summary s.
                """)

        package static let setConfig = Method(
            name, "SetConfig", records: true, takes: Parameter<String>("key"), Parameter<Variant>("value"), options,
            gives: receipt,
            summary: """
                Changes one setting in the user's settings file and reads the file again. Comments and all other lines stay.
                """,
            details: """
                key: as in Config. value: s, b, or a whole number. options: none yet. receipt: key s, value s (what is in
                force: a variable of the environment has priority over the file), source s (what decides), night_rule b,
                written b, file s.

                InvalidInput: the key is unknown or the value is invalid, and nothing is written; or the file was written but
                another part of it is wrong (details: written b, which is true). ReadOnly: the file cannot be changed, or the
                policy of the machine sets the key (details: locked b, which is true).
                """)

        package static let checkConfig = Method(
            name, "CheckConfig", gives: Parameter<[WireObject]>("complaints"),
            summary: "Returns the errors in the settings files as they are now.",
            details:
                "complaints: for each message s, source s; line u, column u, key s and suggestion s where they are known."
        )

        package static let reload = Method(
            name, "Reload", records: true, takes: options, gives: receipt,
            summary: "Reads the settings files again.",
            details: """
                options: none yet. receipt: settings x, the number of settings.

                InvalidInput: the files have an error; the sentence tells the first one, and all settings stay as they were.
                """)

        package static let doctor = Method(
            name, "Doctor", gives: Parameter<[WireObject]>("findings"),
            summary: "Checks again whether reminders can reach the person, for at most two seconds.",
            details: """
                findings: for each id s (bus, service, store, plugins, disk, notifications, do_not_disturb, audio, volume,
                sleep, wake, battery, lid, clock, linger), level s (green, unknown, amber, red), sentence s,
                remedy_code s, one of the remedies below, where there is something to do, plugin s, the plugin it is about;
                service also has version s.
                """)

        package static let metrics = Method(
            name, "Metrics", gives: Parameter<String>("text"),
            summary: "Returns the metrics for monitoring, as OpenMetrics text.",
            details: """
                The text has times of the night, counts and the state of the plugins; no names, amounts or notes.
                """)

        package static let version = Property(
            "Version", UInt32(0), change: .constant,
            summary: "The version of this contract; it is raised with every added member.")
        package static let health = Property(
            "Health", "ok",
            summary: """
                "ok", or one word for the problem: warning (see warnings of Status), no_space, read_only, timer (the timer of
                the reminders does not work), and so on.
                """)
        package static let storePath = Property(
            "StorePath", "", change: .constant, summary: "The path of the database.")

        package static let interface = Interface(
            name: name, summary: "The service itself.",
            members: [
                plugins.member, setPlugin.member, config.member, setConfig.member, checkConfig.member, reload.member,
                doctor.member, metrics.member, version.member, health.member, storePath.member,
            ])
    }
}
