/* Learns the meaning of dictionary numbers whose rows are gone. It compares each list of
 * numbers in a chunk's rows with the same list of the chunk that was made again. */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 1 << 24 };

typedef struct number_set {
    row_table_id table;
    uint8_t *bits; /* a bit for each number: it has a row */
    size_t learnt;
} number_set;

struct repair_learner {
    repairer *r;
    codec *codec; /* borrowed from the store's scratch */
    number_set oters, names;
    pack_table packs, pieces; /* scratch */
    int64_t pieces_of;        /* the chunk whose pieces were read last; -1: none */
    bytes text;
    /* The chunk that is being looked at as it was made again, borrowed; NULL if it was not. */
    const encoded_chunk *tiles;
    const encoded_features *features;
    const catalogue *cat;
    bool wanted; /* in the first pass: an unknown number was found */
};

static bool is_known(const number_set *set, uint32_t number)
{
    return number < NUMBERS_MAX && (set->bits[number / 8] >> number % 8 & 1);
}

static ptl_status read_known(number_set *set, ptl_store *store, const char *sql, ptl_error *err)
{
    stmt *s = NULL;
    set->bits = calloc(1, NUMBERS_MAX / 8);
    if (!set->bits)
        return error_nomem(err);
    ptl_status status = stmt_prepare(&s, store, sql, err);
    while (stmt_row(s, &status, err)) {
        int64_t id = stmt_int(s, 0);
        if (id > 0 && id < NUMBERS_MAX)
            set->bits[id / 8] |= (uint8_t)(1u << id % 8);
    }
    stmt_free(s);
    return status;
}

/* Does a row with this name exist? No index would refuse a second one. */
static ptl_status is_taken(bool *taken, ptl_store *store, const number_set *set,
                           const char *name, ptl_error *err)
{
    stmt *s = NULL;
    ptl_status status =
        stmt_prepare(&s, store,
                     set->table == TABLE_OTER ? "SELECT 1 FROM oter WHERE name = ?"
                                              : "SELECT 1 FROM name WHERE name = ?",
                     err);
    if (status == PTL_OK) {
        stmt_bind_text(s, 1, name);
        status = stmt_step(s, taken, err);
    }
    stmt_free(s);
    return status;
}

/* Writes a row that gives the number this name. If the name already has another number,
 * nothing can be concluded and nothing is written. */
static ptl_status learn(repair_learner *l, number_set *set, uint32_t number, const char *name,
                        ptl_error *err)
{
    repair_rows rows = {0};
    int64_t sum = 0;
    ptl_error local = {0};
    bool taken = false;
    if (number == 0 || is_known(set, number) || number >= NUMBERS_MAX || !name || !name[0])
        return PTL_OK;
    TRY(is_taken(&taken, l->r->store, set, name, err));
    if (taken)
        return PTL_OK;
    repair_row *row = repair_rows_add(&rows, set->table);
    ptl_status status = row ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        const repair_value text = {
            .type = ROW_TEXT, .data = (uint8_t *)(uintptr_t)name, .size = strlen(name)};
        row->values[NAME_COLUMN_ID] = repair_integer(number);
        status = repair_value_copy(&row->values[NAME_COLUMN_NAME], &text, err);
    }
    if (status == PTL_OK) {
        const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &rows);
        status = repair_unit_sum(&unit, &l->r->scratch, &sum, err);
        row->values[NAME_COLUMN_CHECKSUM] = repair_integer(sum);
    }
    if (status == PTL_OK) {
        status = repair_row_replace(l->r->store, NULL, row, &local);
        set->learnt += status == PTL_OK;
        set->bits[number / 8] |= (uint8_t)(1u << number % 8);
        if (status != PTL_OK && status != PTL_ERR_EXISTS && err)
            *err = local;
        status = status == PTL_ERR_EXISTS ? PTL_OK : status;
    }
    repair_rows_dispose(&rows);
    return status;
}

/* ---- one list of numbers ---- */

/* Returns the name of an entry of the chunk that was made again. */
typedef const char *entry_name(const repair_learner *l, const void *list, size_t i);

static const char *oter_name(const repair_learner *l, const void *list, size_t i)
{
    const ptl_oter *oters = list;
    return l->cat->oters[oters[i]].id;
}

static const char *text_name(const repair_learner *l, const void *list, size_t i)
{
    const char *const *texts = list;
    (void)l;
    return texts[i];
}

/* Compares a stored list of numbers with a list of the chunk that was made again, which has
 * `size` entries. It is NULL while numbers are only checked for unknown ones. */
static ptl_status compare(repair_learner *l, number_set *set, const uint32_t *numbers,
                          size_t count, const void *list, size_t size, entry_name *name,
                          ptl_error *err)
{
    for (size_t i = 0; i < count && !list; i++)
        l->wanted = l->wanted || !is_known(set, numbers[i]);
    for (size_t i = 0; list && size == count && i < count; i++)
        TRY(learn(l, set, numbers[i], name(l, list, i), err));
    return PTL_OK;
}

static ptl_status look_at_level(repair_learner *l, const repair_row *row, ptl_error *err)
{
    const level_runs *runs;
    const repair_value *blob = &row->values[LEVEL_COLUMN_OMTS];
    const unsigned index = (unsigned)(repair_int(row, LEVEL_COLUMN_ID) & 31);
    const encoded_level *e = l->tiles && index < PTL_LEVELS ? &l->tiles->levels[index] : NULL;
    if (index >= PTL_LEVELS || level_parse(&runs, l->codec, repair_bytes(blob), blob->size,
                                           NUMBERS_MAX, NULL) != PTL_OK)
        return PTL_OK;
    return compare(l, &l->oters, runs->palette, runs->palette_count, e ? e->palette : NULL,
                   e ? e->palette_count : 0, oter_name, err);
}

