#ifndef CSYSTEMD_H
#define CSYSTEMD_H

/* The journal's macros would record places in C files that callers never wrote. */
#define SD_JOURNAL_SUPPRESS_LOCATION 1

#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
#include <time.h>
#include <unistd.h>

/* Rows of a vtable. sd-bus keeps the strings by reference: the caller keeps them alive. */

static inline sd_bus_vtable csd_vtable_start(void) {
    sd_bus_vtable row = SD_BUS_VTABLE_START(0);
    return row;
}

static inline sd_bus_vtable csd_vtable_method(const char *member, const char *signature, const char *result,
                                              const char *names, sd_bus_message_handler_t handler, size_t offset,
                                              uint64_t flags) {
    sd_bus_vtable row = SD_BUS_METHOD_WITH_OFFSET(member, signature, result, handler, offset, flags);
    row.x.method.names = names;
    return row;
}

static inline sd_bus_vtable csd_vtable_property(const char *member, const char *signature,
                                                sd_bus_property_get_t get, size_t offset, uint64_t flags) {
    sd_bus_vtable row = SD_BUS_PROPERTY(member, signature, get, offset, flags);
    return row;
}

static inline sd_bus_vtable csd_vtable_signal(const char *member, const char *signature, const char *names) {
    sd_bus_vtable row = SD_BUS_SIGNAL(member, signature, 0);
    row.x.signal.names = names;
    return row;
}

static inline sd_bus_vtable csd_vtable_end(void) {
    sd_bus_vtable row = SD_BUS_VTABLE_END;
    return row;
}

/* Flags are 64-bit enumerators, which Swift does not import. */
static const uint64_t csd_vtable_unprivileged = SD_BUS_VTABLE_UNPRIVILEGED;
static const uint64_t csd_vtable_no_reply = SD_BUS_VTABLE_METHOD_NO_REPLY;
static const uint64_t csd_vtable_constant = SD_BUS_VTABLE_PROPERTY_CONST;
static const uint64_t csd_vtable_emits_change = SD_BUS_VTABLE_PROPERTY_EMITS_CHANGE;
static const uint64_t csd_vtable_emits_invalidation = SD_BUS_VTABLE_PROPERTY_EMITS_INVALIDATION;

/* Header constants that are macros with casts. */
static inline int csd_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

/* A timerfd that becomes readable (ECANCELED) when CLOCK_REALTIME is stepped. */
static inline int csd_clock_change_fd(void) {
    return timerfd_create(CLOCK_REALTIME, TFD_CLOEXEC | TFD_NONBLOCK);
}

static inline int csd_clock_change_arm(int fd) {
    struct itimerspec never = {.it_value = {.tv_sec = INT64_MAX / 1000000000LL}};
    return timerfd_settime(fd, TFD_TIMER_ABSTIME | TFD_TIMER_CANCEL_ON_SET, &never, NULL) < 0 ? -errno : 0;
}

static inline int csd_pidfd_open(pid_t pid) {
    long fd = syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : (int)fd;
}

/* Reaps the child behind a pidfd. 1: ended, code and status filled; 0: still running; negative errno. */
static inline int csd_pidfd_reap(int fd, int *code, int *status) {
    siginfo_t info;
    memset(&info, 0, sizeof info);
    if (waitid((idtype_t)3 /* P_PIDFD */, (id_t)fd, &info, WEXITED | WNOHANG) < 0)
        return -errno;
    if (info.si_pid == 0)
        return 0;
    *code = info.si_code;
    *status = info.si_status;
    return 1;
}

static inline int csd_code_exited(void) { return CLD_EXITED; }

static inline int csd_dup_cloexec(int fd) {
    int copy = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    return copy < 0 ? -errno : copy;
}

/* Process and user at the other end of a local socket, as of connect(2) or socketpair(2). */
static inline int csd_peer_credentials(int fd, pid_t *pid, uid_t *uid) {
    struct {
        pid_t pid;
        uid_t uid;
        gid_t gid;
    } peer;
    socklen_t size = sizeof peer;
    if (getsockopt(fd, SOL_SOCKET, 17 /* SO_PEERCRED */, &peer, &size) < 0)
        return -errno;
    *pid = peer.pid;
    *uid = peer.uid;
    return 0;
}

/* A file that lives in memory alone. */
static inline int csd_memory_fd(const char *name) {
    long fd = syscall(SYS_memfd_create, name, 1u /* MFD_CLOEXEC */);
    return fd < 0 ? -errno : (int)fd;
}

/* Both ends close-on-exec, the reading one non-blocking. */
static inline int csd_pipe(int *reading, int *writing) {
    int ends[2];
    if (pipe(ends) < 0)
        return -errno;
    fcntl(ends[0], F_SETFD, FD_CLOEXEC);
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    *reading = ends[0];
    *writing = ends[1];
    return 0;
}

/* Declared by glibc only beside extensions that Swift's own module does not ask for. */
extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Starts a program in a process group of its own, with no signal blocked or ignored and no descriptor but the two
   given: one as standard input, one as output and errors. 0 or a negative errno. */
