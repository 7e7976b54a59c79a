#!/usr/bin/env python3
"""Prints what is linked into the programs of a package, with versions and licences, as SPDX 2.3 (JSON).

sbom.py --version VERSION --commit COMMIT [--sqlcipher FOLDER] [--programs FOLDER]

The first FOLDER is what Contrib/get-sqlcipher prints, where the package carries that library. The second has the programs with
their symbols; what Foundation brings for languages (ICU) is listed where one of them has it. A package of Package.resolved that the
table below does not name ends it with an error: nothing is linked in that nobody looked at."""

import argparse
import ctypes
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# The packages by their identity: licence, and parts of other projects. None: resolved, but not linked in.
PACKAGES = {
    "grdb.swift": ("MIT", []),
    "swift-argument-parser": ("Apache-2.0 WITH Swift-exception", []),
    "swift-asn1": None,
    "swift-crypto": ("Apache-2.0", [("boringssl", "Apache-2.0 AND ISC"), ("xkcp", "CC0-1.0 AND Brian-Gladman-3-Clause")]),
    "swift-log": ("Apache-2.0", []),
    "swift-atomics": ("Apache-2.0 WITH Swift-exception", []),
    "swift-collections": ("Apache-2.0 WITH Swift-exception", []),
    "swift-nio": ("Apache-2.0", [("llhttp", "MIT")]),
    "swift-system": None,
    "yams": ("MIT", [("libyaml", "MIT")]),
}


def swift_version():
    text = subprocess.run(["swift", "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"Swift version (\S+)", text)[1]


def sqlcipher_version(folder):
    library = ctypes.CDLL(str(pathlib.Path(folder) / "libsqlite3.so"))
    library.sqlite3_libversion.restype = ctypes.c_char_p
    database, rows = ctypes.c_void_p(), []
    callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.POINTER(ctypes.c_char_p),
                                ctypes.POINTER(ctypes.c_char_p))
    keep = callback(lambda _, count, values, names: rows.append(values[0].decode()) or 0)
    library.sqlite3_open(b":memory:", ctypes.byref(database))
    library.sqlite3_exec(database, b"PRAGMA cipher_version", keep, None, None)
    return rows[0].split()[0], library.sqlite3_libversion().decode()


def cpp_version():
    """Of the runtime of C++ that is linked in, by the Debian package of its archive (Contrib/lib/release.sh)."""
    archive = ROOT / ".build" / "archives" / "libstdc++.a"
    if not archive.exists():
        return "NOASSERTION"
    found = subprocess.run(["dpkg-query", "-S", archive.resolve()], capture_output=True, text=True)
    if found.returncode != 0:
        return "NOASSERTION"
    package = found.stdout.split(": ")[0]
    return subprocess.run(["dpkg-query", "-W", "-f", "${Version}", package], check=True, capture_output=True, text=True).stdout


def icu_of(folder):
    """The version of ICU, and the programs whose symbols have its data; None where none has."""
    version, names = None, []
    for path in sorted(pathlib.Path(folder).iterdir()):
        if path.is_file() and os.access(path, os.X_OK) and path.read_bytes()[:4] == b"\x7fELF":
            found = re.search(rb"\0icudt(\d+)_dat\0", path.read_bytes())
            if found:
                version = found[1].decode()
                names.append(path.name)
    return version and (version, names)


def component(name, version, licence, location="NOASSERTION", comment=None, purl=None):
    row = {
        "SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", name), "name": name, "versionInfo": version,
        "downloadLocation": location, "licenseConcluded": licence, "licenseDeclared": licence,
        "copyrightText": "NOASSERTION", "filesAnalyzed": False,
    }
    if purl:
        row["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl", "referenceLocator": purl}]
    return row | ({"comment": comment} if comment else {})


def package_url(location, version):
    """Names a package of Swift by its place and version: pkg:swift/github.com/apple/swift-log@1.16.2."""
    return "pkg:swift/" + re.sub(r"^\w+://|\.git$", "", location) + f"@{version}"


def components(sqlcipher, programs):
    yield component("swift-runtime", swift_version(), "Apache-2.0 WITH Swift-exception", "https://www.swift.org/",
                    "standard library, concurrency, Dispatch and Foundation, as far as the linker takes them")
    yield component("libstdc++", cpp_version(), "GPL-3.0-or-later WITH GCC-exception-3.1", "https://gcc.gnu.org/",
                    "parts that the Swift runtime needs, and of libgcc")
    if icu := programs and icu_of(programs):
        yield component("icu", icu[0], "Unicode-3.0", "https://github.com/swiftlang/swift-foundation-icu",
                        "Foundation's rules of languages, in " + ", ".join(icu[1]))
    for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]:
        identity = pin["identity"]
        if identity not in PACKAGES:
            sys.exit(f"sbom: nobody looked at the licence of '{identity}': name it in Contrib/package/sbom.py")
        if PACKAGES[identity] is None:
            continue
        licence, inside = PACKAGES[identity]
        # The revision may be one of the mirror that this machine gets its sources from, so the version names what is built in.
        version = pin["state"]["version"]
        yield component(identity, version, licence, f"git+{pin['location']}", purl=package_url(pin["location"], version))
        for name, licence in inside:
            yield component(name, f"as in {identity} {version}", licence)
    if sqlcipher:
        cipher, sqlite = sqlcipher_version(sqlcipher)
        yield component("sqlcipher", cipher, "BSD-3-Clause", "https://www.zetetic.net/sqlcipher/",
                        "a library of its own in /usr/lib/dosetap")
        yield component("sqlite", sqlite, "blessing", "https://www.sqlite.org/", "inside sqlcipher")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", required=True)
    parser.add_argument("--commit", required=True)
    parser.add_argument("--sqlcipher")
    parser.add_argument("--programs")
    arguments = parser.parse_args()
    moment = datetime.datetime.fromtimestamp(int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    own = component("dosetap", arguments.version, "NONE", comment=f"commit {arguments.commit}")
    parts = list(components(arguments.sqlcipher, arguments.programs))
    json.dump({
        "spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"dosetap-{arguments.version}",
        "documentNamespace": f"https://dosetap.org/sbom/{uuid.uuid5(uuid.NAMESPACE_URL, arguments.commit)}",
        "creationInfo": {"created": moment.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: Contrib/package/sbom.py"]},
        "packages": [own, *parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]},
            *({"spdxElementId": own["SPDXID"], "relationshipType": "DYNAMIC_LINK" if part["name"] in ("sqlcipher", "sqlite")
               else "STATIC_LINK", "relatedSpdxElement": part["SPDXID"]} for part in parts),
        ],
    }, sys.stdout, indent=1)
    print()


main()
