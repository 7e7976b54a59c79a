import Foundation

@testable import DoseTapStore

extension Store {
    /// The kernel's name of the thread that runs the store.
    var threadName: String {
        let text = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The kernel's id of that thread.
    var threadID: Int32? {
        let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        return link.flatMap { $0.split(separator: "/").last }.flatMap { Int32($0) }
    }
}
