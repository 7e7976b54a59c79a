internal import DoseTapDomain

/// Words of the record that people read as they are, such as `mild`: where a language has others, they are shown.
package enum Words {
    /// A code of an answer, or the name of a question, with blanks.
    package static func answer(_ word: String) -> String { shown(word, "answer") }

    /// The name of a sleep event; those that people made are theirs.
    package static func event(_ name: String) -> String { shown(name, "event") }

    /// A word of sleep from a device: a stage, how it was measured, how fresh it is.
    package static func sleep(_ word: String) -> String { shown(word, "sleep") }

    /// A word for how something is: a level of the doctor, the state of a plugin.
    package static func state(_ word: String) -> String { shown(word, "state") }

    private static func shown(_ word: String, _ context: String) -> String {
        DisplayLanguage.isTranslating ? DisplayLanguage.translation("\(word)|\(context)") ?? word : word
    }
}