static ptl_status look_at_pack(repair_learner *l, const repair_row *row, ptl_error *err)
{
    const repair_value *blob = &row->values[PACK_COLUMN_DATA];
    const int64_t id = repair_int(row, PACK_COLUMN_ID), kind = id & 7;
    pack_table *t = kind == PACK_PIECES ? &l->pieces : &l->packs;
    t->pieces = kind == PACK_JOINS && l->pieces_of == id >> 3 ? &l->pieces : NULL;
    if (kind == PACK_PIECES)
        l->pieces_of = -1;
    if (kind >= PACK_KINDS || pack_parse(t, l->codec, (pack_kind)kind, repair_bytes(blob),
                                         blob->size, NUMBERS_MAX, NULL) != PTL_OK)
        return PTL_OK;
    if (kind == PACK_PIECES)
        l->pieces_of = id >> 3;
    const encoded_pack *e = l->features ? &l->features->packs[kind] : NULL;
    return compare(l, &l->names, t->numbers, t->name_count, e ? e->names : NULL,
                   e ? e->name_count : 0, text_name, err);
}

static ptl_status look_at_special(repair_learner *l, const repair_row *row, ptl_error *err)
{
    const special_rows *made = l->features ? &l->features->specials : NULL;
    const size_t number = (size_t)(repair_int(row, SPECIAL_COLUMN_ID) & 65535);
    const uint32_t stored = (uint32_t)repair_int(row, SPECIAL_COLUMN_SPECIAL);
    const char *name = made && number < made->count ? made->list[number].id : "";
    if (made && !name[0])
        return PTL_OK;
    return compare(l, &l->names, &stored, 1, made ? &name : NULL, 1, text_name, err);
}

static ptl_status look_at_radio(repair_learner *l, const repair_row *row, ptl_error *err)
{
    const gen_features *made = l->features ? &l->features->rows : NULL;
    const uint64_t number = (uint64_t)repair_int(row, RADIO_COLUMN_NUMBER);
    const uint32_t stored = (uint32_t)repair_int(row, RADIO_COLUMN_MESSAGE);
    const char *text = "";
    if (stored == 0 || (made && number >= made->radio_count))
        return PTL_OK;
    if (made)
        text = radio_row_text(&made->radios[number], &l->text);
    if (!text)
        return error_nomem(err);
    return compare(l, &l->names, &stored, 1, made ? &text : NULL, 1, text_name, err);
}

static ptl_status look_at(repair_learner *l, const repair_chunk *c, ptl_error *err)
{
    uint32_t numbers[PTL_LEVELS];
    const repair_value *fill = &c->row.list[0].values[CHUNK_COLUMN_FILL];
    if (fill_parse(numbers, repair_bytes(fill), fill->size, NUMBERS_MAX, NULL) == PTL_OK)
        TRY(compare(l, &l->oters, numbers, PTL_LEVELS, l->tiles ? l->tiles->defaults : NULL,
                    PTL_LEVELS, oter_name, err));
    for (size_t i = 0; i < c->levels.count; i++)
        TRY(look_at_level(l, &c->levels.list[i], err));
    for (size_t i = 0; i < c->features.count; i++) {
        const repair_row *row = &c->features.list[i];
        if (row->table == TABLE_PACK)
            TRY(look_at_pack(l, row, err));
        else if (row->table == TABLE_SPECIAL)
            TRY(look_at_special(l, row, err));
        else if (row->table == TABLE_RADIO)
            TRY(look_at_radio(l, row, err));
    }
    return PTL_OK;
}

/* ---- chunks ---- */

ptl_status repair_learner_wants(bool *wanted, repair_learner *l, const repair_chunk *c,
                                ptl_error *err)
{
    l->wanted = false;
    ptl_status status = look_at(l, c, err);
    *wanted = l->wanted;
    return status;
}

ptl_status repair_learner_take(repair_learner *l, const repair_chunk *c,
                               const encoded_chunk *tiles, const encoded_features *features,
                               const catalogue *cat, ptl_error *err)
{
    l->tiles = tiles;
    l->features = features;
    l->cat = cat;
    ptl_status status = look_at(l, c, err);
    l->tiles = NULL;
    l->features = NULL;
    l->cat = NULL;
    return status;
}

static ptl_status tell(repair_learner *l, const number_set *set)
{
    return set->learnt == 0
               ? PTL_OK
               : repair_note(l->r, PTL_REPAIR_RECOMPUTED,
                             set->table == TABLE_OTER ? "table oter" : "table name",
                             "%zu rows were missing: chunks that were made again say what they "
                             "were",
                             set->learnt);
}

ptl_status repair_learner_tell(repair_learner *l)
{
    TRY(tell(l, &l->oters));
    return tell(l, &l->names);
}

void repair_learner_free(repair_learner *l)
{
    if (!l)
        return;
    pack_table_dispose(&l->packs);
    pack_table_dispose(&l->pieces);
    bytes_dispose(&l->text);
    free(l->oters.bits);
    free(l->names.bits);
    free(l);
}

ptl_status repair_learner_new(repair_learner **out, repairer *r, ptl_error *err)
{
    repair_learner *l = calloc(1, sizeof *l);
    *out = l;
    if (!l)
        return error_nomem(err);
    l->r = r;
    l->pieces_of = -1;
    l->oters.table = TABLE_OTER;
    l->names.table = TABLE_NAME;
    row_scratch *scratch = r->store->scratch;
    l->codec = scratch->codec;
    TRY(read_known(&l->oters, r->store, "SELECT id FROM oter", err));
    return read_known(&l->names, r->store, "SELECT id FROM name", err);
}
