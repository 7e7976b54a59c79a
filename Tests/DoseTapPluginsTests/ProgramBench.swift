import DoseTapTestSupport
import Foundation
import SDBus

@testable import DoseTapPlugins

/// A folder of scripts and a runner for them, without a service manager.
final class ProgramBench: Sendable {
    let folder: ScratchFolder
    let loop: EventLoop
    let desktop = Desktop()
    let runner: ProgramRunner

    init(on bus: Connection? = nil) async throws {
        let folder = try ScratchFolder()
        self.folder = folder
        let loop = try bus?.loop ?? EventLoop.spawn(name: "programs")
        self.loop = loop
        let desktop = desktop
        runner = ProgramRunner(
            on: loop, desktop: desktop, environment: ["PATH": folder.path("bin") + ":/usr/bin:/bin", "LANG": "C"])
        if let bus { loop.execute { desktop.connect(bus) } }
    }

    func stop() { loop.stop() }

    /// Writes a shell script into the bench's folder, and returns its path.
    func script(_ name: String, _ text: String, mode: Int = 0o700) throws -> String {
        let path = folder.path(name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try ("#!/bin/bash\n" + text + "\n").write(toFile: path, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        return path
    }

    /// The text of a file in the folder.
    func text(_ name: String) -> String { (try? String(contentsOfFile: folder.path(name), encoding: .utf8)) ?? "" }

    /// True when a process exists that is no zombie.
    static func isAlive(_ word: String) -> Bool {
        guard let id = pid_t(word.trimmingCharacters(in: .whitespacesAndNewlines)), kill(id, 0) == 0 else {
            return false
        }
        let status = (try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8)) ?? ""
        return !(status.split(separator: ")").last ?? "").hasPrefix(" Z")
    }

    /// True when a killed process is gone. The kernel needs a moment for it.
    static func isGone(_ word: String) -> Bool {
        for _ in 0..<500 where isAlive(word) { poll(nil, 0, 10) }
        return !isAlive(word)
    }
}
