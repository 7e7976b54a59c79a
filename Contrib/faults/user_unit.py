#!/usr/bin/env python3
"""The installed unit under a real service manager of an ordinary person, sandbox and all: started by whoever calls,
killed and back, hung and back (fault F8), the record kept through all of it, gone after uninstalling but for the data.

Root, to become somebody else; the person, the manager, the bus and the journal are its own (Tests/Support)."""

import json
import os
import pathlib
import secrets
import shutil
import signal
import subprocess
import sys
import time

import lib

MANAGER = lib.ROOT / "Tests" / "Support" / "user-manager.sh"
UNIT = "dosetapd.service"


def run(*words, **settings):
    return subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=60, **settings)


def shown(name):
    """A property of the unit."""
    return run("systemctl", "--user", "show", UNIT, "--property", name, "--value").stdout.strip()


def until(holds, limit=20):
    """Waits for a change of the manager's mind."""
    deadline = time.monotonic() + limit
    while time.monotonic() < deadline:
        if holds():
            return True
        time.sleep(0.02)
    return False


def is_up():
    return shown("ActiveState") == "active" and shown("SubState") == "running"


def status(program):
    answer = run(program, "status", "--json")
    return json.loads(answer.stdout) if answer.returncode == 0 else {"error": answer.stderr or answer.stdout}


def comes_back(verdicts, how, old, before, since):
    """After its end the service is another process with the same night."""
    back = until(lambda: is_up() and shown("MainPID") not in ("0", old))
    verdicts.check(back, f"{how}: the manager starts it again", run("systemctl", "--user", "status", UNIT).stdout)
    verdicts.say(f"{how}: back after {time.monotonic() - since:.1f} s")
    after = status(PROGRAM)
    verdicts.check(after.get("dose1_time") == before["dose1_time"], f"{how}: the night is kept", after)


def install(verdicts, binaries):
    done = run(lib.ROOT / "Contrib" / "install", "--binaries", binaries)
    verdicts.check(done.returncode == 0 and is_up(), "Contrib/install starts the service", done.stdout + done.stderr)
    verdicts.check(run("systemctl", "--user", "is-enabled", UNIT).stdout.strip() == "enabled", "it is enabled")
    limits = pathlib.Path(f"/proc/{shown('MainPID')}/status").read_text()
    verdicts.check("NoNewPrivs:\t1" in limits and "Seccomp:\t2" in limits, "it runs in its sandbox", limits)
    verdicts.check("CapEff:\t0000000000000000" in limits, "it has no capabilities", limits)


def probed(verdicts):
    """The unit's sandbox, with a program of ours in it that asks whether the clock is synchronised, tries to set it, and tries to
    reach a network."""
    clock = ("import ctypes, sys; libc = ctypes.CDLL(None, use_errno=True); state = libc.adjtimex(ctypes.create_string_buffer(512)); "
             "set = libc.settimeofday(ctypes.create_string_buffer(16), None); sys.exit(state < 0 or set == 0)")
    unit = pathlib.Path(run("systemctl", "--user", "show", "-P", "FragmentPath", UNIT).stdout.strip())
    left = ("Type=", "NotifyAccess=", "BusName=", "Exec", "Restart", "Watchdog", "Timeout")
    text = unit.read_text().split("[Service]")[1].split("[Install]")[0].replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith(("#", *left))]
    words = [word for line in lines for word in ("-p", line.replace("%h", str(pathlib.Path.home())).replace(
        "%t", os.environ["XDG_RUNTIME_DIR"]))]
    network = ("import socket, sys\nfor family in (socket.AF_INET, socket.AF_INET6):\n"
               "    try: socket.socket(family)\n    except OSError: continue\n    sys.exit(3)")
    for what, probe in (("adjtimex can be asked inside the unit, and nothing set", clock), ("no network can be reached", network)):
        answer = run("systemd-run", "--user", "--wait", "--quiet", *words, "/usr/bin/python3", "-c", probe)
        verdicts.check(answer.returncode == 0, what, answer.stderr)
    outside = run("systemd-run", "--user", "--wait", "--quiet", "/usr/bin/python3", "-c", network)
    verdicts.check(outside.returncode == 3, "outside the unit it can", outside.stderr)


def activation(verdicts):
    run("systemctl", "--user", "stop", UNIT)
    verdicts.check(shown("ActiveState") == "inactive", "it stops when told to")
    answer = run(PROGRAM, "log", "dose1", "--amount", "2.25g")
    verdicts.check(answer.returncode == 0 and is_up(), "logging a dose starts it", answer.stdout + answer.stderr)
    return status(PROGRAM)


