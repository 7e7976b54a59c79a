#!/usr/bin/env bash
# Runs a command as an ordinary person with a real service manager, a real message bus and a real journal, on any
# machine:
# its first process need not be systemd.
#
#   user-manager.sh COMMAND [ARGUMENT…]
#
# Needs root, to change to another user. The person exists in the namespaces only, with a home that is removed
# afterwards.
# The manager moves all processes of its control group, so it gets a control group, a process tree and a /run of its
# own.
# The machine stays as it is, and all processes end with the command. Exits 77 where this cannot be done.
set -euo pipefail

cannot() {
    echo "user-manager: $*" >&2
    exit 77
}

[ $# -gt 0 ] || { echo "usage: user-manager.sh COMMAND [ARGUMENT…]" >&2; exit 64; }

case ${DOSETAP_MANAGER_STAGE:-outside} in
outside)
    [ "$(id -u)" -eq 0 ] || cannot "only root can become an ordinary person"
    for tool in unshare setpriv systemctl; do
        command -v "$tool" >/dev/null || cannot "$tool is missing"
    done
    [ -x /lib/systemd/systemd ] || cannot "systemd is missing"
    command -v dbus-daemon >/dev/null || cannot "dbus-daemon is missing"
    # The manager needs a group in the unified hierarchy, and in systemd's own one where the old hierarchies are
    # mounted.
    groups=()
    for root in /sys/fs/cgroup /sys/fs/cgroup/unified /sys/fs/cgroup/systemd; do
        [ -e "$root/cgroup.procs" ] && groups+=("$root/dosetap-manager-$$")
    done
    [ ${#groups[@]} -gt 0 ] || cannot "no control groups here"
    leave() {
        for group in "${groups[@]}"; do find "$group" -depth -type d -exec rmdir {} + 2>/dev/null || true; done
    }
    trap leave EXIT
    for group in "${groups[@]}"; do mkdir "$group" || cannot "no control group of its own can be made"; done
    status=0
    (
        for group in "${groups[@]}"; do echo "$BASHPID" >"$group/cgroup.procs"; done
        grep -q "dosetap-manager-$$" /proc/self/cgroup || cannot "the control group cannot be entered"
        DOSETAP_MANAGER_STAGE=inside exec unshare --mount --propagation private --pid --cgroup --fork \
            --kill-child=KILL --mount-proc bash "$0" "$@"
    ) || status=$?
    exit "$status"
    ;;
inside)
    person=31417
    mount -t tmpfs -o mode=755 tmpfs /run
    mount -t tmpfs -o mode=755 tmpfs /var/log
    mount -t tmpfs -o mode=755 tmpfs /home
    # The bus looks up the person's name.
    for file in passwd group; do
        cp "/etc/$file" "/run/$file"
        mount --bind "/run/$file" "/etc/$file"
    done
    echo "person:x:$person:$person::/home/person:/bin/bash" >>/run/passwd
    echo "person:x:$person:" >>/run/group
    umount --lazy --recursive /sys/fs/cgroup
    mount -t cgroup2 cgroup2 /sys/fs/cgroup
    # The machine's manager usually makes the folder of credentials.
    mkdir -p /run/credentials /run/systemd/{system,journal,unit-root,propagate,incoming} /run/systemd/journald.conf.d /run/user
    mkdir -p "/var/log/journal/$(cat /etc/machine-id)"
    printf '[Journal]\nStorage=persistent\nReadKMsg=no\nAudit=no\nRateLimitIntervalSec=0\n' \
        >/run/systemd/journald.conf.d/manager.conf
    touch /run/systemd/journal/flushed
    # Without dbus-user-session, a bus of the person is set up as Debian's package does it.
    if [ ! -e /usr/lib/systemd/user/dbus.socket ]; then
        mkdir -p /run/systemd/user/sockets.target.wants
        printf '[Socket]\nListenStream=%%t/bus\n' >/run/systemd/user/dbus.socket
        ln -s ../dbus.socket /run/systemd/user/sockets.target.wants/
        printf '[Service]\nType=notify\nExecStart=dbus-daemon %s\n' \
            '--session --address=systemd: --nofork --nopidfile --systemd-activation' >/run/systemd/user/dbus.service
    fi
    /lib/systemd/systemd-journald &
    for _ in $(seq 250); do
        [ -S /run/systemd/journal/io.systemd.journal ] && break
        sleep 0.02
    done
    group=/sys/fs/cgroup/user.slice/user-$person.slice/user@$person.service
    mkdir -p "$group"
    install -d -m 700 -o $person -g $person /home/person "/run/user/$person"
    chown -R $person:$person "$group"
    echo $$ >"$group/cgroup.procs"
    variables=()
    for name in ${!DOSETAP@}; do [ "$name" = DOSETAP_MANAGER_STAGE ] || variables+=("$name=${!name}"); done
    exec setpriv --reuid=$person --regid=$person --clear-groups env -i "${variables[@]}" \
        DOSETAP_MANAGER_STAGE=person HOME=/home/person USER=person LOGNAME=person SHELL=/bin/bash TZ=UTC \
        PATH=/usr/local/bin:/usr/bin:/bin LANG=C.UTF-8 XDG_RUNTIME_DIR=/run/user/$person \
        DBUS_SESSION_BUS_ADDRESS=unix:path=/run/user/$person/bus bash "$0" "$@"
    ;;
person)
    unset DOSETAP_MANAGER_STAGE
    cd "$HOME"
    /lib/systemd/systemd --user --log-target=journal &
    for _ in $(seq 500); do
        [ -S "$XDG_RUNTIME_DIR/systemd/private" ] && break
        sleep 0.02
    done
    systemctl --user --wait is-system-running >/dev/null || true
    status=0
    "$@" || status=$?
    systemctl --user exit || true
    exit "$status"
    ;;
esac
