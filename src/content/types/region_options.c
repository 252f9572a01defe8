/*
 * Options that are settings of a region (schema/generation.md 1.3). Games whose regions name
 * parts have those settings in the parts, and ignore these options.
 */
#include "content/types/options.h"
#include "content/types/region.h"

#include <string.h>

enum { TRAILHEADS = REGION_BINS - 1 };

const region_switch region_switches[REGION_SWITCHES] = {
    {"OVERMAP_PLACE_RIVERS", "rivers", REGION_RIVER_SCALE, REGION_RIVER_SCALE, 0},
    {"OVERMAP_PLACE_LAKES", "lakes", REGION_LAKE_THRESHOLD, REGION_LAKE_THRESHOLD,
     REGION_NEVER},
    {"OVERMAP_PLACE_OCEANS", NULL, REGION_OCEANS, REGION_OCEANS, 0},
    {"OVERMAP_PLACE_FORESTS", "forests", REGION_FOREST_THRESHOLD,
     REGION_SWAMP_ISOLATED_THRESHOLD, REGION_NEVER},
    {"OVERMAP_PLACE_RAVINES", "ravines", REGION_RAVINES, REGION_RAVINES, 0},
    {"OVERMAP_PLACE_CITIES", NULL, REGION_CITY_SIZE, REGION_CITY_SIZE, 0},
    {"OVERMAP_PLACE_FOREST_TRAILS", "forest_trails", REGION_TRAIL_CHANCE, REGION_TRAIL_CHANCE,
     0},
    {"OVERMAP_PLACE_HIGHWAYS", NULL, REGION_HIGHWAYS, REGION_HIGHWAYS, 0},
};

/* Sets the numbers of the region that options of these games set. */
static void set_numbers(import *im, region *r, region_games games)
{
    for (size_t n = 0; n < REGION_NUMBERS; n++) {
        const region_field *f = &region_fields[n];
        bool on;
        if (!f->option || f->games != games)
            continue;
        if (!region_is_switch(f))
            option_number_of(im, f->option, f->lo, f->hi, &r->numbers[n]);
        else if (option_switch(im, f->option, &on))
            r->numbers[n] = on;
    }
}

void region_apply_options(import *im, region *r)
{
    set_numbers(im, r, REGION_ALL_GAMES);
    set_numbers(im, r, r->has_parts ? REGION_NEWER_GAMES : REGION_OLDER_GAMES);
    bool on = true;
    for (size_t i = 0; !r->has_parts && i < REGION_SWITCHES; i++) {
        const region_switch *s = &region_switches[i];
        for (region_number n = s->first;
             n <= s->last && option_switch(im, s->option, &on) && !on; n++)
            r->numbers[n] = s->off;
    }
    if (!r->has_parts && option_switch(im, "OVERMAP_PLACE_FOREST_TRAILHEADS", &on) && !on)
        r->bins[TRAILHEADS].count = 0;
    if (r->numbers[REGION_SWAMPS] != 0)
        return;
    r->numbers[REGION_SWAMP_ADJACENT_THRESHOLD] = REGION_NEVER;
    r->numbers[REGION_SWAMP_ISOLATED_THRESHOLD] = REGION_NEVER;
}
