# release PRODUCT [ARGUMENTS of swift build...]: builds a program as it is installed, in the package's folder, with the
# runtimes of Swift and C++ linked in: not every machine has them, and loading them took longer than a call.
release() {
    local product=$1 archives=$PWD/.build/archives
    shift
    # The linker takes the archive where it finds no shared library beside it.
    mkdir -p "$archives"
    ln -sf "$(gcc -print-file-name=libstdc++.a)" "$archives/libstdc++.a"
    swift build -c release --static-swift-stdlib -Xlinker "-L$archives" --product "$product" "$@"
}
