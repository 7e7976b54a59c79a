public import DoseTapDomain
import Foundation

/// Zones of this machine, for tests.
public enum SystemZones {
    /// The zone with a name of the zone database.
    public static func named(_ identifier: String) throws -> Zone {
        let file = URL(fileURLWithPath: "/usr/share/zoneinfo/" + identifier)
        return try Zone(identifier: identifier, tzif: [UInt8](Data(contentsOf: file)))
    }
}
