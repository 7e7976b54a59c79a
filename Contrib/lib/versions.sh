# The options of every build. The gate (.ci/run) uses no debugger, and debug information takes a sixth of its compile
# time.
build_options=(--force-resolved-versions)
[ -z "${DOSETAP_QUICK_NIGHTS:-}" ] || build_options+=(-debug-info-format none)

# resolved_versions: the versions in this folder's Package.resolved, as "IDENTITY VERSION", one on each line.
resolved_versions() {
    [ ! -e Package.resolved ] || awk -F'"' '/"identity"/ { name = $4 } /"version" : "/ { print name, $4 }' Package.resolved | sort
}

# settle_versions: gives this folder's Package.resolved the versions of Contrib/lib/versions.txt, whatever was released
# later, so that two builds of one commit use the same sources. Builds with build_options then keep these versions.
settle_versions() {
    local wanted name version found
    wanted=$(grep -v '^#' Contrib/lib/versions.txt | sort)
    [ "$(resolved_versions)" != "$wanted" ] || return 0
    swift package resolve >&2 || return
    # The version of one project can change that of another, so this is repeated until all versions are right.
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
