extension German {
    /// Packets, and the preview of an export.
    package static var exchange: KeyValuePairs<String, String> {
        [
            "The packet is an archive that only you can read:\n%1 as by the profile clinic, %2.\nIt is not encrypted: give it to nobody else.\n":
                "Die Arztmappe ist ein Archiv, das niemand sonst lesen kann:\n%1 nach dem Profil clinic, %2.\nSie ist nicht verschlüsselt: an niemand anderen weitergeben.\n",
            "The packet is a folder that only you can read:\n%1 as by the profile clinic, %2.\nIt is not encrypted: give it to nobody else.\n":
                "Die Arztmappe ist ein Ordner, den niemand sonst lesen kann:\n%1 nach dem Profil clinic, %2.\nSie ist nicht verschlüsselt: an niemand anderen weitergeben.\n",
            "Made: %1, %2, %3, signed.": "Erstellt: %1, %2, %3, signiert.",
            "Read this out at the visit: %1": "Beim Termin vorlesen: %1",
            "Something was recorded while the nights were read, so they would not tell one record. Nothing was made.":
                "Während die Nächte gelesen wurden, kam ein Eintrag dazu; sie würden nicht zusammenpassen. Nichts wurde erstellt.",
            "The key that signs packets was made for this one. It is kept in %1.":
                "Der Schlüssel, der Arztmappen signiert, wurde für diese erstellt. Er liegt hier: %1.",
            "The key that signed earlier packets (%1) is lost. A new one was made, and the packet says so. It is kept in %2.":
                "Der Schlüssel früherer Arztmappen (%1) ist verloren. Ein neuer wurde erstellt, und die Mappe vermerkt das. Er liegt hier: %2.",
            "the keyring": "Schlüsselbund",
            "the credential of the service": "Credential des Dienstes",
            "a file beside the settings": "Datei neben den Einstellungen",
            ", from %1 to %2": ", vom %1 bis %2",
            ", from %1|nights": ", ab %1",
            ", to %1|nights": ", bis %1",
            "DoseTap packet for a clinician\n\n%1 on record%2, %3.\nThe person recorded this, partly with devices. It is not validated and has no advice.\nTimes have the offset from UTC that was in force where they were recorded.\n":
                "DoseTap-Arztmappe\n\n%1 erfasst%2, %3.\nDie Person hat das erfasst, teils mit Geräten. Es ist nicht validiert und enthält keinen Rat.\nZeiten haben den Abstand zu UTC, der am Ort des Erfassens galt.\n",
            "\nFiles\n": "\nDateien\n",
            "  nights.csv        a row a night: doses, interval, sleep diary, recorded sleep, answers;\n                    a nap or another entry by day alone has a row, too\n  doses.csv         a row a dose, a skip, or a dose 2 that nobody recorded\n  bundle.fhir.json  the same for programs: FHIR R4, a Bundle\n":
                "  nights.csv        eine Zeile pro Nacht: Dosen, Abstand, Schlaftagebuch, Geräteschlaf, Antworten;\n                    auch ein Nickerchen oder anderer Eintrag nur am Tag hat eine Zeile\n  doses.csv         eine Zeile pro Dosis, Auslassen oder nicht erfasster Dosis 2\n  bundle.fhir.json  dasselbe für Programme: FHIR R4, ein Bundle\n",
            "  manifest.json     what this packet is: dates, profile, key, files\n  SHA256SUMS        a sum for each of the files above, this one and signer.pub\n  SHA256SUMS.sig    the signature of SHA256SUMS, by OpenSSH's format\n  signer.pub        the public key\n\nCheck it\n  In a terminal, in this folder, with OpenSSH 8.1 or later. Both must succeed:\n  the first looks at the signature, the second at the files. On Windows each\n  line of the second must end in True. Only files named in SHA256SUMS are covered.\n":
                "  manifest.json     was diese Mappe ist: Zeitraum, Profil, Schlüssel, Dateien\n  SHA256SUMS        eine Summe für jede Datei oben, diese und signer.pub\n  SHA256SUMS.sig    die Signatur von SHA256SUMS, im Format von OpenSSH\n  signer.pub        der öffentliche Schlüssel\n\nPrüfen\n  Im Terminal, in diesem Ordner, mit OpenSSH 8.1 oder neuer. Beides muss gelingen:\n  das erste prüft die Signatur, das zweite die Dateien. Unter Windows muss jede\n  Zeile des zweiten auf True enden. Nur Dateien in SHA256SUMS sind abgedeckt.\n",
            "\n  The first prints the fingerprint of the key. Compare it with what the person\n  reads out, and with that of the packet before:\n    %1\n\nWhat that shows\n  The files are whole and unchanged since the person's machine signed them,\n  with the same key as any packet that has the same fingerprint.\n\nWhat it does not show\n  Who the person is, unless the fingerprint is compared. That what was recorded\n  is true. When it was signed: the date in manifest.json is that of the\n  person's own clock.\n":
                "\n  Das erste zeigt den Fingerabdruck des Schlüssels. Mit dem vergleichen, den die\n  Person vorliest, und mit dem der vorigen Mappe:\n    %1\n\nWas das zeigt\n  Die Dateien sind vollständig und unverändert, seit der Rechner der Person sie\n  signierte, mit demselben Schlüssel wie jede Mappe mit demselben Fingerabdruck.\n\nWas es nicht zeigt\n  Wer die Person ist, wenn der Fingerabdruck nicht verglichen wird. Ob das Erfasste\n  wahr ist. Wann signiert wurde: Das Datum in manifest.json ist das der\n  eigenen Uhr der Person.\n",
            "  lab.txt           questions to the record, and its answers\n":
                "  lab.txt           Fragen an die Aufzeichnung und ihre Antworten\n",
            "Questions that the person asked the record before their nights came, and routines tried by turns.":
                "Fragen, die die Person vor den Nächten an die Aufzeichnung stellte, und abwechselnd versuchte Routinen.",
            "What goes together may have another reason. There is no advice in it.":
                "Was zusammenfällt, kann einen anderen Grund haben. Darin steckt kein Rat.",
            "Nothing was asked.": "Nichts wurde gefragt.",
            "  summary.html      one page to read first, for a browser\n":
                "  summary.html      eine Seite, zuerst zu lesen, für einen Browser\n",
            "  summary.pdf       the same for paper\n": "  summary.pdf       dasselbe für Papier\n",
            "There is no summary.pdf: neither WeasyPrint nor Chromium is installed. summary.html can be printed in a browser.":
                "Es gibt keine summary.pdf: Weder WeasyPrint noch Chromium ist installiert. summary.html lässt sich im Browser drucken.",
            "There is no summary.pdf: %1 did not make it.": "Es gibt keine summary.pdf: %1 hat sie nicht erstellt.",
            "There is no summary.pdf: %1 did not make it (%2).":
                "Es gibt keine summary.pdf: %1 hat sie nicht erstellt (%2).",
            "\nA new key\n  The key of this packet was made on %1, because the one before was\n  lost. Packets before it have the fingerprint\n    %2\n":
                "\nEin neuer Schlüssel\n  Der Schlüssel dieser Mappe wurde am %1 erstellt, weil der vorige\n  verloren ging. Frühere Mappen haben den Fingerabdruck\n    %2\n",
            "Night %1: only counts and medians of all nights are written.":
                "Nacht %1: Nur Anzahlen und Mediane aller Nächte werden geschrieben.",
            "Night %1, written as %2": "Nacht %1, geschrieben als %2",
            "  + (left out)": "  + (weggelassen)",
            "There are no nights.": "Es gibt keine Nächte.",
            "Day %1, without a night": "Tag %1, ohne Nacht",
            "with notes": "mit Notizen",
            "without notes": "ohne Notizen",
            "with other medicines": "mit anderen Medikamenten",
            "without other medicines": "ohne andere Medikamente",
            "with the lab": "mit Labor",
            "without the lab": "ohne Labor",
        ]
    }
}
