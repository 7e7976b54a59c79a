#include "CSystemd.h"

/* Every helper is an inline function of the header; a target needs one source to be built. */
