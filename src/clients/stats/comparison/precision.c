/* Precision of a sample: how wide the confidence interval of each special's rate is, and how
 * many overmaps would make it as narrow as the caller wants. */
#include "clients/stats/inference/inference.h"
#include "core/error.h"
#include "core/sized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;

typedef struct precision {
    ptl_precision list; /* what callers get a pointer to; must be the first member */
    ptl_precision_row *block;
} precision;

/* Converts a number of overmaps that are independent of each other (`strangers`) into the
 * number of overmaps of this sample that tell as much. Neighbouring overmaps may be alike, and
 * the design effect says by what factor more of them are needed. */
static uint64_t needed_of(uint64_t strangers, dependence d)
{
    return strangers == UINT64_MAX ? strangers : (uint64_t)ceil((double)strangers * d.effect);
}

/* Sets the row of a UNIQUE special. An overmap has such a special once or not at all, so its
 * rate is a proportion. */
static void set_share(ptl_precision_row *row, const ptl_tally_special *found,
                      const ptl_tally *t, const ptl_precision_options *wish)
{
    const ptl_hist none = {0}, *h = found ? &found->per_overmap : &none;
    const uint64_t with = ptl_hist_total(h) - (h->size > 0 ? h->counts[0] : 0);
    row->is_share = true;
    row->estimate = row->overmaps > 0 ? (double)with / (double)row->overmaps : 0;
    const double n = (double)row->overmaps, share = row->estimate;
    const dependence d = tally_dependence(t, found ? found->lots_with : NULL, t->lots,
                                          n > 1 ? n / (n - 1) * share * (1 - share) : 0);
    row->range = share_interval(with, row->overmaps, d, wish->level);
    row->half_width = (row->range.high - row->range.low) / 2;
    if (wish->wanted > 0 && row->overmaps > 0)
        row->needed = needed_of(overmaps_for_proportion(share, wish->wanted, wish->level), d);
}

/* Sets the row of a special that is not UNIQUE. Its rate is a mean number per overmap, and the
 * precision is relative to that mean. */
static void set_mean(ptl_precision_row *row, const ptl_tally_special *found, const ptl_tally *t,
                     const ptl_precision_options *wish)
{
    row->half_width = INFINITY;
    if (!found)
        return;
    const ptl_moments m = hist_moments(&found->per_overmap);
    const dependence d = tally_dependence(t, found->lots, t->lots, m.variance);
    row->estimate = m.mean;
    row->range = mean_interval(m, d, wish->level);
    /* The variance can only be computed from two overmaps or more, and a width relative to the
     * mean needs a mean above 0. */
    if (!(row->estimate > 0) || row->overmaps < 2)
        return;
    row->half_width = (row->range.high - row->range.low) / 2 / row->estimate;
    const double half = wish->wanted * row->estimate;
    if (wish->wanted > 0)
        row->needed = m.variance > 0
                          ? needed_of(overmaps_for_mean(m.variance, half, wish->level), d)
                          : row->overmaps;
}

static bool fill(precision *out, const ptl_sample *sample, const ptl_tally *tally,
                 const ptl_precision_options *wish)
{
    size_t defined;
    const ptl_sample_special *const *list = ptl_sample_specials(&defined, sample);
    ptl_precision *p = &out->list;
    out->block = calloc(defined + 1, sizeof *out->block);
    p->rows = calloc(defined + 1, sizeof(ptl_precision_row *));
    if (!out->block || !p->rows)
        return false;
    for (size_t i = 0; i < defined; i++) {
        bool is_wanted = wish->only_count == 0;
        for (size_t j = 0; j < wish->only_count; j++)
            is_wanted |= strcmp(wish->only[j], list[i]->id) == 0;
        if (!is_wanted || list[i]->is_building || list[i]->occurrences_max <= 0)
            continue;
        ptl_precision_row *row = &out->block[p->count];
        const ptl_sample_special *d = list[i];
        *row = (ptl_precision_row){.size = sizeof *row,
                                   .id = d->id,
                                   .is_global = d->is_globally_unique,
                                   .overmaps = tally->overmaps};
        const ptl_tally_special *found = ptl_tally_find(tally, d->id);
        if (d->is_unique || d->is_globally_unique)
            set_share(row, found, tally, wish);
        else
            set_mean(row, found, tally, wish);
        p->rows[p->count++] = row;
        p->unknown += row->needed == 0;
        if (row->needed > p->needed)
            p->needed = row->needed;
    }
    return true;
}

ptl_status ptl_precision_new(ptl_precision **out, const ptl_sample *sample,
                             const ptl_tally *tally, const ptl_precision_options *options,
                             ptl_error *err)
{
    ptl_precision_options wish = PTL_PRECISION_OPTIONS_INIT;
    error_clear(err);
    *out = NULL;
    TRY(SIZED_TAKE(ptl_precision_options, &wish, options, err));
    if (!(wish.level > 0))
        wish.level = LEVEL;
    if (!(wish.level < 1))
        return error_set(err, PTL_ERR_ARGUMENT, "a level lies between 0 and 1, not at %g",
                         wish.level);
    if (tally->overmaps > 0 && !(tally->parts & PTL_COUNT_SPECIALS))
        return error_set(err, PTL_ERR_ARGUMENT, "specials were not counted");
    precision *own = calloc(1, sizeof *own);
    if (!own)
        return error_nomem(err);
    own->list.size = sizeof own->list;
    if (fill(own, sample, tally, &wish)) {
        *out = &own->list;
        return PTL_OK;
    }
    ptl_precision_free(&own->list);
    return error_nomem(err);
}

void ptl_precision_free(ptl_precision *list)
{
    precision *own = (precision *)list;
    if (!own)
        return;
    free(own->block);
    free(own->list.rows);
    free(own);
}
