#ifndef CLINUX_H
#define CLINUX_H

/* What Swift's Glibc module leaves out: adjtimex(2). */
#include <sys/timex.h>

#endif
