/* The end of adding: lists in order of their ids, and what overmaps without an entry mean. */
#include "analysis/measure/tally_impl.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

static const char *id_at(const void *list, size_t at)
{
    tally_entry head;
    memcpy(&head, tally_entry_at(list, at), sizeof head);
    return head.id;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(id_at(a, 0), id_at(b, 0));
}

static int by_count(const void *a, const void *b)
{
    const ptl_tally_count *p = a, *q = b;
    return p->count != q->count ? (p->count > q->count ? -1 : 1) : strcmp(p->id, q->id);
}

/* Sorts the list; its map keeps leading to the entries, so that adding can go on. */
static bool sort(tally_list *l, void *list, size_t count)
{
    if (count == 0)
        return true;
    qsort(list, count, sizeof(void *), by_id);
    for (size_t i = 0; i < count; i++)
        if (strmap_put(&l->index, id_at(list, i), (uint32_t)i) != 0)
            return false;
    return true;
}

static uint64_t lots_sum(const uint64_t lots[PTL_TALLY_LOTS])
{
    uint64_t sum = 0;
    for (size_t i = 0; i < PTL_TALLY_LOTS; i++)
        sum += lots[i];
    return sum;
}

/* Observations of 0 for the overmaps that had no entry; and the order of what lies around. */
static bool fill(ptl_tally *t)
{
    for (size_t i = 0; i < t->special_count; i++) {
        ptl_tally_special *s = t->specials[i];
        if (t->parts & PTL_COUNT_SPECIALS && (!hist_fill(&s->per_overmap, t->overmaps) ||
                                              !hist_fill(&s->asked_per_overmap, t->overmaps)))
            return false;
        for (size_t k = 0; k < PTL_OVERMAP_CLASSES; k++)
            if (!hist_fill(&s->classes[k].per_overmap, lots_sum(t->class_lots[k])))
                return false;
        if (s->around_count > 1)
            qsort(s->around, s->around_count, sizeof *s->around, by_count);
    }
    for (size_t i = 0; i < t->line_count; i++)
        if (!hist_fill(&t->lines[i]->cells, t->overmaps))
            return false;
    return true;
}

ptl_status tally_finish(ptl_tally *t, ptl_error *err)
{
    ptl_tally_own *p = t->own;
    const bool enough = sort(&p->specials, t->specials, t->special_count) &&
                        sort(&p->terrains, t->terrains, t->terrain_count) &&
                        sort(&p->buildings, t->buildings, t->building_count) &&
                        sort(&p->lines, t->lines, t->line_count) && fill(t);
    return enough ? PTL_OK : error_nomem(err);
}

const ptl_tally_special *ptl_tally_find(const ptl_tally *t, const char *id)
{
    const uint32_t at = t->own ? strmap_get(&t->own->specials.index, id) : STRMAP_NONE;
    return at == STRMAP_NONE ? NULL : t->specials[at];
}
