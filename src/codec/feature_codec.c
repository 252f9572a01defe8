#include "codec/feature_codec.h"

#include "core/arena.h"
#include "core/error.h"
#include "model/catalogue.h"

#include <stdlib.h>
#include <string.h>

void encoded_features_dispose(encoded_features *e)
{
    features_dispose(&e->rows);
    special_rows_dispose(&e->specials);
    for (size_t i = 0; i < PACK_KINDS; i++)
        encoded_pack_dispose(&e->packs[i]);
    memset(e, 0, sizeof *e);
}

/* ---- ranges of rows ---- */

static bool within(int32_t v, int32_t low, int32_t high)
{
    return v >= low && v <= high;
}

const char *city_problem(const gen_city *city)
{
    const int32_t last = PTL_CHUNK_SIZE - 1;
    if (!within(city->x, 0, last) || !within(city->y, 0, last))
        return "its centre lies outside the chunk";
    if (!within(city->planned_x, 0, last) || !within(city->planned_y, 0, last))
        return "its planned place lies outside the chunk";
    return city->size < 1 ? "its size is below 1" : NULL;
}

const char *radio_problem(const gen_radio *radio)
{
    const int32_t last = 2 * PTL_CHUNK_SIZE - 1;
    if (!within(radio->x, 0, last) || !within(radio->y, 0, last))
        return "it lies outside the chunk";
    if (radio->strength < 0)
        return "its strength is below 0";
    return radio->frequency < 0 ? "its frequency is below 0" : NULL;
}

/* ---- copies of the rows ---- */

/* Adds copies of the cities and radios, with their texts, to `out`. */
static ptl_status features_copy_rows(gen_features *out, const gen_features *rows,
                                     ptl_error *err)
{
    for (size_t i = 0; i < rows->city_count; i++) {
        gen_city *c = features_add_city(out);
        if (!c)
            return error_nomem(err);
        *c = rows->cities[i];
        c->name = features_text(out, c->name ? c->name : "");
        if (!c->name)
            return error_nomem(err);
    }
    for (size_t i = 0; i < rows->radio_count; i++) {
        gen_radio *r = features_add_radio(out);
        if (!r)
            return error_nomem(err);
        *r = rows->radios[i];
        r->message = features_text(out, r->message ? r->message : "");
        if (!r->message)
            return error_nomem(err);
    }
    return PTL_OK;
}

/* ---- specials ---- */

const char *special_problem(const gen_placement *p, size_t city_count)
{
    if (!within(p->x, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1) ||
        !within(p->y, -PTL_CHUNK_SIZE, 2 * PTL_CHUNK_SIZE - 1) ||
        !within(p->z, PTL_Z_MIN, PTL_Z_MAX))
        return "its origin is out of range";
    if (p->rotation > 3)
        return "its rotation is out of range";
    if (p->city < FEATURE_NO_CITY || p->city >= (int32_t)city_count)
        return "it names a city that is not there";
    if (p->draw < 0)
        return "its draw is below 0";
    return within(p->omts, 1, PTL_LEVELS * PTL_LEVEL_CELLS)
               ? NULL
               : "its number of OMTs is out of range";
}

special_row *special_rows_add(special_rows *rows)
{
    if (rows->count == rows->room) {
        size_t room = rows->room ? 2 * rows->room : 64;
        special_row *list = realloc(rows->list, room * sizeof *list);
        if (!list)
            return NULL;
        rows->list = list;
        rows->room = room;
    }
    return &rows->list[rows->count++];
}

void special_rows_dispose(special_rows *rows)
{
    free(rows->list);
    memset(rows, 0, sizeof *rows);
}

