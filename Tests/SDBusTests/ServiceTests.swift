import DoseTapTestSupport
import Glibc
import SDBus
import Testing

@Suite struct ServiceTests {
    struct Thing: Sendable {
        let phase = ExportedProperty("Phase", "idle")
        let count = ExportedProperty("Count", UInt32(0))
        let big = ExportedProperty("Big", [String](), change: .invalidates)
        let version = ExportedProperty("Version", UInt32(1), change: .constant)
        let fired = ExportedSignal<String, UInt64>(interface, "Fired", arguments: ["id", "planned"])

        var object: ExportedObject {
            ExportedObject(
                path,
                interfaces: [
                    ExportedInterface(
                        interface,
                        members: [
                            .method("Greet", arguments: ["name"], results: ["text"]) {
                                (_: CallContext, name: String) async throws -> String in "hello " + name
                            },
                            .method("Options", arguments: ["options"], results: ["answer"]) {
                                (_: CallContext, options: [String: Variant]) async throws -> [String: Variant] in
                                options
                            },
                            .method("List", arguments: ["list"], results: ["count"]) {
                                (_: CallContext, list: [String]) async throws -> UInt32 in UInt32(list.count)
                            },
                            .method("Who", results: ["sender", "pid", "uid"]) {
                                (context: CallContext) async throws -> (String, Int32, UInt32) in
                                let who = try await context.credentials()
                                return (context.sender ?? "", who.processID ?? 0, who.userID ?? .max)
                            },
                            .property(phase), .property(count), .property(big), .property(version), .signal(fired),
                        ])
                ])
        }
    }

    static func withThing(
        _ body:
            @Sendable @concurrent (Fixture, Thing, _ service: Connection, _ client: Connection, String) async throws ->
            Void
    ) async throws {
        try await Fixture.run { fixture in
            let thing = Thing()
            let service = try await fixture.connect()
            let client = try await fixture.connect()
            try await service.serve(thing.object)
            try await service.requestName("org.example")
            let name = try #require(await service.uniqueName)
            try await body(fixture, thing, service, client, name)
            await client.close()
            await service.close()
        }
    }

    /// Runs busctl on the private bus, and returns its output and whether it succeeded.
    static func busctl(_ fixture: Fixture, _ arguments: String...) async throws -> (text: String, ok: Bool) {
        let words = ["busctl", "--address=\(fixture.bus.address)", "--no-pager"] + arguments
        let pipe = try #require(popen(words.map { "'\($0)'" }.joined(separator: " ") + " 2>&1", "r"))
        var text = ""
        var line = [CChar](repeating: 0, count: 4096)
        while let start = fgets(&line, Int32(line.count), pipe) { text += String(cString: start) }
        return (text, pclose(pipe) == 0)
    }

