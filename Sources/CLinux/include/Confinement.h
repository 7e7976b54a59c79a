#ifndef CLINUX_CONFINEMENT_H
#define CLINUX_CONFINEMENT_H

#include <stddef.h>
#include <stdint.h>

/* The parts of the confinement of a filter, as bits. */
enum {
    CONFINED_DESCRIPTORS = 1 << 0,   /* other descriptors are closed */
    CONFINED_LIMITS = 1 << 1,        /* memory, processor time, no new descriptor, no core dump */
    CONFINED_NO_PRIVILEGES = 1 << 2, /* no_new_privs */
    CONFINED_LANDLOCK = 1 << 3,      /* Landlock: no file, no port */
    CONFINED_SYSCALLS = 1 << 4,      /* seccomp: the calls a filter needs, and no other */
};

/* The values of the limits. */
struct confinement_limits {
    uint64_t memory;  /* address space in bytes */
    uint64_t seconds; /* processor time */
    int descriptors;  /* the number that stays open, from 0 on */
};

/* Confines this process for good to its lowest descriptors. The limits are applied after Landlock. A part that the
 * kernel lacks is left out. Must be called while the process has one thread.
 *
 * parts: the parts to apply. Returns the parts that hold now. */
unsigned clinux_confine(unsigned parts, struct confinement_limits limits);

/* The number of things that a confined program must not be able to do. */
enum { CONFINEMENT_TRIALS = 12 };

/* Tries one thing that the confinement forbids.
 *
 * name: gets the name of the trial. Returns 0 if the trial succeeded, else the error number. */
int clinux_confinement_try(int trial, const char **name);

/* Random bytes of the kernel; 0, or an error number. At most 256. */
int clinux_random(void *bytes, size_t count);

#endif
