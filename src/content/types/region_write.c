/* Regions into their tables. */
#include "content/import/write.h"
#include "content/types/region.h"

#include "core/error.h"

typedef struct region_statements {
    content_rows *settings, *number, *level, *block, *building, *group, *extra, *feature;
} region_statements;

static ptl_status write_settings(import *im, region_statements *s, const region *r)
{
    content_rows_text(s->settings, 1, r->id);
    content_rows_text(s->settings, 2, r->default_oter);
    for (int n = 0; n < REGION_COLUMNS; n++) {
        if (region_fields[n].real)
            content_rows_real(s->settings, 3 + n, r->numbers[n]);
        else
            content_rows_int(s->settings, 3 + n, (int64_t)r->numbers[n]);
    }
    bind_origin(s->settings, 3 + REGION_COLUMNS, r->object);
    return content_rows_add(s->settings, im->err);
}

/* Those without columns, where they are not the games' defaults. */
static ptl_status write_numbers(import *im, region_statements *s, const region *r)
{
    ptl_status status = PTL_OK;
    for (int n = REGION_COLUMNS; n < REGION_NUMBERS && status == PTL_OK; n++) {
        if (r->numbers[n] == region_fields[n].initial)
            continue;
        content_rows_text(s->number, 1, r->id);
        content_rows_text(s->number, 2, region_fields[n].name);
        content_rows_real(s->number, 3, r->numbers[n]);
        status = content_rows_add(s->number, im->err);
    }
    return status;
}

static ptl_status write_levels(import *im, region_statements *s, const region *r)
{
    ptl_status status = PTL_OK;
    for (int i = 0; r->levels && i < PTL_LEVELS && status == PTL_OK; i++) {
        content_rows_text(s->level, 1, r->id);
        content_rows_int(s->level, 2, PTL_Z_MIN + i);
        content_rows_text(s->level, 3, r->levels[i]);
        status = content_rows_add(s->level, im->err);
    }
    return status;
}

static ptl_status write_blocks(import *im, region_statements *s, const region *r)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < r->block_count && status == PTL_OK; i++) {
        content_rows_text(s->block, 1, r->id);
        content_rows_text(s->block, 2, r->blocks[i].name);
        content_rows_text(s->block, 3, r->blocks[i].json);
        status = content_rows_add(s->block, im->err);
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
        content_rows_text(s->building, 1, r->id);
        content_rows_text(s->building, 2, region_bins[bin].key);
        content_rows_text(s->building, 3, e->id);
        content_rows_int(s->building, 4, e->weight);
        content_rows_text(s->building, 5, e->kind);
        status = content_rows_add(s->building, im->err);
    }
    return status;
}

static ptl_status write_group(import *im, region_statements *s, const region *r,
                              const region_extras *group)
{
    content_rows_text(s->group, 1, r->id);
    content_rows_text(s->group, 2, group->name);
    content_rows_int(s->group, 3, group->chance);
    ptl_status status = content_rows_add(s->group, im->err);
    for (size_t i = 0; i < group->entries.count && status == PTL_OK; i++) {
        const region_entry *e = &group->entries.items[i];
        if (!e->kind)
            continue;
        content_rows_text(s->extra, 1, r->id);
        content_rows_text(s->extra, 2, group->name);
        content_rows_text(s->extra, 3, e->id);
        content_rows_int(s->extra, 4, e->weight);
        status = content_rows_add(s->extra, im->err);
    }
    return status;
}

static ptl_status write_features(import *im, region_statements *s, const region *r)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++) {
        for (size_t k = 0; k < r->features[i].count && status == PTL_OK; k++) {
            content_rows_text(s->feature, 1, r->id);
            content_rows_text(s->feature, 2, region_feature_lists[i].key);
            content_rows_text(s->feature, 3, r->features[i].items[k]);
            status = content_rows_add(s->feature, im->err);
        }
    }
    return status;
}

static ptl_status prepare(import *im, region_statements *s, ptl_store *store)
{
    const struct {
        content_rows **out;
        content_part part;
    } list[] = {
        {&s->settings, CONTENT_REGIONS},          {&s->number, CONTENT_REGION_NUMBERS},
        {&s->level, CONTENT_REGION_LEVELS},       {&s->block, CONTENT_REGION_BLOCKS},
        {&s->building, CONTENT_REGION_BUILDINGS}, {&s->group, CONTENT_REGION_EXTRA_GROUPS},
        {&s->extra, CONTENT_REGION_EXTRAS},       {&s->feature, CONTENT_REGION_FLAGS},
    };
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < sizeof list / sizeof *list && status == PTL_OK; i++)
        status = content_rows_open(list[i].out, store, list[i].part, im->err);
    return status;
}

static ptl_status write_region(import *im, region_statements *s, const region *r)
{
    ptl_status status = write_settings(im, s, r);
    if (status == PTL_OK)
        status = write_numbers(im, s, r);
    if (status == PTL_OK)
        status = write_levels(im, s, r);
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
    content_rows_close(s.settings);
    content_rows_close(s.number);
    content_rows_close(s.level);
    content_rows_close(s.block);
    content_rows_close(s.building);
    content_rows_close(s.group);
    content_rows_close(s.extra);
    content_rows_close(s.feature);
    return status;
}