def program(path, text):
    """A script of the person's own that only they may write to."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(0o700)


def outside(verdicts):
    """Hooks and players run as units of their own, outside the sandbox: they see the home that the service does not."""
    home = pathlib.Path.home()
    noted, played = home / "noted", home / "played"
    save = "cat /proc/self/cgroup >>{0}.new; mv {0}.new {0}\n"
    program(home / ".config/dosetap/hooks.d/dose_skipped/10-note", f"cat >{noted}.new\n" + save.format(noted))
    answer = run(PROGRAM, "skip")
    verdicts.check(answer.returncode == 0 and until(noted.exists), "a hook writes to the home", answer.stderr)
    text = noted.read_text() if noted.exists() else ""
    verdicts.check('"event":"dose_skipped"' in text and "/dosetap-hook-" in text, "it is a unit of its own", text)
    run(PROGRAM, "undo")
    settings = home / ".config/dosetap/config.yaml"
    before = settings.read_text() if settings.exists() else ""
    player = home / "bin/player"
    program(player, f'wc -c <"$1" >{played}.new\n' + save.format(played))
    settings.write_text(f"ladder:\n  player: {player}\n")
    run("systemctl", "--user", "reload", UNIT)
    answer = run(PROGRAM, "reminders", "--test", "sound")
    text = played.read_text() if played.exists() else ""
    verdicts.check(answer.returncode == 0 and "/dosetap-sound-" in text, "a player in the home plays", answer.stderr + text)
    verdicts.check(int((text.split() or ["0"])[0]) > 500_000, "the tone is handed to it", text)
    verdicts.check(finding("audio")["sentence"] == "player plays sounds", "the doctor sees it", finding("audio"))
    settings.write_text(before)
    run("systemctl", "--user", "reload", UNIT)


def finding(name):
    rows = json.loads(run(PROGRAM, "doctor", "--json").stdout)["findings"]
    return next(row for row in rows if row["id"] == name)


def heard(verdicts):
    """The person's own sound server, asked and played to from inside the sandbox; its sink is nobody's ears."""
    if run("systemctl", "--user", "start", "pulseaudio.service").returncode != 0 or not shutil.which("parec"):
        return verdicts.skip("no sound server of the person's own")
    volume = finding("volume")
    verdicts.check(volume["sentence"] == "the volume is 100 %", "the volume is known in the sandbox", volume)
    tape = pathlib.Path.home() / "tape"
    with open(tape, "wb") as tape_file:
        recorder = lib.spawn(["parec", "--device=@DEFAULT_MONITOR@", "--raw", "--format=s16le"], stdout=tape_file)
    until(lambda: tape.stat().st_size > 0)
    answer = run(PROGRAM, "reminders", "--test", "sound")
    lib.end(recorder, signal.SIGTERM)
    verdicts.check(answer.returncode == 0, "the real player plays", answer.stdout + answer.stderr)
    samples = memoryview(tape.read_bytes()[: tape.stat().st_size // 2 * 2]).cast("h")
    said = run("journalctl", "--user", "--output", "cat").stdout
    verdicts.check("DoseTap: sound" in said and "DoseTap: probe" not in said, "questions leave the journal alone")
    verdicts.check(max(samples) > 10_000, "the tone arrives at the sink", max(samples))


def waking(verdicts):
    """A window is open: the real manager sets a timer that wakes the machine, or its version is named as the reason."""
    version = int(run("systemctl", "--version").stdout.split()[1])
    timers = "dosetap-wake-*.timer"

    def said():
        return run("journalctl", "--user", "-t", "dosetapd", "--output", "cat").stdout

    def settled():
        return any(words in said() for words in ("woken for", "woken from sleep for"))

    verdicts.check(until(settled), "the journal says what became of the wake timer", said())
    if version < 254:
        verdicts.check(f"systemd {version}: wake timers need 254" in said(), "the refusal names what is missing", said())
        listed = run("systemctl", "--user", "list-timers", "--all", timers).stdout
        verdicts.check("dosetap-wake" not in listed, "no timer is left there", listed)
    wake = finding("wake")
    verdicts.check(wake["level"] != "unknown", "the doctor knows the wake timer", wake)
    verdicts.say(f"doctor: {wake['level']}: {wake['sentence']}")


def left_on_the_screen(verdicts):
    """What the desktop shows is remembered in the runtime directory, through the sandbox, and taken over after a crash."""
    if not pathlib.Path("/usr/lib/python3/dist-packages/dbusmock").exists():
        return verdicts.skip("what is left on the screen: python3-dbusmock is not here")
    heard = lib.scratch() / "heard"
    with open(heard, "w") as file:
        server = lib.spawn(["/usr/bin/python3", "-u", "-m", "dbusmock", "--session", "--template", "notification_daemon"],
                           stdout=file, stderr=subprocess.STDOUT)

    kept = pathlib.Path(os.environ["XDG_RUNTIME_DIR"]) / "dosetap/notifications.json"

    def calls():
        """The id that each replaces; 0 is a new one."""
        return [int(line.split()[3]) for line in heard.read_text().splitlines() if ' Notify "DoseTap" ' in line]

    def remembered():
        return {one["place"]: one["id"] for one in json.loads(kept.read_text())["shown"]} if kept.exists() else {}

    names = ("busctl", "--user", "--acquired", "list")
    until(lambda: "org.freedesktop.Notifications" in run(*names).stdout)
    run(PROGRAM, "undo", "--confirm", "undo_dose")
    answer = run(PROGRAM, "log", "dose1", "--ago", "155m", "--amount", "2.25g")
    verdicts.check(answer.returncode == 0 and until(calls), "an open window is shown on the desktop", answer.stderr)
    # The check-in is shown beside it in the morning.
    complete = until(lambda: "reminder" in remembered() and len(remembered()) == calls().count(0))
    verdicts.check(complete and kept.stat().st_mode & 0o777 == 0o600, "what is shown is remembered", kept)
    pid, before, shown_before = shown("MainPID"), remembered(), len(calls())
    os.kill(int(pid), signal.SIGKILL)
    until(lambda: set(before.values()) <= set(calls()[shown_before:]))
    again = calls()[shown_before:]
    verdicts.check(sorted(again) == sorted(before.values()), "after a crash it is replaced, not stacked", f"{before} {again}")
    run(PROGRAM, "undo")
    verdicts.check(until(lambda: not kept.exists()), "nothing is remembered when nothing is shown")
    lib.end(server)


def crash(verdicts, before):
    pid, since = shown("MainPID"), time.monotonic()
    os.kill(int(pid), signal.SIGKILL)
    comes_back(verdicts, "kill -9", pid, before, since)


class KeyFile:
    """The key in a file beside the settings; closed, the file is elsewhere."""

    name = "file"

    def __init__(self):
        self.folder = pathlib.Path.home() / ".config/dosetap"
        self.away = pathlib.Path.home() / "key-away"

    def is_kept(self):
        keys = list(self.folder.glob("key-*"))
        return len(keys) == 1 and keys[0].stat().st_mode & 0o777 == 0o600

    def close(self):
        self.place = next(self.folder.glob("key-*"))
        self.place.rename(self.away)

    def open(self):
        self.away.rename(self.place)

    def end(self):
        return not list(self.folder.glob("key-*"))


class KeyCredential(KeyFile):
    """The key as a credential that the manager reads from a file of the person's own."""

    name = "credential"

    def __init__(self):
        super().__init__()
        self.place = pathlib.Path.home() / "credential"
        self.place.write_text(secrets.token_hex(32))
        self.place.chmod(0o600)
        self.drop_in = pathlib.Path.home() / ".config/systemd/user" / (UNIT + ".d") / "credential.conf"
        self.drop_in.parent.mkdir(parents=True)
        self.load(self.place)

    def load(self, path):
        self.drop_in.write_text(f"[Service]\nLoadCredential=dosetap.key:{path}\n")
        run("systemctl", "--user", "daemon-reload")

    def is_kept(self):
        return not list(self.folder.glob("key-*"))

    def close(self):
        """The unit has another credential now, as after a mistake."""
        self.away.write_text(secrets.token_hex(32))
        self.load(self.away)

    def open(self):
        self.load(self.place)

    def end(self):
        """A credential is the person's and stays."""
        left = self.place.exists()
        shutil.rmtree(self.drop_in.parent)
        run("systemctl", "--user", "daemon-reload")
        return left


