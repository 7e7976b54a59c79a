import Testing

@testable import SystemdJournal

@Suite struct FieldNameTests {
    @Test(arguments: [
        ("session_id", "SESSION_ID"), ("sessionID", "SESSION_ID"), ("session-id", "SESSION_ID"), ("", "X_FIELD"),
        ("__trusted", "TRUSTED"), ("9lives", "X_9LIVES"), ("MESSAGE", "X_MESSAGE"), ("priority", "X_PRIORITY"),
        ("ünïcode", "N_CODE"), ("a=b\nPRIORITY=0", "A_B_PRIORITY_0"), ("éé", "X_FIELD"),
    ])
    func `a field name becomes one journald accepts`(given: String, stored: String) {
        #expect(JournalField.sanitised(given) == stored)
    }

    @Test func `a field name is cut at 64 bytes`() {
        #expect(JournalField.sanitised(String(repeating: "a", count: 100_000)) == String(repeating: "A", count: 64))
    }

    @Test(arguments: [
        ("plain words, ünïcode 💊", "plain words, ünïcode 💊"), ("two\nlines", "two\\nlines"),
        ("\u{1b}[31mred\u{7}", "\\x1b[31mred\\x07"), ("\u{9b}2J", "\\x9b2J"),
        ("a\u{202e}b\u{2028}", "a\\u{202e}b\\u{2028}"),
        ("tab\tcr\r", "tab\\tcr\\r"), ("\u{0}", "\\x00"),
    ])
    func `K7 text from outside cannot break a line or steer a terminal`(given: String, shown: String) {
        #expect(JournalText.escaped(given) == shown)
    }

    @Test(
        arguments: [
            ("0123456789abcdef0123456789ABCDEF", "0123456789abcdef0123456789abcdef"),
            ("01234567-89ab-cdef-0123-456789abcdef", "0123456789abcdef0123456789abcdef"), ("short", nil), ("", nil),
        ] as [(String, String?)])
    func `a message id is 32 hexadecimal digits or none`(given: String, stored: String?) {
        #expect(JournalEntry(messageID: given, message: "").messageID == stored)
    }

    @Test func `a value with a newline is framed by its length`() {
        let bytes = JournalWire.encoded(
            JournalEntry(message: "m", priority: .notice, fields: [("note", "a\nb")]), identifier: "x")
        let expected = "MESSAGE=m\nPRIORITY=5\nSYSLOG_IDENTIFIER=x\nNOTE\n\u{3}\0\0\0\0\0\0\0a\nb\n"
        #expect(bytes == Array(expected.utf8))
    }
}
