"""Ways to change the whole record, and what may be found after a power cut in each."""

import contextlib
import json
import os
import pathlib
import shutil
import sqlite3

import lib
import record
from wire import Variant

DATA = lib.NAME + ".Data"
FIXTURES = lib.ROOT / "Tests/DoseTapStoreTests/Fixtures"
SECRET = "planted secret"
EVENING = lib.microseconds(-12_000)
STORE = "data/dosetap.db"


def data(connection, member, kinds="a{sv}", arguments=({},), **more):
    return connection.call(lib.NAME, lib.PATH, DATA, member, kinds, arguments, timeout=120, **more)


def log(root, name=STORE):
    """A log by its file; an encrypted one with each of the keys that are there."""
    root = pathlib.Path(root)
    return record.Log(root / name, lib.keys(root / "config"))


def is_encrypted(path):
    return path.exists() and record.is_encrypted(path)


def hashes(found):
    return [row["hash"] for row in found.rows]


class Change:
    """One way to change the whole record. What a subclass says of a folder is nothing, or what is wrong with it."""

    name = "?"

    def prepare(self, world, root):
        """Fills the folder; by default with a night and an entry after it."""
        with world.running(root) as connection:
            self.doses = [lib.act(connection, "LogDose1", key="a", at=EVENING, note=SECRET)["event_id"]]
            self.doses.append(lib.act(connection, "SkipDose2", key="b")["event_id"])

    def take(self, world, connection):
        """Does it; it is acknowledged when this returns."""

    def look(self, root):
        """Takes notes of the folder as it is before; and of that after it."""
        return hashes(log(root))

    def judge(self, root, is_done):
        """Of a folder the service has opened and left."""
        found = log(root)
        if found.faults:
            return "damaged: " + found.faults[0]
        if not set(self.doses) <= found.ids:
            return "lost: an acknowledged event"
        return self.compare(root, hashes(found), is_done)

    def compare(self, root, present, is_done):
        return None if present[: len(self.before)] == self.before else "half: not the record of before"


class Migration(Change):
    """The start itself changes the record."""

    def __init__(self, version):
        self.version, self.name = version, f"migration from {version}"

    def prepare(self, world, root):
        (root / "data").mkdir(mode=0o700)
        shutil.copyfile(FIXTURES / f"v{self.version}.db", root / STORE)
        os.chmod(root / STORE, 0o600)
        with opened(FIXTURES / f"v{self.version}.db") as database:
            self.schema = schema(database)
            self.doses = [row[0] for row in database.execute("SELECT id FROM events ORDER BY seq")]
            self.hashes = [row[0] for row in database.execute("SELECT hash FROM events ORDER BY seq")]

    def look(self, root):
        return self.hashes

    def at_once(self, root, copy):
        """The file itself, before the service has opened it, has the one schema or the other."""
        for suffix in ("", "-wal"):
            if (root / (STORE + suffix)).exists():
                shutil.copyfile(root / (STORE + suffix), f"{copy}{suffix}")
        database = sqlite3.connect(copy)
        try:
            found = schema(database)
            return None if found in (self.schema, self.latest) else f"half: a schema between, version {found[0]}"
        except sqlite3.DatabaseError as error:
            return f"damaged: {error}"
        finally:
            database.close()

    def finish(self, root):
        with opened(root / STORE) as database:
            self.latest = schema(database)

    def compare(self, root, present, is_done):
        with opened(root / STORE) as database:
            if schema(database) != self.latest:
                return "half: it was not brought up"
        for file in (root / "data/backups").glob("*.db"):
            with opened(file) as database:
                if schema(database) != self.schema or database.execute("PRAGMA integrity_check").fetchone() != ("ok",):
                    return "damaged: the backup before it"
                if [row[0] for row in database.execute("SELECT hash FROM events ORDER BY seq")] != self.hashes:
                    return "lost: an event of the backup before it"
        return super().compare(root, present, is_done)


def opened(path):
    return contextlib.closing(sqlite3.connect(path))


def schema(database):
    return (database.execute("PRAGMA user_version").fetchone()[0],
            sorted(database.execute("SELECT type, name, sql FROM sqlite_schema").fetchall(), key=repr))


class Backup(Change):
    name = "backup"

    def take(self, world, connection):
        data(connection, "BackUpHere")

    def compare(self, root, present, is_done):
        made = [path for path in (root / "data").glob("backups/*.db")]
        if is_done and not made:
            return "lost: the backup that was told"
        return super().compare(root, present, is_done)


