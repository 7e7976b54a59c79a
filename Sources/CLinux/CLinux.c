#include "CLinux.h"

/* A target needs one source to be built. */
