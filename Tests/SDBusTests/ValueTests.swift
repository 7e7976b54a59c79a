import SDBus
import Testing

/// A list of dictionaries in a dictionary, written entry by entry and read as any other value.
private struct Listed: DBusValue {
    let elements: [[String: Variant]]

    static var signature: String { "a{sv}" }

    func append(to message: MessageWriter) throws(BusError) {
        try message.appendVariantEntries { writer throws(BusError) in
            try writer.append("list", each: elements) { element, inner throws(BusError) in
                for (key, value) in element { try inner.append(key, value) }
            }
        }
    }

    static func read(from message: MessageReader) throws(BusError) -> Listed {
        guard let listed = Listed(variant: Variant(try [String: Variant].read(from: message))) else {
            throw BusError(name: BusError.Name.invalidArgs, message: "no list")
        }
        return listed
    }

    var variant: Variant {
        let list = Variant.array(element: "v", elements.map { .variant(Variant($0)) })
        return Variant(["list": list])
    }

    init(elements: [[String: Variant]]) { self.elements = elements }

    init?(variant: Variant) {
        guard case .array("v", let values)? = variant.dictionaryValue?["list"] else { return nil }
        elements = values.compactMap { value in
            guard case .variant(let inner) = value else { return nil }
            return inner.dictionaryValue
        }
    }
}

@Suite struct ValueTests {
    @Test(arguments: [
        (Bool.signature, "b"), (UInt8.signature, "y"), (Int16.signature, "n"), (UInt16.signature, "q"),
        (Int32.signature, "i"), (UInt32.signature, "u"), (Int64.signature, "x"), (UInt64.signature, "t"),
        (Double.signature, "d"), (String.signature, "s"), (ObjectPath.signature, "o"), (Signature.signature, "g"),
        (UnixFD.signature, "h"), (Variant.signature, "v"), ([String].signature, "as"),
        ([[UInt8]].signature, "aay"), ([String: Variant].signature, "a{sv}"),
        ([[String: Variant]].signature, "aa{sv}"), ([UInt32: [String]].signature, "a{uas}"),
        (DBusStruct<String, UInt32>.signature, "(su)"),
        ([DBusStruct<String, [String: Variant]>].signature, "a(sa{sv})"),
    ])
    func `the signature follows from the type`(actual: String, expected: String) {
        #expect(actual == expected)
    }

    @Test(arguments: [
        ("", [String]()), ("s", ["s"]), ("a{sv}s", ["a{sv}", "s"]), ("(su)aat", ["(su)", "aat"]),
        ("a(ia{s(bb)})v", ["a(ia{s(bb)})", "v"]),
    ])
    func `a signature splits into complete types`(signature: String, types: [String]) {
        #expect(Signature(signature).types == types)
    }

