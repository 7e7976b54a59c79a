// Preloaded while ten years of nights are made: the wall clock stands where a file says, in nanoseconds from the real
// one, and the raw clock moves with it, twenty years on: by that one the service counts how long a dose is ago. Timers and
// the clock since boot stay real.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

static volatile const int64_t *offset;

__attribute__((constructor)) static void open_offset(void) {
    const char *path = getenv("DOSETAP_CLOCK_OFFSET");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *page = file < 0 ? MAP_FAILED : mmap(NULL, sizeof *offset, PROT_READ, MAP_SHARED, file, 0);
    if (page != MAP_FAILED) offset = page;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
    static int (*real)(clockid_t, struct timespec *);
    if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
    int code = real(clock, now);
    if (code || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC_RAW) || !offset) return code;
    int64_t shifted = (int64_t)now->tv_sec * 1000000000 + now->tv_nsec + *offset;
    if (clock == CLOCK_MONOTONIC_RAW) shifted += (int64_t)20 * 366 * 86400 * 1000000000;
    now->tv_sec = shifted / 1000000000;
    now->tv_nsec = shifted % 1000000000;
    return 0;
}
