// A service on the session bus, with SDBus. The service greets, counts its greetings, and sends a signal for each.
//
//   swift run example-bus-service &
//   busctl --user call org.example.Greeter1 /org/example/Greeter1 org.example.Greeter1 Greet s Ada
//
// The service ends with the bus.
import SDBus

let name = "org.example.Greeter1"
let path: ObjectPath = "/org/example/Greeter1"

try EventLoop.run { loop in
    let connection = try await Connection.open(.session, on: loop)
    let count = ExportedProperty<UInt32>("Count", 0)
    let greeted = ExportedSignal<String>(name, "Greeted", arguments: ["name"])
    let greet = ExportedMember.method("Greet", arguments: ["name"], results: ["greeting"]) {
        (_: CallContext, person: String) async throws -> String in
        guard !person.isEmpty else {
            throw BusError(name: name + ".Error.Nobody", message: "There is nobody to greet.")
        }
        try await connection.update(path) { $0.set(count, count.value + 1) }
        try await connection.emit(greeted, from: path, person)
        return "Hello, \(person)."
    }
    let interface = ExportedInterface(name, members: [greet, .property(count), .signal(greeted)])
    try await connection.serve(ExportedObject(path, interfaces: [interface]))
    // A call can come as soon as the service owns the name.
    try await connection.requestName(name)
    print("\(name) is on the bus.")
    await connection.waitUntilClosed()
}
