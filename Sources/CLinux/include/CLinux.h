#ifndef CLINUX_H
#define CLINUX_H

/* Calls that Swift's Glibc module leaves out: adjtimex(2), and those with a variable number of arguments. */
#include <sys/timex.h>

#include "Confinement.h"

/* memfd_create(2), close-on-exec. */
int clinux_memory_file(const char *name);

/* True if a descriptor is a file in memory: writing to it waits for no disk and no reader. */
int clinux_is_memory_file(int descriptor);

/* The commit that the program was built from, by DOSETAP_COMMIT at the build; else empty. */
const char *clinux_commit(void);

/* prctl(2), PR_SET_DUMPABLE: no core dump, no other process of the user reads this one's memory. */
int clinux_forbid_dumps(void);

#endif
