internal import ArgumentParser

/// `db`: care of the data. Each file in this folder holds a verb or more, as extensions of this type.
struct DatabaseVerb: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "db", abstract: "Check, repair, back up, restore, encrypt and delete the data.",
        discussion: "Example: dosetap db verify",
        subcommands: [
            Check.self, Verify.self, Rebuild.self, Repair.self, BackupVerb.self, BackupsVerb.self, RestoreVerb.self,
            Encrypt.self, Decrypt.self, Rekey.self, Wipe.self,
        ])
}