static inline int csd_spawn(const char *path, char *const *arguments, char *const *environment, int input, int output,
                            pid_t *pid) {
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none, all;
    int result = posix_spawn_file_actions_init(&actions);
    if (result != 0)
        return -result;
    result = posix_spawnattr_init(&attributes);
    if (result != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return -result;
    }
    sigemptyset(&none);
    sigfillset(&all);
    if ((result = posix_spawn_file_actions_adddup2(&actions, input, 0)) == 0 &&
        (result = posix_spawn_file_actions_adddup2(&actions, output, 1)) == 0 &&
        (result = posix_spawn_file_actions_adddup2(&actions, output, 2)) == 0 &&
        (result = posix_spawn_file_actions_addclosefrom_np(&actions, 3)) == 0 &&
        (result = posix_spawnattr_setpgroup(&attributes, 0)) == 0 &&
        (result = posix_spawnattr_setsigmask(&attributes, &none)) == 0 &&
        (result = posix_spawnattr_setsigdefault(&attributes, &all)) == 0 &&
        (result = posix_spawnattr_setflags(
             &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)) == 0)
        result = posix_spawn(pid, path, &actions, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return -result;
}

static inline int csd_block_signal(int number) {
    sigset_t set;
    if (sigemptyset(&set) < 0 || sigaddset(&set, number) < 0)
        return -errno;
    return -pthread_sigmask(SIG_BLOCK, &set, NULL);
}

static inline uint64_t csd_clock_microseconds(clockid_t clock) {
    struct timespec now;
    if (clock_gettime(clock, &now) < 0)
        return 0;
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/* Names the calling thread; the kernel keeps 15 bytes. */
static inline void csd_name_thread(const char *name) { prctl(PR_SET_NAME, name, 0, 0, 0); }

/* sd_notify(3) is declared with a printf-like sibling; this one takes plain text. */
static inline int csd_notify(const char *state) { return sd_notify(0, state); }

/* Descriptors that the service manager keeps for this process and hands to the next one (FDSTORE=, sd_notify(3)). */
static inline int csd_store_descriptor(const char *name, int descriptor) {
    char state[128];
    (void)snprintf(state, sizeof state, "FDSTORE=1\nFDNAME=%s", name);
    return sd_pid_notify_with_fds(0, 0, state, &descriptor, 1);
}

static inline int csd_forget_descriptors(const char *name) {
    char state[128];
    (void)snprintf(state, sizeof state, "FDSTOREREMOVE=1\nFDNAME=%s", name);
    return sd_notify(0, state);
}

/* The newest descriptor with a name that the manager handed over; negative if there is none. */
static inline int csd_handed_descriptor(const char *name) {
    char **names = NULL;
    int count = sd_listen_fds_with_names(0, &names), found = -ENOENT;
    for (int index = 0; index < count; index++) {
        if (names != NULL && names[index] != NULL && strcmp(names[index], name) == 0)
            found = SD_LISTEN_FDS_START + index;
        if (names != NULL)
            free(names[index]);
    }
    free(names);
    return found;
}

/* Anonymous memory as a file that nobody can change any more. */
static inline int csd_sealed_memory(const char *name, const void *bytes, size_t count) {
    int descriptor = (int)syscall(SYS_memfd_create, name, 3u /* MFD_CLOEXEC | MFD_ALLOW_SEALING */);
    if (descriptor < 0)
        return -errno;
    if (write(descriptor, bytes, count) != (ssize_t)count ||
        fcntl(descriptor, 1033 /* F_ADD_SEALS */, 15 /* seal, shrink, grow, write */) < 0) {
        int error = errno != 0 ? errno : EIO;
        close(descriptor);
        return -error;
    }
    return descriptor;
}

/* No core dump, and no other process of this user may look into the memory of this one. */
static inline void csd_forbid_dumps(void) { prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

/* One turn of an event loop, like sd_event_run(3). `idle` becomes true when nothing was ready, and then the turn waits
   for something; without `may_wait` it never waits. */
static inline int csd_event_turn(sd_event *event, int may_wait, int *idle) {
    int result = sd_event_prepare(event);
    *idle = 0;
    if (result == 0)
        result = sd_event_wait(event, 0);
    if (result == 0 && may_wait) {
        *idle = 1;
        result = sd_event_prepare(event);
        if (result == 0)
            result = sd_event_wait(event, UINT64_MAX);
    }
    return result > 0 ? sd_event_dispatch(event) : result;
}

/* Gives freed memory back to the system: a millisecond or two for some tens of MiB. */
static inline void csd_give_memory_back(void) { (void)malloc_trim(0); }

/* Refuses calls of senders who ask for more than there is time for, at the cost of the refusal alone.

   While a loop has had no idle moment for `streak` microseconds, or answers have waited that long to be sent, a sender may
   have had `burst` calls in that time; one with more is refused until it has sent nothing for `pause`
   microseconds. Nobody is refused as long as the loop keeps up. While many answers wait to be sent, a refusal is
   not answered. Senders are told apart by a hash of their unique name; a table of fixed size forgets the one not heard of
   for the longest time. */
typedef struct csd_flood_guard csd_flood_guard;

csd_flood_guard *csd_flood_guard_new(sd_bus *bus, uint64_t streak, uint32_t burst, uint64_t pause, const char *error,
                                     const char *text);
void csd_flood_guard_free(csd_flood_guard *guard);
/* Tells the guard that the loop had an idle moment. */
void csd_flood_guard_idle(csd_flood_guard *guard);
/* After a turn of the loop in which a call was refused: looks at the calls behind it, as long as they are refused too.
   That is several times as quick as a turn for each, and the messages behind a flood have their turn sooner. */
void csd_flood_guard_drain(csd_flood_guard *guard);
/* Returns the number of refused calls. */
uint64_t csd_flood_guard_refused(const csd_flood_guard *guard);
/* A filter for sd_bus_add_filter(3), with the guard as userdata. */
int csd_flood_guard_filter(sd_bus_message *message, void *guard, sd_bus_error *error);

/* Jobs of Swift's concurrency that name no executor go to `handler`, from then on and from any thread; NULL gives them
   back to the runtime. The function uses the runtime's own hook for programs that bring their executor. */
void csd_take_default_jobs(void (*handler)(void *job));

#endif
