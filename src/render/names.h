/* Names of cities on the map: larger cities first, and no name over another. However many
 * cities there are, only the NAMES_MAX largest are kept, so memory is constant. */
#ifndef RENDER_NAMES_H
#define RENDER_NAMES_H

#include "render/drawing.h"

enum { NAMES_MAX = 2000, NAME_LETTERS_MAX = 32 };

/* The name of a city. */
typedef struct map_name {
    int64_t x, y; /* absolute OMT of the city's centre */
    int32_t size; /* radius of the city in OMTs */
    char text[NAME_LETTERS_MAX];
} map_name;

/* The largest cities that were offered so far. */
typedef struct name_list {
    /* Owned; a heap with the smallest city on top until names_place sorts it. */
    map_name *names;
    size_t count;
    uint64_t offered;
} name_list;

/* PTL_ERR_NOMEM is the only error. To be disposed of also after it. */
ptl_status names_init(name_list *list, ptl_error *err);
void names_dispose(name_list *list);

/* Offers a city. Its name is UTF-8 from the content; a city without a name is ignored. */
void names_offer(name_list *list, int64_t x, int64_t y, int32_t size, const char *utf8);

/* Adds the names that find room to the drawing: in a strip of levels to the ground level, or
 * else to the first. Returns how many were placed. */
size_t names_place(name_list *list, const page *p, const viewport *v, drawing *d);

#endif
