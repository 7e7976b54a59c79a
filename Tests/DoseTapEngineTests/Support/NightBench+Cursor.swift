import DoseTapEngine
import DoseTapTestSupport

extension NightBench {
    /// Returns when the scripted plugin is done with this event, which is after it has received it, or after half a minute.
    func awaitCursor(_ sequence: Int64) async {
        let clock = ContinuousClock()
        let limit = clock.now + .seconds(30)
        while clock.now < limit {
            let report = await host.reports().first { $0.manifest.id == "scripted" }
            if report.map({ $0.cursor >= sequence }) ?? false { return }
            await Task.yield()
        }
    }
}
