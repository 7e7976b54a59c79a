import DoseTapDomain
import Foundation

/// The compiled zones of this system, for tests; the domain itself reads no file.
enum SystemZones {
    static let root = "/usr/share/zoneinfo"

    /// The bytes of a zone file below ``root``.
    static func bytes(_ name: String, below root: String = root) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: root).appendingPathComponent(name)))
    }

    static func zone(_ name: String, below root: String = root) throws -> Zone {
        try Zone(identifier: name, tzif: try bytes(name, below: root))
    }
}
