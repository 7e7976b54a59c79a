// A library that is preloaded into the service and makes faults that strace cannot make:
//   DOSETAP_SHIM=normal   the flushes that SQLite makes with synchronous=NORMAL: none of the write-ahead log at a
//                         commit, one of it before the first write that copies it back into the database
//   DOSETAP_SHIM=short    every write to the store's files is cut short or interrupted now and then
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static int is_file(int descriptor, const char *suffix) {
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return 0;
    path[length] = 0;
    size_t size = strlen(suffix);
    return (size_t)length >= size && !strcmp(path + length - size, suffix);
}

static int mode_is(const char *name) {
    const char *mode = getenv("DOSETAP_SHIM");
    return mode && !strcmp(mode, name);
}

static atomic_int unflushed_log = -1;

int fdatasync(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    if (!mode_is("normal") || !is_file(descriptor, ".db-wal")) return real(descriptor);
    unflushed_log = descriptor;
    return 0;
}

static ssize_t put(int descriptor, const void *bytes, size_t count, off_t offset) {
    ssize_t (*real)(int, const void *, size_t, off_t) =
        (ssize_t (*)(int, const void *, size_t, off_t))dlsym(RTLD_NEXT, "pwrite64");
    if (mode_is("normal") && unflushed_log >= 0 && is_file(descriptor, ".db")) {
        int (*flush)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
        flush(atomic_exchange(&unflushed_log, -1));
    }
    if (mode_is("short") && count > 1 && (is_file(descriptor, ".db-wal") || is_file(descriptor, ".db"))) {
        static atomic_uint turn;
        switch (turn++ % 5) {
        case 1: count = count / 2; break;
        case 2: errno = EINTR; return -1;
        case 3: count = 1; break;
        default: break;
        }
    }
    return real(descriptor, bytes, count, offset);
}

ssize_t pwrite64(int descriptor, const void *bytes, size_t count, off_t offset) {
    return put(descriptor, bytes, count, offset);
}

ssize_t pwrite(int descriptor, const void *bytes, size_t count, off_t offset) {
    return put(descriptor, bytes, count, offset);
}
