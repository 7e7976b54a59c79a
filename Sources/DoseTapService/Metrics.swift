internal import DoseTapDomain
internal import DoseTapEngine

/// Figures for whoever watches machines: gauges in text that is OpenMetrics 1.0 and Prometheus' own format alike. Times
/// of the night and counts, never names, amounts or notes.
struct Metrics {
    /// The whole text.
    private(set) var text = ""

    /// - Parameters:
    ///   - log: events in the log, and how many wait to be written.
    init(
        _ status: NightStatus, health: String, log: (events: Int64, waiting: Int), plugins: [PluginReport],
        version: String
    ) {
        gauge("dosetap_build_info", "The running version.", [([("version", version)], "1")])
        gauge("dosetap_healthy", "1 when nothing is wrong with the service and its store.", health == "ok")
        gauge(
            "dosetap_phase", "1 for the phase of the night.",
            Phase.allCases.map { ([("phase", $0.rawValue)], $0 == status.window.phase ? "1" : "0") })
        time("dosetap_window_opens_timestamp_seconds", "When the window for dose 2 opens.", status.windowOpens)
        time("dosetap_window_closes_timestamp_seconds", "When it closes.", status.windowCloses)
        time("dosetap_alarm_timestamp_seconds", "When the alarm rings.", status.alarm)
        time("dosetap_next_reminder_timestamp_seconds", "When the next reminder is due.", status.nextReminder?.due)
        gauge("dosetap_snoozes", "Snoozes of the night.", [([], "\(status.snoozeCount)")])
        gauge("dosetap_checkin_pending", "1 while a morning check-in is due.", status.checkInPending)
        gauge("dosetap_warnings", "Sentences of status that a person has to read.", [([], "\(status.warnings.count)")])
        gauge("dosetap_log_events", "Events in the log.", [([], "\(log.events)")])
        gauge("dosetap_waiting_events", "Events that are not yet safe on disk.", [([], "\(log.waiting)")])
        func each(_ value: (PluginReport) -> String) -> [(labels: [(String, String)], value: String)] {
            plugins.map { ([("plugin", $0.manifest.id)], value($0)) }
        }
        gauge(
            "dosetap_plugin_running", "1 for a plugin that is on and well.", each { $0.state == .running ? "1" : "0" })
        gauge("dosetap_plugin_lag_events", "Events a plugin has not read yet.", each { "\($0.lag)" })
        gauge("dosetap_plugin_failures", "Failures of a plugin in a row.", each { "\($0.failures)" })
        text += "# EOF\n"
    }

    private mutating func gauge(
        _ name: String, _ help: String, _ samples: [(labels: [(String, String)], value: String)]
    ) {
        guard !samples.isEmpty else { return }
        text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0)=\"\($1)\"" }.joined(separator: ",")
            text += name + (labels.isEmpty ? "" : "{\(labels)}") + " \(sample.value)\n"
        }
    }

    private mutating func gauge(_ name: String, _ help: String, _ holds: Bool) {
        gauge(name, help, [([], holds ? "1" : "0")])
    }

    /// Seconds since 1970 UTC, to the millisecond; a time that is not known is left out.
    private mutating func time(_ name: String, _ help: String, _ instant: Instant?) {
        guard let instant else { return }
        let milliseconds = max(0, instant.microseconds / 1_000)
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        gauge(name, help, [([], "\(milliseconds / 1_000).\(fraction)")])
    }
}
