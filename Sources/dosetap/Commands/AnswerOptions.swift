internal import ArgumentParser
internal import DoseTapDomain
internal import DoseTapText
internal import Glibc

/// Answers given on the command line instead of at the terminal.
struct AnswerOptions: ParsableArguments, Sendable {
    @Option(
        help: ArgumentHelp("Read the answers from a file with one JSON object; - is standard input.", valueName: "file")
    )
    var answers: String?

    @Option(
        help: ArgumentHelp(
            "One answer, e.g. mood=good; repeatable. An empty value removes the answer.", valueName: "key=value"))
    var set: [String] = []

    @Flag(help: "List the questions with their keys and possible answers; record nothing.")
    var questions = false

    /// The most bytes of a file of answers.
    private static let bytes = 262_144

    /// Returns the answers; nil if none are given.
    ///
    /// - Throws: ``Failure`` for input that is no JSON object, and for an answer to no question.
    func given(_ context: Context, _ questionnaire: Questionnaire) throws(Failure) -> JSONObject? {
        guard answers != nil || !set.isEmpty else { return nil }
        var given = try answers.map { path throws(Failure) in try Self.object(path) } ?? JSONObject()
        for word in set {
            guard let equals = word.firstIndex(of: "=") else {
                throw .usage(tr("'\(word.prefix(60))' is no answer: write --set key=value."))
            }
            let key = String(word[..<equals])
            guard let item = questionnaire[key] else {
                throw .unknown(
                    tr("question"), key, known: questionnaire.items.map(\.key),
                    command: "dosetap \(context.line.verb ?? "checkin") --set",
                    ending: CommandLineWords.quoted(String(word[equals...])),
                    help: "dosetap \(context.line.verb ?? "checkin") --questions")
            }
            let typed = String(word[equals...].dropFirst())
            given[key] = try item.value(typed: typed) { text throws(Failure) in
                try TimeReading(context).instant(text, "--set \(key)")
            }
        }
        return given
    }

    static func list(_ questionnaire: Questionnaire, _ context: Context) {
        context.report(
            ["questions": .array(QuestionText.json(questionnaire).map(JSONValue.object))],
            text: AnswerLabel.questions(questionnaire, context.terminal.columns))
    }

    private static func object(_ path: String) throws(Failure) -> JSONObject {
        let bytes = try read(path)
        let value: JSONValue
        do throws(JSONError) { value = try JSONValue.parse(bytes) } catch { throw .usage("--answers: \(error)") }
        guard case .object(let object) = value else { throw .usage(tr("--answers: that is no JSON object.")) }
        return object
    }

    private static func read(_ path: String) throws(Failure) -> [UInt8] {
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .usage("--answers: \(path): \(String(cString: strerror(errno)))") }
        defer { if path != "-" { close(descriptor) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        while true {
            let count = Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .usage("--answers: \(path): \(String(cString: strerror(errno)))") }
            if count == 0 { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= Self.bytes else {
                throw .usage(tr("--answers: more than \(Self.bytes / 1_024) KiB are no answers."))
            }
        }
    }
}
