/*
 * Builds the tables that features are packed as. Ids become indices into the pack's names,
 * which stand in the order of their first use; the placements of pieces and joins become
 * numbers of special rows.
 */
#include "codec/feature_codec.h"
#include "core/arena.h"
#include "core/error.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

/* A slot of a cache from an id's address to its index. */
typedef struct known_id {
    const char *id;
    uint32_t index;
} known_id;

enum { KNOWN_BITS = 6, KNOWN_IDS = 1 << KNOWN_BITS };

typedef struct table_maker {
    pack_table *t;
    encoded_pack *pack;
    gen_features *texts; /* where copies of ids go; NULL: ids belong to the catalogue */
    const gen_features *f;
    const catalogue *cat;
    strmap seen; /* from ids to their index among the names */
    known_id known[KNOWN_IDS];
    /* For buildings and attempts: the index among the names + 1, or 0, of each special of the
     * catalogue. */
    uint32_t *index_of;
    int32_t *special_row; /* row number of each placement; -1: a building */
    pack_kind kind;
} table_maker;

/* ---- specials and buildings ---- */

/* Returns a special's index among the names, to which a new one is added. */
static int32_t index_of_special(table_maker *m, uint16_t number)
{
    uint32_t *index_of = m->index_of;
    if (index_of[number] == 0) {
        const char *id = m->cat->specials[number].id;
        m->pack->names[m->pack->name_count++] = id;
        __builtin_prefetch(id); /* the digest will read it */
        index_of[number] = (uint32_t)m->pack->name_count;
    }
    return (int32_t)index_of[number] - 1;
}

static ptl_status make_buildings(table_maker *m, ptl_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < m->f->placement_count; i++) {
        const gen_placement *p = &m->f->placements[i];
        if (!m->cat->specials[p->special].building)
            continue;
        if (p->city < FEATURE_NO_CITY || p->city >= (int32_t)m->f->city_count)
            return error_set(err, PTL_ERR_INTERNAL, "placement %zu: no such city", i);
        m->t->columns[PLACEMENT_ID][n] = index_of_special(m, p->special);
        pack_put_members(m->t, PACK_PLACEMENTS, n++, p);
    }
    return PTL_OK;
}

static ptl_status make_attempts(table_maker *m, ptl_error *err)
{
    for (size_t i = 0; i < m->f->attempt_count; i++) {
        const gen_attempt *a = &m->f->attempts[i];
        if (a->special >= m->cat->special_count)
            return error_set(err, PTL_ERR_INTERNAL, "attempt %zu: no such special", i);
        m->t->columns[ATTEMPT_SPECIAL][i] = index_of_special(m, a->special);
        pack_put_members(m->t, PACK_ATTEMPTS, i, a);
    }
    return PTL_OK;
}

/* ---- other ids ---- */

static ptl_status look_up_id(known_id *known, table_maker *m, const char *id, ptl_error *err)
{
    uint32_t index = strmap_get(&m->seen, id);
    const char *text = id;
    if (index == STRMAP_NONE) {
        if (m->texts)
            text = features_text(m->texts, id);
        index = (uint32_t)m->pack->name_count;
        if (!text || strmap_put(&m->seen, text, index) != 0)
            return error_nomem(err);
        m->pack->names[m->pack->name_count++] = text;
    }
    *known = (known_id){id, index};
    return PTL_OK;
}

/* There are few different ids, and most are the catalogue's own texts: an address that was
 * asked for recently is not looked up again. */
static inline ptl_status index_of_id(int32_t *out, table_maker *m, const char *id,
                                     ptl_error *err)
{
    const uint64_t key = (uint64_t)(uintptr_t)id * UINT64_C(0x9e3779b97f4a7c15);
    known_id *const known = &m->known[key >> (64 - KNOWN_BITS)];
    ptl_status status = PTL_OK;
    if (known->id != id)
        status = look_up_id(known, m, id, err);
    *out = (int32_t)known->index;
    return status;
}

static ptl_status make_groups(table_maker *m, ptl_error *err)
{
    pack_table *t = m->t;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < m->f->group_count && status == PTL_OK; i++) {
        const gen_group *g = &m->f->groups[i];
        if (!g->type || !g->type[0])
            return error_set(err, PTL_ERR_INTERNAL, "group %zu has no type", i);
        status = index_of_id(&t->columns[GROUP_TYPE][i], m, g->type, err);
        t->columns[GROUP_FLAGS][i] =
            (g->horde ? GROUP_FLAG_HORDE : 0) | (g->diffuse ? GROUP_FLAG_DIFFUSE : 0);
        pack_put_members(t, PACK_GROUPS, i, g);
    }
    return status;
}

