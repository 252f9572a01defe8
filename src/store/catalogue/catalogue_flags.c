/* Flags of terrains. All names that the content gives are kept, each once; the flags that
 * generation asks for become bits as well. */
#include "store/catalogue/catalogue_load.h"

#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

typedef struct known_flag {
    const char *name;
    uint32_t bit; /* CAT_FLAG_* of the flag; 0 for most */
} known_flag;

static const known_flag bits[] = {{"NO_ROTATE", CAT_FLAG_NO_ROTATE},
                                  {"LINEAR", CAT_FLAG_LINEAR},
                                  {"RIVER", CAT_FLAG_RIVER},
                                  {"LAKE", CAT_FLAG_LAKE},
                                  {"LAKE_SHORE", CAT_FLAG_LAKE_SHORE},
                                  {"OCEAN", CAT_FLAG_OCEAN},
                                  {"RAVINE", CAT_FLAG_RAVINE},
                                  {"RAVINE_EDGE", CAT_FLAG_RAVINE_EDGE},
                                  {"BRIDGE", CAT_FLAG_BRIDGE},
                                  {"ROAD", CAT_FLAG_ROAD},
                                  {"OCEAN_SHORE", CAT_FLAG_OCEAN_SHORE},
                                  {"HIGHWAY", CAT_FLAG_HIGHWAY},
                                  {"REQUIRES_PREDECESSOR", CAT_FLAG_PREDECESSOR}};

uint32_t loader_flag(const char *name)
{
    for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
        if (strcmp(name, bits[i].name) == 0)
            return bits[i].bit;
    return 0;
}

typedef struct flag_reader {
    const char **names; /* the flag's name in each row; in the arena */
    strmap index;       /* flag's name -> index in `known` */
    known_flag *known;  /* on the heap */
    size_t known_count, known_room;
} flag_reader;

/* Reads a row; rows are sorted by terrain, then by flag. */
static ptl_status read_flag(loader *l, const void *values)
{
    const overmap_terrain_flag_row *s = values;
    flag_reader *r = l->payload;
    cat_terrain *t = loader_terrain(l, s->terrain);
    if (!t)
        return loader_corrupt(l, "flag of unknown terrain", s->terrain);
    if (t->flag_count == UINT16_MAX)
        return loader_corrupt(l, "too many flags of", t->id);
    uint32_t number = strmap_get(&r->index, s->flag);
    if (number == STRMAP_NONE) {
        const known_flag added = {loader_keep(l, s->flag), loader_flag(s->flag)};
        number = (uint32_t)r->known_count;
        if (!ARRAY_ROOM(r->known, r->known_room, r->known_count + 1) ||
            strmap_put(&r->index, added.name, number) != 0)
            return error_nomem(l->err);
        r->known[r->known_count++] = added;
    }
    const known_flag *f = &r->known[number];
    const char **at = &r->names[l->row];
    *at = f->name;
    if (t->flag_count == 0)
        t->flag_names = at;
    else if (t->flag_names + t->flag_count != at || strcmp(at[-1], f->name) >= 0)
        return loader_corrupt(l, "flags out of order of", t->id);
    t->flag_count++;
    t->flags |= f->bit;
    return PTL_OK;
}

ptl_status load_flags(loader *l)
{
    flag_reader r = {0};
    strmap_init(&r.index);
    ptl_status status = LOADER_ROOM_OF(l, r.names, CONTENT_TERRAIN_FLAGS);
    THEN(status, loader_rows(l, CONTENT_TERRAIN_FLAGS, NULL, read_flag, &r));
    strmap_dispose(&r.index);
    free(r.known);
    return status;
}
