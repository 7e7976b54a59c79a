#!/usr/bin/env bash
# Runs a command beside a real journald, in namespaces of its own.
#
#   testbed.sh COMMAND [ARGUMENT…]
#
# The command sees a /run, a /var/log and a process tree of its own. journald writes to that /var/log and listens in
# that /run, so the machine's journal is neither read nor written. Processes that the command leaves end with it. Works
# as root, and as anyone where user namespaces are allowed.
set -euo pipefail

die() {
    echo "testbed: $*" >&2
    exit 70
}

[ $# -gt 0 ] || die "usage: testbed.sh COMMAND [ARGUMENT…]"

if [ -z "${DOSETAP_TESTBED_STAGE:-}" ]; then
    for tool in unshare mount journalctl; do
        command -v "$tool" >/dev/null || die "$tool is missing; Contrib/test installs what is needed"
    done
    [ -s /etc/machine-id ] || die "/etc/machine-id is empty; run systemd-machine-id-setup"
    as_root=()
    [ "$(id -u)" -eq 0 ] || as_root=(--user --map-root-user)
    unshare "${as_root[@]}" --mount --pid --fork true 2>/dev/null ||
        die "no namespaces here; run as root, or allow user namespaces (sysctl kernel.unprivileged_userns_clone=1)"
    DOSETAP_TESTBED_STAGE=inside exec unshare "${as_root[@]}" --mount --propagation private --pid --fork \
        --kill-child=KILL --mount-proc bash "$0" "$@"
fi
unset DOSETAP_TESTBED_STAGE

# Programs that are only unpacked (DOSETAP_TESTBED_TOOLS) appear among the machine's own programs, in this namespace
# only.
if [ -n "${DOSETAP_TESTBED_TOOLS:-}" ] && [ -d "$DOSETAP_TESTBED_TOOLS/usr/bin" ]; then
    mount -t overlay overlay -o "lowerdir=$DOSETAP_TESTBED_TOOLS/usr/bin:/usr/bin" /usr/bin ||
        echo "testbed: the programs in $DOSETAP_TESTBED_TOOLS cannot be laid over /usr/bin; their tests are left out" >&2
fi

# The resolver's file is often in /run. The command may still need host names.
resolver=$(cat /etc/resolv.conf 2>/dev/null || true)
mount -t tmpfs -o mode=755 tmpfs /run
mount -t tmpfs -o mode=755 tmpfs /var/log
if [ -n "$resolver" ] && [ ! -e /etc/resolv.conf ]; then
    target=$(readlink -m /etc/resolv.conf)
    mkdir -p "${target%/*}"
    printf '%s\n' "$resolver" >"$target"
fi
mkdir -p /run/lock /run/systemd/journal /run/systemd/journald.conf.d "/var/log/journal/$(cat /etc/machine-id)"
cat >/run/systemd/journald.conf.d/testbed.conf <<'CONF'
[Journal]
Storage=persistent
ReadKMsg=no
Audit=no
RateLimitIntervalSec=0
RateLimitBurst=0
MaxLevelStore=debug
ForwardToSyslog=no
ForwardToKMsg=no
ForwardToConsole=no
ForwardToWall=no
CONF
# This file says that /var is writable, so entries go to files at once and not to /run first.
touch /run/systemd/journal/flushed

journald=/lib/systemd/systemd-journald
[ -x "$journald" ] || journald=/usr/lib/systemd/systemd-journald
[ -x "$journald" ] || die "systemd-journald is missing; Contrib/test installs what is needed"
"$journald" 2>/run/journald.log &
journald_pid=$!
for _ in $(seq 250); do
    [ -S /run/systemd/journal/io.systemd.journal ] && break
    kill -0 "$journald_pid" 2>/dev/null || break
    sleep 0.02
done
[ -S /run/systemd/journal/io.systemd.journal ] || die "journald did not start: $(cat /run/journald.log)"

# Tests must not reach the session of the person who runs them.
unset DBUS_SESSION_BUS_ADDRESS DBUS_SYSTEM_BUS_ADDRESS JOURNAL_STREAM NOTIFY_SOCKET INVOCATION_ID
unset XDG_DATA_HOME XDG_CONFIG_HOME XDG_STATE_HOME XDG_CACHE_HOME
mkdir -p -m 755 /run/user
mkdir -m 700 "/run/user/$(id -u)"
export XDG_RUNTIME_DIR="/run/user/$(id -u)" DOSETAP_TESTBED=1

status=0
"$@" || status=$?
kill "$journald_pid" 2>/dev/null || true
wait "$journald_pid" 2>/dev/null || true
exit "$status"
