#define _GNU_SOURCE
#include "CLinux.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/prctl.h>

int clinux_memory_file(const char *name) { return memfd_create(name, MFD_CLOEXEC); }

int clinux_is_memory_file(int descriptor) { return fcntl(descriptor, F_GET_SEALS) >= 0; }

int clinux_forbid_dumps(void) { return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); }

const char *clinux_commit(void) {
#ifdef DOSETAP_COMMIT
    return DOSETAP_COMMIT;
#else
    return "";
#endif
}
