"""The event log read and judged without the service: rows, keys, SQLite's integrity, the hash chain."""

import hashlib
import pathlib
import sqlite3

COLUMNS = ("seq id type entity_type entity_id session_id occurred_at effective_at time_zone local_offset_minutes "
           "boot_time_us boot_id device_id surface idempotency_key payload prev_hash hash").split()
LATER = ["wall_utc", "synchronised"]


MARK = b"DoseTap1"


def is_encrypted(path):
    """Whether a file begins as every encrypted record does."""
    with open(path, "rb") as file:
        return file.read(len(MARK)) == MARK


def opened(path, keys=()):
    """A database file, which is there; an encrypted one with the one of these keys that fits, each 64 hexadecimal digits. This
    program must be linked with SQLCipher then."""
    if not is_encrypted(path):
        return sqlite3.connect(path)
    with open(path, "rb") as file:
        salt = file.read(16).hex()
    for key in keys:
        database = sqlite3.connect(path)
        database.execute("PRAGMA cipher_log_level = NONE")
        database.execute(f"PRAGMA key = \"x'{key}{salt}'\"")
        try:
            database.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            return database
        except sqlite3.DatabaseError:
            database.close()
    raise sqlite3.DatabaseError("it is encrypted, and no key fits")


class Log:
    """What a database file holds, and what is wrong with it."""

    def __init__(self, path, keys=()):
        """`keys`: one of these opens it where it is encrypted."""
        self.exists = pathlib.Path(path).exists()
        self.rows, self.faults, self.tables, self.ids, self.keys = [], [], {}, set(), {}
        if not self.exists:
            return
        try:
            database = opened(path, keys)
        except sqlite3.DatabaseError as error:
            self.faults.append(f"cannot be read: {error}")
            return
        try:
            self.integrity = database.execute("PRAGMA integrity_check").fetchone()[0]
            if self.integrity != "ok":
                self.faults.append(f"integrity: {self.integrity}")
            names = {row[0] for row in database.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
            if "events" in names:
                rows = database.execute(f"SELECT {','.join(COLUMNS + LATER)} FROM events ORDER BY seq")
                self.rows = [dict(zip(COLUMNS + LATER, row)) for row in rows]
                self.genesis = (database.execute("SELECT store_id FROM store_meta").fetchone() or [None])[0]
                self.check_chain()
                for table in ("dose_events", "sleep_events", "sleep_sessions", "current_session"):
                    self.tables[table] = database.execute(f"SELECT * FROM {table}").fetchall()
        except sqlite3.DatabaseError as error:
            self.faults.append(f"cannot be read: {error}")
        finally:
            database.close()
        self.ids = {row["id"] for row in self.rows}
        self.keys = {}
        for row in self.rows:
            if row["idempotency_key"] is not None:
                self.keys.setdefault(row["idempotency_key"], []).append(row["id"])

    def check_chain(self):
        previous, sequence = self.genesis, 0
        for row in self.rows:
            sequence += 1
            digest = hashlib.sha256()
            later = LATER if any(row[column] is not None for column in LATER) else []
            for column in COLUMNS[:-1] + later:
                value = row[column]
                raw = b"" if value is None else str(value).encode()
                digest.update((b"\xff" * 4 if value is None else len(raw).to_bytes(4, "big")) + raw)
            if row["seq"] != sequence or row["prev_hash"] != previous or row["hash"] != digest.hexdigest():
                self.faults.append(f"chain: event {row['seq']} does not follow")
                return
            previous = row["hash"]
