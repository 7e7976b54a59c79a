import DoseTapDomain
import DoseTapEngine
extension PluginContext {
    func delivered(_ due: Deadline, by: String) async {}
    func wake(at: Instant) async {}
}