static ptl_status copy_specials(special_rows *out, const gen_features *f, const catalogue *cat,
                                ptl_error *err)
{
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        if (p->special >= cat->special_count)
            return error_set(err, PTL_ERR_INTERNAL, "placement %zu: no such special", i);
        const cat_special *special = &cat->specials[p->special];
        if (special->building)
            continue;
        const char *problem = special_problem(p, f->city_count);
        if (problem)
            return error_set(err, PTL_ERR_INTERNAL, "placement %zu ('%s'): %s", i, special->id,
                             problem);
        if (out->count >= FEATURE_SPECIALS_MAX)
            return error_set(err, PTL_ERR_LIMIT, "more than the %d specials of a chunk",
                             (int)FEATURE_SPECIALS_MAX);
        special_row *row = special_rows_add(out);
        if (!row)
            return error_nomem(err);
        *row = (special_row){special->id, *p};
    }
    return PTL_OK;
}

/* ---- digest ---- */

static void put_text(bytes *b, const char *text)
{
    size_t size = strlen(text);
    bytes_put_varint(b, size);
    bytes_put(b, text, size);
}

/* Appends the numbers, of 32 bits each, to the bytes `b`, as pack_put_signed encodes them. */
#define PUT_NUMBERS(b, ...)                                                                    \
    pack_put_signed(b, (const int32_t[]){__VA_ARGS__},                                         \
                    sizeof((const int32_t[]){__VA_ARGS__}) / sizeof(int32_t))

static void put_rows(bytes *b, const gen_features *rows)
{
    bytes_put_varint(b, rows->city_count);
    for (size_t i = 0; i < rows->city_count; i++) {
        const gen_city *c = &rows->cities[i];
        put_text(b, c->name);
        PUT_NUMBERS(b, c->x, c->y, c->size, c->planned_x, c->planned_y);
    }
    bytes_put_varint(b, rows->radio_count);
    for (size_t i = 0; i < rows->radio_count; i++) {
        const gen_radio *r = &rows->radios[i];
        PUT_NUMBERS(b, r->x, r->y, r->strength, r->weather, r->frequency);
        put_text(b, r->message);
    }
}

/* Computes the canonical digest of features (format.md, "Digests"). The packs are given as
 * tables, in which names are indices: names[kind][i] is the name that the index i means in the
 * table of that kind. `scratch` is memory that the function overwrites. */
static ptl_status features_digest(digest *out, bytes *scratch, ptl_chunk_pos pos,
                                  const gen_features *rows, const special_rows *specials,
                                  const pack_table tables[PACK_KINDS],
                                  const char *const *const names[PACK_KINDS], ptl_error *err)
{
    bytes_clear(scratch);
    bytes_put_text(scratch, "portolan features 2\n");
    bytes_put_u32(scratch, (uint32_t)pos.x);
    bytes_put_u32(scratch, (uint32_t)pos.y);
    put_rows(scratch, rows);
    bytes_put_varint(scratch, specials->count);
    for (size_t i = 0; i < specials->count; i++) {
        const gen_placement *p = &specials->list[i].placement;
        put_text(scratch, specials->list[i].id);
        PUT_NUMBERS(scratch, p->x, p->y, p->z, p->rotation, p->city, p->draw, p->omts);
    }
    for (size_t kind = 0; kind < PACK_COUNTED; kind++) {
        const pack_table *t = &tables[kind];
        bytes_put_varint(scratch, t->name_count);
        for (size_t i = 0; i < t->name_count; i++)
            put_text(scratch, names[kind][i]);
        bytes_put_varint(scratch, t->count);
        for (size_t c = 0; c < pack_layout_of((pack_kind)kind)->column_count; c++)
            pack_put_signed(scratch, t->columns[c], t->count);
    }
    if (scratch->failed)
        return error_nomem(err);
    digest_state state;
    digest_init(&state);
    digest_update(&state, scratch->data, scratch->size);
    digest_final(&state, out);
    return PTL_OK;
}

/* ---- all together ---- */

/* Returns an error that names the row and the problem. If the problem is NULL the row is valid,
 * and PTL_OK is returned. */
