import DoseTapTestSupport
import Foundation
import Glibc
import Testing

@testable import SDBus

@Suite struct SessionBusAddressTests {
    @Test func `the environment's address wins`() {
        let environment = ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/dead", "XDG_RUNTIME_DIR": "/run/user/1"]
        #expect(BusAddress.session(in: { environment[$0] }) == "unix:path=/dead")
    }

    @Test func `a socket in the runtime directory is the bus`() throws {
        let scratch = try ScratchFolder()
        let runtime = scratch.path("r:1")
        try FileManager.default.createDirectory(atPath: runtime, withIntermediateDirectories: false)
        let environment = ["XDG_RUNTIME_DIR": runtime, "DBUS_SESSION_BUS_ADDRESS": ""]
        #expect(BusAddress.session(in: { environment[$0] }) == nil)
        try Data().write(to: URL(fileURLWithPath: runtime + "/bus"))
        #expect(BusAddress.session(in: { environment[$0] }) == nil, "a plain file is no bus")
        try FileManager.default.removeItem(atPath: runtime + "/bus")
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: (runtime + "/bus").utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0)
        #expect(BusAddress.session(in: { environment[$0] }) == "unix:path=\(scratch.path("r"))%3a1/bus")
    }

    @Test(arguments: [[:], ["XDG_RUNTIME_DIR": "relative"], ["XDG_RUNTIME_DIR": "/nonexistent"]])
    func `otherwise there is none`(environment: [String: String]) {
        #expect(BusAddress.session(in: { environment[$0] }) == nil)
    }
}
