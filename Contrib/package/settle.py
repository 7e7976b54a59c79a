#!/usr/bin/env python3
"""Settles what differs between two builds of the same program: the compiler's hashes of its modules, which serve only an
incremental build, become zero, and the build id follows from the bytes that are installed. settle.py PROGRAM [STRIP-OPTION…]"""

import hashlib
import pathlib
import re
import subprocess
import sys
import tempfile

SECTION = re.compile(r"\]\s+(\S+)\s+\w+\s+[0-9a-f]+\s+([0-9a-f]+)\s+([0-9a-f]+)")
HASHES, IDENTITY = ".swift_modhash", ".note.gnu.build-id"
# The note of the build id has its lengths, its kind and "GNU" in HEAD bytes, and then the id.
HEAD, LENGTH = 16, 20


def places(path):
    listing = subprocess.run(["readelf", "-SW", path], check=True, capture_output=True, text=True).stdout
    return {name: (int(offset, 16), int(size, 16)) for name, offset, size in SECTION.findall(listing)}


def put(path, section, offset, data):
    with open(path, "r+b") as file:
        file.seek(places(path)[section][0] + offset)
        file.write(data)


def main(path, *options):
    sizes = places(path)
    if sizes[IDENTITY][1] != HEAD + LENGTH:
        raise SystemExit(f"settle: {path} has no build id of {LENGTH} bytes")
    if HASHES in sizes:
        put(path, HASHES, 0, bytes(sizes[HASHES][1]))
    put(path, IDENTITY, HEAD, bytes(LENGTH))
    with tempfile.TemporaryDirectory() as folder:
        installed = pathlib.Path(folder) / "installed"
        subprocess.run(["strip", *options, "-o", installed, path], check=True)
        identity = hashlib.sha1(installed.read_bytes()).digest()
    put(path, IDENTITY, HEAD, identity)


main(*sys.argv[1:])