static ptl_status refuse(const char *what, size_t row, const char *problem, ptl_error *err)
{
    return problem ? error_set(err, PTL_ERR_INTERNAL, "%s %zu: %s", what, row, problem)
                   : PTL_OK;
}

/*
 * The functions from here on turn lists of features into tables, which are then packed. An id
 * is replaced by its index in the pack's names, which are listed in the order of their first
 * use. If a piece or join belongs to a placement, the placement is replaced by the number of
 * the special's row.
 */

/* A slot of the cache that finds the index of an id quickly, by the address of its text. */
typedef struct known_id {
    const char *id;
    uint32_t index;
} known_id;

enum { KNOWN_BITS = 6, KNOWN_IDS = 1 << KNOWN_BITS };

typedef struct table_maker {
    pack_table *t;
    encoded_pack *pack;
    gen_features *texts; /* where copies of the ids are made; NULL: ids are the catalogue's own
                            texts, and need no copies */
    const gen_features *f;
    const catalogue *cat;
    strmap seen; /* for each id its index among the pack's names */
    known_id known[KNOWN_IDS];
    int32_t *special_row; /* for each placement: the number of the special's row in the
                             database; -1: the placement is a building, which has no row */
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

/* Finds an id's index among the names. The cache m->known finds the index by the text's
 * address. That saves most look-ups by the text itself, since there are few different ids and
 * most are the catalogue's own texts. */
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

/* An element of a list of features, such as a building or a piece, and its id. The id is NULL
 * if the element is not packed. Specials, for example, are in the list of placements, but are
 * stored as rows of the database. */
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

/* Finds the piece, or the join, with the index i, and its id. Puts the row number of the
 * special to which it belongs into the table. */
static ptl_status part_at(table_entry *out, table_maker *m, size_t i, ptl_error *err)
{
    const gen_join *join = m->kind == PACK_JOINS ? &m->f->joins[i] : NULL;
    const gen_piece *piece = join ? NULL : &m->f->pieces[i];
    const int32_t placement = join ? join->placement : piece->placement;
    const uint16_t number = join ? join->join : piece->piece;
    const char *what = join ? "join" : "piece";
    /* The layout of the mutable special that stands at this placement; NULL for any other
     * placement. */
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

/* Fills the table with the first `count` elements of a list of features. The first column of
 * each kind of table holds the ids. */
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

/* Makes the table of one kind of features, and the list of its names. Each placement must have
 * a special that exists; copy_specials has checked that. */
static ptl_status feature_table_make(pack_table *t, encoded_features *out, pack_kind kind,
                                     const gen_features *f, const catalogue *cat,
                                     ptl_error *err)
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

ptl_status features_encode(encoded_features *out, codec *c, ptl_chunk_pos pos,
                           const gen_features *f, const catalogue *cat, ptl_error *err)
{
    const char *const *names[PACK_KINDS];
    pack_table *tables = codec_tables(c);
    ptl_status status = PTL_OK;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < f->city_count && status == PTL_OK; i++)
        status = refuse("city", i, city_problem(&f->cities[i]), err);
    for (size_t i = 0; i < f->radio_count && status == PTL_OK; i++)
        status = refuse("radio", i, radio_problem(&f->radios[i]), err);
    THEN(status, features_copy_rows(&out->rows, f, err));
    THEN(status, copy_specials(&out->specials, f, cat, err));
    for (size_t kind = 0; kind < PACK_KINDS && status == PTL_OK; kind++) {
        pack_table *t = &tables[kind];
        status = feature_table_make(t, out, (pack_kind)kind, f, cat, err);
        if (status == PTL_OK && t->count > 0)
            status = pack_body_encode(&out->packs[kind], c, (pack_kind)kind, t, err);
        names[kind] = out->packs[kind].names;
    }
    THEN(status, features_digest(&out->digest, &tables[0].stream, pos, &out->rows,
                                 &out->specials, tables, names, err));
    if (status != PTL_OK)
        return error_prefix(err, status, "encoding chunk %d,%d", pos.x, pos.y);
    return PTL_OK;
}

/*
 * A feature_set has a chunk's features in the form in which they are stored. Ids are strings.
 * Cities, radios and specials are rows. The packs are parsed into tables. The code that reads
 * the file fills the set. The functions from here on check it, and replace ids by indices of a
 * catalogue.
 */

void feature_set_dispose(feature_set *set)
{
    features_dispose(&set->rows);
    special_rows_dispose(&set->specials);
    for (size_t kind = 0; kind < PACK_KINDS; kind++) {
        pack_table_dispose(&set->tables[kind]);
        free(set->names[kind]);
    }
    memset(set, 0, sizeof *set);
}

ptl_status feature_set_check(const feature_set *set, ptl_error *err)
{
    const struct {
        pack_kind kind;
        int column;
        size_t limit;
        const char *problem;
    } checks[] = {
        {PACK_PLACEMENTS, PLACEMENT_CITY, set->rows.city_count, "a city that is not there"},
        {PACK_PIECES, PIECE_PLACEMENT, set->specials.count, "a special that is not there"},
        {PACK_JOINS, JOIN_PLACEMENT, set->specials.count, "a special that is not there"}};
    for (size_t k = 0; k < sizeof checks / sizeof checks[0]; k++) {
        const pack_table *t = &set->tables[checks[k].kind];
        for (size_t i = 0; i < t->count; i++)
            if (t->columns[checks[k].column][i] >= (int32_t)checks[k].limit)
                return error_set(err, PTL_ERR_CORRUPT, "pack of %s: entry %zu names %s",
                                 pack_layout_of(checks[k].kind)->name, i, checks[k].problem);
    }
    /* In the pack of predecessors each row stands for a run of cells. Checks that all runs end
     * inside the chunk. */
    const pack_table *t = &set->tables[PACK_PREDECESSORS];
    for (size_t i = 0; i < t->count; i++) {
        const int column = t->columns[PREDECESSOR_SOUTH][i] ? PREDECESSOR_Y : PREDECESSOR_X;
        if (t->columns[column][i] + t->columns[PREDECESSOR_LENGTH][i] > PTL_CHUNK_SIZE)
            return error_set(err, PTL_ERR_CORRUPT,
                             "pack of predecessors: entry %zu leaves the chunk", i);
    }
    return PTL_OK;
}

ptl_status feature_set_digest(digest *out, feature_set *set, ptl_chunk_pos pos, ptl_error *err)
{
    const char *const *names[PACK_KINDS];
    for (size_t kind = 0; kind < PACK_KINDS; kind++)
        names[kind] = set->names[kind];
    return features_digest(out, &set->tables[0].stream, pos, &set->rows, &set->specials,
                           set->tables, names, err);
}

/* ---- for a catalogue ---- */

/* How stored features are read: which catalogue has the indices that replace their ids, and
 * what happens if an id is unknown. */
typedef struct reading {
    const catalogue *cat;
    /* What happens if the catalogue lacks an id. True: CAT_NONE stands for the id. False:
     * reading fails with PTL_ERR_MISMATCH. */
    bool all;
} reading;

/* ---- placements ---- */

/* Finds the catalogue's index of each name in a pack. The names are ids of specials or, in the
 * pack of predecessors, of oters. *out is a new list; NULL if the pack is empty. */
static ptl_status find_numbers(uint16_t **out, const feature_set *set, pack_kind kind,
                               const reading *how, ptl_error *err)
{
    static const char *const words[PACK_KINDS] = {[PACK_PLACEMENTS] = "building",
                                                  [PACK_ATTEMPTS] = "special",
                                                  [PACK_PREDECESSORS] = "terrain"};
    const size_t count = set->tables[kind].name_count;
    *out = NULL;
    if (set->tables[kind].count == 0)
        return PTL_OK;
    uint16_t *list = malloc(count * sizeof *list);
    if (!list)
        return error_nomem(err);
    for (size_t i = 0; i < count; i++) {
        const char *id = set->names[kind][i];
        list[i] = kind == PACK_PREDECESSORS ? catalogue_oter(how->cat, id)
                                            : catalogue_special(how->cat, id);
        if (list[i] == CAT_NONE && !how->all) {
            free(list);
            return error_set(err, PTL_ERR_MISMATCH, "the content has no %s '%s'", words[kind],
                             id);
        }
    }
    *out = list;
    return PTL_OK;
}

ptl_status feature_set_add(gen_features *out, const feature_set *set, pack_kind kind,
                           const uint16_t *numbers, ptl_error *err)
{
    const pack_table *t = &set->tables[kind];
    for (size_t i = 0; numbers && i < t->count; i++) {
        const uint16_t number = numbers[t->columns[0][i]]; /* column 0 of these packs has the id
                                                            * of a special or oter */
        if (kind == PACK_ATTEMPTS && number == CAT_NONE)
            continue;
        gen_placement *p = kind == PACK_PLACEMENTS ? features_add_placement(out) : NULL;
        gen_attempt *a = kind == PACK_ATTEMPTS ? features_add_attempt(out) : NULL;
        gen_predecessor *o = kind == PACK_PREDECESSORS ? features_add_predecessor(out) : NULL;
        if (!p && !a && !o)
            return error_nomem(err);
        *(p ? &p->special : a ? &a->special : &o->oter) = number;
        pack_take_members(p ? (void *)p : a ? (void *)a : o, t, kind, i);
    }
    return PTL_OK;
}

static ptl_status add_kind(gen_features *out, const feature_set *set, pack_kind kind,
                           const reading *how, ptl_error *err)
{
    uint16_t *numbers;
    ptl_status status = find_numbers(&numbers, set, kind, how, err);
    THEN(status, feature_set_add(out, set, kind, numbers, err));
    free(numbers);
    return status;
}

/* ---- pieces and joins of mutable specials ---- */

/* Turns the names of pieces or joins into indices of the layout of their mutable special. In a
 * pack the pieces or joins of one special follow each other, so the finder keeps the indices
 * for one special at a time. */
typedef struct part_finder {
    const reading *how;
    const feature_set *set;
    pack_kind kind;
    /* The chunk's specials; their numbers in the chunk are the indices. */
    const gen_placement *specials;
    uint16_t special;  /* the special for which the members of index_of are valid */
    int32_t *index_of; /* for each name of the pack, the index of the piece or join of this name
                          in the special's definition; UNKNOWN until it is looked up */
} part_finder;

enum { UNKNOWN = -1 };

static ptl_status look_up(uint16_t *out, part_finder *p, int32_t number, int32_t name,
                          ptl_error *err)
{
    const uint16_t index = p->specials[number].special;
    const char *id = p->set->names[p->kind][name];
    *out = CAT_NONE;
    if (index == CAT_NONE)
        return PTL_OK;
    const cat_special *special = &p->how->cat->specials[index];
    if (index != p->special)
        for (size_t i = 0; i < p->set->tables[p->kind].name_count; i++)
            p->index_of[i] = UNKNOWN;
    p->special = index;
    const bool pieces = p->kind == PACK_PIECES;
    const cat_mutable *layout = p->index_of[name] == UNKNOWN ? special->layout : NULL;
    const size_t parts = !layout ? 0 : pieces ? layout->piece_count : layout->join_count;
    for (size_t i = 0; i < parts && p->index_of[name] == UNKNOWN; i++)
        if (strcmp(pieces ? layout->pieces[i].id : layout->joins[i].id, id) == 0)
            p->index_of[name] = (int32_t)i;
    if (p->index_of[name] == UNKNOWN && p->how->all)
        return PTL_OK;
    if (p->index_of[name] == UNKNOWN)
        return error_set(err, PTL_ERR_MISMATCH, "the content's special '%s' has no %s '%s'",
                         special->id, pieces ? "piece" : "join", id);
    *out = (uint16_t)p->index_of[name];
    return PTL_OK;
}

/* Adds the stored pieces, or the stored joins, to the features. The placements must have been
 * added before. */
static ptl_status add_parts(gen_features *out, const feature_set *set, pack_kind kind,
                            const reading *how, ptl_error *err)
{
    const pack_table *t = &set->tables[kind];
    const bool pieces = kind == PACK_PIECES;
    const size_t first = out->placement_count - set->specials.count;
    ptl_status status = PTL_OK;
    if (t->count == 0)
        return PTL_OK;
    part_finder p = {.how = how,
                     .set = set,
                     .kind = kind,
                     .specials = out->placements + first,
                     .special = CAT_NONE,
                     .index_of = malloc(t->name_count * sizeof *p.index_of)};
    if (!p.index_of)
        return error_nomem(err);
    const int32_t *numbers = t->columns[pieces ? PIECE_PLACEMENT : JOIN_PLACEMENT];
    const int32_t *names = t->columns[pieces ? PIECE_ID : JOIN_ID];
    for (size_t i = 0; i < t->count && status == PTL_OK; i++) {
        gen_piece *piece = pieces ? features_add_piece(out) : NULL;
        gen_join *join = pieces ? NULL : features_add_join(out);
        if (!piece && !join) {
            status = error_nomem(err);
            break;
        }
        pack_take_members(piece ? (void *)piece : join, t, kind, i);
        *(piece ? &piece->placement : &join->placement) = (int32_t)first + numbers[i];
        status = look_up(piece ? &piece->piece : &join->join, &p, numbers[i], names[i], err);
    }
    free(p.index_of);
    return status;
}

/* ---- all of it ---- */

static ptl_status add_groups(gen_features *out, const feature_set *set, ptl_error *err)
{
    const pack_table *t = &set->tables[PACK_GROUPS];
    /* Index in out->names of the first of the monster group types that are copied here. */
    const size_t first = out->name_count;
    for (size_t i = 0; i < t->name_count; i++)
        if (!features_text(out, set->names[PACK_GROUPS][i]))
            return error_nomem(err);
    for (size_t i = 0; i < t->count; i++) {
        gen_group *g = features_add_group(out);
        if (!g)
            return error_nomem(err);
        const int32_t flags = t->columns[GROUP_FLAGS][i];
        g->type = out->names[first + (size_t)t->columns[GROUP_TYPE][i]];
        g->horde = (flags & GROUP_FLAG_HORDE) != 0;
        g->diffuse = (flags & GROUP_FLAG_DIFFUSE) != 0;
        pack_take_members(g, t, PACK_GROUPS, i);
    }
    return PTL_OK;
}

ptl_status feature_set_resolve(gen_features *out, const feature_set *set, const catalogue *cat,
                               bool all, ptl_error *err)
{
    const reading how = {cat, all};
    TRY(features_copy_rows(out, &set->rows, err));
    TRY(add_kind(out, set, PACK_PLACEMENTS, &how, err));
    for (size_t i = 0; i < set->specials.count; i++) {
        const special_row *row = &set->specials.list[i];
        const uint16_t special = catalogue_special(how.cat, row->id);
        if (special == CAT_NONE && !how.all)
            return error_set(err, PTL_ERR_MISMATCH, "the content has no special '%s'", row->id);
        gen_placement *p = features_add_placement(out);
        if (!p)
            return error_nomem(err);
        *p = row->placement;
        p->special = special;
    }
    TRY(add_kind(out, set, PACK_ATTEMPTS, &how, err));
    TRY(add_parts(out, set, PACK_PIECES, &how, err));
    TRY(add_parts(out, set, PACK_JOINS, &how, err));
    TRY(add_kind(out, set, PACK_PREDECESSORS, &how, err));
    return add_groups(out, set, err);
}