class Restore(Change):
    name = "restore"

    def prepare(self, world, root):
        super().prepare(world, root)
        self.file = lib.scratch(memory=True) / "backup.db"
        with world.running(root) as connection:
            with open(self.file, "w+b") as file:
                data(connection, "Backup", "ha{sv}", (0, {}), fds=(file.fileno(),))
            receipt = connection.call(lib.NAME, lib.PATH, lib.NAME + ".Diary", "LogSleepEvent", "sa{sv}",
                                      ("bathroom", lib.variants({"key": "c"})))
            self.doses.append(receipt["event_id"])

    def take(self, world, connection):
        with open(self.file, "rb") as file:
            data(connection, "Restore", "ha{sv}", (0, {"confirm": Variant("as", ["restore", "window_unresolved"])}),
                 fds=(file.fileno(),))

    def compare(self, root, present, is_done):
        kept = [name for name in os.listdir(root / "data") if ".replaced-" in name and name.endswith("Z")]
        if present[: len(self.after)] == self.after:
            if len(kept) != 1 or hashes(log(root, "data/" + kept[0]))[: len(self.before)] != self.before:
                return f"half: the replaced record is not kept: {kept}"
            return None
        if is_done:
            return "lost: the restored record"
        if kept:
            return f"half: nothing was restored, and kept is {kept}"
        return super().compare(root, present, is_done)


class LogImport(Change):
    """Of an exported log: into no record, or into one that the log goes on from."""

    def __init__(self, extends):
        self.extends, self.name = extends, "a log that goes on" if extends else "a log into no record"

    def prepare(self, world, root):
        other = lib.scratch(memory=True) / "root"
        other.mkdir(mode=0o700)
        (root / "data").mkdir(mode=0o700)
        with world.running(other) as connection:
            lib.act(connection, "LogDose1", key="a", at=EVENING, note=SECRET)
            # A log is not taken in while the window is open.
            lib.act(connection, "SkipDose2", key="b")
            self.file = self.export(connection, other)
        if self.extends:
            with world.running(root) as connection:
                self.take(world, connection)
        with world.running(other) as connection:
            for word in ("bathroom", "water", "snack", "anxiety", "dream", "noise", "pain", "temperature"):
                connection.call(lib.NAME, lib.PATH, lib.NAME + ".Diary", "LogSleepEvent", "sa{sv}",
                                (word, lib.variants({"key": word, "note": "n" * 1_000})))
            self.file = self.export(connection, other)

    @staticmethod
    def export(connection, other):
        path = other.parent / "log.jsonl"
        with open(path, "w+b") as file:
            data(connection, "Export", "sha{sv}", ("log", 0, {}), fds=(file.fileno(),))
        return path

    def take(self, world, connection):
        with open(self.file, "rb") as file:
            data(connection, "Import", "ha{sv}", (0, {"source": Variant("s", "log")}), fds=(file.fileno(),))

    def look(self, root):
        return hashes(log(root)) if (root / STORE).exists() else []

    def judge(self, root, is_done):
        if (root / STORE).exists() and (found := log(root)).faults:
            return "damaged: " + found.faults[0]
        present = self.look(root)
        if present[: len(self.after)] == self.after:
            return None
        if is_done:
            return "lost: the log that was taken in"
        if set(present) & set(self.after[len(self.before):]):
            return "half: a part of the log"
        return self.compare(root, present, is_done)


class FileImport(Change):
    """Of the sleeps that another program recorded, and the taking back of them."""

    TYPES = ("sleep_recorded", "import_recorded", "action_undone")
    SLEEPS = 20

    def __init__(self, is_taken_back):
        self.is_taken_back, self.name = is_taken_back, "an import taken back" if is_taken_back else "import of a file"

    def prepare(self, world, root):
        super().prepare(world, root)
        self.file = lib.scratch(memory=True) / "lines"
        self.file.write_text("".join(json.dumps(line) + "\n" for line in self.lines()))
        if self.is_taken_back:
            with world.running(root) as connection:
                self.id = self.send(connection)["import_id"]

    @classmethod
    def lines(cls):
        """What the filter makes of a file."""
        yield {"format": "dosetap-import", "version": 1, "source": "plees", "notes": []}
        for day in range(cls.SLEEPS):
            start, end = f"2025-01-{day + 5:02}T23:00:00.000Z", f"2025-01-{day + 6:02}T07:00:00.000Z"
            yield {"kind": "sleep_record", "row": f"line {day + 2}", "id": str(day), "device": "Plees Tracker", "start": start,
                   "end": end, "part": "unknown", "grade": "told", "stages": [["asleep", start, end]]}
        yield {"kind": "end", "records": cls.SLEEPS, "not_taken": 0}

    def send(self, connection):
        with open(self.file, "rb") as file:
            return data(connection, "Import", "ha{sv}", (0, {}), fds=(file.fileno(),))

    def take(self, world, connection):
        if self.is_taken_back:
            data(connection, "TakeBackImport", "sa{sv}", (self.id, {}))
        else:
            self.send(connection)

    def look(self, root):
        return [row["hash"] for row in log(root).rows if row["type"] in self.TYPES]

    def compare(self, root, present, is_done):
        found = self.look(root)
        if found == self.after:
            return None
        if is_done:
            return "lost: what the answer told"
        return None if found == self.before else f"half: {len(found)} entries of the import"


