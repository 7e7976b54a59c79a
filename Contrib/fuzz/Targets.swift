extension FuzzTarget {
    /// A line for each reader; it is in `Targets` with a folder of the same name in `corpus`.
    static let all = [
        json, event, record, night, answer, times, amounts, config, zones, head, reserve, script, message, parameters,
        decision, programs, nights, imports, logs, lab, files,
    ]
}
