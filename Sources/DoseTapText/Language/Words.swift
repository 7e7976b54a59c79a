internal import DoseTapDomain

/// Words of the record that people read as they are, such as `mild`. A language with other words for them shows those.
package enum Words {
    /// Returns a code of an answer, or the name of a question, with blanks for underscores.
    package static func answer(_ word: String) -> String { shown(word, "answer") }

    /// Returns the name of a sleep event. A name that a person made stays.
    package static func event(_ name: String) -> String { shown(name, "event") }

    /// Returns a word about sleep from a device: a stage, a grade, an age.
    package static func sleep(_ word: String) -> String { shown(word, "sleep") }

    /// Returns a word for a state: a level of the doctor, the state of a plugin.
    package static func state(_ word: String) -> String { shown(word, "state") }

    private static func shown(_ word: String, _ context: String) -> String {
        DisplayLanguage.isTranslating ? DisplayLanguage.translation("\(word)|\(context)") ?? word : word
    }
}
