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
    int32_t *special_row; /* row number of each placement; -1: a building */
    pack_kind kind;
} table_maker;

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

/* ---- the entries of each kind ---- */

/* An entry of features, with its id; NULL: it is not of the kind that is asked for. */
typedef struct table_entry {
    const void *members;
    const char *id;
} table_entry;

static ptl_status building_at(table_entry *out, table_maker *m, size_t i, ptl_error *err)
{
    const gen_placement *p = &m->f->placements[i];
    const cat_special *special = &m->cat->specials[p->special];
    *out = (table_entry){p, special->building ? special->id : NULL};
    if (out->id && (p->city < FEATURE_NO_CITY || p->city >= (int32_t)m->f->city_count))
        return error_set(err, PTL_ERR_INTERNAL, "placement %zu: no such city", i);
    return PTL_OK;
}

static ptl_status attempt_at(table_entry *out, table_maker *m, size_t i, ptl_error *err)
{
    const gen_attempt *a = &m->f->attempts[i];
    if (a->special >= m->cat->special_count)
        return error_set(err, PTL_ERR_INTERNAL, "attempt %zu: no such special", i);
    *out = (table_entry){a, m->cat->specials[a->special].id};
    return PTL_OK;
}

static ptl_status group_at(table_entry *out, table_maker *m, size_t i, ptl_error *err)
{
    const gen_group *g = &m->f->groups[i];
    if (!g->type || !g->type[0])
        return error_set(err, PTL_ERR_INTERNAL, "group %zu has no type", i);
    m->t->columns[GROUP_FLAGS][i] =
        (g->horde ? GROUP_FLAG_HORDE : 0) | (g->diffuse ? GROUP_FLAG_DIFFUSE : 0);
    *out = (table_entry){g, g->type};
    return PTL_OK;
}

/* Finds a piece, or a join. */
static ptl_status part_at(table_entry *out, table_maker *m, size_t i, ptl_error *err)
{
    const gen_join *join = m->kind == PACK_JOINS ? &m->f->joins[i] : NULL;
    const gen_piece *piece = join ? NULL : &m->f->pieces[i];
    const int32_t placement = join ? join->placement : piece->placement;
    const uint16_t number = join ? join->join : piece->piece;
    const char *what = join ? "join" : "piece";
    /* The layout of a mutable special's placement; NULL for any other placement. */
    const cat_mutable *layout = NULL;
    int32_t row = -1;
    if (placement >= 0 && (size_t)placement < m->f->placement_count)
        row = m->special_row[placement];
    if (row >= 0)
        layout = m->cat->specials[m->f->placements[placement].special].layout;
    if (!layout || number >= (join ? layout->join_count : layout->piece_count))
        return error_set(err, PTL_ERR_INTERNAL, "%s %zu: no such placement or %s", what, i,
                         what);
    m->t->columns[join ? JOIN_PLACEMENT : PIECE_PLACEMENT][i] = row;
    *out = join ? (table_entry){join, layout->joins[number].id}
                : (table_entry){piece, layout->pieces[number].id};
    return PTL_OK;
}

static ptl_status predecessor_at(table_entry *out, table_maker *m, size_t i, ptl_error *err)
{
    const gen_predecessor *p = &m->f->predecessors[i];
    if (p->oter >= m->cat->oter_count)
        return error_set(err, PTL_ERR_INTERNAL, "predecessor %zu: no such terrain", i);
    *out = (table_entry){p, m->cat->oters[p->oter].id};
    return PTL_OK;
}

/* Makes the table from `count` entries of features. Ids are the first column of each kind. */
static ptl_status make_table(table_maker *m, size_t count, ptl_error *err)
{
    static ptl_status (*const at[PACK_KINDS])(table_entry *, table_maker *, size_t,
                                              ptl_error *) = {
        [PACK_PLACEMENTS] = building_at, [PACK_GROUPS] = group_at,
        [PACK_ATTEMPTS] = attempt_at,    [PACK_PIECES] = part_at,
        [PACK_JOINS] = part_at,          [PACK_PREDECESSORS] = predecessor_at};
    for (size_t i = 0, n = 0; i < count; i++) {
        table_entry e;
        TRY(at[m->kind](&e, m, i, err));
        if (!e.id)
            continue;
        TRY(index_of_id(&m->t->columns[0][n], m, e.id, err));
        pack_put_members(m->t, m->kind, n++, e.members);
    }
    return PTL_OK;
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
    m.special_row = malloc((f->placement_count + 1) * sizeof *m.special_row);
    int32_t next = 0;
    for (size_t i = 0; i < f->placement_count && m.special_row; i++)
        m.special_row[i] = cat->specials[f->placements[i].special].building ? -1 : next++;
    const size_t count = kind == PACK_PLACEMENTS ? f->placement_count : pack->count;
    const ptl_status status = m.special_row ? make_table(&m, count, err) : error_nomem(err);
    strmap_dispose(&m.seen);
    free(m.special_row);
    t->name_count = pack->name_count;
    return status;
}
