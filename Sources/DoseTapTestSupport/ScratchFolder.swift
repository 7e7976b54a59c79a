public import Foundation

/// A folder of a test's own, gone when the test is.
public final class ScratchFolder: Sendable {
    /// Where it lies.
    public let url: URL

    /// Makes it, for this user only.
    ///
    /// - Parameter inMemory: where the machine has a place in memory, for tests that are not about the disk and flush often.
    public init(inMemory: Bool = false) throws {
        let memory = URL(filePath: "/dev/shm")
        let isThere = inMemory && FileManager.default.isWritableFile(atPath: memory.path)
        let place = isThere ? memory : FileManager.default.temporaryDirectory
        url = place.appending(path: "dosetap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    public func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}
