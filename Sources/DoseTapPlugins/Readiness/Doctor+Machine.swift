internal import DoseTapDomain
internal import Glibc
internal import SDBus

/// What is asked on the bus of the machine.
extension Doctor {
    private static let power = "org.freedesktop.UPower"
    private static let powerPath: ObjectPath = "/org/freedesktop/UPower"
    private static let battery: ObjectPath = "/org/freedesktop/UPower/devices/DisplayDevice"
    private static let time = "org.freedesktop.timedate1"

    /// Whether logind is there.
    func askLogin() async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            return try await bus.property(
                Login.name, Login.path, Login.manager, "PreparingForSleep", as: Bool.self)
        }
    }

    /// Battery and charger.
    func askPower() async -> ChainFacts.Answer<ChainFacts.Power> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            let isOnBattery = try await bus.property(
                Self.power, Self.powerPath, Self.power, "OnBattery", as: Bool.self)
            let device = Self.power + ".Device"
            let hasBattery = try await bus.property(Self.power, Self.battery, device, "IsPresent", as: Bool.self)
            let charge = try await bus.property(Self.power, Self.battery, device, "Percentage", as: Double.self)
            guard charge.isFinite, (0...100).contains(charge) else {
                throw BusError(name: BusError.Name.invalidSignature, message: "UPower tells an impossible charge")
            }
            return ChainFacts.Power(hasBattery: hasBattery, isOnBattery: isOnBattery, percent: Int(charge))
        }
    }

    /// What closing the lid does.
    func askLid() async -> ChainFacts.Answer<ChainFacts.Lid> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            // Who has no UPower may still have a lid.
            let isPresent = try? await bus.property(
                Self.power, Self.powerPath, Self.power, "LidIsPresent", as: Bool.self)
            func action(_ name: String) async throws -> String {
                let word = try await bus.property(Login.name, Login.path, Login.manager, name, as: String.self)
                return word.prefix(40).journalText
            }
            return ChainFacts.Lid(
                isPresent: isPresent ?? true, action: try await action("HandleLidSwitch"),
                actionOnPower: try await action("HandleLidSwitchExternalPower"))
        }
    }

    /// Whether the clock is synchronised.
    func askClock() async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            return try await bus.property(
                Self.time, "/org/freedesktop/timedate1", Self.time, "NTPSynchronized", as: Bool.self)
        }
    }

    /// Whether the person's services stay when the person logs out.
    func askLinger() async -> ChainFacts.Answer<Bool> {
        let system = system
        return await ask {
            let bus = try await system.connected()
            let users = try await bus.call(
                Login.name, Login.path, Login.manager, "ListUsers",
                returning: [DBusStruct<UInt32, String, ObjectPath>].self)
            guard let own = users.first(where: { $0.fields.0 == getuid() }) else {
                throw BusError(name: BusError.Name.failed, message: "logind does not know you")
            }
            return try await bus.property(
                Login.name, own.fields.2, "org.freedesktop.login1.User", "Linger", as: Bool.self)
        }
    }
}
