/* Writes regions into their tables. */
#include "content/import/record.h"
#include "content/types/region.h"

static void write_group(content_writer *w, const region *r, const region_extras *group)
{
    content_put(w, CONTENT_REGION_EXTRA_GROUPS,
                &(region_extra_group_row){r->id, group->name, group->chance});
    for (size_t i = 0; i < group->entries.count; i++) {
        const region_entry *e = &group->entries.items[i];
        if (e->kind)
            content_put(w, CONTENT_REGION_EXTRAS,
                        &(region_extra_row){r->id, group->name, e->id, e->weight});
    }
}

static void write_region(content_writer *w, const region *r)
{
    const content_field *fields = &content_forms[CONTENT_REGIONS].fields[REGION_FIRST_FIELD];
    region_settings_row row = {.id = r->id, .default_oter = r->default_oter, FROM(r->object)};
    for (int n = 0; n < REGION_COLUMNS; n++) {
        void *at = (char *)&row + fields[n].at;
        if (fields[n].kind == FIELD_REAL)
            *(double *)at = r->numbers[n];
        else
            *(int64_t *)at = (int64_t)r->numbers[n];
    }
    content_put(w, CONTENT_REGIONS, &row);
    for (int n = REGION_COLUMNS; n < REGION_NUMBERS; n++)
        if (r->numbers[n] != region_fields[n].initial)
            content_put(w, CONTENT_REGION_NUMBERS,
                        &(region_number_row){r->id, region_fields[n].name, r->numbers[n]});
    for (int i = 0; r->levels && i < PTL_LEVELS; i++)
        content_put(w, CONTENT_REGION_LEVELS,
                    &(region_level_row){r->id, PTL_Z_MIN + i, r->levels[i]});
    for (size_t i = 0; i < r->block_count; i++)
        content_put(w, CONTENT_REGION_BLOCKS,
                    &(region_block_row){r->id, r->blocks[i].name, r->blocks[i].json});
    for (size_t i = 0; i < REGION_BINS; i++) {
        /* Writes a bin. Entries whose id is unresolved (option lenient) have no kind, and
         * are left out. */
        for (size_t j = 0; j < r->bins[i].count; j++) {
            const region_entry *e = &r->bins[i].items[j];
            if (e->kind)
                content_put(w, CONTENT_REGION_BUILDINGS,
                            &(region_building_row){r->id, region_bins[i].key, e->id, e->weight,
                                                   e->kind});
        }
    }
    for (size_t i = 0; i < r->extras_count; i++)
        write_group(w, r, &r->extras[i]);
    for (size_t i = 0; i < REGION_FEATURE_LISTS; i++)
        for (size_t k = 0; k < r->features[i].count; k++)
            content_put(w, CONTENT_REGION_FLAGS,
                        &(region_feature_flag_row){r->id, region_feature_lists[i].key,
                                                   r->features[i].items[k]});
}

void region_write(import *im, content_writer *w)
{
    for (size_t i = 0; i < im->regions->count; i++)
        if (!im->regions->regions[i].left_out)
            write_region(w, &im->regions->regions[i]);
}
