# release PRODUCT [ARGUMENTS of swift build...]: builds a program as it is installed, in the package's folder, with the
# runtimes of Swift and C++ linked in: not every machine has them, and loading them took longer than a call.
release() {
    local product=$1 archives=$PWD/.build/archives archive
    shift
    mkdir -p "$archives"
    # The linker takes the archive where it finds no shared library beside it. Swift brings a clang, which knows where
    # the archive is; without one the shared library does.
    archive=$("$(dirname "$(realpath "$(command -v swift)")")/clang" -print-file-name=libstdc++.a 2>/dev/null) || archive=
    case $archive in /*) ln -sf "$archive" "$archives/libstdc++.a" ;; esac
    # No library of ours lies beside the program: without $ORIGIN the loader looks where the system keeps them, at once.
    swift build -c release --static-swift-stdlib --disable-local-rpath -Xlinker "-L$archives" --product "$product" "$@" ||
        return
    is_position_independent "$(swift build -c release --show-bin-path "$@")/$product"
}

# is_position_independent FILE: whether the system may load a program at a random address (ELF type DYN, byte 16).
is_position_independent() {
    [ "$(od -An -tu1 -j16 -N1 "$1" | tr -d ' ')" = 3 ] && return
    echo "release: $1 is not position independent" >&2
    return 1
}

# sqlcipher_flags LINK [FOLDER]: the flags of swift build that link with SQLCipher in place of SQLite, one a line. LINK is
# what Contrib/get-sqlcipher prints; the programs look for the library in FOLDER, where it is not the system's.
sqlcipher_flags() {
    local folder=${2:-}
    printf '%s\n' -Xlinker "-L$1"
    if [ -z "$folder" ]; then
        folder=$(dirname "$(realpath "$1/libsqlite3.so")")
        case $folder in /usr/lib/*) return ;; esac
    fi
    printf '%s\n' -Xlinker -rpath -Xlinker "$folder"
}
