internal import DoseTapDomain
internal import DoseTapText

extension Context {
    /// The answer: one object, or text.
    func report(_ object: @autoclosure () -> JSONObject, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(object()).serialized())
        } else {
            Output.print(terminal.fitted(text()).joined(separator: "\n"))
        }
    }

    /// A status, and first that nothing can reach the person; its other warnings go to stderr where the answer is text.
    func report(_ status: NightStatus, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(status.json).serialized())
        } else {
            Output.print(terminal.fitted(silenceLines(status.warnings) + text()).joined(separator: "\n"))
            notice(status.warnings)
        }
    }

    /// That nothing can reach the person, and what is wrong with the store, for the first lines of an answer.
    func silenceLines(_ warnings: [Warning]) -> [String] {
        // Of a service that ends with this command it is said on stderr, before the answer.
        let silence = warnings.silence.flatMap { $0.code == .noService ? nil : $0 }
        return ([silence].compactMap { $0 } + warnings.filter { $0.code == .store })
            .map { terminal.paint(line.addressed(SafeText.line($0.message)), .red) }
    }

    /// The other warnings, beside the answer.
    func notice(_ warnings: [Warning]) {
        for warning in warnings where !warning.isSilence && warning.code != .store {
            notice(line.addressed(warning.message))
        }
    }
}
