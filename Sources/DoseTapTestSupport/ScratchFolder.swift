public import Foundation

/// A folder of a test's own, gone when the test is.
public final class ScratchFolder: Sendable {
    /// Where it lies.
    public let url: URL

    /// Makes it, for this user only.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "dosetap-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// The path of a file in it.
    public func path(_ name: String) -> String { url.appending(path: name).path(percentEncoded: false) }
}
