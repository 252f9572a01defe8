/* The end of adding: lists in order of their ids, and what overmaps without an entry mean. */
#include "analysis/measure/tally_impl.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

/* The first member of every entry is its id. */
static const char *id_of(const void *entry)
{
    const char *id;
    memcpy(&id, entry, sizeof id);
    return id;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(id_of(a), id_of(b));
}

static int by_count(const void *a, const void *b)
{
    const tally_count *p = a, *q = b;
    return p->count != q->count ? (p->count > q->count ? -1 : 1) : strcmp(p->id, q->id);
}

/* Sorts the list; its map keeps leading to the entries, so that adding can go on. */
static bool sort(tally_list *l, void *list, size_t count, size_t size)
{
    if (count == 0)
        return true;
    qsort(list, count, size, by_id);
    for (size_t i = 0; i < count; i++)
        if (strmap_put(&l->index, id_of((unsigned char *)list + i * size), (uint32_t)i) != 0)
            return false;
    return true;
}

/* Observations of 0 for the overmaps that had no entry; and the order of what lies around. */
static bool fill(tally *t)
{
    for (size_t i = 0; i < t->special_count; i++) {
        tally_special *s = &t->specials[i];
        if (t->parts & SUMMARY_SPECIALS && (!hist_fill(&s->per_overmap, t->overmaps) ||
                                            !hist_fill(&s->asked_per_overmap, t->overmaps)))
            return false;
        if (s->around_count > 1)
            qsort(s->around, s->around_count, sizeof *s->around, by_count);
    }
    for (size_t i = 0; i < t->line_count; i++)
        if (!hist_fill(&t->lines[i].cells, t->overmaps))
            return false;
    return true;
}

ptl_status tally_finish(tally *t, ptl_error *err)
{
    tally_private *p = t->private_data;
    const bool enough =
        sort(&p->specials, t->specials, t->special_count, sizeof *t->specials) &&
        sort(&p->terrains, t->terrains, t->terrain_count, sizeof *t->terrains) &&
        sort(&p->buildings, t->buildings, t->building_count, sizeof *t->buildings) &&
        sort(&p->lines, t->lines, t->line_count, sizeof *t->lines) && fill(t);
    return enough ? PTL_OK : error_nomem(err);
}

const tally_special *tally_find(const tally *t, const char *id)
{
    const uint32_t at =
        t->private_data ? strmap_get(&t->private_data->specials.index, id) : STRMAP_NONE;
    return at == STRMAP_NONE ? NULL : &t->specials[at];
}
