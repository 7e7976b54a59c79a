package import DoseTapDomain
public import DoseTapEngine
public import DoseTapStore
internal import Glibc
internal import Logging
package import SDBus

/// The store is what the engine needs. No program has both this room and the service, where the two meet, too.
extension Store: EventStore {}

/// A store in a folder of its own that is gone afterwards: no simulation comes near the person's.
package struct ScratchStore: ~Copyable {
    /// Where it lies.
    let folder: String
    let store: Store

    /// Where a folder may be made, best first: what lies in memory is fastest, and a flush of it costs nothing.
    private static let places = ["/dev/shm", "/tmp"]

    /// - Throws: ``DoseTapDomain/StoreError``.
    package init(now: Instant, environment: [String: String]) throws {
        let places = [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"]].compactMap(\.self) + Self.places
        var made: String?
        for place in places where made == nil { made = Self.folder(in: place) }
        guard let folder = made else {
            throw StoreError(
                code: .unavailable, context: "no folder for a simulation can be made: set TMPDIR to one of your own")
        }
        let opened: Store
        do {
            opened = try Store.open(StoreConfiguration(path: folder + "/dosetap.db", surface: "simulation", now: now))
        } catch {
            Self.remove(folder)
            throw error
        }
        self.folder = folder
        store = opened
    }

    deinit { Self.remove(folder) }

    /// Programs for the steps of the alarm that call somebody; they are only ever named.
    ///
    /// - Returns: the folder they lie in.
    package func makeHooks() throws -> String {
        for event in ["alarm", "partner"] {
            let path = folder + "/hooks.d/" + event
            mkdir(folder + "/hooks.d", 0o700)
            mkdir(path, 0o700)
            let descriptor = open(path + "/10-call", O_WRONLY | O_CREAT | O_CLOEXEC, 0o700)
            guard descriptor >= 0 else {
                throw StoreError(code: .unavailable, context: "\(path): \(String(cString: strerror(errno)))")
            }
            close(descriptor)
        }
        return folder + "/hooks.d"
    }

    /// A simulation on this store.
    ///
    /// - Parameter hooks: where the person's own programs lie, which are named and not run.
    package borrowing func simulation(
        on loop: EventLoop, from start: Instant, in zone: Zone, ladder: AlarmLadder, hooks: [String]
    ) -> NightSimulation {
        let machine = SimulatedMachine(VirtualClock(start, zone: zone))
        let desktop = SimulatedDesktop(on: loop, machine, ladder: ladder, hookFolders: hooks, folder: folder)
        return NightSimulation(
            NightSimulation.Parts(
                executor: loop, machine: machine, store: store, plugins: { desktop.plugins($0, $1) },
                logger: Logger(label: "simulation") { _ in SwiftLogNoOpLogHandler() }))
    }

    private static func folder(in place: String) -> String? {
        guard place.hasPrefix("/"), place.utf8.count < 3_000 else { return nil }
        var name = Array((place + "/dosetap-simulation-XXXXXX").utf8CString)
        return name.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) }
        }
    }

    private static func remove(_ folder: String) {
        guard let entries = opendir(folder) else { return }
        while let entry = readdir(entries) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name == "." || name == ".." { continue }
            // A folder is no file: what lies in it goes first.
            if unlink(folder + "/" + name) != 0 { remove(folder + "/" + name) }
        }
        closedir(entries)
        rmdir(folder)
    }
}
