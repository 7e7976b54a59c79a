import DoseTapContract
import DoseTapDomain
import DoseTapSystem
import DoseTapTestSupport
import Foundation
import SDBus
import Testing

/// The doctor of a real service, with mocks of the machine's services.
@Suite(.serialized, .enabled(if: MockedService.isInstalled, "needs python3-dbusmock: run Contrib/test"))
struct DoctorTests {
    /// A machine whose services all answer: on the charger, lid closed means suspend, clock synchronised.
    private final class Machine: Sendable {
        let bus: PrivateBus
        let login: MockedService
        let power: MockedService
        let time: MockedService

        init() async throws {
            bus = try PrivateBus()
            login = try await MockedService.login(on: bus.address)
            power = try await MockedService.start(
                "upower", name: "org.freedesktop.UPower", path: "/org/freedesktop/UPower", on: bus.address)
            time = try await MockedService.start(
                "timedated", name: "org.freedesktop.timedate1", path: "/org/freedesktop/timedate1", on: bus.address)
            try await login.ask("AddUser", UInt32(getuid()), "me", true)
            let manager = "org.freedesktop.login1.Manager"
            try await login.ask("AddProperty", manager, "HandleLidSwitch", Variant("suspend"))
            try await login.ask("AddProperty", manager, "HandleLidSwitchExternalPower", Variant("ignore"))
            try await charge(80, onBattery: false)
        }

        func charge(_ percent: Double, onBattery: Bool) async throws {
            let device: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
            let properties: [String: Variant] = ["Percentage": Variant(percent), "IsPresent": true]
            try await power.ask("SetDeviceProperties", device, properties)
            try await power.ask(
                "UpdateProperties", "org.freedesktop.UPower", ["OnBattery": Variant(onBattery)] as [String: Variant])
        }

        func stop() async throws { for service in [login, power, time] { try await service.stop() } }
    }

    private static func levels(_ bench: ServiceBench) async throws -> [String: Finding] {
        let findings = try await bench.client.doctor().map { try Finding(json: $0) }
        return Dictionary(uniqueKeysWithValues: findings.map { ($0.id, $0) })
    }

