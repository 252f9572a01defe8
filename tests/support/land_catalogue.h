/*
 * A catalogue made by hand: the terrains of the land and nothing else, so that generation is
 * tested without import or database. land_catalogue.c also stands in for content's lookups;
 * don't link both.
 */
#ifndef SUPPORT_LAND_CATALOGUE_H
#define SUPPORT_LAND_CATALOGUE_H

#include "content/catalogue.h"

/* Region "default" has the reference's values, "wet" wide rivers, many lakes and ravines,
 * "thin" rivers of scale 0.3, "dry" no rivers at all. Static memory. */
const catalogue *land_catalogue(void);

#endif
