internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapPlugins
internal import DoseTapSystem
internal import SDBus

/// The `Service` interface: state, settings, plugins and diagnosis of the service.
struct ServiceAdapter: Sendable {
    let engine: Engine
    let host: PluginHost
    let settings: SettingsKeeper
    let doctor: Doctor
    let storePath: String
    let queues: CallQueues

    /// - Parameter health: kept up to date by the server.
    func interface(_ health: ExportedProperty<String>) -> ExportedInterface {
        ExportedInterface(
            Contract.InterfaceName.service, limits: .contract,
            members: [
                Contract.Service.plugins.serve { _, _ in await plugins() },
                Contract.Service.setPlugin.serve { context, said in
                    try await answer(context, said.2) { try await settings.setPlugin(said.0, enabled: said.1) }
                },
                Contract.Service.config.serve { _, _ in await settings.rows().map { WireObject($0, .unknown) } },
                Contract.Service.setConfig.serve { context, said in
                    try await answer(context, said.2) { try await settings.set(said.0, to: said.1) }
                },
                Contract.Service.checkConfig.serve { context, _ in
                    try await queues.machine.perform(context, topic: "complaints", isQuestion: true) {
                        try await settings.complaints().map { WireObject($0, Schemas.complaint) }
                    }
                },
                Contract.Service.reload.serve { context, options in
                    try await answer(context, options) { try await settings.reload() }
                },
                Contract.Service.doctor.serve { context, _ in
                    try await queues.machine.perform(context, topic: "doctor", isWatched: true, isQuestion: true) {
                        await findings()
                    }
                },
                Contract.Service.metrics.serve { _, _ in await metrics() },
                .property(Contract.Service.version.make(Contract.version)), .property(health),
                .property(Contract.Service.storePath.make(storePath)),
            ])
    }

    private func plugins() async -> [WireObject] {
        await host.reports().map { report in
            var object = JSONObject()
            object["id"] = .string(report.manifest.id)
            object["summary"] = .string(report.manifest.summary)
            object["capabilities"] = .array(
                report.manifest.capabilities.map(\.rawValue).sorted().map(JSONValue.string))
            object["channels"] = .array(report.manifest.channels.map(JSONValue.string))
            object["settings"] = .array(report.manifest.settings.map { .string($0.key) })
            object["state"] = .string(report.state.rawValue)
            object["cursor"] = .integer(report.cursor)
            object["lag"] = .integer(report.lag)
            object["failures"] = .integer(Int64(report.failures))
            object["last_error"] = .string(report.lastError)
            return WireObject(object, Schemas.pluginReport)
        }
    }

    private func findings() async -> [WireObject] {
        await doctor.examine().map { finding in
            var object = finding.json
            if finding.id == "service" { object["version"] = .string(Release.name) }
            return WireObject(object, Finding.description.shape)
        }
    }

    private func metrics() async -> String {
        await Metrics(
            engine.status(at: nil), health: engine.health, log: engine.logSize, plugins: host.reports(),
            version: Release.name
        ).text
    }

    private func answer(
        _ context: CallContext, _ options: VariantEntries, _ act: @escaping @Sendable () async throws -> JSONObject
    ) async throws -> WireObject {
        do {
            try RequestOptions.refuseAll(options)
            return WireObject(try await queues.machine.perform(context, act), .unknown)
        } catch { throw ServiceError(error, nil, moments: Moments(zone: .utc)).busError }
    }
}

/// Figures for monitoring: gauges in text that is valid as OpenMetrics 1.0 and as Prometheus' own format. Times of the
/// night and counts, never names, amounts or notes.
struct Metrics {
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

    /// Adds seconds since 1970 UTC, to the millisecond; an unknown time is left out.
    private mutating func time(_ name: String, _ help: String, _ instant: Instant?) {
        guard let instant else { return }
        let milliseconds = max(0, instant.microseconds / 1_000)
        let fraction = String(milliseconds % 1_000 + 1_000).dropFirst()
        gauge(name, help, [([], "\(milliseconds / 1_000).\(fraction)")])
    }
}
