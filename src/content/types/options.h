/* options.c offers regions: the content's options, once their load() has run. */
#ifndef CONTENT_TYPES_OPTIONS_H
#define CONTENT_TYPES_OPTIONS_H

#include "content/types/types.h"

/* Reads a number; a wrong one, or one that is out of lo..hi, is reported and counts as none. */
bool option_number_of(import *im, const char *name, double lo, double hi, double *out);

#endif
