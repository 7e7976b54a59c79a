// A library that is preloaded while ten years of nights are made. A file says by how many nanoseconds the wall clock
// differs from the real one. The raw clock moves with it, twenty years ahead, because the service counts the age of a
// dose by it. Timers and the clock since boot stay real.
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
