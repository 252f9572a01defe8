/* What terrains, specials and map extras name and nothing kept defines. */
#ifndef CONTENT_SPECIAL_KEPT_IDS_H
#define CONTENT_SPECIAL_KEPT_IDS_H

#include "content/special/special.h"

/* Once all modules have loaded. */
void kept_ids_check(import *im);

#endif
