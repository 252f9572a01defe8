/*
 * What a special brings with it: connections, and nested specials. This file makes sure that
 * nesting has no cycle and that a special with everything nested in it has a bounded size. So
 * the code that places specials may recurse.
 */
#include "store/catalogue/catalogue_load.h"

#include "core/error.h"

#include <stdlib.h>

/* Most specials nested in one, at all depths, not counting itself. */
enum { NESTED_MAX = 1000 };

typedef struct link_tables {
    cat_link *links;
    cat_nested *nested;
    size_t link_count;
} link_tables;

/* ---- connections ---- */

/* Reads a connection of a special. It leaves out connections that nothing can be drawn with,
 * and conditions of mutable specials. */
static ptl_status read_link(loader *l, const void *values)
{
    const special_connection_row *s = values;
    link_tables *t = l->payload;
    uint16_t connection = CAT_NONE;
    TRY(loader_owner(l, s->special));
    TRY(loader_find_connection(l, &connection, s->connection));
    if (connection == CAT_NONE || (s->existing && l->layouts[l->owner]))
        return PTL_OK;
    cat_special *special = &l->specials[l->owner];
    cat_link *link = &t->links[t->link_count++];
    if (special->link_count++ == 0)
        special->links = link;
    link->existing = s->existing;
    link->connection = connection;
    link->x = (int16_t)s->x;
    link->y = (int16_t)s->y;
    link->z = (int8_t)s->z;
    link->direction = (int8_t)(s->direction.given ? s->direction.value : -1);
    uint16_t terrain = CAT_NONE;
    if (s->terrain) {
        terrain = catalogue_terrain(l->cat, s->terrain);
        if (terrain == CAT_NONE)
            return loader_corrupt(l, "unknown terrain of a connection's point", s->terrain);
    }
    link->carries = loader_carries(l, link->connection, terrain);
    return PTL_OK;
}

/* ---- nesting ---- */

static ptl_status read_nested(loader *l, const void *values)
{
    const special_nested_row *s = values;
    link_tables *t = l->payload;
    TRY(loader_owner(l, s->special));
    cat_special *special = &l->specials[l->owner];
    cat_nested *nested = &t->nested[l->row];
    if (special->nested_count++ == 0)
        special->nested = nested;
    nested->x = (int16_t)s->x;
    nested->y = (int16_t)s->y;
    nested->z = (int8_t)s->z;
    return loader_find_special(l, &nested->special, s->nested);
}

/* A special on the path of the depth-first search, from the outermost to the one at hand. */
typedef struct nested_step {
    uint16_t special;
    size_t next; /* index of its next nested special to be visited */
} nested_step;

enum { SIZE_UNKNOWN = 0, SIZE_OPEN = UINT16_MAX };

/* Computes the size of a special by a depth-first search, with `path` as its explicit stack:
 * sizes[i] becomes the number of specials that i consists of, counting itself. */
static ptl_status measure(loader *l, uint16_t first, uint16_t *sizes, nested_step *path)
{
    size_t depth = 1;
    path[0] = (nested_step){first, 0};
    sizes[first] = SIZE_OPEN;
    while (depth > 0) {
        nested_step *top = &path[depth - 1];
        const cat_special *special = &l->specials[top->special];
        if (top->next < special->nested_count) {
            uint16_t inner = special->nested[top->next++].special;
            if (sizes[inner] == SIZE_OPEN)
                return loader_corrupt(l, "nesting goes in a circle through",
                                      l->specials[inner].id);
            if (sizes[inner] == SIZE_UNKNOWN) {
                sizes[inner] = SIZE_OPEN;
                path[depth++] = (nested_step){inner, 0};
            }
            continue;
        }
        uint32_t size = 1;
        for (size_t i = 0; i < special->nested_count && size <= NESTED_MAX + 1; i++)
            size += sizes[special->nested[i].special];
        if (size > NESTED_MAX + 1)
            return error_set(l->err, PTL_ERR_LIMIT,
                             "more than %d specials are nested in special '%s'", NESTED_MAX,
                             special->id);
        sizes[top->special] = (uint16_t)size;
        depth--;
    }
    return PTL_OK;
}

ptl_status load_links(loader *l)
{
    link_tables t = {0};
    TRY(LOADER_ROOM_OF(l, t.links, CONTENT_SPECIAL_CONNECTION));
    TRY(LOADER_ROOM_OF(l, t.nested, CONTENT_SPECIAL_NESTED));
    TRY(loader_rows(l, CONTENT_SPECIAL_CONNECTION, NULL, read_link, &t));
    TRY(loader_rows(l, CONTENT_SPECIAL_NESTED, NULL, read_nested, &t));
    size_t count = l->cat->special_count;
    uint16_t *sizes = calloc(count + 1, sizeof *sizes);
    nested_step *path = calloc(count + 1, sizeof *path);
    ptl_status status = sizes && path ? PTL_OK : error_nomem(l->err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        if (l->specials[i].nested_count > 0 && sizes[i] == SIZE_UNKNOWN)
            status = measure(l, (uint16_t)i, sizes, path);
    free(sizes);
    free(path);
    return status;
}
