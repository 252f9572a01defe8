/* Regions into their tables. */
#include "content/import/write.h"
#include "content/types/region.h"

#include "core/error.h"

typedef struct region_statements {
    stmt *settings, *block, *building, *group, *extra, *feature;
} region_statements;

static ptl_status write_settings(import *im, region_statements *s, const region *r)
{
    stmt_bind_text(s->settings, 1, r->id);
    stmt_bind_text(s->settings, 2, r->default_oter);
    for (int n = 0; n < REGION_NUMBERS; n++) {
        if (region_fields[n].real)
            stmt_bind_double(s->settings, 3 + n, r->numbers[n]);
        else
            stmt_bind_int(s->settings, 3 + n, (int64_t)r->numbers[n]);
    }
    bind_origin(s->settings, 3 + REGION_NUMBERS, r->object, r->line);
    return stmt_run(s->settings, im->err);
}

static ptl_status write_blocks(import *im, region_statements *s, const region *r)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < r->block_count && status == PTL_OK; i++) {
        stmt_bind_text(s->block, 1, r->id);
        stmt_bind_text(s->block, 2, r->blocks[i].name);
        stmt_bind_text(s->block, 3, r->blocks[i].json);
        status = stmt_run(s->block, im->err);
    }
    return status;
}

/* Entries whose id is unresolved (lenient) have no kind and are left out. */
static ptl_status write_bin(import *im, region_statements *s, const region *r, size_t bin)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < r->bins[bin].count && status == PTL_OK; i++) {
        const region_entry *e = &r->bins[bin].items[i];
        if (!e->kind)
            continue;
        stmt_bind_text(s->building, 1, r->id);
        stmt_bind_text(s->building, 2, region_bins[bin].key);
        stmt_bind_text(s->building, 3, e->id);
        stmt_bind_int(s->building, 4, e->weight);
        stmt_bind_text(s->building, 5, e->kind);
        status = stmt_run(s->building, im->err);
    }
    return status;
}

static ptl_status write_group(import *im, region_statements *s, const region *r,
                              const region_extras *group)
{
    stmt_bind_text(s->group, 1, r->id);
    stmt_bind_text(s->group, 2, group->name);
    stmt_bind_int(s->group, 3, group->chance);
    ptl_status status = stmt_run(s->group, im->err);
    for (size_t i = 0; i < group->entries.count && status == PTL_OK; i++) {
        const region_entry *e = &group->entries.items[i];
        if (!e->kind)
            continue;
        stmt_bind_text(s->extra, 1, r->id);
        stmt_bind_text(s->extra, 2, group->name);
        stmt_bind_text(s->extra, 3, e->id);
        stmt_bind_int(s->extra, 4, e->weight);
        status = stmt_run(s->extra, im->err);
    }
    return status;
}

static ptl_status write_features(import *im, region_statements *s, const region *r)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++) {
        for (size_t k = 0; k < r->features[i].count && status == PTL_OK; k++) {
            stmt_bind_text(s->feature, 1, r->id);
            stmt_bind_text(s->feature, 2, region_feature_lists[i].key);
            stmt_bind_text(s->feature, 3, r->features[i].items[k]);
            status = stmt_run(s->feature, im->err);
        }
    }
    return status;
}

static ptl_status prepare(import *im, region_statements *s, ptl_store *store)
{
    const struct {
        stmt **out;
        const char *sql;
    } list[] = {
        {&s->settings,
         "INSERT INTO region_settings (id, default_oter, river_scale, noise_threshold_lake,"
         " lake_size_min, lake_depth, num_ravines, ravine_range, ravine_width, ravine_depth,"
         " noise_threshold_forest, noise_threshold_forest_thick,"
         " noise_threshold_swamp_adjacent_water, noise_threshold_swamp_isolated,"
         " river_floodplain_buffer_distance_min, river_floodplain_buffer_distance_max,"
         " trail_chance, trail_border_point_chance, trail_minimum_forest_size,"
         " trail_random_point_min, trail_random_point_max, trail_random_point_size_scalar,"
         " trailhead_chance, trailhead_road_distance, shop_radius, shop_sigma, park_radius,"
         " park_sigma, city_size, city_spacing, pack, file, line) VALUES (?, ?, ?, ?, ?, ?, ?,"
         " ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"},
        {&s->block, "INSERT INTO region_block (region, block, json) VALUES (?, ?, ?)"},
        {&s->building,
         "INSERT INTO region_building (region, bin, id, weight, kind) VALUES (?, ?, ?, ?, ?)"},
        {&s->group, "INSERT INTO region_extra_group (region, name, chance) VALUES (?, ?, ?)"},
        {&s->extra,
         "INSERT INTO region_extra (region, name, map_extra, weight) VALUES (?, ?, ?, ?)"},
        {&s->feature, "INSERT INTO region_feature_flag (region, list, flag) VALUES (?, ?, ?)"},
    };
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && status == PTL_OK; i++)
        status = stmt_prepare(list[i].out, store, list[i].sql, im->err);
    return status;
}

static ptl_status write_region(import *im, region_statements *s, const region *r)
{
    ptl_status status = write_settings(im, s, r);
    if (status == PTL_OK)
        status = write_blocks(im, s, r);
    for (size_t i = 0; i < REGION_BINS && status == PTL_OK; i++)
        status = write_bin(im, s, r, i);
    for (size_t i = 0; i < r->extras_count && status == PTL_OK; i++)
        status = write_group(im, s, r, &r->extras[i]);
    return status == PTL_OK ? write_features(im, s, r) : status;
}

/* The old rows are gone: terrain_write clears all definitions. */
ptl_status region_write(import *im, ptl_store *store, int64_t content_id)
{
    (void)content_id;
    region_statements s = {0};
    ptl_status status = prepare(im, &s, store);
    for (size_t i = 0; i < im->regions->count && status == PTL_OK; i++)
        if (!im->regions->regions[i].left_out)
            status = write_region(im, &s, &im->regions->regions[i]);
    stmt_free(s.settings);
    stmt_free(s.block);
    stmt_free(s.building);
    stmt_free(s.group);
    stmt_free(s.extra);
    stmt_free(s.feature);
    return status;
}
