#include "analysis/sample_content.h"

#include "core/error.h"
#include "store/dictionary.h"

#include <stdlib.h>
#include <string.h>

bool sample_content_init(sample_content *c, const ptl_store *store, const catalogue *base)
{
    *c = (sample_content){.store = store, .base = base, .cat = *base, .version = 1};
    strmap_init(&c->more_specials);
    strmap_init(&c->more_terrains);
    strmap_init(&c->more_oters);
    c->ids = arena_new();
    return c->ids != NULL;
}

void sample_content_dispose(sample_content *c)
{
    if (!c->base)
        return;
    strmap_dispose(&c->more_specials);
    strmap_dispose(&c->more_terrains);
    strmap_dispose(&c->more_oters);
    arena_free(c->ids);
    free(c->specials);
    free(c->terrains);
    free(c->oters);
    *c = (sample_content){0};
}

/* A table that can be added to: a copy of the base's at first. NULL when memory is out; else
 * *owned, with room for one more. */
static void *reserve(void **owned, size_t *room, const void *base, size_t count, size_t size)
{
    if (count < *room)
        return *owned;
    const size_t wanted = count + count / 4 + 64;
    void *list = realloc(*owned, wanted * size);
    if (!list)
        return NULL;
    if (!*owned && count > 0)
        memcpy(list, base, count * size);
    *owned = list;
    *room = wanted;
    return list;
}

/* The copy of an id, which from now on leads to this index. */
static ptl_status name(const char **out, sample_content *c, strmap *map, const char *id,
                       size_t index, ptl_error *err)
{
    if (index >= CAT_NONE)
        return error_set(err, PTL_ERR_LIMIT,
                         "the world names more than %d different ids beside the content's",
                         CAT_NONE);
    *out = arena_strdup(c->ids, id);
    if (!*out || strmap_put(map, *out, (uint32_t)index) != 0)
        return error_nomem(err);
    c->version++;
    return PTL_OK;
}

ptl_status sample_content_special(uint16_t *out, sample_content *c, const char *id,
                                  bool building, ptl_error *err)
{
    const char *own = NULL;
    *out = catalogue_special(c->base, id);
    if (*out != CAT_NONE)
        return PTL_OK;
    const uint32_t known = strmap_get(&c->more_specials, id);
    if (known != STRMAP_NONE) {
        *out = (uint16_t)known;
        return PTL_OK;
    }
    const size_t count = c->cat.special_count;
    void *list = c->specials;
    if (!reserve(&list, &c->special_room, c->base->specials, count, sizeof *c->specials))
        return error_nomem(err);
    c->specials = list;
    c->cat.specials = list;
    ptl_status status = name(&own, c, &c->more_specials, id, count, err);
    if (status != PTL_OK)
        return status;
    c->specials[count] = (cat_special){.id = own, .building = building};
    *out = (uint16_t)c->cat.special_count++;
    return PTL_OK;
}

/* ---- terrains ---- */

static bool ends_with(const char *id, const char *suffix)
{
    const size_t length = strlen(id), tail = strlen(suffix);
    return length > tail && strcmp(id + length - tail, suffix) == 0;
}

/* Has the file a straight piece of a line of this type, the first `length` bytes? "river_ne" is
 * a shape of "river" only if it has. */
static bool is_line(const sample_content *c, const char *id, size_t length)
{
    static const char *const straight[] = {"_ns", "_ew"};
    char text[256];
    for (size_t i = 0; i < 2 && length + 4 <= sizeof text; i++) {
        memcpy(text, id, length);
        memcpy(text + length, straight[i], 4);
        if (dictionary_number(c->store, text))
            return true;
    }
    return false;
}

/* How much of an oter's id is its type's, as far as that can be told: without the shape of a
 * line or a rotation at its end. */
static size_t type_length(const sample_content *c, const char *id)
{
    static const char *const shapes[] = {"_isolated", "_end_north", "_end_east", "_end_south",
                                         "_end_west", "_ne",        "_ns",       "_es",
                                         "_nes",      "_wn",        "_ew",       "_new",
                                         "_sw",       "_nsw",       "_esw",      "_nesw"};
    static const char *const rotations[] = {"_north", "_east", "_south", "_west"};
    const size_t length = strlen(id);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        if (ends_with(id, shapes[i]) && is_line(c, id, length - strlen(shapes[i])))
            return length - strlen(shapes[i]);
    for (size_t i = 0; i < 4; i++)
        if (ends_with(id, rotations[i]))
            return length - strlen(rotations[i]);
    return length;
}

static ptl_status find_terrain(uint16_t *out, sample_content *c, const char *id, ptl_error *err)
{
    const char *own = NULL;
    *out = catalogue_terrain(c->base, id);
    if (*out != CAT_NONE)
        return PTL_OK;
    const uint32_t known = strmap_get(&c->more_terrains, id);
    if (known != STRMAP_NONE) {
        *out = (uint16_t)known;
        return PTL_OK;
    }
    const size_t count = c->cat.terrain_count;
    void *list = c->terrains;
    if (!reserve(&list, &c->terrain_room, c->base->terrains, count, sizeof *c->terrains))
        return error_nomem(err);
    c->terrains = list;
    c->cat.terrains = list;
    ptl_status status = name(&own, c, &c->more_terrains, id, count, err);
    if (status != PTL_OK)
        return status;
    c->terrains[count] = (cat_terrain){.id = own, .name = "", .color = ""};
    *out = (uint16_t)c->cat.terrain_count++;
    return PTL_OK;
}

/* A type that the content knows keeps its flags, even if this shape of it is gone. */
static ptl_status terrain_of(uint16_t *out, sample_content *c, const char *oter, ptl_error *err)
{
    *out = catalogue_terrain(c->base, oter);
    if (*out != CAT_NONE)
        return PTL_OK;
    char *type = arena_strndup(c->ids, oter, type_length(c, oter));
    return type ? find_terrain(out, c, type, err) : error_nomem(err);
}

ptl_status sample_content_oter(ptl_oter *out, sample_content *c, const char *id, ptl_error *err)
{
    const char *own = NULL;
    uint16_t terrain;
    *out = catalogue_oter(c->base, id);
    if (*out != CAT_NONE)
        return PTL_OK;
    const uint32_t known = strmap_get(&c->more_oters, id);
    if (known != STRMAP_NONE) {
        *out = (ptl_oter)known;
        return PTL_OK;
    }
    ptl_status status = terrain_of(&terrain, c, id, err);
    if (status != PTL_OK)
        return status;
    const size_t count = c->cat.oter_count;
    void *list = c->oters;
    if (!reserve(&list, &c->oter_room, c->base->oters, count, sizeof *c->oters))
        return error_nomem(err);
    c->oters = list;
    c->cat.oters = list;
    status = name(&own, c, &c->more_oters, id, count, err);
    if (status != PTL_OK)
        return status;
    c->oters[count] =
        (cat_oter){.id = own, .terrain = terrain, .flags = c->cat.terrains[terrain].flags};
    *out = (ptl_oter)c->cat.oter_count++;
    return PTL_OK;
}
