#include "gen/specials/chance.h"

#include <math.h>

double special_successes(const cat_special *s, const cat_region *region,
                         const ptl_world_options *options)
{
    double x = s->occurrences_min;
    const double y = s->occurrences_max;
    if (!(s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) && options->scale_unique)
        x *= options->specials_density;
    /* Before the games had decks they weighed the chance by how often the special had come so
     * far; that settles at the root. */
    if (region->levelled && options->compat && !region->parts && x > 0 && x < y)
        x = sqrt(x * y);
    return x;
}

bool special_is_certain(const cat_special *s, const cat_region *region,
                        const ptl_world_options *options)
{
    return region->levelled && options->placement == PTL_PLACEMENT_SECTORS &&
           (s->flags & PTL_SPECIAL_GLOBALLY_UNIQUE) != 0;
}

double special_chance(const cat_special *s, const cat_region *region,
                      const ptl_world_options *options)
{
    const double x = special_successes(s, region, options);
    if (!(x > 0) || s->occurrences_max <= 0)
        return 0;
    return special_is_certain(s, region, options) ? 1 : fmin(1, x / s->occurrences_max);
}
