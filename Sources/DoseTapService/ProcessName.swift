internal import Glibc

/// The command name of a process (proc(5), `/proc/PID/comm`); a few microseconds, no disk.
enum ProcessName {
    static func of(_ process: Int32) -> String? {
        let file = open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = read(file, &bytes, bytes.count)
        guard count > 0 else { return nil }
        let name = bytes[..<count].prefix { $0 != 0x0A }
        return String(decoding: name, as: UTF8.self)
    }
}
