/* Precision of a sample: how wide the confidence interval of each special's rate is, and how
 * many overmaps would make it as narrow as wanted. */
#include "clients/stats/inference/inference.h"
#include "core/error.h"
#include "core/sized.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LEVEL = 0.95;

typedef struct precision {
    ptl_precision list; /* the public part; must be first */
    ptl_precision_row *block;
} precision;

static bool is_wanted(const ptl_precision_options *wish, const char *id)
{
    for (size_t i = 0; i < wish->only_count; i++)
        if (strcmp(wish->only[i], id) == 0)
            return true;
    return wish->only_count == 0;
}

/* Counts the overmaps that have at least one of the special. */
static uint64_t overmaps_with(const ptl_hist *h)
{
    return ptl_hist_total(h) - (h->size > 0 ? h->counts[0] : 0);
}

/* Converts a number of independent overmaps into one of these overmaps, of which neighbours
 * may be alike: the design effect says how many times more are needed. */
static uint64_t needed_of(uint64_t strangers, dependence d)
{
    return strangers == UINT64_MAX ? strangers : (uint64_t)ceil((double)strangers * d.effect);
}

/* A UNIQUE special is in an overmap or not, so its rate is a proportion. */
static void set_share(ptl_precision_row *row, const ptl_tally_special *found,
                      const ptl_tally *t, const ptl_precision_options *wish)
{
    const uint64_t with = found ? overmaps_with(&found->per_overmap) : 0;
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

/* Other specials have a mean number per overmap; its precision is relative to the mean. */
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
    /* A variance needs at least two overmaps, and a relative width needs a mean above 0. */
    if (!(row->estimate > 0) || row->overmaps < 2)
        return;
    row->half_width = (row->range.high - row->range.low) / 2 / row->estimate;
    const double half = wish->wanted * row->estimate;
    if (wish->wanted > 0)
        row->needed = m.variance > 0
                          ? needed_of(overmaps_for_mean(m.variance, half, wish->level), d)
                          : row->overmaps;
}

/* Fills the row of a special for which the rule of placement may ask. */
static void set_row(ptl_precision_row *row, const ptl_sample_special *d, const ptl_tally *t,
                    const ptl_precision_options *wish)
{
    *row = (ptl_precision_row){.size = sizeof *row,
                               .id = d->id,
                               .is_global = d->is_globally_unique,
                               .overmaps = t->overmaps};
    const ptl_tally_special *found = ptl_tally_find(t, d->id);
    if (d->is_unique || d->is_globally_unique)
        set_share(row, found, t, wish);
    else
        set_mean(row, found, t, wish);
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
        if (list[i]->is_building || list[i]->occurrences_max <= 0 ||
            !is_wanted(wish, list[i]->id))
            continue;
        ptl_precision_row *row = &out->block[p->count];
        set_row(row, list[i], tally, wish);
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
