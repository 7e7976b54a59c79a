import DoseTapDomain
import DoseTapText
import Testing

/// The texts of the questions.
@Suite struct QuestionTextTests {
    @Test(arguments: Questionnaire.Kind.allCases)
    func `R9.1 every question is asked in words, and every code has a label`(kind: Questionnaire.Kind) {
        for (item, json) in zip(Questionnaire.of(kind).items, QuestionText.json(.of(kind))) {
            let text = QuestionText.of(item.key, in: kind)
            // A question that is missing in the catalogue is asked by its key.
            #expect(!text.prompt.isEmpty && text.prompt != item.key)
            #expect(json["key"]?.stringValue == item.key && json["kind"]?.stringValue == item.kind.word)
            #expect(json["prompt"]?.stringValue == text.prompt && json["hint"]?.stringValue ?? "" == text.hint)
            #expect(json["title"]?.stringValue == item.group.map(QuestionText.title))
            let codes = item.kind.choices.map(\.code)
            #expect(json["labels"]?.arrayValue?.compactMap(\.stringValue) ?? [] == codes.map(text.label))
            #expect(Set(codes.map(text.label)).count == codes.count, "\(item.key)")
        }
        #expect(QuestionText.json(.of(kind)).count == Questionnaire.of(kind).items.count)
    }

    @Test func `A count of one is singular, and every other one plural`() {
        #expect([0, 1, 2].map { Count.nights($0) } == ["0 nights", "1 night", "2 nights"])
        #expect(Count.events(1) == "1 event")
    }

    @Test func `A word goes back through a shell as it is`() {
        #expect(ShellWord.quoted("2026-01-14") == "2026-01-14")
        #expect(ShellWord.quoted("it's 22:30") == "'it'\\''s 22:30'")
        #expect(ShellWord.quoted("") == "''")
    }
}
