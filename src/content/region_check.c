/*
 * Checks the ids in a content's regions: specials and buildings in their lists, terrains, map
 * extras. It also checks specials against the levels that regions state.
 */
#include "content/content.h"
#include "content/special/special.h"
#include "content/types/region.h"
#include "content/types/terrain.h"

#include <string.h>

static void check_bin(import *im, const region *r, region_list *list)
{
    /* Checks that the sum of the list's weights fits an int32_t, since generation adds them
     * up. */
    int64_t sum = 0;
    for (size_t i = 0; i < list->count; i++) {
        const region_entry *e = &list->items[i];
        bool within = sum <= INT32_MAX;
        sum += e->weight;
        if (within && sum > INT32_MAX)
            import_error(im, e->object, r->id, e->pointer, CT103,
                         "the weights of the list add up to more than %d", INT32_MAX);
    }
    for (size_t i = 0; i < list->count && !import_stopped(im); i++) {
        region_entry *e = &list->items[i];
        if (special_exists(im, e->id)) {
            e->kind = "special";
            if (!special_has_omts(im, e->id))
                import_warning(
                    im, e->object, r->id, e->pointer, RG102,
                    "'%s' is mutable or has no overmaps: it is never taken from here", e->id);
        } else if (terrain_type_exists(im, e->id)) {
            e->kind = "terrain";
        } else {
            const char *near = special_suggest(im, e->id);
            import_unresolved(im, e->object, r->id, e->pointer, CT104,
                              "no special, city_building or terrain type '%s'%s", e->id,
                              near[0] ? near : terrain_suggest_type(im, e->id));
        }
    }
}

/* Checks the terrains of the levels that the region states; false if a terrain does not exist,
 * which is reported. */
static bool check_levels(import *im, const region *r)
{
    bool good = true;
    for (int i = 0; r->levels && i < PTL_LEVELS && good; i++) {
        if (i == -PTL_Z_MIN || terrain_find_oter(im, r->levels[i]) != OTER_NONE)
            continue;
        good = !import_unresolved(
            im, r->default_oter_object, r->id,
            import_pointer_at(im, "/default_oter", (size_t)(PTL_LEVELS - 1 - i)), CT104,
            "no such terrain '%s' for default_oter%s", r->levels[i],
            terrain_suggest(im, r->levels[i]));
    }
    return good;
}

/* Warns of an id among a region's settings of highways that nothing defines. The region is
 * usable without it, but no world that asks for highways can be made (gen/config.c). If the
 * id stands in a list, it is just never chosen. */
static void check_highway(import *im, const region *r, const highway_part *part, const char *id)
{
    const bool terrain = part->kind == HIGHWAY_TERRAIN;
    if (!id || (terrain ? terrain_type_exists(im, id) : special_exists(im, id)))
        return;
    import_warning(
        im, r->object, r->id, r->has_parts ? "/highways" : "/overmap_highway_settings", CT115,
        "%s: no such %s '%s'%s", part->key, terrain ? "terrain type" : "overmap_special", id,
        terrain ? terrain_suggest_type(im, id) : special_suggest(im, id));
}

static void check(import *im)
{
    for (size_t i = 0; i < im->regions->count && !import_stopped(im); i++) {
        region *r = &im->regions->regions[i];
        if (terrain_find_oter(im, r->default_oter) == OTER_NONE)
            r->left_out = import_unresolved(
                im, r->default_oter_object ? r->default_oter_object : r->object, r->id,
                r->default_oter_object ? r->default_oter_pointer : "", CT104,
                "no such terrain '%s' for default_oter%s", r->default_oter,
                terrain_suggest(im, r->default_oter));
        r->left_out = !check_levels(im, r) || r->left_out;
        for (size_t k = 0; k < REGION_BINS; k++)
            check_bin(im, r, &r->bins[k]);
        for (size_t k = 0; k < r->extras_count; k++) {
            for (size_t j = 0; j < r->extras[k].entries.count && !import_stopped(im); j++) {
                region_entry *e = &r->extras[k].entries.items[j];
                if (definition_get(im, CONTENT_MAP_EXTRAS, e->id) ||
                    strcmp(e->id, MAP_EXTRA_NONE) == 0)
                    e->kind = "map_extra";
                else
                    import_unresolved(im, e->object, r->id, e->pointer, CT104,
                                      "no such map_extra '%s'%s", e->id,
                                      definition_suggest(im, CONTENT_MAP_EXTRAS, e->id));
            }
        }
        region_highway_ids(im, r, check_highway);
    }
}

const content_module region_module = {"region",    region_types, NULL,
                                      region_load, check,        region_write};