    @Test func `every link is asked, and the worst is said with dose 1`() async throws {
        let machine = try await Machine()
        // The server is there first. The doctor asks at the start of the service, and a later question gets the same
        // answer.
        let bus = try PrivateBus()
        let server = try await ScriptedNotificationServer.start(on: bus.address)
        let bench = try await ServiceBench.start(
            // The empty PATH hides the players of this machine.
            on: bus, environment: ["DBUS_SYSTEM_BUS_ADDRESS": machine.bus.address, "PATH": "/nowhere"])
        var found = try await Self.levels(bench)
        for id in ["bus", "service", "store", "disk", "notifications", "sleep", "battery", "lid", "clock", "linger"] {
            #expect(found[id]?.level == .green, "\(id): \(String(describing: found[id]))")
        }
        #expect(found["notifications"]?.sentence == "shown by Scripted 1, which answered")
        #expect(found["do_not_disturb"]?.level == .unknown)
        // This bus has no service manager.
        #expect(found["wake"]?.level == .amber)
        #expect(try await bench.client.doctor().first { $0["id"] == "service" }?["version"] == .string(Release.name))

        try await machine.charge(12, onBattery: true)
        found = try await Self.levels(bench)
        #expect(found["battery"]?.level == .red && found["battery"]?.sentence == "on battery, 12 %")
        #expect(found["lid"]?.sentence == "closing the lid means suspend, but not while dose 2 is open")
        let monitor = try Child(
            "/usr/bin/env",
            [
                "timeout", "60", "busctl", "--address=\(machine.bus.address)", "--json=short", "monitor",
                "--match=interface='org.freedesktop.login1.Manager'",
            ])
        _ = monitor.read(until: "Monitoring")
        let receipt = try await bench.submit(.logDose(.dose1))
        #expect(receipt.readiness?.id == "battery" && receipt.readiness?.level == .red)
        // The service now blocks sleep, with a reason in words for people.
        _ = monitor.read(until: "handle-lid-switch")
        monitor.signal(SIGTERM)
        _ = try monitor.finish()
        let held = try await machine.login.inhibitors()
        #expect(
            held.map(\.first) == ["sleep", "handle-lid-switch"]
                && held.allSatisfy { $0[2].hasPrefix("Dose 2 is due at ") })
        found = try await Self.levels(bench)
        #expect(found["lid"]?.sentence == "closing the lid does no harm until dose 2 is taken or skipped")
        let second = try await bench.submit(.logDose(.dose2)) { $0.confirmations = [.early] }
        #expect(second.readiness == nil)
        await server.stop()
        #expect(try await bench.stop() == 0)
        try await machine.login.awaitNoInhibitors()
        try await machine.stop()
    }

    @Test func `by day, before anything is blocked, a logind that refuses is named`() async throws {
        let system = try PrivateBus()
        let login = try await ScriptedLogin.start(on: system.address, .refusesBlock)
        let bench = try await ServiceBench.start(environment: ["DBUS_SYSTEM_BUS_ADDRESS": system.address])
        let found = try await Self.levels(bench)
        #expect(found["sleep"]?.level == .amber)
        #expect(found["sleep"]?.sentence.hasPrefix("the computer's sleep cannot be blocked: ") == true)
        #expect(login.asked.elements.contains(["handle-lid-switch", "block"]))
        #expect(try await bench.stop() == 0)
        await login.stop()
    }

    @Test func `K5: power, clock and login manager answer nonsense, which is unknown, and everything else goes on`()
        async throws
    {
        let machine = try await Machine()
        let bench = try await ServiceBench.start(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": machine.bus.address, "PATH": "/nowhere"])
        let sound = try await Self.levels(bench)
        let device: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
        func upower(_ property: String, _ value: Variant) async throws {
            try await machine.power.ask("UpdateProperties", "org.freedesktop.UPower", [property: value])
        }
        func battery(_ percent: Variant, isPresent: Variant = true) async throws {
            let properties: [String: Variant] = ["Percentage": percent, "IsPresent": isPresent]
            try await machine.power.ask("SetDeviceProperties", device, properties)
        }
        func login(_ property: String, _ value: Variant) async throws {
            try await machine.login.ask("UpdateProperties", "org.freedesktop.login1.Manager", [property: value])
        }
        func clock(_ value: Variant) async throws {
            try await machine.time.ask(
                "UpdateProperties", "org.freedesktop.timedate1", ["NTPSynchronized": value] as [String: Variant])
        }
        // Longer texts would fill the pipe of the mock, which prints its calls.
        let texts = ["\u{1B}[2J\n", "\u{202E}", String(repeating: "x", count: 4_000)].map { Variant($0) }
        // The link that becomes unknown, the call that makes it so, and the call that mends it.
        let cases: [(String, () async throws -> Void, () async throws -> Void)] =
            [Variant(Double.nan), Variant(Double.infinity), Variant(-1.0), Variant(1e300), Variant("full")].map {
                percent in
                ("battery", { try await battery(percent) }, { try await battery(Variant(80.0)) })
            }
            + [
                (
                    "battery", { try await upower("OnBattery", "yes") },
                    { try await upower("OnBattery", Variant(false)) }
                ),
                (
                    "battery", { try await battery(Variant(80.0), isPresent: Variant(UInt64.max)) },
                    { try await battery(Variant(80.0)) }
                ),
                ("clock", { try await clock("maybe") }, { try await clock(Variant(true)) }),
                ("clock", { try await clock(Variant(Int32.min)) }, { try await clock(Variant(true)) }),
                (
                    "lid", { try await login("HandleLidSwitch", Variant([UInt32.max])) },
                    { try await login("HandleLidSwitch", "suspend") }
                ),
            ]
        for (id, spoil, mend) in cases {
            try await spoil()
            var found = try await Self.levels(bench)
            #expect(found[id]?.level == .unknown, "\(String(describing: found[id]))")
            for other in sound.keys where other != id {
                #expect(found[other]?.level == sound[other]?.level, "\(other)")
            }
            try await mend()
            found = try await Self.levels(bench)
            #expect(found[id]?.level == sound[id]?.level, "\(String(describing: found[id]))")
        }
        for text in texts {
            try await login("HandleLidSwitch", text)
            let sentence = try #require(try await Self.levels(bench)["lid"]).sentence
            #expect(
                sentence.utf8.count < 200 && sentence.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value < 127 })
        }
        #expect(try await bench.submit(.logDose(.dose1)).type == "dose1")
        #expect(try await bench.stop() == 0)
        try await machine.stop()
    }

    @Test func `K5: a machine without a system bus is told so, and everything else goes on`() async throws {
        let bench = try await ServiceBench.start(
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=/nowhere", "PATH": "/nowhere"])
        let found = try await Self.levels(bench)
        for id in ["battery", "lid", "clock", "linger"] {
            #expect(found[id]?.level == .unknown && found[id]?.remedy == nil, "\(String(describing: found[id]))")
        }
        #expect(found["sleep"]?.level == .amber && found["wake"]?.level == .red)
        #expect(found["notifications"]?.level == .red)
        let program = DaemonProcess.program.dropLast()
        let logged = try Command.run(
            [String(program), "log", "dose1"],
            environment: [
                "DBUS_SESSION_BUS_ADDRESS": bench.bus.address, "HOME": bench.folder.path("home"), "TZ": "UTC",
            ])
        #expect(logged.status == 0 && logged.text.contains("Recorded: dose 1"))
        // The worst finding comes first. On this machine no sound can be played either.
        #expect(logged.text.hasPrefix("No reminder can reach you: no program shows notifications, and no"))
        #expect(try await bench.stop() == 0)
    }
}
