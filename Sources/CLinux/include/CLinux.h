#ifndef CLINUX_H
#define CLINUX_H

/* What Swift's Glibc module leaves out: adjtimex(2), and calls with a variable number of arguments. */
#include <sys/timex.h>

#include "Confinement.h"

/* memfd_create(2), close-on-exec. */
int clinux_memory_file(const char *name);

/* Whether a descriptor is a file in memory: writing to it waits for no disk and no reader. */
int clinux_is_memory_file(int descriptor);

/* The commit that the program was built from, as DOSETAP_COMMIT said at the build; else empty. */
const char *clinux_commit(void);

/* prctl(2), PR_SET_DUMPABLE: no core dump, no other process of the user reads this one's memory. */
int clinux_forbid_dumps(void);

#endif
