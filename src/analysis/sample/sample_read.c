#include "analysis/sample/sample_read.h"

#include "analysis/measure/measure.h"
#include "analysis/sample/sample_content.h"
#include "codec/fill.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/chunk_read.h"
#include "store/sqlite/rows/dictionary.h"
#include "store/sqlite/rows/feature_rows.h"

#include <stdlib.h>
#include <string.h>

enum {
    ALL_LEVELS = (1 << PTL_LEVELS) - 1,
    GROUND = 1 << -PTL_Z_MIN /* the bit of z = 0 */
};

struct sample_reader {
    ptl_store *store; /* borrowed */
    const catalogue *cat;
    int64_t world_id;
    uint32_t parts;
    char *special; /* owned; NULL: all */
    int64_t x, y;  /* of the chunk read last */
    sample_content content;
    measurer *measurer; /* of content.cat in the version that follows */
    uint32_t version;
    feature_set set;
    gen_features features;
    ptl_chunk *chunk;
    const ptl_oter *map; /* the dictionary's: file number -> oter */
    size_t map_count;
};

ptl_status sample_reader_new(sample_reader **out, ptl_store *store, const catalogue *cat,
                             int64_t world_id, uint32_t parts, const char *special,
                             ptl_error *err)
{
    sample_reader *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return error_nomem(err);
    r->store = store;
    r->cat = cat;
    r->world_id = world_id;
    r->parts = parts;
    r->x = r->y = INT64_MIN;
    r->chunk = chunk_new((ptl_chunk_pos){0, 0});
    r->special = special ? strdup(special) : NULL;
    if (!sample_content_init(&r->content, cat) || !r->chunk || (special && !r->special)) {
        sample_reader_free(r);
        return error_nomem(err);
    }
    *out = r;
    return PTL_OK;
}

void sample_reader_free(sample_reader *r)
{
    if (!r)
        return;
    /* features.cities are texts of set. */
    features_dispose(&r->features);
    feature_set_dispose(&r->set);
    measurer_free(r->measurer);
    sample_content_dispose(&r->content);
    ptl_chunk_free(r->chunk);
    free(r->special);
    free(r);
}

/* ---- features ---- */

static ptl_status add_cities(sample_reader *r, ptl_error *err)
{
    for (size_t i = 0; i < r->set.rows.city_count; i++) {
        gen_city *city = features_add_city(&r->features);
        if (!city)
            return error_nomem(err);
        *city = r->set.rows.cities[i];
    }
    return PTL_OK;
}

static ptl_status add_specials(sample_reader *r, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < r->set.specials.count && status == PTL_OK; i++) {
        const special_row *row = &r->set.specials.list[i];
        gen_placement *p = features_add_placement(&r->features);
        if (!p)
            return error_nomem(err);
        *p = row->placement;
        status = sample_content_special(&p->special, &r->content, row->id, false, err);
    }
    return status;
}

/* The specials that a pack's names mean. New; *out is NULL where there are none. */
static ptl_status find_specials(uint16_t **out, sample_reader *r, pack_kind kind, bool building,
                                ptl_error *err)
{
    const size_t count = r->set.tables[kind].name_count;
    ptl_status status = PTL_OK;
    *out = NULL;
    if (r->set.tables[kind].count == 0)
        return PTL_OK;
    uint16_t *list = malloc(count * sizeof *list);
    if (!list)
        return error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status =
            sample_content_special(&list[i], &r->content, r->set.names[kind][i], building, err);
    if (status == PTL_OK)
        *out = list;
    else
        free(list);
    return status;
}

static ptl_status add_buildings(sample_reader *r, ptl_error *err)
{
    const pack_table *t = &r->set.tables[PACK_PLACEMENTS];
    uint16_t *specials;
    ptl_status status = find_specials(&specials, r, PACK_PLACEMENTS, true, err);
    for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
        gen_placement *p = features_add_placement(&r->features);
        if (p)
            *p = (gen_placement){.special = specials[t->columns[PLACEMENT_ID][i]],
                                 .x = (int16_t)t->columns[PLACEMENT_X][i],
                                 .y = (int16_t)t->columns[PLACEMENT_Y][i],
                                 .z = (int8_t)t->columns[PLACEMENT_Z][i],
                                 .rotation = (uint8_t)t->columns[PLACEMENT_ROTATION][i],
                                 .city = (int16_t)t->columns[PLACEMENT_CITY][i]};
        else
            status = error_nomem(err);
    }
    free(specials);
    return status;
}