/* ---- what grew ---- */

/* Makes the table of pieces, or of joins. */
static ptl_status make_parts(table_maker *m, ptl_error *err)
{
    const bool joins = m->kind == PACK_JOINS;
    const char *what = joins ? "join" : "piece";
    int32_t *ids = m->t->columns[joins ? JOIN_ID : PIECE_ID];
    int32_t *rows = m->t->columns[joins ? JOIN_PLACEMENT : PIECE_PLACEMENT];
    for (size_t i = 0; i < m->t->count; i++) {
        const gen_join *join = joins ? &m->f->joins[i] : NULL;
        const gen_piece *piece = joins ? NULL : &m->f->pieces[i];
        const int32_t placement = join ? join->placement : piece->placement;
        const uint16_t number = join ? join->join : piece->piece;
        /* The layout of a mutable special's placement; NULL for any other placement. */
        const cat_mutable *layout = NULL;
        rows[i] = -1;
        if (placement >= 0 && (size_t)placement < m->f->placement_count)
            rows[i] = m->special_row[placement];
        if (rows[i] >= 0)
            layout = m->cat->specials[m->f->placements[placement].special].layout;
        if (!layout || number >= (joins ? layout->join_count : layout->piece_count))
            return error_set(err, PTL_ERR_INTERNAL, "%s %zu: no such placement or %s", what, i,
                             what);
        TRY(index_of_id(&ids[i], m,
                        joins ? layout->joins[number].id : layout->pieces[number].id, err));
        pack_put_members(m->t, m->kind, i, joins ? (const void *)join : piece);
    }
    return PTL_OK;
}

static ptl_status make_predecessors(table_maker *m, ptl_error *err)
{
    pack_table *t = m->t;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < m->f->predecessor_count && status == PTL_OK; i++) {
        const gen_predecessor *p = &m->f->predecessors[i];
        if (p->oter >= m->cat->oter_count)
            return error_set(err, PTL_ERR_INTERNAL, "predecessor %zu: no such terrain", i);
        status = index_of_id(&t->columns[PREDECESSOR_ID][i], m, m->cat->oters[p->oter].id, err);
        pack_put_members(t, PACK_PREDECESSORS, i, p);
    }
    return status;
}

/* The specials have been copied and checked, so every placement names one that exists. */
ptl_status feature_table_make(pack_table *t, encoded_features *out, pack_kind kind,
                              const gen_features *f, const catalogue *cat, ptl_error *err)
{
    encoded_pack *pack = &out->packs[kind];
    table_maker m = {.t = t,
                     .pack = pack,
                     .texts = kind == PACK_GROUPS ? &out->rows : NULL,
                     .f = f,
                     .cat = cat,
                     .kind = kind};
    const size_t counts[PACK_KINDS] = {
        [PACK_PLACEMENTS] = f->placement_count - out->specials.count,
        [PACK_GROUPS] = f->group_count,
        [PACK_ATTEMPTS] = f->attempt_count,
        [PACK_PIECES] = f->piece_count,
        [PACK_JOINS] = f->join_count,
        [PACK_PREDECESSORS] = f->predecessor_count,
    };
    pack->count = counts[kind];
    if (pack->count == 0)
        return PTL_OK;
    TRY(pack_table_resize(t, kind, pack->count, err));
    pack->names = malloc(pack->count * sizeof *pack->names);
    if (!pack->names)
        return error_nomem(err);
    strmap_init(&m.seen);
    static ptl_status (*const of[PACK_KINDS])(table_maker *, ptl_error *) = {
        [PACK_PLACEMENTS] = make_buildings, [PACK_GROUPS] = make_groups,
        [PACK_ATTEMPTS] = make_attempts,    [PACK_PIECES] = make_parts,
        [PACK_JOINS] = make_parts,          [PACK_PREDECESSORS] = make_predecessors,
    };
    m.special_row = malloc((f->placement_count + 1) * sizeof *m.special_row);
    m.index_of = calloc(cat->special_count + 1, sizeof *m.index_of);
    int32_t next = 0;
    for (size_t i = 0; i < f->placement_count && m.special_row; i++)
        m.special_row[i] = cat->specials[f->placements[i].special].building ? -1 : next++;
    ptl_status status = m.special_row && m.index_of ? of[kind](&m, err) : error_nomem(err);
    strmap_dispose(&m.seen);
    free(m.index_of);
    free(m.special_row);
    t->name_count = pack->name_count;
    return status;
}
