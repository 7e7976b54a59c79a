extension FuzzTarget {
    /// All targets. Each one is in a file of `Targets` and has a folder of its name in `corpus`.
    static let all = [
        json, event, record, night, answer, times, amounts, config, zones, head, reserve, script, message, parameters,
        decision, programs, nights, imports, logs, lab, files,
    ]
}
