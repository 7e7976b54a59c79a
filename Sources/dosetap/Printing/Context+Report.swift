internal import DoseTapDomain

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

    /// That nothing can reach the person, for the first lines of an answer.
    func silenceLines(_ warnings: [Warning]) -> [String] {
        // Of a service that ends with this command it is said on stderr, before the answer.
        guard let silence = warnings.silence, silence.code != .noService else { return [] }
        return [terminal.paint(SafeText.line(silence.message), .red)]
    }

    /// The other warnings, beside the answer.
    func notice(_ warnings: [Warning]) {
        for warning in warnings where !warning.isSilence { notice(warning.message) }
    }
}
