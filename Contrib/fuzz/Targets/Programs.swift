import DoseTapDomain
import DoseTapText
import SystemdJournal

@testable import DoseTapPlugins

extension FuzzTarget {
    /// The output of programs, and the lines that hooks leave in the journal.
    static let programs = FuzzTarget("programs") { bytes in
        let text = bytes.text
        for question in SoundQuestion.all {
            if let volume = question.read(text) { promise((0...10_000).contains(volume.percent), "a volume") }
        }
        for server in ["gnome-shell", "xfce4-notifyd", "sway", "mako"] { _ = DoNotDisturbProbe.of(server)?.read(text) }
        promise(!text.journalText.utf8.contains { $0 < 0x20 }, "a line for the journal has a control character")
        let lines = SafeText.wrap(SafeText.line(text), columns: 40, indent: 2)
        promise(!lines.contains { $0.utf8.contains { $0 < 0x20 } }, "a line for the terminal has a control character")
    }
}
