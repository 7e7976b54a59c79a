public import DoseTapDomain

/// The export of data (R27). An export never takes a turn of the command queue: a dose waits for one page at most.
extension Engine {
    /// Streams the log, the nights or a table into a descriptor that a caller has open.
    ///
    /// - Parameter descriptor: open for as long as the call lasts.
    /// - Throws: ``EngineFailure``; `nothingToDo` if there is no record yet.
    public func export(
        _ request: ExportRequest, into descriptor: Int32
    ) async throws(EngineFailure) -> ExportReport {
        let environment = parts.systemEnvironment
        let before = unsafeEvents.count
        var request = request
        request.sleepOrder = sleepOrder
        request.rolloverHour = rules.rolloverHour
        let made = try await once("an export") { [request] in
            try await self.parts.store.export(request, into: descriptor, timeout: Self.readersTimeout) {
                environment.zone(named: $0)
            }
        }
        guard var report = made else {
            throw .command(.nothingToDo(sent("there is no record yet, so there is nothing to export"), night: nil))
        }
        let unsafe = max(before, unsafeEvents.count)
        if unsafe > 0 {
            report.notes.append(
                unsafe == 1
                    ? sent("\(unsafe) event may not be in the export: it was not yet in the record")
                    : sent("\(unsafe) events may not be in the export: they were not yet in the record"))
        }
        return report
    }
}
