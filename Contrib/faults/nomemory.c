// A library that is preloaded into the service and makes memory run out. DOSETAP_NO_MEMORY names a file of two numbers
// of 64 bits. While the first is more than zero, each allocation takes one from it. At one this allocation fails and,
// if the second is not zero, so do all later ones. At zero no allocation fails.
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static _Atomic long *left;

__attribute__((constructor)) static void begin(void) {
    const char *path = getenv("DOSETAP_NO_MEMORY");
    int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
    if (file < 0) return;
    void *map = mmap(NULL, 16, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (map != MAP_FAILED) left = map;
    unsetenv("DOSETAP_NO_MEMORY");
}

static int fails(void) {
    if (!left || atomic_load(left) <= 0) return 0;
    if (atomic_fetch_sub(left, 1) != 1) return 0;
    if (atomic_load(left + 1)) atomic_store(left, 1);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size) { return fails() ? NULL : __libc_malloc(size); }
void *calloc(size_t count, size_t size) { return fails() ? NULL : __libc_calloc(count, size); }
void *realloc(void *block, size_t size) { return fails() ? NULL : __libc_realloc(block, size); }
void *memalign(size_t boundary, size_t size) { return fails() ? NULL : __libc_memalign(boundary, size); }
void *aligned_alloc(size_t boundary, size_t size) { return memalign(boundary, size); }

int posix_memalign(void **block, size_t boundary, size_t size) {
    void *found = memalign(boundary, size);
    if (!found && size) return ENOMEM;
    *block = found;
    return 0;
}
