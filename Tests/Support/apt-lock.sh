#!/usr/bin/env bash
# Installs a test package with Contrib/lib/packages.sh while another program holds every lock of apt, and prints
# "installed" at the end. Real apt and dpkg run on overlays in a mount namespace, so the machine stays as it is.
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "${1:-}" != inside ]; then exec unshare --mount --propagation private bash "$0" inside; fi

place=$(mktemp -d)
mount -t tmpfs tmpfs "$place"
for folder in /var/lib/dpkg /var/lib/apt /var/cache/apt /etc/apt /opt; do
    mkdir -p "$place/upper$folder" "$place/work$folder"
    mount -t overlay overlay -o "lowerdir=$folder,upperdir=$place/upper$folder,workdir=$place/work$folder" "$folder"
done

# A repository with a package of one file.
mkdir -p "$place/repository" "$place/probe/DEBIAN" "$place/probe/opt"
touch "$place/probe/opt/dosetap-probe"
printf 'Package: dosetap-probe\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: probe\n' \
    >"$place/probe/DEBIAN/control"
dpkg-deb --build "$place/probe" "$place/repository/dosetap-probe.deb" >/dev/null
(
    cd "$place/repository"
    dpkg-deb --field dosetap-probe.deb
    echo "Filename: ./dosetap-probe.deb"
    echo "Size: $(stat -c %s dosetap-probe.deb)"
    echo "SHA256: $(sha256sum dosetap-probe.deb | cut -d ' ' -f 1)"
) >"$place/repository/Packages"
chmod -R a+rX "$place"
rm -f /etc/apt/sources.list.d/*
echo "deb [trusted=yes] file:$place/repository ./" >/etc/apt/sources.list

# The other program releases each lock once apt was turned away from it.
python3 - "$place/held" "$place/messages" <<'PYTHON' &
import fcntl, os, sys, time

held, messages = sys.argv[1:]
paths = ["/var/lib/apt/lists/lock", "/var/lib/dpkg/lock-frontend", "/var/lib/dpkg/lock", "/var/cache/apt/archives/lock"]
locks = [os.open(path, os.O_RDWR | os.O_CREAT, 0o640) for path in paths]
for lock in locks:
    fcntl.lockf(lock, fcntl.LOCK_EX)
open(held, "w").close()
for lock, path in zip(locks, paths):
    if "apt" in path:
        while path not in (open(messages).read() if os.path.exists(messages) else ""):
            time.sleep(0.05)
    else:
        time.sleep(1)
    fcntl.lockf(lock, fcntl.LOCK_UN)
PYTHON
trap "kill $! 2>/dev/null || true" EXIT
while [ ! -e "$place/held" ]; do sleep 0.05; done

. Contrib/lib/packages.sh
install_missing "/opt/dosetap-probe dosetap-probe" 2>&1 | tee "$place/messages" >&2
[ -e /opt/dosetap-probe ] && echo installed
