public import DoseTapDomain
import Glibc

/// This machine's time zone data: TZif files below one directory, and `/etc/localtime`.
public struct ZoneFiles: Sendable, Hashable {
    /// Directory of the zone files (tzfile(5)).
    public let directory: String
    /// The machine's own zone (localtime(5)).
    public let localtime: String
    /// Debian's file with the zone's name.
    public let timezone: String

    /// Names the files. Other places than the usual ones are for tests and for `TZDIR`.
    public init(
        directory: String = "/usr/share/zoneinfo", localtime: String = "/etc/localtime",
        timezone: String = "/etc/timezone"
    ) {
        self.directory = directory
        self.localtime = localtime
        self.timezone = timezone
    }

    /// Largest zone file accepted, in bytes. The largest of tzdata 2025 has under 4 KiB.
    private static let sizeLimit = 64 * 1024

    /// - Parameter variable: Value of `TZ`, nil if unset: a zone's name, with or without a colon, the path of a zone file, a
    ///   POSIX rule as `EST5EDT,M3.2.0,M11.1.0`, or empty for UTC (tzset(3)).
    public func current(variable: String?) -> SystemZone {
        if let variable {
            do throws(SystemFault) {
                return SystemZone(zone: try named(byVariable: variable), origin: .environment, fault: nil)
            } catch {
                return SystemZone(zone: .utc, origin: .environment, fault: error)
            }
        }
        do throws(SystemFault) {
            let bytes = try bytes(localtime)
            return SystemZone(
                zone: try zone(localIdentifier(for: bytes), bytes), origin: .localtime, fault: nil)
        } catch {
            return SystemZone(zone: .utc, origin: .localtime, fault: error)
        }
    }

    /// Returns the zone with a given name, as for `--time-zone`.
    ///
    /// - Parameter identifier: A name of the zone database such as `America/New_York`, or a POSIX rule with dates or
    ///   angle brackets. `UTC+3` is refused: POSIX counts it west, people mean east.
    /// - Throws: ``SystemFault`` `.unknownZone` for anything else, paths included, `.zoneData` for a damaged file.
    public func named(_ identifier: String) throws(SystemFault) -> Zone {
        if identifier.contains(",") || identifier.hasPrefix("<"), let rule = try? Zone(posixRule: identifier) {
            return rule
        }
        guard Self.isName(identifier) else { throw unknown(identifier) }
        do throws(SystemFault) {
            return try zone(identifier, bytes(directory + "/" + identifier))
        } catch {
            if error.underlying == 0 { throw error }  // the file exists, but is damaged
            if Self.universal.contains(identifier) { return .utc }
            throw access(directory, F_OK) == 0 ? unknown(identifier) : error
        }
    }

    private static let universal: Set<String> = ["UTC", "Etc/UTC", "Etc/UCT", "Zulu", "Etc/Zulu", "UCT"]

    private func named(byVariable variable: String) throws(SystemFault) -> Zone {
        let name = variable.hasPrefix(":") ? String(variable.dropFirst()) : variable
        if name.isEmpty { return .utc }
        if name.hasPrefix("/") {
            return try zone(identifier(ofPath: name) ?? "localtime", bytes(name))
        }
        if let zone = try? named(name) { return zone }
        if !variable.hasPrefix(":"), let rule = try? Zone(posixRule: name) { return rule }
        throw unknown(name)
    }

    /// Returns true if the text may be a name of the zone database: no way out of the directory, no hidden file.
    static func isName(_ identifier: String) -> Bool {
        guard (1...255).contains(identifier.utf8.count) else { return false }
        return identifier.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { part in
            guard let first = part.utf8.first, first != UInt8(ascii: ".") else { return false }
            return part.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
        }
    }

    /// The name behind `/etc/localtime`: the target of the link, else the name in `/etc/timezone` if both files hold the same
    /// zone, else `localtime`.
    private func localIdentifier(for bytes: [UInt8]) -> String {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let length = buffer.withUnsafeMutableBytes { room in
            room.baseAddress.map { readlink(localtime, $0, room.count) } ?? -1
        }
        if length > 0, let name = identifier(ofPath: String(decoding: buffer[..<length], as: UTF8.self)) { return name }
        if let resolved = realpath(localtime, nil) {
            defer { free(resolved) }
            if let name = identifier(ofPath: String(cString: resolved)) { return name }
        }
        if let text = try? SystemFile.read(timezone, limit: 512) {
            let name = String(decoding: text.prefix { $0 > 0x20 && $0 < 0x7F }, as: UTF8.self)
            if Self.isName(name), (try? SystemFile.read(directory + "/" + name, limit: Self.sizeLimit)) == bytes {
                return name
            }
        }
        return "localtime"
    }

    /// The name of a file below the zone directory, or below any directory called `zoneinfo`: links are often relative.
    private func identifier(ofPath path: String) -> String? {
        for parent in [directory + "/", "/zoneinfo/", "zoneinfo/"] {
            var rest = Substring(path)
            if parent.hasPrefix("/zoneinfo") {
                guard let range = path.lastRange(ofUTF8: parent) else { continue }
                rest = path[range.upperBound...]
            } else if path.hasPrefix(parent) {
                rest = path.dropFirst(parent.count)
            } else {
                continue
            }
            if rest.hasPrefix("posix/") { rest = rest.dropFirst(6) }
            if Self.isName(String(rest)) { return String(rest) }
        }
        return nil
    }

    private func bytes(_ path: String) throws(SystemFault) -> [UInt8] {
        do throws(SystemFault) {
            return try SystemFile.read(path, limit: Self.sizeLimit)
        } catch {
            throw SystemFault(
                .zoneData, sent("No time zone data: \(error.message)."),
                hint: sent("Install the package tzdata, or set TZ to a rule such as EST5EDT,M3.2.0,M11.1.0."),
                underlying: error.underlying)
        }
    }

    private func zone(_ identifier: String, _ bytes: [UInt8]) throws(SystemFault) -> Zone {
        do throws(ZoneError) {
            return try Zone(identifier: identifier, tzif: bytes)
        } catch {
            throw SystemFault(
                .zoneData, sent("The data of time zone \(identifier) is not usable: \(error)"),
                hint: sent("Reinstall the package tzdata."))
        }
    }

    private func unknown(_ name: String) -> SystemFault {
        SystemFault(
            .unknownZone, "“\(name.prefix(100))” is no time zone of this machine.",
            hint: "Give a name such as America/New_York.")
    }
}

extension String {
    /// The last occurrence of a text; standard library only.
    fileprivate func lastRange(ofUTF8 text: String) -> Range<Index>? {
        var start = endIndex
        while start > startIndex {
            start = index(before: start)
            if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
        }
        return nil
    }
}

/// The time zone of this machine, and how it was found.
public struct SystemZone: Sendable, Hashable {
    /// Source of the zone's name.
    public enum Origin: Sendable, Hashable, CaseIterable {
        /// The environment variable `TZ`.
        case environment
        /// `/etc/localtime`.
        case localtime
    }

    /// The zone; UTC if the zone is unknown.
    public let zone: Zone
    public let origin: Origin
    /// The cause of an unknown zone; nil for a known one.
    public let fault: SystemFault?

    /// True if UTC replaces a zone that could not be found. Every place that shows a local time must say so.
    public var isUnknown: Bool { fault != nil }

    /// The zone's identifier, or `UTC, zone unknown`.
    public var description: String { isUnknown ? "UTC, zone unknown" : zone.identifier }
}
