/* What options.c offers to regions: the content's options, after load(). */
#ifndef CONTENT_TYPES_OPTIONS_H
#define CONTENT_TYPES_OPTIONS_H

#include "content/types/types.h"

/* Reads a number. A wrong one, or one outside of lo..hi, is reported, and counts as absent. */
bool option_number_of(import *im, const char *name, double lo, double hi, double *out);

#endif
