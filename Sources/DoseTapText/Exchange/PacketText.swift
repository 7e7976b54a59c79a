package import DoseTapDomain

/// The text of `packet`, and the text in a packet for people.
package enum PacketText {
    /// Returns the contents of the packet, for the question after the preview.
    package static func contents(_ nights: Int, _ parts: Set<PacketPart>, isArchive: Bool) -> String {
        let besides = contents(PacketPart.allCases.filter(parts.contains))
        return isArchive
            ? tr(
                "The packet is an archive that only you can read:\n\(Count.nights(nights)) as by the profile clinic, \(besides).\nIt is not encrypted: give it to nobody else.\n"
            )
            : tr(
                "The packet is a folder that only you can read:\n\(Count.nights(nights)) as by the profile clinic, \(besides).\nIt is not encrypted: give it to nobody else.\n"
            )
    }

    /// Returns the result of the command.
    package static func made(_ report: PacketReport) -> [String] {
        [
            tr(
                "Made: \(Count.nights(report.nights)), \(Count.files(report.files.count)), \(BackupText.size(report.bytes)), signed."
            ),
            SafeText.line(report.path), tr("Read this out at the visit: \(report.signer.fingerprint)"),
        ] + report.notes.map { tr("note: \($0)") }
    }

    package static var moved: String {
        tr("Something was recorded while the nights were read, so they would not tell one record. Nothing was made.")
    }

    /// Returns notes on a new key.
    package static func notes(of signer: SignerReport) -> [String] {
        guard signer.isNew else { return [] }
        guard let lost = signer.replaces else {
            return [tr("The key that signs packets was made for this one. It is kept in \(place(signer.place)).")]
        }
        return [
            tr(
                "The key that signed earlier packets (\(lost)) is lost. A new one was made, and the packet says so. It is kept in \(place(signer.place))."
            )
        ]
    }

    private static func place(_ word: String) -> String {
        switch word {
        case "keyring": tr("the keyring")
        case "credential": tr("the credential of the service")
        default: tr("a file beside the settings")
        }
    }

    private static func contents(_ parts: [PacketPart]) -> String {
        [
            parts.contains(.notes) ? tr("with notes") : tr("without notes"),
            parts.contains(.medicines) ? tr("with other medicines") : tr("without other medicines"),
            parts.contains(.lab) ? tr("with the lab") : tr("without the lab"),
        ].joined(separator: ", ")
    }

    /// Returns the text for a person who opens the packet.
    ///
    /// - Parameter isIncomplete: true if a part of the record could not be read.
    package static func readMe(_ report: PacketReport, isIncomplete: Bool) -> String {
        let span =
            switch (report.first, report.last) {
            case (let first?, let last?): tr(", from \(first.text) to \(last.text)")
            case (let first?, nil): tr(", from \(first.text)", context: "nights")
            case (nil, let last?): tr(", to \(last.text)", context: "nights")
            case (nil, nil): ""
            }
        return tr(
            """
            DoseTap packet for a clinician

            \(Count.nights(report.nights)) on record\(span), \(contents(report.parts)).
            The person recorded this, partly with devices. It is not validated and has no advice.
            Times have the offset from UTC that was in force where they were recorded.

            """) + files(report, isIncomplete)
            + tr(
                """
                  nights.csv        a row a night: doses, interval, sleep diary, recorded sleep, answers;
                                    a nap or another entry by day alone has a row, too
                  doses.csv         a row a dose, a skip, or a dose 2 that nobody recorded
                  bundle.fhir.json  the same for programs: FHIR R4, a Bundle

                """) + lab(report)
            + tr(
                """
                  manifest.json     what this packet is: dates, profile, key, files
                  SHA256SUMS        a sum for each of the files above, this one and signer.pub
                  SHA256SUMS.sig    the signature of SHA256SUMS, by OpenSSH's format
                  signer.pub        the public key

                Check it
                  In a terminal, in this folder, with OpenSSH 8.1 or later. Both must succeed:
                  the first looks at the signature, the second at the files. On Windows each
                  line of the second must end in True. Only files named in SHA256SUMS are covered.

                """) + checks
            + tr(
                """

                  The first prints the fingerprint of the key. Compare it with what the person
                  reads out, and with that of the packet before:
                    \(report.signer.fingerprint)

                What that shows
                  The files are whole and unchanged since the person's machine signed them,
                  with the same key as any packet that has the same fingerprint.

                What it does not show
                  Who the person is, unless the fingerprint is compared. That what was recorded
                  is true. When it was signed: the date in manifest.json is that of the
                  person's own clock.

                """) + keyHistory(report.signer)
    }

    /// The commands that check a packet. They are the same in every language.
    private static let checks = """

          Linux (Debian: openssh-client)
            ssh-keygen -Y verify -f signer.pub -I packet@dosetap.org -n packet@dosetap.org -s SHA256SUMS.sig < SHA256SUMS
            sha256sum -c SHA256SUMS
          macOS
            ssh-keygen -Y verify -f signer.pub -I packet@dosetap.org -n packet@dosetap.org -s SHA256SUMS.sig < SHA256SUMS
            shasum -a 256 -c SHA256SUMS
          Windows (PowerShell)
            cmd /c "ssh-keygen -Y verify -f signer.pub -I packet@dosetap.org -n packet@dosetap.org -s SHA256SUMS.sig < SHA256SUMS"
            Get-Content SHA256SUMS | % { $h, $f = $_ -split '  '; "$f " + ((Get-FileHash $f).Hash -eq $h) }

        """

    private static func lab(_ report: PacketReport) -> String {
        guard report.files.contains(PacketFile.lab.rawValue) else { return "" }
        return tr("  lab.txt           questions to the record, and its answers\n")
    }

    /// Returns the lab's answers for a person who opens the packet, without identifiers and without the plan for a night.
    package static func lab(_ answers: [LabAnswer]) -> String {
        let told = answers.filter { $0.kind != .explored }.map { answer in
            var answer = answer
            (answer.id, answer.tonight, answer.tonightDate) = (nil, nil, nil)
            return LabText.answer(answer)
        }
        let lines =
            [
                tr("Questions that the person asked the record before their nights came, and routines tried by turns."),
                tr("What goes together may have another reason. There is no advice in it."),
            ] + (told.isEmpty ? ["", tr("Nothing was asked.")] : told.flatMap { [""] + $0 })
        return lines.joined(separator: "\n") + "\n"
    }

    private static func files(_ report: PacketReport, _ isIncomplete: Bool) -> String {
        let missing = isIncomplete ? SummaryText.incomplete + "\n" : ""
        return missing + tr("\nFiles\n") + summaries(report)
    }

    private static func summaries(_ report: PacketReport) -> String {
        let isPrinted = report.files.contains(PacketFile.printed.rawValue)
        return tr("  summary.html      one page to read first, for a browser\n")
            + (isPrinted ? tr("  summary.pdf       the same for paper\n") : "")
    }

    /// The note of `packet` if no program makes a PDF.
    package static var unprinted: String {
        tr(
            "There is no summary.pdf: neither WeasyPrint nor Chromium is installed. summary.html can be printed in a browser."
        )
    }
    package static func broken(_ engine: String, _ complaint: String) -> String {
        complaint.isEmpty
            ? tr("There is no summary.pdf: \(engine) did not make it.")
            : tr("There is no summary.pdf: \(engine) did not make it (\(complaint)).")
    }

    private static func keyHistory(_ signer: SignerReport) -> String {
        guard let lost = signer.replaces else { return "" }
        return tr(
            """

            A new key
              The key of this packet was made on \(signer.since.iso8601.prefix(10)), because the one before was
              lost. Packets before it have the fingerprint
                \(lost)

            """)
    }
}
