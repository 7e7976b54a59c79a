internal import DoseTapDomain
package import SDBus

extension Contract {
    package enum Data {
        private static let name = InterfaceName.data
        /// Time limit of a look through ten years of data.
        private static let timeout: Duration = .seconds(600)

        package static let check = Method(
            name, "Check", timeout: timeout, gives: Parameter<WireObject>("report"),
            summary: "Checks the database file with SQLite's own check, and compares the tables with the log.",
            details: "report: ok b, findings as.")

        package static let verify = Method(
            name, "Verify", timeout: timeout, gives: Parameter<WireObject>("report"),
            summary: "Verifies the event log: every link of its hash chain, and the head file.",
            details: """
                report: ok b, events t, findings as; notes as: findings of earlier days that are on record, such as an older
                copy in the place of the store.
                """)

        package static let rebuild = Method(
            name, "Rebuild", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: "Rebuilds all tables from the event log, in one transaction. The log is not changed.",
            details: "options: none yet. receipt: as the report of Check, with repairs as.")

        package static let supportBundle = Method(
            name, "SupportBundle", timeout: timeout, takes: Parameter<UnixFD>("file"), options,
            gives: Parameter<WireObject>("report"),
            summary: "Writes what somebody who helps needs to know of the service, without anything personal.",
            details: """
                file: a file in memory, memfd_create(2), whose content is replaced by one JSON object: versions, settings without
                values that may be personal, the links of Doctor, plugins, and the shape of the log: counts by type and month,
                sizes and the schema. It has no ids, names, amounts, notes, sentences and times of day. Another kind of file is
                InvalidInput, for writing to it could wait. options: none yet. report: bytes x.
                """)

        package static let wipe = Method(
            name, "Wipe", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: """
                Deletes all data: the record with every file beside it, unsaved entries, what is in memory and what is shown on
                the screen. Settings and hooks are kept.
                """,
            details: """
                It is done or not done, whatever ends the service in between: what a decided deletion has left is removed at the
                next start, before anything is opened. It works with a damaged record and with one that cannot be read, too. An
                entry that is being recorded is finished first. The service ends after the answer and begins anew.

                options: confirm as: wipe, and window_unresolved while dose 2 is open or may be; backups b: the backups as well; dry_run b:
                look only. receipt: wiped b, finished b (false: the next start removes the rest), files as, removed_backups u,
                kept_backups u, backup_folder_left b, events t, window_open b, window_unknown b (the record of the last 24 hours
                cannot be read). NothingToDo: there is no record.
                """)

        package static let repair = Method(
            name, "Repair", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: "Reads what can be read of a damaged log, and replaces that log where it is told to.",
            details: """
                options: replace b, to replace the damaged log, which is kept; without it nothing changes and the answer
                says what could be read. It is refused while a window is unresolved. receipt: as the report of Check, with
                repairs as and notes as: what cannot be read.
                """)

        package static let encrypt = Method(
            name, "Encrypt", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: "Encrypts the store with a new key, which is kept first.",
            details: """
                options: dry_run b: say what it protects, and change nothing. receipt: as the report of Check; notes as: what is
                protected, what is not, and where the key is.
                """)

        package static let decrypt = Method(
            name, "Decrypt", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: "Writes the store without encryption and removes its key.",
            details: "options: dry_run b. receipt: as that of Encrypt.")

        package static let rekey = Method(
            name, "Rekey", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: "Encrypts the store with a new key and removes the old one.",
            details: "options: dry_run b. receipt: as that of Encrypt.")

        package static let backup = Method(
            name, "Backup", timeout: timeout, takes: Parameter<UnixFD>("file"), options,
            gives: Parameter<WireObject>("backup"),
            summary: """
                Makes a backup: a complete database in one file, made while the service goes on, and verified before it
                is written into the descriptor.
                """,
            details: """
                file: a plain file, empty and open for writing; it is flushed. options: none yet. backup: one of Backups, with
                notes as (what else is to be known, such as a damaged record that is not in it); its path is empty.

                NothingToDo: there is no record yet. InvalidInput: the descriptor is no such file. NoSpace: the backup is made
                beside the store first, and there is no room.
                """)

        package static let backUpHere = Method(
            name, "BackUpHere", records: true, timeout: timeout, takes: options, gives: receipt,
            summary: "Makes a backup as Backup does, in the folder backups beside the store.",
            details: """
                options: none yet. receipt: one of Backups. The service never removes a backup that was asked for.
                """)

        package static let backups = Method(
            name, "Backups", gives: Parameter<[WireObject]>("backups"),
            summary: "Returns the backups beside the store, newest first.",
            details: """
                backups: for each kind s (daily: by the service; manual; migration: before the schema was brought up), at t,
                path s, bytes t, events t, head s (the first digits of the hash of its last event), store_id s, own b (it
                is of the record in use), verified b, problem s (why it is not verified; else empty).
                """)

        package static let restore = Method(
            name, "Restore", records: true, timeout: timeout, takes: Parameter<UnixFD>("file"), options,
            gives: receipt,
            summary: """
                Puts a backup in the place of the record. What was recorded in the last 24 hours and is not in the backup is
                brought in. The replaced record is kept.
                """,
            details: """
                file: a plain file, open for reading. options: dry_run b (only tells what would change); confirm as.
                receipt: dry_run b; of the backup events t, nights u, from t, to t; the same with gained_ for what the present
                record lacks, and with lost_ for what the backup lacks and is not brought in; brought_in t; same_record b;
                other_device b; decrypted b (the backup is encrypted, and the restored record is not, as the present
                record); replaced s (where the replaced record lies); notes as.

                RequiresConfirmation: restore always, other_record for a backup of another record, window_unresolved while
                the window for dose 2 is open. InvalidInput: the file is no plain file or no sound backup (details: fault s,
                such as damaged, newer, foreign or altered); nothing was changed.
                """)

        /// Time limit of a stream. A stream ends when its reader stalls or its caller leaves, so a long stream is no fault.
        private static let streaming: Duration = .seconds(86_400)

        package static let export = Method(
            name, "Export", timeout: streaming, takes: Parameter<String>("what"), Parameter<UnixFD>("target"), options,
            gives: Parameter<WireObject>("report"),
            summary: """
                Streams the log, the nights, what the lab takes of them, or a table into the descriptor, in pages; a dose waits
                for one at most.
                """,
            details: """
                what: log (JSON Lines: store and head first, then an event a line, then count and SHA-256; its format is in
                dosetap(1)), nights (JSON Lines: one of nights in show.json a line, oldest first, and among them show.json
                without a night for what was noted on a day that has none), lab (JSON Lines: what the lab
                takes of each night, oldest first; session_date, else only what is known of interval_ms,
                first_share_percent, bedtime_min after noon, rested, grogginess, clarity, wellness, nap_min,
                naps_unfinished, has_checkin, is_over, and codes of late_meal, alcohol and screens), or table:NAME (CSV) with a
                name of \(ExportContent.tables.joined(separator: ", ")). target: a pipe, a socket, a plain file or a device,
                open for writing; it is neither flushed nor closed. options: from s and to s, the first and last session date,
                for what has one; exact b: cells of a table stand as on record, without the guard against formulas. report:
                what s, path s (empty), rows t, bytes t, store_id s, head_sequence t, head_hash s, moved b (something was
                recorded meanwhile, so nights or rows may be of two states; a log is that of its head in any case), complete b
                (false: the reader went away), notes as.

                The export ends when its caller leaves the bus. TimedOut: the reader took nothing for 30 seconds. Busy: three
                exports run. NothingToDo: there is no record yet. NoSpace: the target is full. InvalidInput: the descriptor
                cannot be written, or is the record.
                """)

        package static let `import` = Method(
            name, "Import", records: true, timeout: streaming, takes: Parameter<UnixFD>("lines"), options,
            gives: receipt,
            summary: """
                Takes in the entries of another program's record: all of them in one transaction, or none. The open night is
                never touched.
                """,
            details: """
                lines: a pipe, a socket or a plain file with the import lines that dosetap-exchange makes of a file, JSON Lines:
                a header, lines in any order, an end with their count. At most \(ImportFile.mostLines) lines, of
                \(ImportFile.lineBytes >> 20) MiB each and \(ImportFile.mostBytes >> 20) MiB together. options: dry_run b: say
                what would change; time_zone s: for rows without an offset; list h: a plain file, empty and open for writing,
                that gets every row and what becomes of it, as CSV; source s: log, where lines is a log as Export writes it;
                merge b: the log of another record is brought in as entries.

                A log becomes the record where that has no event, event by event and with its identity; it goes on where the
                log has all events of the record and more; nothing changes where the record has all events of the log. counts
                then has event, known the events that were there, and there is no import_id.

                receipt: import_id s, by which it can be taken back; source s; new u, linked u (an entry on record says it
                already), known u (imported before), held_back u (of tonight or of the last 12 hours), not_taken u; counts,
                reasons and flags a{sv}: how many by kind, reason and flag; nights u, from s, to s; by_night and rows: the last
                nights, and the first rows that are not recorded; notes as.

                Refused with reason window_open while a dose window is open or opens within 10 minutes (details: retry_at t).
                InvalidInput: a line is wrong, or the stream is cut; its number is named (details: fault s, newer where a later
                version wrote it, other_record for the log of another record, fork where log and record went different ways). TimedOut: nothing came for 30
                seconds. Busy: the record changed all the time.
                """)

        package static let takeBackImport = Method(
            name, "TakeBackImport", records: true, timeout: timeout, takes: id, options, gives: receipt,
            summary: "Takes back what one import brought and what still stands of it, as if it had never been.",
            details: """
                id: import_id of Imports. options: dry_run b. receipt: as that of Import; counts by the types of the entries.
                Nights with entries of a person's own stay. NotFound: there is no such import, or it is taken back. Refused as
                Import is.
                """)

        package static let imports = Method(
            name, "Imports", gives: Parameter<[WireObject]>("imports"),
            summary: "Returns the imports on record, newest first.",
            details: """
                imports: for each import_id s, at t, source s, entries u, nights u, from s, to s, taken_back t (0: it holds).
                """)

        package static let packetSigner = Method(
            name, "PacketSigner", records: true, takes: options, gives: receipt,
            summary: "Returns the key that signs packets, which is made where there is none.",
            details: """
                options: none yet. receipt: fingerprint s (as ssh-keygen -l prints it), public_key s (ssh-ed25519 and the key),
                place s (keyring, credential, file), since t, new b (made just now), replaces s (the fingerprint of the key
                before, which was lost; else absent). Unavailable: the key cannot be had now, as in a locked keyring, or the
                file packet-signers is damaged or missing: no other is made.
                """)

        package static let signPacket = Method(
            name, "SignPacket", takes: Parameter<String>("sums"), Parameter<String>("fingerprint"), options,
            gives: Parameter<String>("signature"),
            summary: "Signs the list of the files of a packet, with the key of PacketSigner.",
            details: """
                sums: what sha256sum writes of at most \(SignerReport.mostFiles) files with plain names; anything else is
                InvalidInput. fingerprint: that of the key that the packet names; where another one or none is in force,
                Unavailable. No key is made here. options: none yet. signature: in OpenSSH's format, for the namespace
                \(SignerReport.namespace).
                """)

        package static let interface = Interface(
            name: name, summary: "Care of the store.",
            members: [
                check.member, verify.member, rebuild.member, repair.member, backup.member, backUpHere.member,
                backups.member, restore.member, export.member, `import`.member, takeBackImport.member, imports.member,
                encrypt.member, decrypt.member, rekey.member,
                packetSigner.member, signPacket.member, supportBundle.member, wipe.member,
            ])
    }
}
