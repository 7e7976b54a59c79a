import DoseTapDomain
import Foundation
import Testing

/// Every zone of the system against Python and zdump. The suite is serialized, since a wait for a script holds a
/// thread.
@Suite(.serialized, .enabled(if: ZoneOracle.python != nil, "needs python3"))
struct ZoneOracleTests {
    @Test func `offsets of every zone agree with zdump and Python from 1970 to 2040 and around 2100`() throws {
        let contradictions = try compareOffsets(below: SystemZones.root)
        #expect(contradictions == [])
    }

    @Test func `offsets agree also in slim files, which leave most years to the rule`() throws {
        // The tools read the same files, since some versions of zic make slim files that differ from the fat ones.
        guard let folder = try slimZones() else { try Test.cancel("needs zic: run Contrib/test") }
        defer { try? FileManager.default.removeItem(at: folder) }
        let contradictions = try compareOffsets(below: folder.path)
        // A rule of 2022 did not fit the transition before it. zic of 2.36 writes this into one zone.
        #expect(contradictions.count <= 1, "\(contradictions)")
    }

    /// Compares the offsets and returns the contradictions between the tools.
    private func compareOffsets(below root: String) throws -> [String] {
        var contradictions: [String] = []
        var checked = 0
        var names = 0
        for section in try ZoneOracle.sections("offsets", below: root) {
            let zones = try section.names.map { try SystemZones.zone($0, below: root) }
            names += section.names.count
            var differences: [String] = []
            for line in section.lines {
                let words = line.split(separator: " ")
                guard words[0] != "?" else {
                    contradictions.append("\(section.names) \(line)")
                    continue
                }
                let instant = Instant(seconds: try #require(Int64(words[0])))
                let offset = try #require(Int(words[1]))
                checked += 1
                for zone in zones {
                    let agrees =
                        zone.offset(at: instant) == offset
                        && (words.count < 4
                            || zone.isDaylight(at: instant) == (words[2] == "1")
                                && zone.abbreviation(at: instant) == words[3])
                    if !agrees { differences.append("\(zone.identifier): expected \(line)") }
                }
            }
            #expect(differences.isEmpty, "\(differences.prefix(5))")
        }
        // A system has some 600 names with more than 300 contents.
        #expect(names > 400)
        #expect(checked > 300_000)
        return contradictions
    }

    @Test func `session date and next rollover of every zone agree with the definition on 300 days each`() throws {
        var checked = 0
        for section in try ZoneOracle.sections("keys") {
            let name = try #require(section.names.first)
            let zone = try SystemZones.zone(name)
            var differences: [String] = []
            for line in section.lines {
                let words = line.split(separator: " ")
                let hour = try #require(Int(words[0]))
                let instant = Instant(seconds: try #require(Int64(words[1])))
                let next = Instant(seconds: try #require(Int64(words[3])))
                checked += 1
                let key = SessionDate.key(of: instant, in: zone, rolloverHour: hour)
                let following = zone.next(ClockTime(hour: hour), strictlyAfter: instant)
                if key.text != words[2] || following != next {
                    differences.append("\(name) \(line): got \(key) \(following.seconds)")
                }
            }
            #expect(differences.isEmpty, "\(differences.prefix(5))")
        }
        #expect(checked > 400_000)
    }

    @Test func `zones with leap seconds are brought to POSIX time`() throws {
        // The check ends at 2020, since such files end with the list of leap seconds.
        guard FileManager.default.fileExists(atPath: SystemZones.root + "/right/Europe/Berlin") else {
            try Test.cancel("this machine has no zones with leap seconds")
        }
        for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca", "Asia/Tehran"] {
            let plain = try SystemZones.zone(name)
            let right = try SystemZones.zone("right/" + name)
            for second in stride(from: Int64(0), to: 1_577_836_800, by: 1800) {
                let instant = Instant(seconds: second)
                if plain.offset(at: instant) != right.offset(at: instant) {
                    Issue.record("\(name) at \(instant)")
                    break
                }
            }
        }
    }
}

/// The system's zones compiled again, with rules right after the last irregular year; nil without zic.
private func slimZones() throws -> URL? {
    let zic = "/usr/sbin/zic"
    let source = SystemZones.root + "/tzdata.zi"
    guard FileManager.default.isExecutableFile(atPath: zic), FileManager.default.fileExists(atPath: source) else {
        return nil
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("slim-\(UUID().uuidString)")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: zic)
    process.arguments = ["-b", "slim", "-d", folder.path, source]
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus == 0 ? folder : nil
}
