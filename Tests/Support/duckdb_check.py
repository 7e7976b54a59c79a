#!/usr/bin/env python3
"""Reads tables that DoseTap exported with DuckDB and compares each cell with what SQLite has, without any code of DoseTap.

    duckdb_check.py DATABASE FOLDER TABLE…

FOLDER has TABLE.csv. Prints what is wrong, a line each, then `ROWS rows, NULLS null, EMPTY empty, GUARDED guarded`: how many
rows, unknown values, empty texts and texts with a guard were compared.
"""

import re
import sqlite3
import sys

import duckdb

GUARDED = re.compile(r"'+[=+\-@\t\r]")


def main(database, folder, *tables):
    source = sqlite3.connect(f"file:{database}?mode=ro", uri=True)
    engine = duckdb.connect()
    # DuckDB must not download extensions.
    engine.execute("SET autoinstall_known_extensions = false")
    seen = {"rows": 0, "null": 0, "empty": 0, "guarded": 0}
    for table in tables:
        path = f"{folder}/{table}.csv"
        # The cells are read as text, in the order of the file. Only an empty cell without quotes is null.
        relation = engine.execute(
            "SELECT * FROM read_csv(?, header = true, all_varchar = true, auto_detect = false, delim = ',', quote = '\"', "
            "escape = '\"', new_line = '\\r\\n', nullstr = '', allow_quoted_nulls = false, parallel = false, "
            "columns = ?)", [path, {name: "VARCHAR" for name in header(engine, path)}])
        names = [column[0] for column in relation.description]
        found = relation.fetchall()
        columns = [row[1] for row in source.execute(f"PRAGMA table_info({table})")]
        stored = source.execute(f"SELECT * FROM {table}").fetchall()
        if len(found) != len(stored):
            yield f"{table}: DuckDB reads {len(found)} rows, SQLite has {len(stored)}"
        for number, (row, wanted) in enumerate(zip(found, stored)):
            cells = dict(zip(names, row))
            for column, value in zip(columns, wanted):
                cell = cells[column]
                if isinstance(value, str) and cell is not None and GUARDED.match(cell):
                    cell = cell[1:]
                    seen["guarded"] += 1
                if cell != (None if value is None else str(value)):
                    yield f"{table}, row {number}, {column}: {cells[column]!r}, not {value!r}"
                seen["null"] += value is None
                seen["empty"] += value == ""
        seen["rows"] += len(stored)
        # This reading uses DuckDB's defaults.
        (count,) = engine.execute("SELECT count(*) FROM read_csv(?, header = true)", [path]).fetchone()
        if count != len(stored):
            yield f"{table}: DuckDB by itself reads {count} rows, SQLite has {len(stored)}"
    print(", ".join(f"{count} {what}" for what, count in seen.items()))


def header(engine, path):
    row = engine.execute(
        "SELECT * FROM read_csv(?, header = false, all_varchar = true, delim = ',', quote = '\"', escape = '\"') LIMIT 1",
        [path]).fetchone()
    return list(row)


for complaint in main(*sys.argv[1:]):
    print(complaint)
