/* What changes from overmap to overmap with the distance from the origin. */
#ifndef GEN_PLAN_PLAN_GRADIENTS_H
#define GEN_PLAN_PLAN_GRADIENTS_H

#include "model/catalogue.h"

/* How urban the overmap is: it draws cities together. 0 at the origin; may be negative. */
int32_t plan_urbanity(const cat_region *region, ptl_chunk_pos pos);

/* What its forest keeps cities apart by. */
int32_t plan_forestosity(const cat_region *region, ptl_chunk_pos pos);

#endif