class Repair(Change):
    """Of a record whose first page is overwritten, with a fresh log beside it."""

    name = "repair"

    def prepare(self, world, root):
        with world.running(root) as connection:
            self.doses = [lib.act(connection, "LogDose1", key="a", at=EVENING)["event_id"]]
        lib.overwrite(root / STORE)
        with world.running(root) as connection:
            self.doses.append(lib.act(connection, "LogDose2", key="b")["event_id"])
        self.damaged = (root / STORE).read_bytes()

    def take(self, world, connection):
        data(connection, "Repair", arguments=({"replace": Variant("b", True)},))

    def look(self, root):
        return None

    def judge(self, root, is_done):
        kept = [path for path in (root / "data").iterdir()
                if ".damaged-" in path.name and path.name.rsplit("-", 1)[1].isdigit()]
        if not (root / "data/dosetap.db.beside").exists():
            if len(kept) != 1 or kept[0].read_bytes() != self.damaged:
                return f"half: the damaged file is not kept: {kept}"
            found = log(root)
            if found.faults:
                return "damaged: " + found.faults[0]
            return None if set(self.doses) <= found.ids else "lost: an acknowledged event"
        if is_done:
            return "lost: the repaired record"
        if kept or (root / STORE).read_bytes() != self.damaged:
            return f"half: the damaged record is not as it was, and kept is {kept}"
        found = log(root, "data/dosetap.db.beside")
        if found.faults:
            return "damaged: beside it, " + found.faults[0]
        return None if set(self.doses[1:]) <= found.ids else "lost: an event of the fresh log"


class KeyChange(Change):
    def __init__(self, member, begins_encrypted):
        self.member, self.name, self.begins_encrypted = member, member.lower(), begins_encrypted

    def prepare(self, world, root):
        super().prepare(world, root)
        if self.begins_encrypted:
            with world.running(root) as connection:
                data(connection, "Encrypt")
        self.old = (root / STORE).read_bytes()[:16]

    def take(self, world, connection):
        data(connection, self.member)

    def compare(self, root, present, is_done):
        if is_done and (root / STORE).read_bytes()[:16] == self.old:
            return "lost: the change of the key"
        if is_encrypted(root / STORE):
            plain = lib.files_with(root / "data", SECRET)
            if plain:
                return f"half: plain text lies beside the encrypted record: {plain}"
        return super().compare(root, present, is_done)


class Wipe(Change):
    def __init__(self, is_encrypted):
        self.is_encrypted, self.name = is_encrypted, "wipe of an encrypted record" if is_encrypted else "wipe"

    def prepare(self, world, root):
        super().prepare(world, root)
        with world.running(root) as connection:
            if self.is_encrypted:
                data(connection, "Encrypt")
            data(connection, "BackUpHere")

    def take(self, world, connection):
        data(connection, "Wipe", arguments=({"confirm": Variant("as", ["wipe", "window_unresolved"]),
                                             "backups": Variant("b", True)},))

    def judge(self, root, is_done):
        left = sorted(str(path.relative_to(root / "data")) for path in (root / "data").rglob("*")
                      if path.is_file() and not path.name.endswith(".lease"))
        if not left:
            keys = [path.name for path in (root / "config").rglob("key-*")]
            return f"half: of a deleted record there is {keys}" if keys else None
        if is_done:
            return f"half: after a deletion that was told there is {left}"
        if not any(name.startswith("backups/") and name.endswith(".db") for name in left):
            return f"half: of a record with a backup there is {left}"
        return super().judge(root, is_done)


def every(with_cipher, is_long):
    """Those that a build can do."""
    if with_cipher:
        return [KeyChange("Encrypt", False), KeyChange("Rekey", True), KeyChange("Decrypt", True), Wipe(True)]
    # The newest fixture already has the present schema.
    versions = sorted(int(path.stem[1:]) for path in FIXTURES.glob("v*.db"))[:-1]
    migrations = [Migration(version) for version in (versions if is_long else (versions[0], versions[-1]))]
    return [Backup(), Restore(), LogImport(False), LogImport(True), FileImport(False), FileImport(True), Repair(),
            Wipe(False), *migrations]
