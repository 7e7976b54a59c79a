import DoseTapTestSupport
import Foundation
import Testing

@Suite final class InstallTests {
    private let home = NSTemporaryDirectory() + "install-" + UUID().uuidString
    private let manager = FileManager.default

    init() throws {
        try manager.createDirectory(atPath: home + "/built", withIntermediateDirectories: true)
        for program in ["dosetap", "dosetapd", "dosetap-simulate", "dosetap-exchange", "dosetap-web"] {
            try Data("#!/bin/sh\n".utf8).write(to: URL(fileURLWithPath: home + "/built/" + program))
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home + "/built/" + program)
        }
    }

    deinit { try? manager.removeItem(atPath: home) }

    private func run(_ script: String, _ arguments: [String] = [], _ extra: [String: String] = [:]) throws
        -> Command.Outcome
    {
        // Without a runtime directory the script cannot reach the service manager of the person who runs the tests.
        let environment = ["HOME": home, "PATH": "/usr/bin:/bin"].merging(extra) { _, new in new }
        return try Command.run([Project.path("Contrib/" + script)] + arguments, environment: environment)
    }

    private func files() throws -> [String] {
        let walker = try #require(manager.enumerator(atPath: home))
        return walker.compactMap { $0 as? String }.filter {
            var isDirectory = ObjCBool(false)
            return manager.fileExists(atPath: home + "/" + $0, isDirectory: &isDirectory) && !isDirectory.boolValue
                && !$0.hasPrefix("built/")
        }.sorted()
    }

    private let installed = [
        ".config/dosetap/config.yaml", ".local/bin/dosetap", ".local/bin/dosetapd",
        ".local/libexec/dosetap/dosetap-exchange", ".local/libexec/dosetap/dosetap-simulate",
        ".local/libexec/dosetap/dosetap-web",
        ".local/share/applications/org.dosetap.DoseTap.desktop",
        ".local/share/bash-completion/completions/dosetap",
        ".local/share/dbus-1/interfaces/org.dosetap.DoseTap1.xml",
        ".local/share/dbus-1/services/org.dosetap.DoseTap1.service",
        ".local/share/fish/vendor_completions.d/dosetap.fish", ".local/share/man/man1/dosetap.1",
        ".local/share/man/man5/dosetap-config.5", ".local/share/man/man5/org.dosetap.DoseTap1.5",
        ".local/share/man/man8/dosetapd.8", ".local/share/systemd/user/dosetapd.service",
        ".local/share/zsh/site-functions/_dosetap",
    ]

    @Test func `install puts everything in its place and uninstall leaves data and settings`() throws {
        let first = try run("install", ["--binaries", home + "/built"])
        #expect(first.status == 0, "\(first.errors)")
        #expect(try files() == installed)
        #expect(first.text.contains("systemctl --user enable --now dosetapd.service"))
        #expect(first.text.contains("journalctl --update-catalog"))
        let unit = try String(contentsOfFile: home + "/.local/share/systemd/user/dosetapd.service", encoding: .utf8)
        #expect(unit.contains("\nExecStart=\(home)/.local/bin/dosetapd\n"))
        #expect(unit.contains("\nBindReadOnlyPaths=\(home)/.local/bin/dosetapd\n"))
        #expect(unit.contains("\nBindPaths=\(home)/.local/share/dosetap\n"))
        for (name, mode) in [(".local/share/dosetap", 0o700), (".config/dosetap", 0o700), (installed[0], 0o600)] {
            #expect(try manager.attributesOfItem(atPath: home + "/" + name)[.posixPermissions] as? Int == mode)
        }

        try Data("mine".utf8).write(to: URL(fileURLWithPath: home + "/.local/share/dosetap/dosetap.db"))
        try Data("# mine".utf8).write(to: URL(fileURLWithPath: home + "/" + installed[0]))
        let second = try run("install", ["--binaries", home + "/built"])
        #expect(second.status == 0)
        #expect(!second.text.contains("installed "), "nothing is written twice: \(second.text)")
        #expect(try String(contentsOfFile: home + "/" + installed[0], encoding: .utf8) == "# mine")

        let gone = try run("uninstall")
        #expect(gone.status == 0, "\(gone.errors)")
        #expect(try files() == [".config/dosetap/config.yaml", ".local/share/dosetap/dosetap.db"])
        #expect(gone.text.contains("kept \(home)/.local/share/dosetap"))
        #expect(gone.text.contains("kept \(home)/.config/dosetap"))
        #expect(try run("uninstall").status == 0)
    }

    @Test func `a dry run writes nothing and says what it would do`() throws {
        let outcome = try run("install", ["--dry-run", "--binaries", home + "/built"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(try files() == [])
        for name in installed { #expect(outcome.text.contains("would write: \(home)/\(name)")) }
        let unbuilt = try run("install", ["--dry-run"])
        #expect(unbuilt.status == 0 && unbuilt.text.contains("would run: swift build"))
        #expect(try run("install", ["--binaries", home + "/built"]).status == 0)
        #expect(try run("uninstall", ["--dry-run"]).status == 0)
        #expect(try files() == installed)
    }

    @Test func `prefix and XDG directories are honoured`() throws {
        let extra = ["XDG_DATA_HOME": home + "/d", "XDG_CONFIG_HOME": home + "/c/"]
        let outcome = try run("install", ["--binaries", home + "/built", "--prefix", home + "/p"], extra)
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(
            try files() == [
                "c/dosetap/config.yaml", "d/applications/org.dosetap.DoseTap.desktop",
                "d/bash-completion/completions/dosetap",
                "d/dbus-1/interfaces/org.dosetap.DoseTap1.xml", "d/dbus-1/services/org.dosetap.DoseTap1.service",
                "d/fish/vendor_completions.d/dosetap.fish",
                "d/man/man1/dosetap.1", "d/man/man5/dosetap-config.5", "d/man/man5/org.dosetap.DoseTap1.5",
                "d/man/man8/dosetapd.8", "d/systemd/user/dosetapd.service", "d/zsh/site-functions/_dosetap",
                "p/bin/dosetap", "p/bin/dosetapd", "p/libexec/dosetap/dosetap-exchange",
                "p/libexec/dosetap/dosetap-simulate", "p/libexec/dosetap/dosetap-web",
            ])
        let unit = try String(contentsOfFile: home + "/d/systemd/user/dosetapd.service", encoding: .utf8)
        #expect(unit.contains("\nBindPaths=\(home)/d/dosetap\n"))
        #expect(unit.contains("\nBindPaths=\(home)/c/dosetap\n"))
        #expect(unit.contains("Environment=XDG_DATA_HOME=\(home)/d XDG_CONFIG_HOME=\(home)/c\n"))
    }

    @Test(arguments: [["--wat"], ["--prefix"], ["--prefix", "/a b"], ["--binaries", "/nonexistent"]])
    func `wrong arguments change nothing`(arguments: [String]) throws {
        let outcome = try run("install", arguments)
        #expect(outcome.status == 64)
        #expect(try files() == [])
    }

    /// A folder with links to the commands that the script calls, without the missing ones, and with stand-ins.
    private func commands(without missing: Set<String> = [], _ standIns: [String: String] = [:]) throws -> String {
        let folder = home + "/built/commands"
        try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let used = [
            "bash", "env", "id", "dirname", "getconf", "cat", "chmod", "cmp", "cp", "df", "grep", "mkdir", "mktemp",
            "mv", "rm", "rmdir", "sed", "stat", "systemctl", "tail",
        ]
        for name in used where !missing.contains(name) && standIns[name] == nil {
            try manager.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: "/usr/bin/" + name)
        }
        for (name, text) in standIns {
            try Data("#!/bin/bash\n\(text)\n".utf8).write(to: URL(fileURLWithPath: folder + "/" + name))
            try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder + "/" + name)
        }
        return folder
    }

    @Test func `a machine that lacks what the programs need is told so before anything is made`() throws {
        let unbuilt = try run("install", [], ["PATH": commands()])
        #expect(unbuilt.status == 69 && unbuilt.errors.contains("swift is not in your PATH"), "\(unbuilt)")
        #expect(try files() == [])
        try manager.removeItem(atPath: home + "/built/commands")
        let musl = try commands(["getconf": "echo 'getconf: GNU_LIBC_VERSION: unknown variable' >&2; exit 1"])
        let other = try run("install", ["--binaries", home + "/built"], ["PATH": musl])
        #expect(other.status == 69 && other.errors.contains("musl"), "\(other)")
        #expect(try files() == [])
    }

    @Test func `a home that is no folder is refused`() throws {
        for place in [home + "/nowhere", home + "/built/dosetap"] {
            let outcome = try run("install", ["--binaries", home + "/built"], ["HOME": place])
            #expect(outcome.status == 64 && outcome.errors.contains("HOME is \(place)"), "\(outcome)")
        }
        #expect(try files() == [])
        try Data().write(to: URL(fileURLWithPath: home + "/.local"))
        let blocked = try run("install", ["--binaries", home + "/built"])
        #expect(blocked.status == 73 && blocked.errors.contains("\(home)/.local is no folder"), "\(blocked)")
        #expect(try files() == [".local"])
    }

    @Test func `without systemd it says how the service is started`() throws {
        let outcome = try run("install", ["--binaries", home + "/built"], ["PATH": commands(without: ["systemctl"])])
        #expect(outcome.status == 0 && outcome.text.contains("no systemd"), "\(outcome)")
        #expect(outcome.text.contains("\n    \(home)/.local/bin/dosetapd\n"))
        #expect(try files() == installed)
    }

    @Test(arguments: [
        ("", true), ("before_window", false), ("active", false), ("near_close", false), ("closed", true),
        ("completed", true), ("no_dose1", true),
    ])
    func `while dose 2 is open the service is not started anew`(phase: String, restarts: Bool) throws {
        let isActive = phase.isEmpty ? "exit 3" : "exit 0"
        let path = try commands([
            "systemctl": #"echo "$*" >>"$HOME/asked"; case $2 in is-active) \#(isActive) ;; esac"#
        ])
        try Data("#!/bin/sh\necho \(phase)\n".utf8).write(to: URL(fileURLWithPath: home + "/built/dosetap"))
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home + "/built/dosetap")
        let outcome = try run("install", ["--binaries", home + "/built"], ["PATH": path])
        #expect(outcome.status == 0, "\(outcome)")
        let asked = try String(contentsOfFile: home + "/asked", encoding: .utf8)
        #expect(asked.contains("--user restart dosetapd.service\n") == restarts, "\(asked)")
        #expect(outcome.text.contains("Dose 2 is open") != restarts, "\(outcome.text)")
    }

    @Test(arguments: ["before_window", "active", "near_close", "closed"])
    func `while dose 2 is open nothing is uninstalled, unless it is asked for twice`(phase: String) throws {
        let unit = home + "/.local/share/systemd/user/dosetapd.service"
        let path = try commands([
            "systemctl": #"echo "$*" >>"$HOME/asked"; case $2 in show) echo \#(unit) ;; esac"#
        ])
        try Data("#!/bin/sh\necho \(phase)\n".utf8).write(to: URL(fileURLWithPath: home + "/built/dosetap"))
        try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: home + "/built/dosetap")
        #expect(try run("install", ["--binaries", home + "/built"]).status == 0)
        let outcome = try run("uninstall", [], ["PATH": path])
        let isRemoved = phase == "closed"
        #expect(outcome.status == (isRemoved ? 0 : 75) && manager.fileExists(atPath: unit) != isRemoved, "\(outcome)")
        #expect(outcome.errors.contains("Dose 2 is open") != isRemoved)
        #expect(try run("uninstall", ["--force"], ["PATH": path]).status == 0)
        #expect(!manager.fileExists(atPath: unit))
    }

    @Test func `plain SQLite does not take the place of the programs that open an encrypted record`() throws {
        let record = home + "/.local/share/dosetap"
        try manager.createDirectory(atPath: record, withIntermediateDirectories: true)
        try Data("DoseTap1 and more".utf8).write(to: URL(fileURLWithPath: record + "/dosetap.db"))
        let outcome = try run("install")
        #expect(outcome.status == 65 && outcome.errors.contains("--sqlcipher"), "\(outcome)")
        #expect(!manager.fileExists(atPath: home + "/.local/bin"))
    }

    @Test func `a second dosetap in the PATH is named, and the installed one is not`() throws {
        let first = try run("install", ["--binaries", home + "/built"])
        #expect(first.status == 0 && !first.text.contains("second dosetap"), "\(first)")
        let path = home + "/.local/bin:" + (try commands(["dosetap": "exit 0"]))
        let second = try run("install", ["--binaries", home + "/built"], ["PATH": path])
        #expect(second.status == 0, "\(second)")
        #expect(second.text.contains("A second dosetap is at \(home)/built/commands/dosetap."), "\(second)")
        #expect(!second.text.contains("is at \(home)/.local/bin/dosetap"))
    }

    @Test func `root is told that it installs for root alone`() throws {
        for (number, told) in [(0, true), (1000, false)] {
            try? manager.removeItem(atPath: home + "/built/commands")
            let path = try commands(["id": "echo \(number)"])
            let outcome = try run("install", ["--binaries", home + "/built"], ["PATH": path])
            #expect(outcome.status == 0 && outcome.errors.contains("for root alone") == told, "\(outcome)")
        }
    }

    /// Installs with a file system that `mount` mounts. The mount ends with the script.
    private func runMounted(_ mount: String, _ arguments: String = "", then: String = "") throws -> Command.Outcome {
        let script = """
            mount --make-rprivate / && \(mount) && env -i HOME='\(home)' PATH=/usr/bin:/bin \
            '\(Project.path("Contrib/install"))' --binaries '\(home)/built' \(arguments); \
            status=$?; \(then.isEmpty ? "true" : then); exit $status
            """
        return try Command.run(["unshare", "--mount", "sh", "-c", script])
    }

    @Test(.enabled(if: geteuid() == 0, "needs root for a mount: run Contrib/test"))
    func `a place that cannot be written is told before anything is made`() throws {
        let readOnly = "mount --bind '\(home)' '\(home)' && mount -o remount,ro,bind '\(home)'"
        let outcome = try runMounted(readOnly)
        #expect(outcome.status == 73, "\(outcome)")
        #expect(outcome.errors.contains("\(home) cannot be written. Nothing was installed."), "\(outcome)")
        #expect(try files() == [])
        // The programs could be written, but the unit and the settings could not.
        let elsewhere = try runMounted(readOnly, "--prefix /tmp/dosetap-\(UUID().uuidString)")
        #expect(elsewhere.status == 73 && elsewhere.errors.contains("Nothing was installed"), "\(elsewhere)")
        #expect(!elsewhere.text.contains("installed "))
    }

    @Test(.enabled(if: geteuid() == 0, "needs root for a mount: run Contrib/test"))
    func `a full disk is told before the first program, and leaves the old one and no half file`() throws {
        #expect(try run("install", ["--binaries", home + "/built"]).status == 0)
        try manager.createDirectory(atPath: home + "/p", withIntermediateDirectories: false)
        // The new version has 8 MB, more than the free space.
        try Data(("#!/bin/sh\n#" + String(repeating: "x", count: 8 << 20)).utf8).write(
            to: URL(fileURLWithPath: home + "/built/dosetapd"))
        let old = "mkdir '\(home)/p/bin' && cp '\(home)/.local/bin/dosetapd' '\(home)/p/bin'"
        let full = try runMounted(
            "mount -t tmpfs -o size=4m none '\(home)/p' && \(old)", "--prefix '\(home)/p'",
            then: "find '\(home)/p' -type f -printf '%P %s\\n'")
        #expect(full.status == 73 && full.errors.contains("too full: 10 MB are needed"), "\(full)")
        #expect(full.text == "bin/dosetapd 10\n")
        // The disk fills during the write, although df reported enough space.
        let path = try commands(["df": "echo Avail; echo 99999999999"])
        let filled = try runMounted(
            "mount -t tmpfs -o size=4m none '\(home)/p' && \(old) && mount --bind \(path)/df /usr/bin/df",
            "--prefix '\(home)/p'", then: "find '\(home)/p' -type f -name 'dosetapd*' -printf '%P %s\\n'")
        #expect(filled.status == 73 && filled.errors.contains("\(home)/p/bin/dosetapd cannot be written"), "\(filled)")
        #expect(filled.text.hasSuffix("\nbin/dosetapd 10\n"), "\(filled)")
    }

    @Test func `the list of the programs is that of the package`() throws {
        let listed = try Command.check([
            "/bin/bash", "-c", ". \(Project.path("Contrib/lib/programs.sh")); printf '%s\n' ${programs[@]}",
        ]).text.split(separator: "\n")
        let manifest = try String(contentsOfFile: Project.path("Package.swift"), encoding: .utf8)
        let made = manifest.matches(of: /\.executable\(name: "([^"]+)"/).map { String($0.output.1) }
        #expect(Set(listed.compactMap { $0.split(separator: "/").last.map(String.init) }) == Set(made))
        #expect(listed.count == made.count && listed.count > 2)
        #expect(listed.allSatisfy { $0.hasPrefix("bin/") || $0.hasPrefix("libexec/dosetap/") })
    }

    /// The person uses zsh with Debian's defaults.
    @Test(.enabled(if: access("/usr/bin/zsh", X_OK) == 0, "zsh is not installed"))
    func `the line install names makes zsh complete dosetap`() throws {
        try Data("#!/bin/sh\necho '#compdef dosetap'\n".utf8).write(to: URL(fileURLWithPath: home + "/built/dosetap"))
        func completes() throws -> Bool {
            let environment = ["HOME": home, "PATH": "/usr/bin:/bin", "TERM": "dumb"]
            let asked = try Command.run(["zsh", "-ic", "print -r -- ${_comps[dosetap]}"], environment: environment)
            return asked.text.hasSuffix("_dosetap\n")
        }
        func start(_ lines: String) throws {
            try Data((lines + "\nautoload -Uz compinit; compinit -D -u\n").utf8).write(
                to: URL(fileURLWithPath: home + "/.zshrc"))
        }
        try start("")
        let told = try run("install", ["--binaries", home + "/built"])
        let line = try #require(told.text.split(separator: "\n").first { $0.contains("fpath=(") })
        #expect(try !completes())
        try start(String(line))
        #expect(try completes())
        #expect(try !run("install", ["--binaries", home + "/built"]).text.contains("fpath"))
    }

    /// apt itself waits for one of its locks only.
    @Test(.enabled(if: getuid() == 0 && access("/usr/bin/apt-get", X_OK) == 0, "needs root and apt"))
    func `packages are installed while another program holds the locks of apt`() throws {
        let outcome = try Command.run(
            [Project.path("Tests/Support/apt-lock.sh")], environment: ["PATH": "/usr/bin:/bin:/usr/sbin:/sbin"])
        #expect(outcome.status == 0 && outcome.text.hasSuffix("installed\n"), "\(outcome.text)\(outcome.errors)")
        #expect(outcome.errors.contains("Waiting for apt: Could not get lock /var/lib/apt/lists/lock"))
    }

    @Test func `a release program has to be position independent`() throws {
        let scratch = home + "/elf"
        func asked(_ type: UInt8) throws -> Int32 {
            try Data([0x7F, 0x45, 0x4C, 0x46] + Array(repeating: 0, count: 12) + [type, 0]).write(
                to: URL(fileURLWithPath: scratch))
            return try Command.run(
                ["/bin/bash", "-c", ". \(Project.path("Contrib/lib/release.sh")); is_position_independent \(scratch)"],
                environment: ["PATH": "/usr/bin:/bin"]
            ).status
        }
        #expect(try asked(3) == 0)
        #expect(try asked(2) == 1)
        let manifest = try String(contentsOfFile: Project.path("Package.swift"), encoding: .utf8)
        #expect(!manifest.contains("no-pie") && manifest.contains("pack-relative-relocs"))
    }
}