    @Test
    func `an action after an answer waits for the handler, with an answer, an error and no reply`()
        async throws
    {
        try await Fixture.run { fixture in
            let happened = Recorder<String>()
            let service = try await fixture.connect()
            try await service.serve(
                ExportedObject(
                    path,
                    interfaces: [
                        ExportedInterface(
                            interface,
                            members: [
                                .method("Last", arguments: ["fails"]) {
                                    (context: CallContext, fails: Bool) async throws -> Void in
                                    context.whenAnswered { happened.append("answered") }
                                    await Task.yield()
                                    _ = try await context.credentials()
                                    happened.append("handled")
                                    if fails { throw BusError(name: "org.example.Error", message: "no") }
                                }
                            ])
                    ]))
            try await service.requestName("org.example")
            let client = try await fixture.connect()
            try await client.call("org.example", path, interface, "Last", false, returning: Void.self)
            await #expect(throws: BusError.self) {
                try await client.call("org.example", path, interface, "Last", true, returning: Void.self)
            }
            try await client.send("org.example", path, interface, "Last", false)
            try await happened.wait(count: 6)
            #expect(happened.elements == ["handled", "answered", "handled", "answered", "handled", "answered"])
            await client.close()
            await service.close()
        }
    }

    @Test func `introspection shows members with their argument names`() async throws {
        try await Self.withThing { fixture, _, _, _, _ in
            let xml = try await Self.busctl(fixture, "introspect", "--xml-interface", "org.example", path.rawValue).text
            for line in [
                #"<method name="Greet">"#, #"<arg type="s" name="name" direction="in"/>"#,
                #"<arg type="s" name="text" direction="out"/>"#, #"<arg type="i" name="pid" direction="out"/>"#,
                #"<property name="Phase" type="s" access="read">"#, #"<signal name="Fired">"#,
                #"<arg type="t" name="planned"/>"#,
                #"<annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="const"/>"#,
                #"<annotation name="org.freedesktop.DBus.Property.EmitsChangedSignal" value="invalidates"/>"#,
            ] {
                #expect(xml.contains(line), "\(line) not in \(xml)")
            }
        }
    }

    @Test func `another program calls and reads properties`() async throws {
        try await Self.withThing { fixture, thing, service, _, _ in
            let greeting = try await Self.busctl(
                fixture, "call", "org.example", path.rawValue, interface, "Greet", "s", "you"
            )
            #expect(greeting.text == "s \"hello you\"\n")
            try await service.update(path) { $0.set(thing.phase, "open") }
            let phase = try await Self.busctl(fixture, "get-property", "org.example", path.rawValue, interface, "Phase")
            #expect(phase.text == "s \"open\"\n")
            let written = try await Self.busctl(
                fixture, "set-property", "org.example", path.rawValue, interface, "Phase", "s", "x"
            )
            #expect(!written.ok)
            #expect(thing.phase.value == "open")
        }
    }

    @Test func `properties changed together travel in one signal, unchanged ones not at all`() async throws {
        try await Self.withThing { _, thing, service, client, name in
            let changes = try await client.signals(
                SignalMatch(sender: name, interface: "org.freedesktop.DBus.Properties", member: "PropertiesChanged")
            )
            try await service.update(path) { $0.set(thing.phase, "idle") }
            try await service.update(path) { batch in
                batch.set(thing.phase, "open")
                batch.set(thing.count, 3)
                batch.set(thing.big, ["x"])
            }
            var iterator = changes.makeAsyncIterator()
            let signal = try #require(await iterator.next())
            let (name, values, invalid) = try #require(
                signal.decode((String, [String: Variant], [String]).self)
            )
            #expect(name == interface)
            #expect(values == ["Phase": "open", "Count": .uint32(3)])
            #expect(invalid == ["Big"])
        }
    }

    @Test func `declared signals arrive with their arguments, also by well-known name`() async throws {
        try await Self.withThing { _, thing, service, client, name in
            let signals = try await client.signals(SignalMatch(sender: "org.example", interface: interface))
            try await service.emit(thing.fired, from: path, "id", 5)
            var iterator = signals.makeAsyncIterator()
            let signal = try #require(await iterator.next())
            #expect(signal.member == "Fired")
            #expect(signal.sender == name)
            let (id, planned) = try #require(signal.decode((String, UInt64).self))
            #expect(id == "id" && planned == 5)
            #expect(signal.decode((String, UInt32).self) == nil)
        }
    }

    @Test func `a handler learns who called`() async throws {
        try await Self.withThing { _, _, _, client, name in
            for _ in 0..<2 {
                let (sender, process, user) = try await client.call(
                    name, path, interface, "Who", returning: (String, Int32, UInt32).self
                )
                let unique = await client.uniqueName
                #expect(sender == unique)
                #expect(process == getpid())
                #expect(user == getuid())
            }
        }
    }

    @Test(
        arguments: [
            (path, interface, "Missing", BusError.Name.unknownMethod),
            (path, "org.example.Missing", "Greet", BusError.Name.unknownMethod),
            ("/missing", interface, "Greet", BusError.Name.unknownObject),
            (path, interface, "Greet", BusError.Name.invalidArgs),
        ] as [(ObjectPath, String, String, String)])
    func `what is not served is refused by name`(
        where place: ObjectPath, interface: String, member: String, error name: String
    ) async throws {
        try await Self.withThing { _, _, _, client, service in
            let error = await #expect(throws: BusError.self) {
                try await client.call(service, place, interface, member, UInt64(1), returning: Void.self)
            }
            #expect(error?.name == name)
        }
    }

    @Test func `data beyond the limits is refused and the service carries on`() async throws {
        try await Self.withThing { _, _, _, client, name in
            func refused<Value: DBusValue>(_ member: String, _ value: Value) async -> String? {
                await #expect(throws: BusError.self) {
                    _ = try await client.callAny(name, path, interface, member, value)
                }?.name
            }
            let long = String(repeating: "x", count: 65_537)
            #expect(await refused("Greet", long) == BusError.Name.invalidArgs)
            #expect(await refused("List", [String](repeating: "", count: 1001)) == BusError.Name.invalidArgs)
            #expect(await refused("Options", ["a": Variant(long)]) == BusError.Name.invalidArgs)
            #expect(
                await refused("Options", ["a": Variant([UInt8](repeating: 0, count: 1001))])
                    == BusError.Name.invalidArgs)
            var deep = Variant.byte(1)
            for _ in 0..<15 { deep = .variant(deep) }
            let fits = try await client.call(
                name, path, interface, "Options", ["a": deep], returning: [String: Variant].self
            )
            #expect(fits == ["a": deep])
            #expect(await refused("Options", ["a": Variant.variant(deep)]) == BusError.Name.invalidArgs)
            let exact = try await client.call(
                name, path, interface, "List", [String](repeating: "", count: 1000), returning: UInt32.self
            )
            #expect(exact == 1000)
        }
    }

    @Test func `an object is gone once it is not served`() async throws {
        try await Self.withThing { _, thing, service, client, name in
            await service.unserve(path)
            let error = await #expect(throws: BusError.self) {
                try await client.call(name, path, interface, "Greet", "x", returning: String.self)
            }
            #expect(error?.name == BusError.Name.unknownObject)
            try await service.serve(thing.object)
            try await client.call(name, path, interface, "Greet", "x", returning: String.self)
            await #expect(throws: BusError.self) { try await service.serve(thing.object) }
        }
    }
}
