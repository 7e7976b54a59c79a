#define _GNU_SOURCE
#include "Confinement.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers that are the same on every machine, and that older headers lack. */
#ifndef SYS_close_range
#define SYS_close_range 436
#endif
#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#endif
#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

#if defined(__x86_64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define OWN_ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

static bool close_descriptors(int kept) {
    if (syscall(SYS_close_range, (unsigned)kept, ~0U, 0) == 0) return true;
    struct rlimit most;
    if (getrlimit(RLIMIT_NOFILE, &most) != 0) return false;
    rlim_t end = most.rlim_cur > 65536 ? 65536 : most.rlim_cur;
    for (rlim_t descriptor = (rlim_t)kept; descriptor < end; descriptor++) close((int)descriptor);
    return true;
}

static bool limit(int resource, uint64_t value) {
    struct rlimit both = {.rlim_cur = value, .rlim_max = value};
    struct rlimit old;
    if (getrlimit(resource, &old) != 0) return false;
    if (old.rlim_max != RLIM_INFINITY && old.rlim_max < value) both.rlim_cur = both.rlim_max = old.rlim_max;
    return setrlimit(resource, &both) == 0;
}

static bool set_limits(struct confinement_limits limits) {
    bool all = limit(RLIMIT_AS, limits.memory);
    all = limit(RLIMIT_CPU, limits.seconds) && all;
    all = limit(RLIMIT_NOFILE, (uint64_t)limits.descriptors) && all;
    all = limit(RLIMIT_CORE, 0) && all;
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && all;
}

/* A ruleset that handles everything the kernel knows and has no rule allows nothing. */
static bool forbid_files(void) {
    struct {
        uint64_t handled_access_fs;
        uint64_t handled_access_net;
        uint64_t scoped;
    } rules = {0, 0, 0};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, 1U);
    if (version < 1) return false;
    size_t size = sizeof(uint64_t);
    rules.handled_access_fs = (1ULL << 13) - 1;
    if (version >= 2) rules.handled_access_fs |= 1ULL << 13; /* refer */
    if (version >= 3) rules.handled_access_fs |= 1ULL << 14; /* truncate */
    if (version >= 4) {
        rules.handled_access_net = 3; /* bind and connect */
        size = 2 * sizeof(uint64_t);
    }
    if (version >= 5) rules.handled_access_fs |= 1ULL << 15; /* ioctl of devices */
    if (version >= 6) {
        rules.scoped = 3; /* abstract sockets and signals of others */
        size = 3 * sizeof(uint64_t);
    }
    int set = (int)syscall(SYS_landlock_create_ruleset, &rules, size, 0);
    if (set < 0) return false;
    bool done = syscall(SYS_landlock_restrict_self, set, 0) == 0;
    close(set);
    return done;
}

#ifdef OWN_ARCHITECTURE
/* Calls without a condition: reading and writing open files, memory, time, random bytes, waking threads, the end. */
static const int allowed[] = {
    SYS_read, SYS_write, SYS_readv, SYS_writev, SYS_close, SYS_lseek, SYS_fstat,
    SYS_brk, SYS_munmap, SYS_mremap, SYS_madvise, SYS_futex, SYS_getrandom,
    SYS_clock_gettime, SYS_clock_nanosleep, SYS_nanosleep, SYS_sched_yield, SYS_sched_getaffinity,
    SYS_getpid, SYS_gettid, SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
    SYS_set_robust_list, SYS_exit, SYS_exit_group,
};

/* abort(3) ends with a tgkill of the own process: the first argument has to be this process. */
static bool filter_calls(void) {
    enum { COUNT = sizeof allowed / sizeof allowed[0] };
    struct sock_filter program[2 * COUNT + 16];
    unsigned short length = 0;
#define ADD(instruction) program[length++] = (struct sock_filter)instruction
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OWN_ARCHITECTURE, 1, 0));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
    for (int index = 0; index < COUNT; index++) {
        ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)allowed[index], 0, 1));
        ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    }
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_tgkill, 0, 3));
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[0])));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)getpid(), 0, 6));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 1, 0));
    ADD(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 0, 3));
    /* No memory becomes executable. */
    ADD(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])));
    ADD(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
    ADD(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM));
#undef ADD
    struct sock_fprog whole = {.len = length, .filter = program};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &whole) == 0;
}
#else
/* Calls have other numbers on each architecture; none is guessed. */
static bool filter_calls(void) { return false; }
#endif

unsigned clinux_confine(unsigned parts, struct confinement_limits limits) {
    unsigned held = 0;
    if ((parts & CONFINED_DESCRIPTORS) && close_descriptors(limits.descriptors)) held |= CONFINED_DESCRIPTORS;
    /* Landlock needs a descriptor for a moment, and the limits leave none. */
    bool privileges = (parts & CONFINED_NO_PRIVILEGES) && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0;
    if (privileges) held |= CONFINED_NO_PRIVILEGES;
    if ((parts & CONFINED_LANDLOCK) && privileges && forbid_files()) held |= CONFINED_LANDLOCK;
    if ((parts & CONFINED_LIMITS) && set_limits(limits)) held |= CONFINED_LIMITS;
    if ((parts & CONFINED_SYSCALLS) && privileges && filter_calls()) held |= CONFINED_SYSCALLS;
    return held;
}

static int failed(long result) { return result >= 0 ? 0 : errno; }

int clinux_random(void *bytes, size_t count) {
    return getrandom(bytes, count, 0) == (ssize_t)count ? 0 : errno ? errno : EIO;
}

int clinux_confinement_try(int trial, const char **name) {
    static char *const arguments[] = {"true", NULL};
    static char *const nothing[] = {NULL};
    errno = 0;
    switch (trial) {
    case 0: *name = "open a file for reading"; return failed(open("/etc/passwd", O_RDONLY));
    case 1: *name = "open a file for writing"; return failed(open("/tmp", O_TMPFILE | O_RDWR, 0600));
    case 2: *name = "make a file"; return failed(open("/tmp/dosetap-confinement", O_WRONLY | O_CREAT | O_EXCL, 0600));
    case 3: *name = "make a socket of this machine"; return failed(socket(AF_UNIX, SOCK_STREAM, 0));
    case 4: *name = "make a socket of the network"; return failed(socket(AF_INET, SOCK_STREAM, 0));
    case 5: *name = "run a program"; return failed(execve("/bin/true", arguments, nothing));
    case 6: *name = "start a process"; {
        /* A bare call is used, because the library would run handlers in the child. */
        long child = syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
        if (child == 0) syscall(SYS_exit_group, 0);
        return failed(child);
    }
    case 7: *name = "trace a process"; return failed(ptrace(PTRACE_TRACEME, 0, NULL, NULL));
    case 8: *name = "signal a process"; return failed(kill(getppid(), 0));
    case 9: *name = "make memory that runs"; {
        void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? errno : 0;
    }
    case 10: *name = "take a gigabyte"; {
        void *memory = mmap(NULL, 1UL << 30, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        return memory == MAP_FAILED ? errno : 0;
    }
    case 11: *name = "use another descriptor"; return fcntl(3, F_GETFD) < 0 ? errno : 0;
    default: *name = ""; return EINVAL;
    }
}