class KeyRing:
    """The key in a real gnome-keyring, which is locked and unlocked as a desktop does."""

    name = "keyring"
    root = "/org/freedesktop/secrets"

    def __init__(self):
        (pathlib.Path.home() / ".local/share/keyrings").mkdir(mode=0o700, exist_ok=True)
        # The bus starts a keyring without a password when a removed key is looked for.
        if (started := self.owner()) is not None:
            os.kill(started, signal.SIGTERM)
            until(lambda: self.owner() is None)
        self.daemon = lib.spawn(["gnome-keyring-daemon", "--unlock", "--components=secrets", "--foreground"],
                                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.daemon.stdin.write(b"password")
        self.daemon.stdin.close()
        until(lambda: self.call("get-property", f"{self.root}/aliases/default", "Collection", "Locked").returncode == 0)

    def owner(self):
        """The process that is the keyring; None without one."""
        name = "org.freedesktop.DBus"
        answer = run("busctl", "--user", "call", name, "/", name, "GetConnectionUnixProcessID", "s", "org.freedesktop.secrets")
        return int(answer.stdout.split()[1]) if answer.returncode == 0 else None

    def call(self, verb, path, interface, *words):
        return run("busctl", "--user", "--auto-start=no", verb, "org.freedesktop.secrets", path,
                   f"org.freedesktop.Secret.{interface}", *words)

    def is_kept(self):
        found = self.call("call", self.root, "Service", "SearchItems", "a{ss}", "1", "xdg:schema", "org.dosetap.Key")
        return found.stdout.count(f"{self.root}/collection") == 1

    def close(self):
        self.call("call", self.root, "Service", "Lock", "ao", "1", f"{self.root}/collection/login")

    def open(self):
        """By the call that a login makes, which asks nobody."""
        program = f"""if True:
            import dbus
            service = dbus.SessionBus().get_object('org.freedesktop.secrets', '{self.root}')
            _, session = service.OpenSession(
                'plain', dbus.String('', variant_level=1), dbus_interface='org.freedesktop.Secret.Service')
            secret = dbus.Struct(
                (session, dbus.ByteArray(b''), dbus.ByteArray(b'password'), 'text/plain'), signature='oayays')
            service.UnlockWithMasterPassword(
                dbus.ObjectPath('{self.root}/collection/login'), secret,
                dbus_interface='org.gnome.keyring.InternalUnsupportedGuiltRiddenInterface')"""
        run("/usr/bin/python3", "-c", program)

    def end(self):
        found = self.call("call", self.root, "Service", "SearchItems", "a{ss}", "1", "xdg:schema", "org.dosetap.Key")
        lib.end(self.daemon, signal.SIGTERM)
        return found.returncode == 0 and f"{self.root}/collection" not in found.stdout


def encrypted(verdicts, before):
    """The manager holds the key over a crash, though the place it came from is closed; a stop gives it back."""
    home = pathlib.Path.home()
    if "sqlcipher" not in run("ldd", home / ".local/bin/dosetapd").stdout:
        return verdicts.skip("the key over a crash: built with plain SQLite")
    places = [KeyFile, KeyCredential]
    if shutil.which("gnome-keyring-daemon"):
        places.append(KeyRing)
    else:
        verdicts.skip("a locked keyring: gnome-keyring is not here")
    # The key cannot be changed while a window is open.
    run(PROGRAM, "skip")
    for place in places:
        held(verdicts, before, place())
    answer = run(PROGRAM, "undo")
    verdicts.check(answer.returncode == 0, "the skip is taken back", answer.stdout + answer.stderr)


def held(verdicts, before, place):
    store = pathlib.Path.home() / ".local/share/dosetap/dosetap.db"
    where = f"key in {place.name}"
    run(PROGRAM, "config", "set", "encryption.key", place.name)
    run("systemctl", "--user", "restart", UNIT)
    answer = run(PROGRAM, "db", "encrypt", "--confirm", "encrypt")
    verdicts.check(answer.returncode == 0, f"{where}: the record is encrypted in the sandbox", answer.stdout + answer.stderr)
    verdicts.check(store.read_bytes()[:8] == b"DoseTap1", f"{where}: its file says so")
    if not verdicts.check(place.is_kept(), f"{where}: it is there and nowhere else"):
        return
    place.close()
    pid, since = shown("MainPID"), time.monotonic()
    os.kill(int(pid), signal.SIGKILL)
    comes_back(verdicts, f"{where}: kill -9 while it is locked away", pid, before, since)
    run("systemctl", "--user", "stop", UNIT)
    since = journal_place()
    run("systemctl", "--user", "start", UNIT)
    answer = run(PROGRAM, "status")
    verdicts.check(answer.returncode != 0 and "record is locked" in answer.stdout + answer.stderr,
                   f"{where}: after a stop the record is locked", answer.stdout + answer.stderr)
    verdicts.check(is_up(), f"{where}: a locked service stays up")
    said = run("journalctl", "--user", "-t", "dosetapd", "--output", "cat", "--after-cursor", since).stdout
    verdicts.check("The record is locked" in said, f"{where}: the journal says that it is locked", said[-400:])
    place.open()
    run("systemctl", "--user", "restart", UNIT)
    verdicts.check("dose1_time" in status(PROGRAM), f"{where}: with its key the record opens again", status(PROGRAM))
    answer = run(PROGRAM, "db", "decrypt", "--confirm", "decrypt")
    verdicts.check(answer.returncode == 0 and store.read_bytes()[:8] != b"DoseTap1", f"{where}: the record is decrypted",
                   answer.stdout + answer.stderr)
    verdicts.check(place.end(), f"{where}: no key that nothing needs is left")


def journal_place():
    """Where the journal ends now, for `--after-cursor`."""
    shown_last = run("journalctl", "--user", "-t", "dosetapd", "--lines", "1", "--show-cursor", "--output", "cat").stdout
    return shown_last.splitlines()[-1].split("cursor: ")[1]


def hang(verdicts, before):
    """With shorter times than the unit's own, which are minutes."""
    place = pathlib.Path.home() / ".config/systemd/user" / (UNIT + ".d")
    place.mkdir(parents=True)
    (place / "watchdog.conf").write_text("[Service]\nWatchdogSec=2s\nTimeoutAbortSec=1s\n")
    run("systemctl", "--user", "daemon-reload")
    run("systemctl", "--user", "restart", UNIT)
    verdicts.check(is_up(), "it starts with a watchdog of two seconds")
    pid = shown("MainPID")
    time.sleep(5)
    verdicts.check(shown("MainPID") == pid and shown("NRestarts") == "0", "its signs of life are in time")
    since = time.monotonic()
    os.kill(int(pid), signal.SIGSTOP)
    comes_back(verdicts, "hung", pid, before, since)
    for chosen, text in ((("--unit", UNIT), "Watchdog timeout"), (("-t", "dosetapd"), "DoseTap is ready")):
        # journald writes an entry some time after it was sent.
        for _ in range(50):
            journal = run("journalctl", "--user", *chosen, "--output", "cat").stdout
            if text in journal:
                break
            time.sleep(0.1)
        verdicts.check(text in journal, f"the journal says: {text}", journal[-400:])


def uninstall(verdicts):
    store = pathlib.Path.home() / ".local/share/dosetap/dosetap.db"
    done = run(lib.ROOT / "Contrib" / "uninstall")
    verdicts.check(done.returncode == 0, "Contrib/uninstall", done.stdout + done.stderr)
    verdicts.check(shown("ActiveState") == "inactive" and shown("LoadState") == "not-found", "the unit is gone")
    verdicts.check(not pathlib.Path(PROGRAM).exists(), "the programs are gone")
    verdicts.check(store.stat().st_size > 0, "the record stays")


def person(binaries):
    global PROGRAM
    PROGRAM = str(pathlib.Path.home() / ".local/bin/dosetap")
    verdicts = lib.Verdicts("user_unit")
    install(verdicts, binaries)
    # The undo at the end takes back an entry that was recorded minutes before.
    run(PROGRAM, "config", "set", "undo.window_seconds", "600")
    probed(verdicts)
    before = activation(verdicts)
    if verdicts.check("dose1_time" in before, "the night can be asked for", before):
        waking(verdicts)
        outside(verdicts)
        heard(verdicts)
        crash(verdicts, before)
        encrypted(verdicts, before)
        hang(verdicts, before)
        left_on_the_screen(verdicts)
    uninstall(verdicts)
    verdicts.finish()


def main():
    if "DOSETAP_FAULT_BINARIES" in os.environ:
        return person(os.environ["DOSETAP_FAULT_BINARIES"])
    arguments = lib.options(__doc__)
    # The folder has only the programs, for everyone to read. The person may not read root's folders.
    binaries = lib.scratch()
    binaries.chmod(0o755)
    given = {"dosetap": arguments.cli, "dosetapd": arguments.daemon}
    listed = run("bash", "-c", '. "$0" && printf "%s\\n" "${programs[@]##*/}"', lib.ROOT / "Contrib" / "lib" / "programs.sh")
    for name in listed.stdout.split():
        shutil.copy(given.get(name) or lib.built(name), binaries / name)
        (binaries / name).chmod(0o755)
    ended = subprocess.run(
        [MANAGER, "/usr/bin/python3", os.path.abspath(__file__)],
        env={**os.environ, "DOSETAP_FAULT_BINARIES": str(binaries)})
    if ended.returncode == 77:
        verdicts = lib.Verdicts("user_unit")
        verdicts.skip("no service manager can be run here")
        verdicts.finish()
    sys.exit(ended.returncode)


main()
