import DoseTapDomain
import DoseTapSystem
import Foundation
import Testing

@Suite struct ZoneFilesTests {
    private let scratch: Scratch
    private let zoneinfo: String
    private let newYork: Data

    init() throws {
        scratch = try Scratch()
        newYork = try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/America/New_York"))
        _ = try scratch.write("zoneinfo/America/New_York", newYork)
        _ = try scratch.write(
            "zoneinfo/Europe/Berlin", Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
        _ = try scratch.write("zoneinfo/damaged", newYork.prefix(100))
        _ = try scratch.write("secret", newYork)
        zoneinfo = scratch.path + "/zoneinfo"
    }

    private func files(localtime: String = "/nonexistent", timezone: String = "/nonexistent") -> ZoneFiles {
        ZoneFiles(directory: zoneinfo, localtime: localtime, timezone: timezone)
    }

    /// 2026-01-15T00:00:00Z: New York is five hours behind.
    private let winter = Instant(seconds: 1_768_435_200)

    @Test(arguments: [
        ("America/New_York", "America/New_York", -300), (":America/New_York", "America/New_York", -300),
        ("EST5EDT,M3.2.0,M11.1.0", "EST5EDT,M3.2.0,M11.1.0", -300), ("<+0530>-5:30", "<+0530>-5:30", 330),
        ("EST5", "EST5", -300), ("", "UTC", 0), ("UTC", "UTC", 0),
    ])
    func `TZ names a zone`(variable: String, identifier: String, minutes: Int) {
        let found = files().current(variable: variable)
        #expect(!found.isUnknown)
        #expect(found.origin == .environment)
        #expect(found.zone.identifier == identifier)
        #expect(found.zone.offsetMinutes(at: winter) == minutes)
    }

    @Test func `TZ may be the path of a zone file`() {
        let inside = files().current(variable: zoneinfo + "/America/New_York")
        #expect(inside.zone.identifier == "America/New_York")
        let outside = files().current(variable: ":" + scratch.path + "/secret")
        #expect(outside.zone.identifier == "localtime")
        #expect(outside.zone.offsetMinutes(at: winter) == -300)
    }

    @Test(arguments: ["Nowhere/Land", ":EST5", "../secret", "/nonexistent/zone", "damaged", "Europe", "\u{1b}[1m"])
    func `E8 a TZ that names nothing gives UTC and says the zone is unknown`(variable: String) {
        let found = files().current(variable: variable)
        #expect(found.isUnknown)
        #expect(found.description == "UTC, zone unknown")
        #expect(found.zone == .utc)
        #expect(found.fault?.hint != nil)
    }

    @Test func `the link of the localtime file gives the name`() throws {
        for target in [
            zoneinfo + "/Europe/Berlin", "zoneinfo/Europe/Berlin",
            // Debian's link goes up to the root and down again.
            String(repeating: "../", count: scratch.path.split(separator: "/").count)
                + "\(zoneinfo.dropFirst())/Europe/Berlin",
        ] {
            let link = try scratch.link("localtime-\(UUID().uuidString)", to: target)
            try #require(FileManager.default.fileExists(atPath: link), "\(target) leads nowhere")
            let found = files(localtime: link).current(variable: nil)
            #expect(!found.isUnknown)
            #expect(found.origin == .localtime)
            #expect(found.zone.identifier == "Europe/Berlin")
        }
    }

    @Test(
        arguments: [
            ("America/New_York\n", "America/New_York"), ("Europe/Berlin\n", "localtime"), ("../secret", "localtime"),
            (nil, "localtime"),
        ] as [(String?, String)])
    func `a copied localtime file is named by the timezone file when both agree`(text: String?, name: String) throws {
        let copy = try scratch.write("localtime", newYork)
        let timezone = try text.map { try scratch.write("timezone", Data($0.utf8)) } ?? "/nonexistent"
        let found = files(localtime: copy, timezone: timezone).current(variable: nil)
        #expect(found.zone.identifier == name)
        #expect(found.zone.offsetMinutes(at: winter) == -300)
        #expect(!found.isUnknown)
    }

    @Test func `E8 without zone data the zone is UTC and unknown`() throws {
        let dangling = try scratch.link("localtime", to: "/nonexistent/zoneinfo/Etc/UTC")
        let empty = ZoneFiles(directory: "/nonexistent/zoneinfo", localtime: dangling, timezone: "/nonexistent")
        let found = empty.current(variable: nil)
        #expect(found.isUnknown)
        #expect(found.description == "UTC, zone unknown")
        #expect(found.fault?.code == .zoneData)
        #expect(throws: SystemFault.self) { try empty.named("America/New_York") }
        #expect(try empty.named("UTC") == .utc)
    }

    @Test(arguments: [
        "../secret", "America/../../secret", "/etc/localtime", ".hidden", "America//New_York", "", "UTC+3", "EST5",
        "America/New York", "America/New_York\0", String(repeating: "a", count: 300), "Europe", "America/New_York/",
    ])
    func `a name given by a person cannot leave the zone directory`(name: String) {
        #expect { try files().named(name) } throws: { ($0 as? SystemFault)?.code == .unknownZone }
    }

    @Test func `a name given by a person is found`() throws {
        #expect(try files().named("Europe/Berlin").offsetMinutes(at: winter) == 60)
        #expect(try files().named("EST5EDT,M3.2.0,M11.1.0").offsetMinutes(at: winter) == -300)
        #expect { try files().named("damaged") } throws: { ($0 as? SystemFault)?.code == .zoneData }
    }

    @Test func `a pipe in the place of a zone file does not hang`() throws {
        try #require(mkfifo(zoneinfo + "/pipe", 0o600) == 0)
        #expect(throws: SystemFault.self) { try files().named("pipe") }
    }

    @Test func `this machine's own zone is found`() {
        let found = ZoneFiles().current(variable: nil)
        #expect(!found.isUnknown, "\(found)")
    }
}
