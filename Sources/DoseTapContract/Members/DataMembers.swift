package import SDBus

extension Contract {
    package enum Data {
        private static let name = InterfaceName.data
        /// How long a look through ten years of data may take.
        private static let patience: Duration = .seconds(600)

        package static let check = Method(
            name, "Check", timeout: patience, gives: Parameter<WireObject>("report"),
            summary: "Checks the database file with SQLite's own check, and compares the tables with the log.",
            details: "report: ok b, findings as.")

        package static let verify = Method(
            name, "Verify", timeout: patience, gives: Parameter<WireObject>("report"),
            summary: "Verifies the event log: every link of its hash chain, and the head file.",
            details: """
                report: ok b, events t, findings as; notes as: findings of earlier days that are on record, such as an older
                copy in the place of the store.
                """)

        package static let rebuild = Method(
            name, "Rebuild", records: true, timeout: patience, takes: options, gives: receipt,
            summary: "Rebuilds all tables from the event log, in one transaction. The log is not changed.",
            details: "options: none yet. receipt: as the report of Check, with repairs as.")

        package static let interface = Interface(
            name: name, summary: "Care of the store.", members: [check.member, verify.member, rebuild.member])
    }
}
