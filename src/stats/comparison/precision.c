#include "stats/comparison/precision.h"

#include "core/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_wanted(const precision_wish *wish, const char *id)
{
    for (size_t i = 0; i < wish->only_count; i++)
        if (strcmp(wish->only[i], id) == 0)
            return true;
    return wish->only_count == 0;
}

/* Overmaps in which the special stands. */
static uint64_t overmaps_with(const tally_hist *h)
{
    return hist_total(h) - (h->size > 0 ? h->counts[0] : 0);
}

static void set_share(precision_row *row, const tally_special *found,
                      const precision_wish *wish)
{
    const uint64_t with = found ? overmaps_with(&found->per_overmap) : 0;
    row->is_share = true;
    row->estimate = row->overmaps > 0 ? (double)with / (double)row->overmaps : 0;
    row->range = wilson_interval(with, row->overmaps, wish->confidence);
    row->half_width = (row->range.high - row->range.low) / 2;
    if (wish->wanted > 0 && row->overmaps > 0)
        row->needed = overmaps_for_proportion(row->estimate, wish->wanted, wish->confidence);
}

static void set_mean(precision_row *row, const tally_special *found, const precision_wish *wish)
{
    row->half_width = INFINITY;
    if (!found)
        return;
    const tally_hist *h = &found->per_overmap;
    row->estimate = hist_mean(h);
    row->range = mean_interval(h, wish->confidence);
    /* One overmap has no variance. */
    if (!(row->estimate > 0) || row->overmaps < 2)
        return;
    row->half_width = (row->range.high - row->range.low) / 2 / row->estimate;
    const double variance = hist_variance(h);
    if (wish->wanted > 0)
        row->needed = variance > 0 ? overmaps_for_mean(variance, wish->wanted * row->estimate,
                                                       wish->confidence)
                                   : row->overmaps;
}

ptl_status precision_rows(precision_row **out, size_t *count, const sample *s, const tally *t,
                          const precision_wish *wish, ptl_error *err)
{
    *count = 0;
    *out = calloc(s->cat->special_count + 1, sizeof **out);
    if (!*out)
        return error_nomem(err);
    for (size_t i = 0; i < s->cat->special_count; i++) {
        sample_special d;
        const char *id = s->cat->specials[i].id;
        if (!is_wanted(wish, id) || !sample_definition(s, id, &d) || d.occurrences_max <= 0)
            continue;
        precision_row *row = &(*out)[(*count)++];
        *row = (precision_row){
            .id = id, .is_global = d.is_globally_unique, .overmaps = t->overmaps};
        const tally_special *found = tally_find(t, id);
        if (d.is_unique || d.is_globally_unique)
            set_share(row, found, wish);
        else
            set_mean(row, found, wish);
    }
    return PTL_OK;
}

uint64_t precision_needed(const precision_row *rows, size_t count, size_t *unknown)
{
    uint64_t most = 0;
    *unknown = 0;
    for (size_t i = 0; i < count; i++) {
        *unknown += rows[i].needed == 0;
        if (rows[i].needed > most)
            most = rows[i].needed;
    }
    return most;
}