static ptl_status add_attempts(sample_reader *r, ptl_error *err)
{
    const pack_table *t = &r->set.tables[PACK_ATTEMPTS];
    uint16_t *specials;
    ptl_status status = find_specials(&specials, r, PACK_ATTEMPTS, false, err);
    for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
        gen_attempt *a = features_add_attempt(&r->features);
        if (a)
            *a = (gen_attempt){.special = specials[t->columns[ATTEMPT_SPECIAL][i]],
                               .asked = t->columns[ATTEMPT_ASKED][i],
                               .ground = t->columns[ATTEMPT_GROUND][i],
                               .linked = t->columns[ATTEMPT_LINKED][i],
                               .city = t->columns[ATTEMPT_CITY][i],
                               .room = t->columns[ATTEMPT_ROOM][i],
                               .failed = t->columns[ATTEMPT_FAILED][i],
                               .placed = t->columns[ATTEMPT_PLACED][i]};
        else
            status = error_nomem(err);
    }
    free(specials);
    return status;
}

/* Where they are, not which they are. Specials are the first placements. */
static ptl_status add_pieces(sample_reader *r, ptl_error *err)
{
    const pack_table *t = &r->set.tables[PACK_PIECES];
    for (size_t i = 0; i < t->count; i++) {
        gen_piece *p = features_add_piece(&r->features);
        if (!p)
            return error_nomem(err);
        *p = (gen_piece){.placement = t->columns[PIECE_PLACEMENT][i],
                         .x = (int16_t)t->columns[PIECE_X][i],
                         .y = (int16_t)t->columns[PIECE_Y][i],
                         .z = (int8_t)t->columns[PIECE_Z][i]};
    }
    return PTL_OK;
}

static ptl_status read_features(sample_reader *r, const chunk_info *info, const stmt *s,
                                ptl_error *err)
{
    features_reset(&r->features);
    if (!(r->parts & (SUMMARY_SPECIALS | SUMMARY_PLACES | SUMMARY_CITIES | SUMMARY_BASELINE)))
        return PTL_OK;
    ptl_status status = feature_rows_read(&r->set, r->store, info->id,
                                          stmt_int(s, CHUNK_COLUMN_FEATURES_CHECKSUM), err);
    if (status == PTL_OK)
        status = add_cities(r, err);
    if (status == PTL_OK && r->parts & (SUMMARY_SPECIALS | SUMMARY_PLACES))
        status = add_specials(r, err);
    if (status == PTL_OK && r->parts & SUMMARY_PLACES)
        status = add_pieces(r, err);
    if (status == PTL_OK && r->parts & SUMMARY_SPECIALS)
        status = add_attempts(r, err);
    if (status == PTL_OK && r->parts & SUMMARY_CITIES)
        status = add_buildings(r, err);
    return status;
}

/* ---- tiles ---- */

/* Of what was there when the catalogue was opened every oter is known. */
static ptl_status check_known(const sample_reader *r, uint32_t number, ptl_error *err)
{
    return r->map[number] != CAT_NONE ? PTL_OK : dictionary_unknown(r->store, number, err);
}

static ptl_status decode(void *payload, int32_t z, const void *blob, size_t size,
                         ptl_error *err)
{
    sample_reader *r = payload;
    level *l = chunk_level(r->chunk, z);
    row_scratch *scratch;
    const level_runs *runs;
    ptl_status status = row_scratch_get(&scratch, r->store, err);
    if (status == PTL_OK)
        status = level_parse_palette(&runs, scratch->codec, blob, size, r->map_count, err);
    for (size_t i = 0; status == PTL_OK && i < runs->palette_count; i++)
        status = check_known(r, runs->palette[i], err);
    if (status != PTL_OK)
        return error_prefix(err, status, "z %d", z);
    if (runs->palette_count == 1) {
        level_fill(l, r->map[runs->palette[0]]);
        return PTL_OK;
    }
    if (!level_cells(l))
        return error_nomem(err);
    status = level_expand(l->cells, scratch->codec, r->map, err);
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "z %d", z);
}

static ptl_status decode_one(sample_reader *r, const chunk_info *info, int32_t z,
                             ptl_error *err)
{
    const int64_t id = info->id * 32 + (z - PTL_Z_MIN);
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false;
    size_t size;
    ptl_status status = row_scratch_get(&scratch, r->store, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, r->store, STMT_TILE_LEVEL, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, id);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && !row)
        status =
            error_set(err, PTL_ERR_CORRUPT, "level z %d: level_mask and its rows differ", z);
    if (status == PTL_OK) {
        const void *blob = stmt_blob(s, 1, &size);
        status = level_row_verify(scratch, id, stmt_int(s, 0), blob, size, err);
        if (status == PTL_OK)
            status = decode(r, z, blob, size, err);
    }
    stmt_reset(s);
    return status;
}

