internal import DoseTapBusAPI
internal import DoseTapDomain
internal import DoseTapEngine
internal import DoseTapSystem
internal import Logging

/// The settings in force.
actor SettingsKeeper {
    private var engine: Engine?
    var rules: NightRules = .standard
    var timeZone: String?
    var disabledPlugins: Set<String> = []

    init(_ directories: XDGDirectories, _ environment: [String: String], logger: Logger) {}
    func attach(_ engine: Engine) { self.engine = engine }
    func rows() -> [JSONObject] { [] }
    func complaints() -> [String] { [] }
    func reload() async throws {}
}
