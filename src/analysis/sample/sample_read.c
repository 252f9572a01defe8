#include "analysis/measure/measure.h"
#include "analysis/sample/sample.h"

#include <stdlib.h>

/* Returns false when memory is out. Dispose of it in either case. */
static bool sample_content_init(sample_content *c, const catalogue *base)
{
    *c = (sample_content){.base = base, .cat = *base, .version = 1};
    strmap_init(&c->more_specials);
    c->ids = arena_new();
    return c->ids != NULL;
}

/* Makes room for one more entry in a table that begins as a copy of the base's. Returns the
 * table, which is *owned; NULL when memory is out. */
static void *reserve(void **owned, size_t *room, const void *base, size_t count, size_t size)
{
    if (count < *room)
        return *owned;
    const size_t wanted = count + count / 4 + 64;
    void *list = realloc(*owned, wanted * size);
    if (!list)
        return NULL;
    if (!*owned && count > 0)
        memcpy(list, base, count * size);
    *owned = list;
    *room = wanted;
    return list;
}

/* Copies an id, and maps it to this index. */
static ptl_status name(const char **out, sample_content *c, strmap *map, const char *id,
                       size_t index, ptl_error *err)
{
    if (index >= CAT_NONE)
        return error_set(err, PTL_ERR_LIMIT,
                         "the world names more than %d different ids beside the content's",
                         CAT_NONE);
    *out = arena_strdup(c->ids, id);
    if (!*out || strmap_put(map, *out, (uint32_t)index) != 0)
        return error_nomem(err);
    c->version++;
    return PTL_OK;
}

/* Gives a special's index in c->cat; an unknown id is copied and added. */
static ptl_status sample_content_special(uint16_t *out, sample_content *c, const char *id,
                                         bool building, ptl_error *err)
{
    const char *own = NULL;
    *out = catalogue_special(c->base, id);
    if (*out != CAT_NONE)
        return PTL_OK;
    const uint32_t known = strmap_get(&c->more_specials, id);
    if (known != STRMAP_NONE) {
        *out = (uint16_t)known;
        return PTL_OK;
    }
    const size_t count = c->cat.special_count;
    void *list = c->specials;
    if (!reserve(&list, &c->special_room, c->base->specials, count, sizeof *c->specials))
        return error_nomem(err);
    c->specials = list;
    c->cat.specials = list;
    TRY(name(&own, c, &c->more_specials, id, count, err));
    c->specials[count] = (cat_special){.id = own, .building = building};
    *out = (uint16_t)c->cat.special_count++;
    return PTL_OK;
}

enum {
    ALL_LEVELS = (1 << PTL_LEVELS) - 1,
    GROUND = 1 << -PTL_Z_MIN /* the bit of z = 0 */
};

struct sample_reader {
    ptl_store *store; /* borrowed */
    const catalogue *cat;
    int64_t world_id;
    uint32_t parts;
    char *special;            /* owned: the only special wanted; NULL: all */
    ptl_chunk_pos first, end; /* corners of the wanted overmaps */
    ptl_chunk_pos last;       /* place of the last overmap read */
    summary *out;             /* summary of the present overmap */
    sample_step step;         /* what became of it */
    sample_content content;
    measurer *measurer; /* made for content.cat in this version: */
    uint32_t version;
    feature_set set;
    gen_features features;
    ptl_chunk *chunk;
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
    r->last = r->first = (ptl_chunk_pos){INT32_MIN, INT32_MIN};
    r->end = (ptl_chunk_pos){INT32_MAX, INT32_MAX};
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
    /* The texts of features.cities belong to `set`, so they go first. */
    features_dispose(&r->features);
    feature_set_dispose(&r->set);
    measurer_free(r->measurer);
    sample_content *c = &r->content;
    if (c->base) {
        strmap_dispose(&c->more_specials);
        arena_free(c->ids);
        free(c->specials);
        *c = (sample_content){0};
    }
    ptl_chunk_free(r->chunk);
    free(r->special);
    free(r);
}

/* ---- features ---- */

/* Finds the specials that a pack's names mean. *out is new; NULL where the pack is empty. */
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
    uint16_t *specials;
    ptl_status status = find_specials(&specials, r, PACK_PLACEMENTS, true, err);
    THEN(status, feature_set_add_buildings(&r->features, &r->set, specials, err));
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
        if (!a) {
            status = error_nomem(err);
            break;
        }
        a->special = specials[t->columns[ATTEMPT_SPECIAL][i]];
        pack_take_members(a, t, PACK_ATTEMPTS, i);
    }
    free(specials);
    return status;
}

