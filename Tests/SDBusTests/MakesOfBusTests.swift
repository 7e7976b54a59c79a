import DoseTapTestSupport
import Glibc
import SDBus
import Testing

/// The functions that a service needs, on every installed make of bus.
@Suite(.serialized) struct MakesOfBusTests {
    @Test(arguments: PrivateBus.Make.installed)
    func `names, calls, credentials, properties and signals work`(make: PrivateBus.Make) async throws {
        try await Fixture.run(on: make) { fixture in
            let thing = ServiceTests.Thing()
            let (service, client) = (try await fixture.connect(), try await fixture.connect())
            try await service.serve(thing.object)
            #expect(try await service.requestName("org.example") == .primaryOwner)
            let taken = await #expect(throws: BusError.self) { try await client.requestName("org.example") }
            #expect(taken?.name == BusError.Name.nameExists)
            let (owner, unique) = (try await client.owner(of: "org.example"), await service.uniqueName)
            #expect(owner == unique)
            let text = try await client.call("org.example", path, interface, "Greet", "you", returning: String.self)
            #expect(text == "hello you")
            let (sender, process, user) = try await client.call(
                "org.example", path, interface, "Who", returning: (String, Int32, UInt32).self)
            let own = await client.uniqueName
            #expect(sender == own && process == getpid() && user == getuid())
            let phase = try await client.property("org.example", path, interface, "Phase", as: String.self)
            #expect(phase == "idle")
            let signals = try await client.signals(SignalMatch(sender: "org.example", interface: interface))
            try await service.emit(thing.fired, from: path, "id", 5)
            #expect(try await first(signals, on: fixture.loop)?.arguments == ["id", .uint64(5)])
            #expect(try await service.releaseName("org.example"))
            let none = await #expect(throws: BusError.self) { try await client.owner(of: "org.example") }
            #expect(none?.name == BusError.Name.nameHasNoOwner)
            await client.close()
            await service.close()
        }
    }

    @Test(arguments: PrivateBus.Make.installed)
    func `a caller that talks nonsense or vanishes harms nobody else`(make: PrivateBus.Make) async throws {
        try await Fixture.run(on: make) { fixture in
            let hanging = LifeTests.Hanging()
            let (service, client) = (try await fixture.connect(), try await fixture.connect())
            try await service.serve(hanging.object)
            let name = try #require(await service.uniqueName)
            for member in ["Nothing", "Echo"] {
                let error = await #expect(throws: BusError.self) {
                    try await client.call(name, path, interface, member, UInt64(1), returning: Void.self)
                }
                #expect([BusError.Name.unknownMethod, BusError.Name.invalidArgs].contains(error?.name))
            }
            let vanishing = try await fixture.connect()
            let call = Task { try await vanishing.call(name, path, interface, "Hang", returning: String.self) }
            let entered: Void? = try await first(hanging.entered, on: fixture.loop)
            #expect(entered != nil)
            await vanishing.abort()
            let result = await call.result
            #expect(throws: BusError.self) { try result.get() }
            hanging.reply()
            let answer = try await client.call(name, path, interface, "Echo", "x", returning: String.self)
            #expect(answer == "x")
            await client.close()
            await service.close()
        }
    }

    @Test(arguments: PrivateBus.Make.installed)
    func `a bus that goes ends its connections, and comes back at its address`(make: PrivateBus.Make) async throws {
        try await Fixture.run(on: make) { fixture in
            let hanging = LifeTests.Hanging()
            let (service, client) = (try await fixture.connect(), try await fixture.connect())
            try await service.serve(hanging.object)
            let name = try #require(await service.uniqueName)
            let call = Task { try await client.call(name, path, interface, "Hang", returning: String.self) }
            let entered: Void? = try await first(hanging.entered, on: fixture.loop)
            #expect(entered != nil)
            fixture.bus.stop()
            let result = await call.result
            let error = #expect(throws: BusError.self) { try result.get() }
            #expect(error?.name == BusError.Name.disconnected)
            await service.waitUntilClosed()
            hanging.reply()
            try fixture.bus.start()
            let again = try await fixture.connect()
            #expect(try await again.requestName("org.example") == .primaryOwner)
            await again.close()
        }
    }
}
