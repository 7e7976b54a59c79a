. Contrib/lib/versions.sh

# release PRODUCT [ARGUMENTS of swift build...]: builds a program as it is installed, with the runtimes of Swift and C++
# linked in, because not every machine has them, and loading them took longer than a call. Runs in the package's folder.
release() {
    local product=$1 archives=$PWD/.build/archives archive
    shift
    settle_versions || return
    mkdir -p "$archives"
    # The linker takes the archive where it finds no shared library beside it. The clang of Swift knows where the
    # archive is. Without a clang the shared library is used.
    archive=$("$(dirname "$(realpath "$(command -v swift)")")/clang" -print-file-name=libstdc++.a 2>/dev/null) || archive=
    case $archive in /*) ln -sf "$archive" "$archives/libstdc++.a" ;; esac
    # No library of DoseTap is beside the program. Without $ORIGIN the loader looks in the system's folders at once.
    swift build -c release "${build_options[@]}" --static-swift-stdlib --disable-local-rpath -Xlinker "-L$archives" \
        --product "$product" "$@" || return
    is_position_independent "$(swift build -c release --show-bin-path "$@")/$product"
}

# is_position_independent FILE: true when the system may load a program at a random address (ELF type DYN, byte 16).
is_position_independent() {
    [ "$(od -An -tu1 -j16 -N1 "$1" | tr -d ' ')" = 3 ] && return
    echo "release: $1 is not position independent" >&2
    return 1
}

# is_hardened FILE: true when a program or library can be loaded at a random address, has no memory that is both written
# and run, has its table of foreign functions resolved and made read-only before it starts (PIE, RELRO, BIND_NOW), and calls
# the function by which code in C ends it when its stack was overwritten (-fstack-protector-strong).
is_hardened() {
    local file=$1 segments dynamic symbols lacks=()
    segments=$(readelf -lW "$file") && dynamic=$(readelf -dW "$file") && symbols=$(readelf -W --dyn-syms "$file") || return
    grep -q '^Elf file type is DYN ' <<<"$segments" || lacks+=("position independence")
    grep -q '^ *GNU_RELRO ' <<<"$segments" || lacks+=(RELRO)
    grep -q 'BIND_NOW\|FLAGS_1.* NOW' <<<"$dynamic" || lacks+=(BIND_NOW)
    grep -q '^ *GNU_STACK .* RW ' <<<"$segments" || lacks+=("a stack that is not run")
    ! grep -q '^ *LOAD .* RWE ' <<<"$segments" || lacks+=("memory that is not both written and run")
    ! grep -q '(TEXTREL)' <<<"$dynamic" || lacks+=("code that is not written to")
    grep -q ' UND __stack_chk_fail\(@\|$\)' <<<"$symbols" || lacks+=("a stack that is checked")
    [ ${#lacks[@]} -gt 0 ] || return 0
    printf 'release: %s lacks: %s\n' "$file" "$(IFS=,; echo "${lacks[*]}")" >&2
    return 1
}

# metainfo VERSION DATE KIND: adds the packaged release to the description for software centres on standard input. KIND
# is stable or development.
metainfo() {
    sed "s#^  <content_rating.*#  <releases>\n    <release version=\"$1\" date=\"$2\" type=\"$3\"/>\n  </releases>\n&#"
}

# sqlcipher_flags LINK [FOLDER]: the flags of swift build that link with SQLCipher in place of SQLite, one on each line.
# LINK is the folder that Contrib/get-sqlcipher prints. The programs look for the library in FOLDER, where it is not the
# system's.
sqlcipher_flags() {
    local folder=${2:-}
    printf '%s\n' -Xlinker "-L$1"
    if [ -z "$folder" ]; then
        folder=$(dirname "$(realpath "$1/libsqlite3.so")")
        case $folder in /usr/lib/*) return ;; esac
    fi
    printf '%s\n' -Xlinker -rpath -Xlinker "$folder"
}