    @Test func `every type comes back as it went`() async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            let client = try await fixture.connect()
            let name = try #require(await service.uniqueName)
            func echo<Value: DBusValue>(_ value: Value) async throws {
                let interface = "org.example.Echo"
                try await service.serve(
                    ExportedObject(
                        path,
                        interfaces: [
                            ExportedInterface(
                                interface,
                                members: [
                                    .synchronousMethod("Echo", arguments: ["in"], results: ["out"]) {
                                        (_: CallContext, value: Value) -> Value in value
                                    }
                                ])
                        ])
                )
                let back = try await client.call(name, path, interface, "Echo", value, returning: Value.self)
                #expect(back.variant == value.variant)
                #expect(Value(variant: value.variant)?.variant == value.variant)
                await service.unserve(path)
            }
            for flag in [true, false] { try await echo(flag) }
            for number in [UInt8.min, .max] { try await echo(number) }
            for number in [Int16.min, 0, .max] { try await echo(number) }
            for number in [UInt16.min, .max] { try await echo(number) }
            for number in [Int32.min, 0, .max] { try await echo(number) }
            for number in [UInt32.min, .max] { try await echo(number) }
            for number in [Int64.min, 0, .max] { try await echo(number) }
            for number in [UInt64.min, .max] { try await echo(number) }
            for number in [0.0, -1.5, .infinity, .greatestFiniteMagnitude] { try await echo(number) }
            for text in ["", "x", "é😴\n", String(repeating: "ä", count: 32_000)] { try await echo(text) }
            try await echo(ObjectPath("/"))
            try await echo(Signature("a{sv}"))
            try await echo([String]())
            try await echo([[String: Variant]]())
            try await echo([[UInt8]()])
            try await echo((0..<1000).map { UInt32($0) })
            try await echo([String: Variant]())
            try await echo([UInt64(7): ["a", ""]])
            try await echo(DBusStruct("x", UInt32(1), DBusStruct(true, [Int32]())))
            try await echo(Variant.string("x"))
            try await echo(Variant.variant(.variant(.uint64(1))))
            try await echo(Variant([String]()))
            try await echo(Variant([[String: Variant]]()))
            try await echo(Variant([DBusStruct("k", Variant(["a": Variant.byte(1)]))]))
            for elements in [[], [[:]], [["a": Variant.byte(1), "b": .string("x")], ["a": .byte(2)]]] {
                try await echo(Listed(elements: elements))
            }
            await client.close()
            await service.close()
        }
    }

    @Test func `a descriptor arrives as a duplicate of its own`() async throws {
        try await Fixture.run { fixture in
            let service = try await fixture.connect()
            let client = try await fixture.connect()
            try await service.serve(
                ExportedObject(
                    path,
                    interfaces: [
                        ExportedInterface(
                            interface,
                            members: [
                                .synchronousMethod("Read", arguments: ["file"], results: ["text"]) {
                                    (_: CallContext, file: UnixFD) -> String in readAll(file)
                                },
                                .synchronousMethod("Give", results: ["options"]) {
                                    (_: CallContext) throws -> [String: Variant] in
                                    ["file": Variant.unixFD(try unixFD("inside"))]
                                },
                            ])
                    ])
            )
            let name = try #require(await service.uniqueName)
            let text = try await client.call(
                name, path, interface, "Read", try unixFD("through the bus"), returning: String.self
            )
            #expect(text == "through the bus")
            let given = try await client.call(name, path, interface, "Give", returning: [String: Variant].self)
            let file = try #require(given["file"]?.as(UnixFD.self))
            #expect(readAll(file) == "inside")
            await client.close()
            await service.close()
        }
    }

    @Test func `a variant gives only what it holds`() {
        #expect(Variant.uint64(5).as(UInt64.self) == 5)
        #expect(Variant.uint64(5).as(UInt32.self) == nil)
        #expect(Variant.uint64(5).integerValue == 5)
        #expect(Variant.uint64(.max).integerValue == nil)
        #expect(Variant.uint64(.max).unsignedValue == .max)
        #expect(Variant.int32(-1).unsignedValue == nil)
        #expect(Variant("x").stringValue == "x")
        #expect(Variant(["a": Variant(true)]).dictionaryValue == ["a": true])
        #expect(Variant([DBusStruct("a", UInt8(1))]).as([DBusStruct<String, UInt8>].self)?.first?.fields.1 == 1)
        #expect(Variant([DBusStruct("a", UInt8(1))]).as([DBusStruct<String>].self) == nil)
    }

    @Test func `text that cannot travel is refused and not cut`() async throws {
        try await Fixture.run { fixture in
            let client = try await fixture.connect()
            let cut = await #expect(throws: BusError.self) {
                try await client.send("org.example", path, interface, "Any", Variant("a\0b"))
            }
            #expect(cut?.name == BusError.Name.inconsistentMessage)
            for value: Variant in [
                .objectPath("not a path"), .signature("a{"), .structure([]),
                .array(element: "s", [.uint32(1)]), .array(element: "{", []),
            ] {
                let error = await #expect(throws: BusError.self) {
                    try await client.send("org.example", path, interface, "Any", value)
                }
                #expect(error?.name == BusError.Name.invalidArgs, "\(value)")
            }
            #expect(await client.isOpen)
            await client.close()
        }
    }
}
