import SDBus
import Testing

@Suite struct CallTests {
    private static func serve(_ connection: Connection) async throws {
        try await connection.serve(
            ExportedObject(
                path,
                interfaces: [
                    ExportedInterface(
                        interface,
                        members: [
                            .method("Greet", arguments: ["name"], results: ["text"]) {
                                (_: CallContext, name: String) async throws -> String in
                                await Task.yield()
                                return "hello " + name
                            },
                            .synchronousMethod("Add", arguments: ["a", "b"], results: ["sum", "product"]) {
                                (_: CallContext, a: UInt32, b: UInt32) -> (UInt32, UInt64) in
                                (a + b, UInt64(a) * UInt64(b))
                            },
                            .method("Nothing") { (_: CallContext) async throws -> Void in },
                            .method("Options", arguments: ["options"], results: ["answer"]) {
                                (_: CallContext, options: [String: Variant]) async throws -> [String: Variant] in
                                options
                            },
                            .method("Refuse", arguments: ["options"]) {
                                (_: CallContext, options: [String: Variant]) async throws -> Void in
                                throw BusError(
                                    name: "org.example.Error.Refused", message: "no", details: VariantEntries(options))
                            },
                            .synchronousMethod("RefuseAtOnce") { (_: CallContext) throws -> Void in
                                throw BusError(name: "org.example.Error.Refused", message: "not now")
                            },
                        ])
                ])
        )
    }

    @Test func `values travel both ways`() async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            try await Self.serve(service)
            try await service.requestName("org.example")
            let client = try await fixture.connect()
            let text = try await client.call("org.example", path, interface, "Greet", "you", returning: String.self)
            #expect(text == "hello you")
            let sum = try await client.call(
                "org.example", path, interface, "Add", UInt32(3), UInt32(4), returning: (UInt32, UInt64).self
            )
            #expect(sum == (7, 12))
            try await client.call("org.example", path, interface, "Nothing", returning: Void.self)
            let options: [String: Variant] = ["at": .uint64(5), "note": "x", "confirm": Variant(["a", "b"])]
            let echo = try await client.call(
                "org.example", path, interface, "Options", options, returning: [String: Variant].self
            )
            #expect(echo == options)
            await client.close()
            await service.close()
        }
    }

    @Test func `an error of a handler reaches the caller with name, message and details`() async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            try await Self.serve(service)
            let client = try await fixture.connect()
            let name = try #require(await service.uniqueName)
            let details: [String: Variant] = ["minutes_to_open": .uint32(12)]
            let error = await #expect(throws: BusError.self) {
                try await client.call(name, path, interface, "Refuse", details, returning: Void.self)
            }
            #expect(error?.name == "org.example.Error.Refused")
            #expect(error?.message == "no")
            #expect(error?.details.dictionary == details)
            let second = await #expect(throws: BusError.self) {
                try await client.call(name, path, interface, "RefuseAtOnce", returning: Void.self)
            }
            #expect(second?.message == "not now")
            #expect(second?.details.isEmpty == true)
            await client.close()
            await service.close()
        }
    }
}
