/* Checks of post-process generators, which are kept as text. */
#pragma once

#include "content/import/source.h"

/* Warns of parts of objects of type pp_generator that have no effect, or that the games report:
 * unknown types and transforms, numbers out of range, and decisions for whole specials that
 * can't be made. */
void process_check(import *im);
