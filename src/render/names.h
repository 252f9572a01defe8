/*
 * Names of cities on the map: the largest first, none over another. The largest ones of any
 * number of cities are kept in constant memory.
 */
#ifndef RENDER_NAMES_H
#define RENDER_NAMES_H

#include "render/drawing.h"

enum { NAMES_MAX = 2000, NAME_LETTERS_MAX = 32 };

typedef struct map_name {
    int64_t x, y; /* absolute OMT of the city's middle */
    int32_t size; /* its radius, OMTs */
    char text[NAME_LETTERS_MAX];
} map_name;

typedef struct name_list {
    map_name *names; /* owned; a heap with the smallest on top, until names_place sorts it */
    size_t count;
    uint64_t offered;
} name_list;

/* Fails with PTL_ERR_NOMEM alone. Dispose it also after a failure. */
ptl_status names_init(name_list *list, ptl_error *err);
void names_dispose(name_list *list);

/* Takes a city's name as UTF-8 of the content's; one without a name is passed over. */
void names_offer(name_list *list, int64_t x, int64_t y, int32_t size, const char *utf8);

/*
 * Adds to the drawing what finds room on the map: of a strip of levels on the ground's, or else
 * on the first. Returns how many were placed.
 */
size_t names_place(name_list *list, const page *p, const viewport *v, drawing *d);

#endif
