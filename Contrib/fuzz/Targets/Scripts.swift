import DoseTapDomain

extension FuzzTarget {
    /// Scripts of nights to simulate. A script that is written as text reads back with as many steps.
    static let script = FuzzTarget("script") { bytes in
        let named: (String) -> Zone? = { name in name == "UTC" ? .utc : try? Zone(posixRule: name) }
        guard let script = try? NightScript(bytes.text, zone: .utc, zoneNamed: named) else { return }
        promise(script.start <= script.end, "a night ends before it begins")
        // The fixed zone of an offset cannot be found by a name.
        guard named(script.zone.identifier) == script.zone else { return }
        let again = try? NightScript(script.text, zone: .utc, zoneNamed: named)
        promise(again?.steps.count == script.steps.count, "a script does not read back:\n\(script.text)")
    }
}
