extension German {
    /// What the store says of its work and its faults, and what else the service refuses.
    package static var store: KeyValuePairs<String, String> {
        [
            "opening the store": "beim Öffnen der Datenbank",
            "opening the store again": "beim erneuten Öffnen der Datenbank",
            "opening the store that was put in place": "beim Öffnen der eingesetzten Datenbank",
            "closing the store": "beim Schließen der Datenbank",
            "looking at the store": "beim Ansehen der Datenbank",
            "looking for the store": "beim Suchen der Datenbank",
            "asking the store": "beim Abfragen der Datenbank",
            "checking the store": "beim Prüfen der Datenbank",
            "making a new store": "beim Anlegen einer neuen Datenbank",
            "recording": "beim Erfassen",
            "keeping an entry": "beim Aufbewahren eines Eintrags",
            "reading the log": "beim Lesen des Protokolls",
            "verifying the log": "beim Prüfen des Protokolls",
            "counting the events of the log": "beim Zählen der Ereignisse des Protokolls",
            "reading the newest entries": "beim Lesen der neuesten Einträge",
            "reading sessions": "beim Lesen von Nächten",
            "reading a session": "beim Lesen einer Nacht",
            "reading nights": "beim Lesen der Nächte",
            "reading entries": "beim Lesen von Einträgen",
            "reading an entry": "beim Lesen eines Eintrags",
            "reading intervals": "beim Lesen der Abstände",
            "reading recorded sleep": "beim Lesen des aufgezeichneten Schlafs",
            "reading the stock": "beim Lesen des Vorrats",
            "reading how far plugins are": "beim Lesen des Stands der Plugins",
            "saving how far plugins have read": "beim Speichern des Stands der Plugins",
            "looking for a key": "beim Suchen eines Schlüssels",
            "looking for keys": "beim Suchen von Schlüsseln",
            "looking for a session": "beim Suchen einer Nacht",
            "looking for an entry": "beim Suchen eines Eintrags",
            "looking for an event": "beim Suchen eines Ereignisses",
            "looking for events": "beim Suchen von Ereignissen",
            "looking for an import": "beim Suchen eines Imports",
            "looking for imports": "beim Suchen von Importen",
            "looking for imports that were taken back": "beim Suchen zurückgenommener Importe",
            "comparing the tables with the log": "beim Vergleich der Tabellen mit dem Protokoll",
            "making rows anew from the log": "beim Wiederherstellen von Zeilen aus dem Protokoll",
            "rebuilding the tables": "beim Neuaufbau der Tabellen",
            "exporting": "beim Export",
            "importing": "beim Import",
            "reading the import": "beim Lesen des Imports",
            "writing the list": "beim Schreiben der Liste",
            "taking in the log": "beim Übernehmen des Protokolls",
            "comparing the record with the log": "beim Vergleich der Aufzeichnung mit dem Protokoll",
            "making a backup": "beim Erstellen der Sicherung",
            "making a backup before the schema is brought up":
                "beim Erstellen der Sicherung vor der Anpassung des Schemas",
            "making the folder of the backups": "beim Anlegen des Ordners der Sicherungen",
            "removing an old backup": "beim Entfernen einer alten Sicherung",
            "reading the backup": "beim Lesen der Sicherung",
            "writing the backup": "beim Schreiben der Sicherung",
            "comparing the record with the backup": "beim Vergleich der Aufzeichnung mit der Sicherung",
            "restoring": "beim Wiederherstellen",
            "preparing the restored record": "beim Vorbereiten der wiederhergestellten Aufzeichnung",
            "preparing to replace the record": "beim Vorbereiten des Austauschs der Aufzeichnung",
            "reading what was decided about the record": "beim Lesen, was über die Aufzeichnung entschieden war",
            "reading the copy of the last nights": "beim Lesen der Kopie der letzten Nächte",
            "repairing the record": "beim Reparieren der Aufzeichnung",
            "reading the damaged record": "beim Lesen der beschädigten Aufzeichnung",
            "copying the damaged record": "beim Kopieren der beschädigten Aufzeichnung",
            "reading the fresh log": "beim Lesen des neuen Protokolls",
            "beginning a fresh log beside the damaged one":
                "beim Beginnen eines neuen Protokolls neben dem beschädigten",
            "deleting the record": "beim Löschen der Aufzeichnung",
            "preparing to delete the record": "beim Vorbereiten des Löschens der Aufzeichnung",
            "looking at what is to be deleted": "beim Ansehen dessen, was gelöscht werden soll",
            "deleting the record, which is not finished": "beim Löschen der Aufzeichnung, das nicht abgeschlossen ist",
            "writing the record anew": "beim Neuschreiben der Aufzeichnung",
            "noting which key the record needs": "beim Notieren, welchen Schlüssel die Aufzeichnung braucht",
            "noting which keys are to be removed": "beim Notieren, welche Schlüssel zu entfernen sind",
            "there is no space left for the store": "für die Datenbank ist kein Platz mehr",
            "the disk failed; whether it is safe is not known yet":
                "der Datenträger hat versagt; ob es sicher gespeichert ist, ist noch nicht bekannt",
            "another program is using the store": "ein anderes Programm benutzt die Datenbank",
            "the store's file is damaged": "die Datei der Datenbank ist beschädigt",
            "nothing of the damaged record can be read": "von der beschädigten Aufzeichnung ist nichts lesbar",
            "the store was written by a newer version": "die Datenbank wurde von einer neueren Version geschrieben",
            "the store's file is no database": "die Datei der Datenbank ist keine Datenbank",
            "something foreign stands in the store": "in der Datenbank steht etwas Fremdes",
            "the store cannot be read or written": "die Datenbank lässt sich nicht lesen oder schreiben",
            "the key was used before": "der Schlüssel wurde schon verwendet",
            "the record is locked": "die Aufzeichnung ist gesperrt",
            "the new key cannot be kept": "der neue Schlüssel lässt sich nicht aufbewahren",
            "the key is not the one of this record": "der Schlüssel gehört nicht zu dieser Aufzeichnung",
            "this program was built without encryption": "dieses Programm wurde ohne Verschlüsselung gebaut",
            "it was interrupted": "es wurde unterbrochen",
            "the record was replaced or closed meanwhile": "die Aufzeichnung wurde inzwischen ersetzt oder geschlossen",
            "nobody reads it": "niemand liest es",
            "the file cannot be used": "die Datei ist nicht verwendbar",
            "the store failed": "die Datenbank hat versagt",
            "a file cannot be looked at": "eine Datei lässt sich nicht ansehen",
            "a folder cannot be read": "ein Ordner ist nicht lesbar",
            "a file that names a key cannot be read": "eine Datei, die einen Schlüssel nennt, ist nicht lesbar",
            "something else lies in the place of one of its files":
                "an der Stelle einer ihrer Dateien liegt etwas anderes",
            "the store's file": "die Datei der Datenbank",
            "the backup": "die Sicherung",
            "%1 is no database": "%1 ist keine Datenbank",
            "%1 is a database of another program": "%1 ist die Datenbank eines anderen Programms",
            "%1 belongs to another user": "%1 gehört einem anderen Benutzer",
            "%1 has a second name elsewhere (a hard link)":
                "%1 hat an anderer Stelle einen zweiten Namen (einen harten Link)",
            "%1 is a symbolic link": "%1 ist ein symbolischer Link",
            "%1 cannot be opened": "%1 lässt sich nicht öffnen",
            "%1 cannot be read: %2": "%1 ist nicht lesbar: %2",
            "%1 is empty: nothing of it is used or overwritten":
                "%1 ist leer: nichts davon wird benutzt oder überschrieben",
            "%1 begins with zeros": "%1 beginnt mit Nullen",
            "%1 is cut off after %2 bytes": "%1 ist nach %2 Bytes abgeschnitten",
            "%1 is cut off: %2 of %3 bytes are there": "%1 ist abgeschnitten: %2 von %3 Bytes sind da",
            "%1 is gone, but its write-ahead log is still there: put the file back":
                "%1 fehlt, aber ihr Write-Ahead-Log ist noch da: die Datei zurücklegen",
            "the beginning of the encrypted record is damaged":
                "der Anfang der verschlüsselten Aufzeichnung ist beschädigt",
            "the store's file is a database of another program":
                "die Datei der Datenbank ist die eines anderen Programms",
            "the store's file has lost its version": "die Datei der Datenbank hat ihre Version verloren",
            "the store's file is damaged: %1": "die Datei der Datenbank ist beschädigt: %1",
            "the file was damaged: %1": "die Datei war beschädigt: %1",
            "the store has lost its identity": "die Datenbank hat ihre Kennung verloren",
            "the store has lost its log": "die Datenbank hat ihr Protokoll verloren",
            "the store was written by a newer version of DoseTap (schema %1, this one knows %2); it was not touched":
                "die Datenbank wurde von einer neueren Version von DoseTap geschrieben (Schema %1, diese kennt %2); sie wurde nicht angerührt",
            "the store's file system does not allow safe writing":
                "das Dateisystem der Datenbank erlaubt kein sicheres Schreiben",
            "the store's folder belongs to another user or others may write there":
                "der Ordner der Datenbank gehört einem anderen Benutzer, oder andere dürfen dort schreiben",
            "others may put another folder in the place of the store's":
                "andere können einen anderen Ordner an die Stelle des Ordners der Datenbank setzen",
            "the store's folder is missing or is no plain folder":
                "der Ordner der Datenbank fehlt oder ist kein gewöhnlicher Ordner",
            "the store's folder cannot be flushed": "der Ordner der Datenbank lässt sich nicht sicher schreiben",
            "the store's folder does not support locks": "der Ordner der Datenbank unterstützt keine Sperren",
            "the store's lease file cannot be opened": "die Sperrdatei der Datenbank lässt sich nicht öffnen",
            "the store's lease file is no plain file of its own":
                "die Sperrdatei der Datenbank ist keine eigene gewöhnliche Datei",
            "the store's thread does not start": "der Thread der Datenbank startet nicht",
            "the store is in use by %1": "die Datenbank wird benutzt von %1",
            "a file beside the store is a symbolic link or no plain file":
                "eine Datei neben der Datenbank ist ein symbolischer Link oder keine gewöhnliche Datei",
            "the %1 of the store is not defined as it should be":
                "%1 der Datenbank ist nicht so definiert wie vorgesehen",
            "something in the store prevents a change of its tables":
                "etwas in der Datenbank verhindert eine Änderung ihrer Tabellen",
            "something in the store prevents a change of its tables: nothing was recorded":
                "etwas in der Datenbank verhindert eine Änderung ihrer Tabellen: nichts wurde erfasst",
            "something in the store prevents a change of its tables: nothing was taken":
                "etwas in der Datenbank verhindert eine Änderung ihrer Tabellen: nichts wurde übernommen",
            "event %1 of the log cannot be read": "Ereignis %1 des Protokolls ist nicht lesbar",
            "a text of the record cannot be read": "ein Text der Aufzeichnung ist nicht lesbar",
            "a dose cannot be read": "eine Dosis ist nicht lesbar",
            "a row of the inventory cannot be read": "eine Zeile des Vorrats ist nicht lesbar",
            "the table of nights cannot be read; rebuild it from the log":
                "die Tabelle der Nächte ist nicht lesbar; aus dem Protokoll neu aufbauen",
            "the table of measures cannot be read; rebuild it from the log":
                "die Tabelle der Messwerte ist nicht lesbar; aus dem Protokoll neu aufbauen",
            "the table of recorded sleep cannot be read; rebuild it from the log":
                "die Tabelle des aufgezeichneten Schlafs ist nicht lesbar; aus dem Protokoll neu aufbauen",
            "the log ends before its head": "das Protokoll endet zu früh",
            "the record and %1 fresh logs beside it are damaged; no further log is made":
                "die Aufzeichnung und %1 neue Protokolle daneben sind beschädigt; ein weiteres Protokoll wird nicht begonnen",
            "another program has begun this record meanwhile: look at it first":
                "ein anderes Programm hat diese Aufzeichnung inzwischen begonnen: zuerst ansehen",
            "another program has begun this record meanwhile: try again":
                "ein anderes Programm hat diese Aufzeichnung inzwischen begonnen: erneut versuchen",
            "another program has changed this record meanwhile: look at it first":
                "ein anderes Programm hat diese Aufzeichnung inzwischen geändert: zuerst ansehen",
            "another store lies in the place of the one that was open":
                "an der Stelle der geöffneten Datenbank liegt eine andere",
            "the store could not be opened again": "die Datenbank ließ sich nicht wieder öffnen",
            "the store is being replaced": "die Datenbank wird gerade ausgetauscht",
            "the store is closed": "die Datenbank ist geschlossen",
            "the record was deleted": "die Aufzeichnung wurde gelöscht",
            "the record cannot be written: nothing was deleted":
                "die Aufzeichnung lässt sich nicht schreiben: nichts wurde gelöscht",
            "the disk does not answer, and reminders go on from memory":
                "der Datenträger antwortet nicht; Erinnerungen kommen weiter aus dem Arbeitsspeicher",
            "the last run could not record them": "der letzte Lauf konnte sie nicht erfassen",
            "%1 event is not yet safe on disk: %2": "%1 Ereignis ist noch nicht sicher gespeichert: %2",
            "%1 events are not yet safe on disk: %2": "%1 Ereignisse sind noch nicht sicher gespeichert: %2",
            "rebuilt from the log, because it was missing: %1": "aus dem Protokoll neu aufgebaut, weil es fehlte: %1",
            "made the missing %1": "neu angelegt, weil es fehlte: %1",
            "there is no space for the record at %1: a copy is shown, and entries wait until there is":
                "für die Aufzeichnung unter %1 ist kein Platz: eine Kopie wird gezeigt, und Einträge warten, bis Platz ist",
            "the record at %1 cannot be written: it is shown, nothing is recorded":
                "die Aufzeichnung unter %1 lässt sich nicht schreiben: sie wird gezeigt, erfasst wird nichts",
            "the schema of the record was brought up without a backup: %1":
                "das Schema der Aufzeichnung wurde ohne Sicherung angepasst: %1",
            "a replaced record of %1 KiB is kept at %2: it can be restored, or removed":
                "eine ersetzte Aufzeichnung von %1 KiB liegt unter %2: sie lässt sich wiederherstellen oder entfernen",
            "%1 row of %2 does not say what the log says, also after being rebuilt":
                "%1 Zeile von %2 sagt auch nach dem Neuaufbau nicht, was das Protokoll sagt",
            "%1 rows of %2 do not say what the log says, also after being rebuilt":
                "%1 Zeilen von %2 sagen auch nach dem Neuaufbau nicht, was das Protokoll sagt",
            "%1 row of %2 did not say what the log says and was rebuilt from it":
                "%1 Zeile von %2 sagte nicht, was das Protokoll sagt, und wurde daraus neu aufgebaut",
            "%1 rows of %2 did not say what the log says and were rebuilt from it":
                "%1 Zeilen von %2 sagten nicht, was das Protokoll sagt, und wurden daraus neu aufgebaut",
            "the tables could not be compared with the log: %1":
                "die Tabellen ließen sich nicht mit dem Protokoll vergleichen: %1",
            "the daily comparison of the tables with the log has no timer; it is tried again after the next entry or reminder":
                "der tägliche Vergleich der Tabellen mit dem Protokoll hat keinen Zeitgeber; nach dem nächsten Eintrag oder der nächsten Erinnerung wird es erneut versucht",
            "event %1, %2: %3": "Ereignis %1, %2: %3",
            "the record was damaged: this log was begun beside it":
                "die Aufzeichnung war beschädigt: dieses Protokoll wurde daneben begonnen",
            "the record was damaged (%1): this log was begun beside it":
                "die Aufzeichnung war beschädigt (%1): dieses Protokoll wurde daneben begonnen",
            "the record at %1 and a fresh log beside it are damaged and are left as they are":
                "die Aufzeichnung unter %1 und ein neues Protokoll daneben sind beschädigt und bleiben, wie sie sind",
            "the record at %1 and %2 fresh logs beside it are damaged and are left as they are":
                "die Aufzeichnung unter %1 und %2 neue Protokolle daneben sind beschädigt und bleiben, wie sie sind",
            "the time zone is unknown, times are UTC": "die Zeitzone ist unbekannt, Zeiten sind in UTC",
            "of the damaged record %1 can be read and %2 cannot":
                "von der beschädigten Aufzeichnung lesbar: %1; nicht lesbar: %2",
            "of the damaged record nothing can be read: a backup can be restored, or the record deleted":
                "von der beschädigten Aufzeichnung ist nichts lesbar: eine Sicherung lässt sich wiederherstellen, oder die Aufzeichnung löschen",
            "the record was damaged and was repaired: %1 read, %2 missing, %3 recorded since":
                "die Aufzeichnung war beschädigt und wurde repariert: %1 gelesen, %2 fehlend, %3 seitdem erfasst",
            "%1 read of the damaged record; none is missing":
                "%1 aus der beschädigten Aufzeichnung gelesen; keines fehlt",
            "%1 read of the damaged record; %2 cannot be read":
                "%1 aus der beschädigten Aufzeichnung gelesen; nicht lesbar: %2",
            "%1 read of the damaged record, and %2 recorded since; none is missing":
                "%1 aus der beschädigten Aufzeichnung gelesen, seitdem erfasst: %2; keines fehlt",
            "%1 read of the damaged record, and %2 recorded since; %3 cannot be read":
                "%1 aus der beschädigten Aufzeichnung gelesen, seitdem erfasst: %2; nicht lesbar: %3",
            "event %1 cannot be read": "Ereignis %1 ist nicht lesbar",
            "events %1 to %2 cannot be read": "die Ereignisse %1 bis %2 sind nicht lesbar",
            "%1: recorded between %2 and %3": "%1: erfasst zwischen %2 und %3",
            "%1: recorded after %2": "%1: erfasst nach %2",
            "%1: recorded before %2": "%1: erfasst vor %2",
            "and %1 more place": "und %1 weitere Stelle",
            "and %1 more places": "und %1 weitere Stellen",
            "%1 of these was in the copy of the last nights": "%1 davon war in der Kopie der letzten Nächte",
            "%1 of these were in the copy of the last nights": "%1 davon waren in der Kopie der letzten Nächte",
            "%1 event does not follow the one before it: the log was changed":
                "%1 Ereignis folgt nicht auf das davor: das Protokoll wurde geändert",
            "%1 events do not follow the one before them: the log was changed":
                "%1 Ereignisse folgen nicht auf das jeweils vorige: das Protokoll wurde geändert",
            "%1 night had lost its beginning, which was made anew from the entries":
                "%1 Nacht hatte ihren Anfang verloren; er wurde aus den Einträgen wiederhergestellt",
            "%1 nights had lost their beginning, which was made anew from the entries":
                "%1 Nächte hatten ihren Anfang verloren; er wurde aus den Einträgen wiederhergestellt",
            "nothing of the damaged record can be read: it cannot be repaired, and was left as it is":
                "von der beschädigten Aufzeichnung ist nichts lesbar: sie lässt sich nicht reparieren und blieb, wie sie ist",
            "the repaired record could not be written whole":
                "die reparierte Aufzeichnung ließ sich nicht vollständig schreiben",
            "the record is in use and not known as damaged":
                "die Aufzeichnung ist in Gebrauch und nicht als beschädigt bekannt",
            "something was recorded while the record was repaired": "während der Reparatur wurde etwas erfasst",
            "the record is damaged: repair it before anything is imported":
                "die Aufzeichnung ist beschädigt: vor einem Import reparieren",
            "the backup is not there": "die Sicherung ist nicht da",
            "the backup is damaged": "die Sicherung ist beschädigt",
            "the backup is damaged: %1": "die Sicherung ist beschädigt: %1",
            "the backup is damaged: its log ends too early":
                "die Sicherung ist beschädigt: ihr Protokoll endet zu früh",
            "the backup has lost its identity": "die Sicherung hat ihre Kennung verloren",
            "the end of its log cannot be read": "das Ende ihres Protokolls ist nicht lesbar",
            "the folder of the backups is a link or belongs to somebody else":
                "der Ordner der Sicherungen ist ein Link oder gehört jemand anderem",
            "the service could not make it": "der Dienst konnte sie nicht erstellen",
            "the descriptor is no plain file": "das Ziel ist keine gewöhnliche Datei",
            "the descriptor is no file, pipe or socket": "das Ziel ist weder Datei noch Pipe oder Socket",
            "the descriptor is the record in use": "die Datei ist die benutzte Aufzeichnung",
            "the file to write to is not empty": "die Datei, in die geschrieben werden soll, ist nicht leer",
            "what was written into the descriptor is not what is read from it":
                "was in die Datei geschrieben wurde, ist nicht, was aus ihr gelesen wird",
            "a file with the name for the replaced record is there already":
                "eine Datei mit dem Namen für die ersetzte Aufzeichnung gibt es schon",
            "the prepared record is no longer there": "die vorbereitete Aufzeichnung ist nicht mehr da",
            "the list of what was to be done when the record was replaced is damaged":
                "die Liste dessen, was beim Austausch der Aufzeichnung zu tun war, ist beschädigt",
            "the record is being replaced and this could not be finished":
                "der Austausch der Aufzeichnung ließ sich nicht abschließen",
            "the record was restored from a backup of %1; of the last day %2 brought in, %3 left in the replaced record":
                "die Aufzeichnung wurde aus einer Sicherung wiederhergestellt (%1); vom letzten Tag %2 übernommen, %3 in der ersetzten Aufzeichnung geblieben",
            "the record was restored from a backup of %1 whose newest event is of %2; of the last day %3 brought in, %4 left in the replaced record":
                "die Aufzeichnung wurde aus einer Sicherung wiederhergestellt (%1, das neueste von %2); vom letzten Tag %3 übernommen, %4 in der ersetzten Aufzeichnung geblieben",
            "the file is no DoseTap record: nothing was deleted":
                "die Datei ist keine Aufzeichnung von DoseTap: nichts wurde gelöscht",
            "a file beside the record is a link, no plain file, or another user's: nothing was deleted":
                "eine Datei neben der Aufzeichnung ist ein Link, keine gewöhnliche Datei oder gehört einem anderen Benutzer: nichts wurde gelöscht",
            "line %1 of the import: %2; nothing was taken": "Zeile %1 des Imports: %2; nichts wurde übernommen",
            "line %1 of the log: %2; nothing was taken": "Zeile %1 des Protokolls: %2; nichts wurde übernommen",
            "it is too long": "sie ist zu lang",
            "it is cut": "sie ist abgeschnitten",
            "the file has more than %1 MiB; nothing was taken":
                "die Datei hat mehr als %1 MiB; nichts wurde übernommen",
            "the log has more than %1 entries; nothing was taken":
                "das Protokoll hat mehr als %1 Einträge; nichts wurde übernommen",
            "there is not enough space to take in the log; nothing was taken":
                "der Platz reicht nicht, um das Protokoll zu übernehmen; nichts wurde übernommen",
            "this is the log of another record; nothing was taken":
                "das ist das Protokoll einer anderen Aufzeichnung; nichts wurde übernommen",
            "the log and the record went different ways: event %1 is the first that differs; nothing was taken":
                "Protokoll und Aufzeichnung gingen verschiedene Wege: Ereignis %1 ist das erste, das abweicht; nichts wurde übernommen",
            "the import did not come within %1 seconds, so it was ended":
                "der Import kam nicht innerhalb von %1 Sekunden und wurde beendet",
            "nothing of the import came for %1 seconds, so it was ended":
                "vom Import kam %1 Sekunden lang nichts, also wurde er beendet",
            "the import was ended": "der Import wurde beendet",
            "something was recorded while the import was planned":
                "während der Planung des Imports wurde etwas erfasst",
            "something was recorded meanwhile: try again": "inzwischen wurde etwas erfasst: erneut versuchen",
            "the record was changed while the log was read":
                "die Aufzeichnung wurde geändert, während das Protokoll gelesen wurde",
            "this import is part of tonight: take it back when the night is over":
                "dieser Import gehört zur heutigen Nacht: zurücknehmen, wenn die Nacht vorbei ist",
            "a regimen of this import holds tonight: take it back when the night is over":
                "eine Verordnung dieses Imports gilt heute Nacht: zurücknehmen, wenn die Nacht vorbei ist",
            "entries lie outside the record and go there first: try again soon":
                "Einträge liegen außerhalb der Aufzeichnung und kommen zuerst hinein: bald erneut versuchen",
            "the list of the rows could not be written: %1": "die Liste der Zeilen ließ sich nicht schreiben: %1",
            "the export was ended": "der Export wurde beendet",
            "nobody read the export for %1 seconds, so it was ended":
                "%1 Sekunden lang las niemand den Export, also wurde er beendet",
            "there is no space left for the export": "für den Export ist kein Platz mehr",
            "the export cannot be written": "der Export lässt sich nicht schreiben",
            "the record was replaced, rebuilt or closed while it was exported: export it anew":
                "die Aufzeichnung wurde während des Exports ersetzt, neu aufgebaut oder geschlossen: erneut exportieren",
            "the night of %1 cannot be read and is not in the export":
                "die Nacht vom %1 ist nicht lesbar und nicht im Export",
            "%1 event may not be in the export: it was not yet in the record":
                "%1 Ereignis fehlt vielleicht im Export: es war noch nicht in der Aufzeichnung",
            "%1 events may not be in the export: they were not yet in the record":
                "%1 Ereignisse fehlen vielleicht im Export: sie waren noch nicht in der Aufzeichnung",
            "the record is locked: %1": "die Aufzeichnung ist gesperrt: %1",
            "the library of the database takes no key": "die Bibliothek der Datenbank nimmt keinen Schlüssel",
            "the key was not taken": "der Schlüssel wurde nicht angenommen",
            "the key has the wrong length: a key is 64 hexadecimal digits, or 32 bytes":
                "der Schlüssel hat die falsche Länge: ein Schlüssel hat 64 hexadezimale Ziffern oder 32 Bytes",
            "the key file is a symbolic link": "die Schlüsseldatei ist ein symbolischer Link",
            "the key file cannot be read": "die Schlüsseldatei ist nicht lesbar",
            "the key file is no plain file of its own": "die Schlüsseldatei ist keine eigene gewöhnliche Datei",
            "the key file can be read by others: give it mode 0600":
                "die Schlüsseldatei ist für andere lesbar: ihr die Rechte 0600 geben",
            "the key file cannot be written; nothing was changed":
                "die Schlüsseldatei lässt sich nicht schreiben; nichts wurde geändert",
            "the folder of the keys cannot be read": "der Ordner der Schlüssel ist nicht lesbar",
            "there is no credential %1": "es gibt kein Credential %1",
            "the credential is the key in force": "das Credential ist der geltende Schlüssel",
            "no place for the key: %1; nothing was changed": "kein Ort für den Schlüssel: %1; nichts wurde geändert",
            "the new key cannot be kept: %1; nothing was changed":
                "der neue Schlüssel lässt sich nicht aufbewahren: %1; nichts wurde geändert",
            "the keyring did not take it (%1)": "der Schlüsselbund nahm ihn nicht an (%1)",
            "the keyring did not keep it": "der Schlüsselbund behielt ihn nicht",
            "a fresh log lies beside the damaged record: repair it first; nothing was changed":
                "neben der beschädigten Aufzeichnung liegt ein neues Protokoll: zuerst reparieren; nichts wurde geändert",
            "entries lie outside the record and go there first: try again soon; nothing was changed":
                "Einträge liegen außerhalb der Aufzeichnung und kommen zuerst hinein: bald erneut versuchen; nichts wurde geändert",
            "the reserve beside the record cannot be written; nothing was changed":
                "die Reserve neben der Aufzeichnung lässt sich nicht schreiben; nichts wurde geändert",
            "The record is encrypted already.": "Die Aufzeichnung ist schon verschlüsselt.",
            "The record is not encrypted.": "Die Aufzeichnung ist nicht verschlüsselt.",
            "only a list of SHA-256 sums and names of files is signed":
                "signiert wird nur eine Liste von SHA-256-Summen und Dateinamen",
            "the packet names another key than the one in force":
                "die Arztmappe nennt einen anderen als den geltenden Schlüssel",
            "there is no key that signs packets": "es gibt keinen Schlüssel, der Arztmappen signiert",
            "there is the file of a signing key, but not %1, which names it":
                "es gibt die Datei eines Signaturschlüssels, aber nicht %1, die ihn nennt",
            "a line of %1 is damaged": "eine Zeile von %1 ist beschädigt",
            "the names of the signing keys cannot be read": "die Namen der Signaturschlüssel sind nicht lesbar",
            "the key's name cannot be kept; nothing was signed":
                "der Name des Schlüssels lässt sich nicht aufbewahren; nichts wurde signiert",
            "the file %1 no longer has the key that signs packets; nothing was signed. If the key is nowhere else, remove the file: the next packet makes a new key, and whoever checks it sees another signer":
                "die Datei %1 enthält den Schlüssel, der Arztmappen signiert, nicht mehr; nichts wurde signiert. Wenn der Schlüssel sonst nirgends liegt, die Datei entfernen: Die nächste Arztmappe erstellt einen neuen Schlüssel, und wer sie prüft, sieht einen anderen Unterzeichner",
            "the key that signs packets cannot be had now":
                "der Schlüssel, der Arztmappen signiert, ist jetzt nicht verfügbar",
            "%1; nothing was signed": "%1; nichts wurde signiert",
            "The service has too much to do at once.": "Der Dienst hat zu viel auf einmal zu tun.",
            "The service is stopping.": "Der Dienst wird gerade beendet.",
            "The service does as many of these as it can at once: %1.":
                "Mehr davon bearbeitet der Dienst nicht auf einmal: %1.",
            "This program has too many calls waiting: it has to wait for their answers first.":
                "Dieses Programm hat zu viele offene Anfragen: Es muss zuerst deren Antworten abwarten.",
            "The service cannot start: %1.": "Der Dienst kann nicht starten: %1.",
            "The bus cannot be used: %1.": "Der Bus ist nicht benutzbar: %1.",
            "Another DoseTap service already serves this bus%1.":
                "Ein anderer Dienst von DoseTap bedient diesen Bus schon%1.",
            "Another program owns the name %1 on this bus%2.":
                "Ein anderes Programm hat auf diesem Bus den Namen %1%2.",
            "This machine knows no time zone '%1'.": "Dieser Rechner kennt keine Zeitzone „%1“.",
            "There is no night or entry '%1'.": "Es gibt keine Nacht und keinen Eintrag „%1“.",
            "There is no stage of sleep '%1'.": "Es gibt keine Schlafphase „%1“.",
            "There is nothing '%1' to export.": "Zu exportieren gibt es kein „%1“.",
            "'%1' has no session dates to choose by.": "„%1“ hat keine Daten von Nächten zur Auswahl.",
            "Unknown kind of night '%1'.": "Unbekannte Art von Nacht „%1“.",
            "Option 'to' lies before 'from'.": "Die Option „to“ liegt vor „from“.",
            "Only a log is merged.": "Zusammengeführt wird nur ein Protokoll.",
            "A log says its zones.": "Ein Protokoll nennt seine Zeitzonen.",
            "The clock is either right or wrong, not both.": "Die Uhr geht entweder richtig oder falsch, nicht beides.",
            "The cursor is none that this service gave.": "Diesen Cursor hat der Dienst nicht ausgegeben.",
            "limit must be 1 to 1000, not %1.": "limit muss 1 bis 1000 sein, nicht %1.",
            "Noted as seen.": "Als gesehen notiert.",
            "Noted as seen. The reminders go on until dose 2 is logged, skipped or snoozed.":
                "Als gesehen notiert. Die Erinnerungen gehen weiter, bis Dosis 2 erfasst, ausgelassen oder verschoben ist.",
            "It was written to %1. %2": "Es wurde in %1 geschrieben. %2",
            "nothing was undone: the newest action is about the lab (%1), and %2 was recorded just before it; delete by name which of them is wrong: 'last %3', '%4'":
                "nichts wurde zurückgenommen: die neueste Handlung betrifft das Labor (%1), und kurz davor wurde erfasst: %2; mit Namen löschen, was davon falsch ist: „last %3“, „%4“",
            "a channel is named by 1 to 32 lowercase letters, digits and underscores":
                "ein Kanal heißt mit 1 bis 32 Kleinbuchstaben, Ziffern und Unterstrichen",
            "a channel of the same plugin is being tried": "ein Kanal desselben Plugins wird gerade getestet",
            "it has no channel '%1'": "es hat keinen Kanal „%1“",
            "it took longer than its time budget and was given up":
                "es brauchte länger als erlaubt und wurde abgebrochen",
            "the service is on no bus": "der Dienst ist auf keinem Bus",
            "no notification server: %1": "kein Benachrichtigungsdienst: %1",
            "the notification server refused: %1": "der Benachrichtigungsdienst lehnte ab: %1",
            "there are no programs in hooks.d/%1 that may be run":
                "in hooks.d/%1 liegt kein Programm, das ausgeführt werden darf",
            "the file is larger than %1 KiB": "die Datei ist größer als %1 KiB",
            "the line is not valid UTF-8": "die Zeile ist kein gültiges UTF-8",
            "anchors and aliases are not accepted": "Anker und Aliase werden nicht angenommen",
            "a key must be a word": "der Name einer Einstellung muss ein Wort sein",
            "a section and its key stand on two lines, the key indented":
                "ein Abschnitt und seine Einstellung stehen auf zwei Zeilen, die Einstellung eingerückt",
            "a policy cannot set it, only privacy, backup and plugins.hooks.enabled":
                "eine Richtlinie kann das nicht bestimmen, nur privacy, backup und plugins.hooks.enabled",
            "expected settings as “key: value” lines": "erwartet werden Einstellungen als Zeilen „key: value“",
            "expected a section with indented “key: value” lines":
                "erwartet wird ein Abschnitt mit eingerückten Zeilen „key: value“",
            "expected a section with one entry per plugin": "erwartet wird ein Abschnitt mit einem Eintrag je Plugin",
            "expected “enabled: true” or “enabled: false” below":
                "erwartet wird darunter „enabled: true“ oder „enabled: false“",
            "expected %1, found a list": "erwartet wird %1, gefunden eine Liste",
            "expected %1, found a section": "erwartet wird %1, gefunden ein Abschnitt",
            "expected %1 without quotes": "erwartet wird %1 ohne Anführungszeichen",
            "the value is missing: %1": "der Wert fehlt: %1",
            "expected a time zone of this machine, found %1":
                "erwartet wird eine Zeitzone dieses Rechners, gefunden %1",
            "%1 is no name of a program and no absolute path":
                "%1 ist kein Name eines Programms und kein absoluter Pfad",
            "%1 cannot be spoken: expected %2": "%1 lässt sich nicht sprechen: erwartet wird %2",
            "%1 does not do: %2": "%1 geht nicht: %2",
            "%1 does not do: expected %2": "%1 geht nicht: erwartet wird %2",
            "%1 to %2 seconds, or off": "%1 bis %2 Sekunden oder off",
            "1 to 200 characters on one line": "1 bis 200 Zeichen auf einer Zeile",
            "true or false": "true oder false",
            "a name or an absolute path of up to 255 bytes, or empty":
                "ein Name oder ein absoluter Pfad von höchstens 255 Bytes, oder leer",
            "a time zone such as America/New_York, or empty": "eine Zeitzone wie Europe/Berlin, oder leer",
            "there are more than %1": "es sind mehr als %1",
            "a name has 1 to %1 characters": "ein Name hat 1 bis %1 Zeichen",
            "a name has letters, digits, blanks and hyphens":
                "ein Name hat Buchstaben, Ziffern, Leerzeichen und Bindestriche",
            "'%1' has a meaning already": "„%1“ hat schon eine Bedeutung",
            "'%1' is out of range": "„%1“ liegt außerhalb des Bereichs",
            "an oxybate is recorded as xywav, xyrem or lumryz": "ein Oxybat wird als xywav, xyrem oder lumryz erfasst",
        ]
    }
}
