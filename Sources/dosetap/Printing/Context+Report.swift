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

    /// A status; its warnings go to stderr where the answer is text.
    func report(_ status: NightStatus, text: @autoclosure () -> [String]) {
        if json {
            Output.print(JSONValue.object(status.json).serialized())
        } else {
            Output.print(terminal.fitted(text()).joined(separator: "\n"))
            for warning in status.warnings { notice(warning) }
        }
    }
}
