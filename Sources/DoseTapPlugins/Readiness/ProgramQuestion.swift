/// Something that a program of the desktop is asked.
struct ProgramQuestion<Answer: Sendable>: Sendable {
    let program: String
    /// What it is given, line by line.
    let lines: [[String]]
    /// Reads all it said; nil for nonsense.
    let read: @Sendable (String) -> Answer?
    /// For one line; two programs have their say within what a link may take.
    var limit: Duration = .milliseconds(600)

    /// What the program says, all lines together and nothing for one it cannot answer; nil where there is no such program.
    func answers(_ runner: ProgramRunner) async -> String? {
        guard let path = runner.find(program) else { return nil }
        var answers = ""
        for words in lines {
            // Its words are read by a program and must not be in the person's language.
            let result = await runner.run(
                Program(
                    purpose: "probe", path: "/usr/bin/env", arguments: ["LC_ALL=C", path] + words, limit: limit,
                    isQuiet: true))
            if result.isSuccess { answers += result.output }
        }
        return answers
    }
}
