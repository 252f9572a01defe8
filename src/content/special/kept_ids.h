/* Checks ids that terrains, specials and map extras name, of things that are kept as text. */
#ifndef CONTENT_SPECIAL_KEPT_IDS_H
#define CONTENT_SPECIAL_KEPT_IDS_H

#include "content/special/special.h"

/* Runs once all modules have loaded. */
void kept_ids_check(import *im);

#endif
