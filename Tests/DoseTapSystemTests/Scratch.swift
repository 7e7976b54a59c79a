import Foundation

/// A directory for one test, removed at its end.
final class Scratch {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "dosetap-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func write(_ name: String, _ data: Data) throws -> String {
        let file = path + "/" + name
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file))
        return file
    }

    func link(_ name: String, to target: String) throws -> String {
        try FileManager.default.createSymbolicLink(atPath: path + "/" + name, withDestinationPath: target)
        return path + "/" + name
    }
}
