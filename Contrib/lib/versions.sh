# What every build is told. The gate (.ci/run) looks at nothing in a debugger, and reading and writing what that needs is a
# sixth of its compiling.
build_options=(--force-resolved-versions)
[ -z "${DOSETAP_QUICK_NIGHTS:-}" ] || build_options+=(-debug-info-format none)

# resolved_versions: what Package.resolved of this folder has, as "IDENTITY VERSION", a line each.
resolved_versions() {
    [ ! -e Package.resolved ] || awk -F'"' '/"identity"/ { name = $4 } /"version" : "/ { print name, $4 }' Package.resolved | sort
}

# settle_versions: Package.resolved of this folder gets the versions of Contrib/lib/versions.txt, whatever was released since,
# so that two builds of one commit take the same sources. Builds with build_options then keep to them.
settle_versions() {
    local wanted name version found
    wanted=$(grep -v '^#' Contrib/lib/versions.txt | sort)
    [ "$(resolved_versions)" != "$wanted" ] || return 0
    swift package resolve >&2 || return
    # One project's version can bring another's, so it is tried until all are as they should be.
    for _ in 1 2 3; do
        found=$(resolved_versions)
        [ "$found" != "$wanted" ] || return 0
        comm -13 <(printf '%s\n' "$found") <(printf '%s\n' "$wanted") | while read -r name version; do
            swift package resolve "$name" --version "$version" >&2 || true
        done
    done
    found=$(resolved_versions)
    [ "$found" != "$wanted" ] || return 0
    echo "versions: these do not agree with Contrib/lib/versions.txt (> is wanted):" >&2
    diff <(printf '%s\n' "$found") <(printf '%s\n' "$wanted") | grep '^[<>]' >&2
    echo "versions: where a version cannot be had, change it in Contrib/lib/versions.txt, then build again." >&2
    return 1
}