/* Bits of the levels that the parts need. */
static uint32_t wanted_levels(const sample_reader *r)
{
    uint32_t levels = 0;
    if (r->parts & (SUMMARY_TERRAINS | SUMMARY_LINES))
        return ALL_LEVELS;
    if (r->parts & (SUMMARY_WATERS | SUMMARY_BASELINE))
        levels = GROUND;
    for (size_t i = 0; r->parts & SUMMARY_PLACES && i < r->features.placement_count; i++) {
        const gen_placement *p = &r->features.placements[i];
        const cat_special *special = &r->content.cat.specials[p->special];
        if (!special->building && (!r->special || strcmp(r->special, special->id) == 0))
            levels |= GROUND | UINT32_C(1) << (p->z - PTL_Z_MIN);
    }
    return levels;
}

static ptl_status read_tiles(sample_reader *r, const chunk_info *info, const stmt *s,
                             ptl_error *err)
{
    uint32_t numbers[PTL_LEVELS];
    const uint32_t wanted = wanted_levels(r);
    size_t size;
    r->chunk->pos = info->pos;
    if (!wanted)
        return PTL_OK;
    ptl_status status = dictionary_map(r->store, r->cat, &r->map, &r->map_count, err);
    const void *blob = stmt_blob(s, CHUNK_COLUMN_FILL, &size);
    if (status == PTL_OK)
        status = fill_parse(numbers, blob, size, r->map_count, err);
    for (uint32_t at = 0; at < PTL_LEVELS && status == PTL_OK; at++) {
        const bool stored = info->level_mask >> at & 1;
        if (!(wanted >> at & 1))
            continue;
        if (!stored && (status = check_known(r, numbers[at], err)) == PTL_OK)
            level_fill(&r->chunk->levels[at], r->map[numbers[at]]);
        else if (stored && wanted != ALL_LEVELS)
            status = decode_one(r, info, (int32_t)at + PTL_Z_MIN, err);
    }
    if (status == PTL_OK && wanted == ALL_LEVELS)
        status = chunk_levels_visit(r->store, info, stmt_int(s, CHUNK_COLUMN_LEVELS_CHECKSUM),
                                    decode, r, err);
    return status;
}

/* ---- overmaps ---- */

/* The measurer knows the content as it is by now. */
static ptl_status renew_measurer(sample_reader *r, const chunk_info *info, ptl_error *err)
{
    if (!r->measurer || r->version != r->content.version) {
        measurer_free(r->measurer);
        r->measurer = measurer_new(&r->content.cat);
        r->version = r->content.version;
    }
    if (!r->measurer)
        return error_nomem(err);
    measurer_footprints(r->measurer, info->content_id == r->cat->content_id);
    return PTL_OK;
}

static ptl_status measure_found(summary *out, sample_reader *r, const chunk_info *info,
                                const stmt *s, ptl_error *err)
{
    uint16_t special = CAT_NONE;
    ptl_status status = read_features(r, info, s, err);
    if (status == PTL_OK)
        status = read_tiles(r, info, s, err);
    if (status == PTL_OK && r->special)
        status = sample_content_special(&special, &r->content, r->special, false, err);
    if (status == PTL_OK)
        status = renew_measurer(r, info, err);
    if (status != PTL_OK)
        return status;
    measurer_only(r->measurer, special);
    return measure(out, r->measurer, r->chunk, &r->features, r->parts, err);
}

ptl_status sample_reader_next(sample_step *step, summary *out, sample_reader *r, ptl_error *err)
{
    row_scratch *scratch;
    stmt *s = NULL;
    bool row = false;
    chunk_info info;
    *step = SAMPLE_END;
    ptl_status status = row_scratch_get(&scratch, r->store, err);
    if (status == PTL_OK)
        status = stmt_prepared(&s, r->store, STMT_CHUNK_AFTER, err);
    if (status != PTL_OK)
        return status;
    stmt_bind_int(s, 1, r->world_id);
    stmt_bind_int(s, 2, r->x);
    stmt_bind_int(s, 3, r->y);
    status = stmt_step(s, &row, err);
    if (status == PTL_OK && row)
        status = chunk_info_read(&info, scratch, s, err);
    if (status == PTL_OK && row) {
        if (info.pos.x < r->x || (info.pos.x == r->x && info.pos.y <= r->y))
            status =
                error_set(err, PTL_ERR_CORRUPT, "table chunk: the index on places differs");
        r->x = info.pos.x;
        r->y = info.pos.y;
        *step = info.imported || info.last_step[0] ? SAMPLE_SKIPPED : SAMPLE_OVERMAP;
    }
    if (status == PTL_OK && *step == SAMPLE_OVERMAP) {
        status = measure_found(out, r, &info, s, err);
        if (status != PTL_OK)
            error_prefix(err, status, "chunk %d,%d", info.pos.x, info.pos.y);
    }
    stmt_reset(s);
    return status;
}
