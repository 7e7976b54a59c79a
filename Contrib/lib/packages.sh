# install_missing "PROBE PACKAGE"...: installs the Debian packages whose probe, a file or a command, is missing. Where
# it may not install them, it says what to do. Exits 69 when something stays missing.
install_missing() {
    local missing=() line probe package as_root=()
    for line in "$@"; do
        read -r probe package <<<"$line"
        case $probe in
        /*) [ -e "$probe" ] || missing+=("$package") ;;
        *) command -v "$probe" >/dev/null || missing+=("$package") ;;
        esac
    done
    [ ${#missing[@]} -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        echo "Missing, by their Debian names: ${missing[*]}" >&2
        exit 69
    fi
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "Missing packages; as root run: apt-get install ${missing[*]}" >&2
            exit 69
        }
        as_root=(sudo)
    fi
    echo "Installing ${missing[*]} ..." >&2
    patient_apt update -qq
    patient_apt install -qq --no-install-recommends "${missing[@]}"
}

# patient_apt ARGUMENTS...: apt-get that waits up to ten minutes while another program holds one of apt's locks, as the
# daily update of a fresh machine does. apt itself waits for dpkg's lock only, not for those of its lists and archives.
patient_apt() {
    local errors status told='' last=$((SECONDS + 600))
    errors=$(mktemp)
    while true; do
        status=0
        "${as_root[@]}" env LC_ALL=C DEBIAN_FRONTEND=noninteractive \
            apt-get -o DPkg::Lock::Timeout=600 "$@" >/dev/null 2>"$errors" || status=$?
        if [ "$status" -eq 0 ] || [ "$SECONDS" -ge "$last" ] || ! grep -q 'Could not get lock' "$errors"; then
            cat "$errors" >&2
            rm -f "$errors"
            return "$status"
        fi
        [ -n "$told" ] || grep -m 1 'Could not get lock' "$errors" | sed 's/^E: /Waiting for apt: /' >&2
        told=yes
        sleep 1
    done
}

# unpack_missing PROGRAM PACKAGE FOLDER: unpacks the Debian package of a missing PROGRAM into FOLDER without installing
# it, for packages that would change how the machine runs. Where that fails it says so and goes on.
unpack_missing() {
    local program=$1 package=$2 folder=$3 place
    command -v "$program" >/dev/null || [ -x "$folder/usr/bin/$program" ] && return 0
    place=$(mktemp -d)
    if command -v apt-get >/dev/null && (cd "$place" && apt-get download -qq "$package" >/dev/null 2>&1) &&
        mkdir -p "$folder" && dpkg-deb -x "$place"/"$package"_*.deb "$folder" &&
        "$folder/usr/bin/$program" --version >/dev/null 2>&1; then
        echo "Unpacked $package, for the tests only" >&2
    else
        rm -f "$folder/usr/bin/$program"
        echo "$package cannot be had or run here; what needs it is left out" >&2
    fi
    rm -rf "$place"
}

# python_environment FOLDER REQUIREMENT...: a virtual environment of Python with packages of PyPI, for the tests only. A
# change of the requirements makes it anew. Where that fails it says so and goes on.
python_environment() {
    local folder=$1 wanted
    shift
    wanted="$*"
    [ "$(cat "$folder/wanted" 2>/dev/null)" = "$wanted" ] && return 0
    rm -rf "$folder"
    # Debian has pip's installer in a separate package.
    python3 -c 'import ensurepip' 2>/dev/null || install_missing "/nonexistent python3-venv"
    if python3 -m venv "$folder" && "$folder/bin/pip" install -q --disable-pip-version-check "$@" >/dev/null 2>&1; then
        printf '%s' "$wanted" >"$folder/wanted"
        echo "Made a Python environment, for the tests only" >&2
    else
        rm -rf "$folder"
        echo "Packages of Python cannot be had here; what needs them is left out" >&2
    fi
}

# install_headers: installs the headers that the build needs.
install_headers() {
    install_missing \
        "/usr/include/systemd/sd-bus.h libsystemd-dev" \
        "/usr/include/sqlite3.h libsqlite3-dev" \
        "/usr/include/expat.h libexpat1-dev" \
        "/usr/include/zlib.h zlib1g-dev"
}
