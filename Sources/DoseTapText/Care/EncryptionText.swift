public import DoseTapDomain

/// The text before the record is encrypted, decrypted or gets another key.
public enum EncryptionText {
    public static func statement(_ change: KeyChange) -> [String] {
        switch change {
        case .encrypt:
            [
                tr("Encryption protects the record where somebody gets the disk, a copy or a backup without the key."),
                tr("It does not protect from programs that run as you, or while your keyring is unlocked."),
                tr(
                    "Encrypted: the record, its write-ahead log, fresh logs and entries kept beside it, the copy of the last nights, backups made from now on."
                ),
                tr(
                    "Not encrypted: exports, backups, copies and records set aside before, answers of a check-in or pre-sleep log until they are recorded, how many entries there are (head file), what plugins show or pass on, the settings."
                ),
                tr("A key in a file beside the settings protects only what is elsewhere, such as a copy on a stick."),
                tr("The old file is deleted. A disk may keep its blocks for some time."),
                tr("The key is never written to the journal. Core dumps are off. Swap is not encrypted by this."),
                tr(
                    "Without the key nobody can open the record, also not its owner. What is left then is an import, an unencrypted backup, or to begin anew (wipe)."
                ),
            ]
        case .rekey:
            [
                tr(
                    "The record is written anew with a new key. The old key is removed as soon as no backup beside the record needs it."
                ),
                tr("Backups elsewhere still need the old key: keep a copy of it where they are wanted."),
            ]
        case .decrypt:
            [
                tr(
                    "The record is written without encryption. Its key is removed as soon as no backup beside the record needs it."
                ),
                tr("Everybody who gets the disk, a copy or a backup can read it then."),
                tr("Encrypted backups elsewhere still need the key: keep a copy of it where they are wanted."),
            ]
        }
    }

    public static var decrypted: String { tr("The record is not encrypted any more.") }

    public static func needed(_ key: String, by count: Int) -> String {
        let files = Plural.of(count, tr("backup or kept record"), tr("backups and kept records"))
        // The count includes files that cannot be read.
        return tr("The key \(key) is kept until nothing here needs it: \(files) may need it now.")
    }

    /// - Parameter place: `keyring`, `credential`, or the path of the key file.
    public static func kept(_ key: String, in place: String) -> String {
        place.hasPrefix("/")
            ? tr("The key \(key) is in the file \(place). Keep a copy of it in a safe place.")
            : tr("The key \(key) is in the \(place). Keep a copy of it in a safe place.")
    }

    public static func question(_ change: KeyChange) -> String {
        switch change {
        case .encrypt: tr("Encrypt the record now? Type encrypt:")
        case .decrypt: tr("Remove the encryption now? Type decrypt:")
        case .rekey: tr("Change the key now? Type rekey:")
        }
    }

    public static func done(_ change: KeyChange, events: Int64) -> String {
        let entries = tr("\(Count.events(Int(clamping: events))) verified.")
        return switch change {
        case .encrypt: tr("The record is encrypted. \(entries)")
        case .decrypt: tr("The record is not encrypted. \(entries)")
        case .rekey: tr("The record has a new key. \(entries)")
        }
    }
}
