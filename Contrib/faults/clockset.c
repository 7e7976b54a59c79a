// A library that is preloaded into the service and shows it a clock that was set, or a machine that slept.
// DOSETAP_CLOCK names a FIFO with pairs of 64-bit numbers: the nanoseconds by which the time of day and the time since
// the start differ from the machine's from then on. The library does what the kernel does at such a moment:
// CLOCK_REALTIME and CLOCK_BOOTTIME show another time, timers armed for an instant keep to it, and a timer with
// TFD_TIMER_CANCEL_ON_SET becomes readable and its read fails with ECANCELED. The pair is then written to a file of
// that name with `.shown`. CLOCK_MONOTONIC stays. The clock counts as synchronised. With DOSETAP_CLOCK_SILENT that
// timer is told nothing.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#define MOST 256
static const int64_t second = 1000000000;
static _Atomic int64_t shift_of_day, shift_since_start;
static int is_silent;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The timers of these clocks, by descriptor.
static struct { int kind, clock; struct itimerspec spec; atomic_int is_set; } timers[MOST];
enum { NONE, OURS, ARMED, WATCH };

static int64_t shift_of(int clock) {
    if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) return shift_of_day;
    return clock == CLOCK_BOOTTIME ? shift_since_start : 0;
}

static struct timespec plus(struct timespec time, int64_t more) {
    int64_t all = time.tv_sec * second + time.tv_nsec + more;
    return (struct timespec){.tv_sec = all / second, .tv_nsec = all % second};
}

static int real_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    return (int)syscall(SYS_timerfd_settime, file, flags, new, old);
}

static void arm(int file) {
    struct itimerspec spec = timers[file].spec;
    if (spec.it_value.tv_sec || spec.it_value.tv_nsec) {
        spec.it_value = plus(spec.it_value, -shift_of(timers[file].clock));
        // A value of zero would disarm the timer.
        if (spec.it_value.tv_sec < 0 || (!spec.it_value.tv_sec && !spec.it_value.tv_nsec))
            spec.it_value = (struct timespec){.tv_nsec = 1};
    }
    real_settime(file, TFD_TIMER_ABSTIME, &spec, NULL);
}

static void *serve(void *path) {
    int64_t next[2];
    char done[4096 + 8];
    snprintf(done, sizeof done, "%s.shown", (const char *)path);
    int shown = open(done, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    while (file >= 0) {
        ssize_t count = read(file, next, sizeof next);
        if (count == 0) {
            close(file);
            file = open(path, O_RDONLY | O_CLOEXEC);
        }
        if (count != sizeof next) continue;
        pthread_mutex_lock(&lock);
        shift_of_day = next[0];
        shift_since_start = next[1];
        for (int one = 0; one < MOST; one++) {
            if (timers[one].kind == ARMED) arm(one);
            if (timers[one].kind == WATCH && !is_silent) {
                timers[one].is_set = 1;
                struct itimerspec now = {.it_value = {.tv_nsec = 1}};
                real_settime(one, TFD_TIMER_ABSTIME, &now, NULL);
            }
        }
        pthread_mutex_unlock(&lock);
        if (pwrite(shown, next, sizeof next, 0) != sizeof next) abort();
    }
    return NULL;
}

__attribute__((constructor)) static void begin(void) {
    static char path[4096];
    const char *name = getenv("DOSETAP_CLOCK");
    if (!name) return;
    is_silent = getenv("DOSETAP_CLOCK_SILENT") != NULL;
    for (size_t place = 0; name[place] && place + 1 < sizeof path; place++) path[place] = name[place];
    unsetenv("DOSETAP_CLOCK");
    unsetenv("LD_PRELOAD");
    pthread_t thread;
    pthread_create(&thread, NULL, serve, path);
}

int clock_gettime(clockid_t clock, struct timespec *time) {
    int result = (int)syscall(SYS_clock_gettime, clock, time);
    if (!result) *time = plus(*time, shift_of(clock));
    return result;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *time = (struct timeval){.tv_sec = now.tv_sec, .tv_usec = now.tv_nsec / 1000};
    return 0;
}

time_t time(time_t *place) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (place) *place = now.tv_sec;
    return now.tv_sec;
}

int adjtimex(struct timex *state) {
    int result = (int)syscall(SYS_adjtimex, state);
    state->status &= ~STA_UNSYNC;
    state->maxerror = 1000;
    return result == TIME_ERROR ? TIME_OK : result;
}

int timerfd_create(int clock, int flags) {
    int file = (int)syscall(SYS_timerfd_create, clock, flags);
    if (file >= 0 && file < MOST) {
        timers[file].kind = clock == CLOCK_REALTIME || clock == CLOCK_BOOTTIME ? OURS : NONE;
        timers[file].clock = clock;
    }
    return file;
}

int timerfd_settime(int file, int flags, const struct itimerspec *new, struct itimerspec *old) {
    if (file < 0 || file >= MOST || timers[file].kind == NONE) return real_settime(file, flags, new, old);
    pthread_mutex_lock(&lock);
    int result = 0;
    if (flags & TFD_TIMER_CANCEL_ON_SET) {
        timers[file].kind = WATCH;
        result = real_settime(file, flags, new, old);
    } else if (flags & TFD_TIMER_ABSTIME) {
        timers[file].kind = ARMED;
        timers[file].spec = *new;
        arm(file);
    } else {
        result = real_settime(file, flags, new, old);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

ssize_t read(int file, void *bytes, size_t count) {
    ssize_t result = syscall(SYS_read, file, bytes, count);
    if (file >= 0 && file < MOST && timers[file].kind == WATCH && result >= 0 && atomic_exchange(&timers[file].is_set, 0)) {
        errno = ECANCELED;
        return -1;
    }
    return result;
}

int close(int file) {
    if (file >= 0 && file < MOST) timers[file].kind = NONE;
    return (int)syscall(SYS_close, file);
}
