/*
 * Catalogues made by hand, so that generation is tested without import or database.
 * land_catalogue.c also stands in for content's lookups; don't link both.
 */
#ifndef SUPPORT_LAND_CATALOGUE_H
#define SUPPORT_LAND_CATALOGUE_H

#include "model/catalogue.h"

/* The terrains of the land and nothing else. Region "default" has the reference's values, "wet"
 * wide rivers, many lakes and ravines, "thin" rivers of scale 0.3, "dry" no rivers at all;
 * "coast" has sea beyond y = -3, x = 1 and x = -500, "curves" the rivers of DDA since 2025,
 * "rare curves" wide ones a third as often. Static memory. */
const catalogue *land_catalogue(void);

/*
 * town_catalogue.c: the same regions with cities and trails, and beside the land roads with
 * manholes, trails, sewers, railroads, subways, bridges and the buildings that the bins name.
 * The bins: houses (a bare house, house_deep with cellar and roof), shops (a bare shop, a radio
 * tower, the mall of 2 x 2 x 3 tiles), parks, finales (a hall of 3 x 1), trailheads. Static
 * memory, made by the first call.
 */
const catalogue *town_catalogue(void);

#endif
