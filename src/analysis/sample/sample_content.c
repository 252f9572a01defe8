#include "analysis/sample/sample_content.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

bool sample_content_init(sample_content *c, const catalogue *base)
{
    *c = (sample_content){.base = base, .cat = *base, .version = 1};
    strmap_init(&c->more_specials);
    c->ids = arena_new();
    return c->ids != NULL;
}

void sample_content_dispose(sample_content *c)
{
    if (!c->base)
        return;
    strmap_dispose(&c->more_specials);
    arena_free(c->ids);
    free(c->specials);
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
