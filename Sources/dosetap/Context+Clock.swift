internal import DoseTapContract
internal import DoseTapDomain
internal import DoseTapSystem
internal import Glibc

/// How clock times are shown: by the setting `display.clock`, else by the locale.
extension Context {
    private static let setting = "display.clock"

    /// How the person reads a clock.
    var clockStyle: ClockStyle {
        if let style = Self.ofEnvironment ?? askedClock.known ?? nil { return style }
        // As the C library looks for it; an empty variable counts as none.
        let name = Settings.value("LC_ALL") ?? Settings.value("LC_TIME") ?? Settings.value("LANG")
        return name.map(ClockStyle.init(locale:)) ?? .hours24
    }

    /// Asks the service for the setting where a file may hold it: nobody else pays for the call.
    func askClock(_ client: Client) async {
        guard !json, Self.ofEnvironment == nil, askedClock.known == nil, Self.mayBeSet else { return }
        let rows = try? await client.config()
        let row = rows?.first { $0["key"]?.stringValue == Self.setting }
        let style = row?["value"]?.stringValue.flatMap(ClockStyle.init(rawValue:))
        _ = askedClock.value { style }
    }

    private static var ofEnvironment: ClockStyle? {
        Settings.value("DOSETAP_DISPLAY_CLOCK").flatMap(ClockStyle.init(rawValue:))
    }

    private static var mayBeSet: Bool {
        let folder = Settings.value("XDG_CONFIG_HOME") ?? Settings.value("HOME").map { $0 + "/.config" }
        let files = ["/etc/dosetap/config.yaml"] + (folder.map { [$0 + "/dosetap/config.yaml"] } ?? [])
        return files.contains(where: mentions)
    }

    /// Whether a line of a settings file that is no comment has the word `display`. What is longer than settings can be
    /// is taken to have it.
    private static func mentions(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var text = [CChar](repeating: 0, count: 65_537)
        let count = read(descriptor, &text, text.count - 1)
        guard count < text.count - 1 else { return true }
        return text.withUnsafeBufferPointer { text in
            guard let start = text.baseAddress else { return false }
            var next = strstr(start, "display")
            while let found = next {
                var line = UnsafePointer(found)
                while line > start, line[-1] != newline { line -= 1 }
                if line[strspn(line, " \t")] != hash { return true }
                next = strstr(found + 1, "display")
            }
            return false
        }
    }

    private static let newline = CChar(UInt8(ascii: "\n"))
    private static let hash = CChar(UInt8(ascii: "#"))
}