static ptl_status read_features(sample_reader *r, const stored_chunk *chunk, ptl_error *err)
{
    features_reset(&r->features);
    if (!(r->parts &
          (PTL_COUNT_SPECIALS | PTL_COUNT_PLACES | PTL_COUNT_CITIES | PTL_COUNT_BASELINE)))
        return PTL_OK;
    TRY(ops(chunk->store)->chunk->stored_features_read(&r->set, chunk, err));
    for (size_t i = 0; i < r->set.rows.city_count; i++) {
        gen_city *city = features_add_city(&r->features);
        if (!city)
            return error_nomem(err);
        *city = r->set.rows.cities[i];
    }
    if (r->parts & (PTL_COUNT_SPECIALS | PTL_COUNT_PLACES)) {
        for (size_t i = 0; i < r->set.specials.count; i++) {
            const special_row *row = &r->set.specials.list[i];
            gen_placement *p = features_add_placement(&r->features);
            if (!p)
                return error_nomem(err);
            *p = row->placement;
            TRY(sample_content_special(&p->special, &r->content, row->id, false, err));
        }
    }
    if (r->parts & PTL_COUNT_PLACES) {
        /* Adds where pieces are, not which pieces they are. Specials are the first placements.
         */
        const pack_table *t = &r->set.tables[PACK_PIECES];
        for (size_t i = 0; i < t->count; i++) {
            gen_piece *p = features_add_piece(&r->features);
            if (!p)
                return error_nomem(err);
            pack_take_members(p, t, PACK_PIECES, i);
            p->placement = t->columns[PIECE_PLACEMENT][i];
        }
    }
    if (r->parts & PTL_COUNT_SPECIALS)
        TRY(add_attempts(r, err));
    if (r->parts & PTL_COUNT_CITIES)
        TRY(add_buildings(r, err));
    return PTL_OK;
}

/* ---- cells ---- */

/* Returns the levels that the wanted parts need, as bits. */
static uint32_t wanted_levels(const sample_reader *r)
{
    uint32_t levels = 0;
    if (r->parts & (PTL_COUNT_TERRAINS | PTL_COUNT_LINES))
        return ALL_LEVELS;
    if (r->parts & (PTL_COUNT_WATERS | PTL_COUNT_BASELINE))
        levels = GROUND;
    for (size_t i = 0; r->parts & PTL_COUNT_PLACES && i < r->features.placement_count; i++) {
        const gen_placement *p = &r->features.placements[i];
        const cat_special *special = &r->content.cat.specials[p->special];
        if (!special->building && (!r->special || strcmp(r->special, special->id) == 0))
            levels |= GROUND | UINT32_C(1) << (p->z - PTL_Z_MIN);
    }
    return levels;
}

/* ---- overmaps ---- */

void sample_reader_within(sample_reader *r, const ptl_chunk_pos corners[2])
{
    r->first = corners[0];
    r->end = corners[1];
}

static bool is_within(const sample_reader *r, ptl_chunk_pos pos)
{
    return pos.x >= r->first.x && pos.x <= r->end.x && pos.y >= r->first.y && pos.y <= r->end.y;
}

static ptl_status visit(void *payload, const stored_chunk *chunk, ptl_error *err)
{
    sample_reader *r = payload;
    const chunk_info *info = &chunk->info;
    r->step = info->imported || info->last_step[0] || !is_within(r, info->pos) ? SAMPLE_SKIPPED
                                                                               : SAMPLE_OVERMAP;
    if (r->step == SAMPLE_SKIPPED)
        return PTL_OK;
    uint16_t special = CAT_NONE;
    ptl_status status = read_features(r, chunk, err);
    const uint32_t levels = status == PTL_OK ? wanted_levels(r) : 0;
    r->chunk->pos = chunk->info.pos;
    if (levels)
        status =
            ops(chunk->store)->chunk->stored_levels_read(r->chunk, chunk, levels, r->cat, err);
    if (status == PTL_OK && r->special)
        status = sample_content_special(&special, &r->content, r->special, false, err);
    if (status == PTL_OK) {
        /* Makes a new measurer if the content has grown since the last overmap. */
        if (!r->measurer || r->version != r->content.version) {
            measurer_free(r->measurer);
            r->measurer = measurer_new(&r->content.cat);
            r->version = r->content.version;
        }
        if (!r->measurer)
            status = error_nomem(err);
        else
            measurer_footprints(r->measurer, chunk->info.content_id == r->cat->content_id);
    }
    if (status == PTL_OK) {
        measurer_only(r->measurer, special);
        status = measure(r->out, r->measurer, r->chunk, &r->features, r->parts, err);
    }
    return status == PTL_OK
               ? PTL_OK
               : error_prefix(err, status, "chunk %d,%d", info->pos.x, info->pos.y);
}

ptl_status sample_reader_next(sample_step *step, summary *out, sample_reader *r, ptl_error *err)
{
    r->out = out;
    r->step = SAMPLE_END;
    ptl_status status =
        ops(r->store)->chunk->visit_next(&r->last, r->store, r->world_id, visit, r, err);
    *step = r->step;
    return status;
}
