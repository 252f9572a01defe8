/* Checks of post-process generators, which are kept as text. */
#pragma once

#include "content/import/source.h"

/* Warns of parts of objects of type pp_generator that have no effect, or that the games report:
 * parts of unknown type, unknown transforms, numbers out of range, and parts that ask to be
 * decided once for a whole special although they can't. */
void process_check(import *im);
