/*
 * Numbers of the dictionaries whose rows are gone. A chunk that is made again has the same
 * palettes as its blobs, entry for entry: so each entry says what its number means.
 */
#include "codec/fill.h"
#include "codec/level_parse.h"
#include "core/error.h"
#include "repair/repair_impl.h"
#include "store/sqlite/connection/prepared.h"
#include "store/sqlite/rows/radio_rows.h"
#include "store/sqlite/rows/row_scratch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NUMBERS_MAX = 1 << 24 };

typedef struct number_set {
    row_table_id table;
    uint8_t *bits; /* the numbers that have rows */
    size_t learnt;
} number_set;

typedef struct learner {
    world_repair *w;
    codec *codec; /* of the store's scratch */
    number_set oters, names;
    pack_table packs; /* scratch */
    bytes text;
    made_chunk made; /* of the chunk that is looked at, if made */
    bool wanted;     /* first it is found out whether a number is unknown */
} learner;

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
    for (bool more = true; more && status == PTL_OK;) {
        status = stmt_step(s, &more, err);
        if (status != PTL_OK || !more)
            break;
        int64_t id = stmt_int(s, 0);
        if (id > 0 && id < NUMBERS_MAX)
            set->bits[id / 8] |= (uint8_t)(1u << id % 8);
    }
    stmt_free(s);
    return status;
}

/* A row for the number; where its name has another number already, nothing is concluded. */
static ptl_status learn(learner *l, number_set *set, uint32_t number, const char *name,
                        ptl_error *err)
{
    repair_rows rows = {0};
    int64_t sum = 0;
    ptl_error local = {0};
    if (number == 0 || is_known(set, number) || number >= NUMBERS_MAX || !name || !name[0])
        return PTL_OK;
    repair_row *row = repair_rows_add(&rows, set->table);
    ptl_status status = row ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        const repair_value text = {
            .type = ROW_TEXT, .data = (uint8_t *)(uintptr_t)name, .size = strlen(name)};
        row->values[0] = repair_integer(number);
        status = repair_value_copy(&row->values[1], &text, err);
    }
    if (status == PTL_OK) {
        const repair_unit unit = repair_unit_of(REPAIR_UNIT_ROW, &rows);
        status = repair_unit_sum(&unit, &l->w->r.scratch, &sum, err);
        row->values[2] = repair_integer(sum);
    }
    if (status == PTL_OK) {
        status = repair_row_replace(l->w->r.store, NULL, row, &local);
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

/* What an entry of the made chunk is called. */
typedef const char *entry_name(const learner *l, const void *list, size_t i);

static const char *oter_name(const learner *l, const void *list, size_t i)
{
    const ptl_oter *oters = list;
    return l->w->world->cat->oters[oters[i]].id;
}

static const char *text_name(const learner *l, const void *list, size_t i)
{
    const char *const *texts = list;
    (void)l;
    return texts[i];
}

/* list has `size` entries and is NULL while numbers are only looked at. */
static ptl_status compare(learner *l, number_set *set, const uint32_t *numbers, size_t count,
                          const void *list, size_t size, entry_name *name, ptl_error *err)
{
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < count && !list; i++)
        l->wanted = l->wanted || !is_known(set, numbers[i]);
    for (size_t i = 0; list && size == count && i < count && status == PTL_OK; i++)
        status = learn(l, set, numbers[i], name(l, list, i), err);
    return status;
}

static ptl_status look_at_level(learner *l, const repair_row *row, bool made, ptl_error *err)
{
    const level_runs *runs;
    const repair_value *blob = &row->values[2];
    const unsigned index = (unsigned)(repair_int(row, 0) & 31);
    const encoded_level *e = index < PTL_LEVELS ? &l->made.encoded.levels[index] : NULL;
    if (!e || level_parse(&runs, l->codec, repair_bytes(blob), blob->size, NUMBERS_MAX, NULL) !=
                  PTL_OK)
        return PTL_OK;
    return compare(l, &l->oters, runs->palette, runs->palette_count, made ? e->palette : NULL,
                   e->palette_count, oter_name, err);
}

static ptl_status look_at_pack(learner *l, const repair_row *row, bool made, ptl_error *err)
{
    const repair_value *blob = &row->values[2];
    const int64_t kind = repair_int(row, 0) & 7;
    if (kind >= PACK_KINDS ||
        pack_parse(&l->packs, l->codec, (pack_kind)kind, repair_bytes(blob), blob->size,
                   NUMBERS_MAX, NULL) != PTL_OK)
        return PTL_OK;
    const encoded_pack *e = &l->made.features.packs[kind];
    return compare(l, &l->names, l->packs.numbers, l->packs.name_count, made ? e->names : NULL,
                   e->name_count, text_name, err);
}

static ptl_status look_at_special(learner *l, const repair_row *row, bool made, ptl_error *err)
{
    const special_rows *specials = &l->made.features.specials;
    const size_t number = (size_t)(repair_int(row, 0) & 65535);
    const uint32_t stored = (uint32_t)repair_int(row, 1);
    const char *name = made && number < specials->count ? specials->list[number].id : "";
    if (made && !name[0])
        return PTL_OK;
    return compare(l, &l->names, &stored, 1, made ? &name : NULL, 1, text_name, err);
}

static ptl_status look_at_radio(learner *l, const repair_row *row, bool made, ptl_error *err)
{
    enum { MESSAGE = 7 };
    const gen_features *f = &l->made.features.rows;
    const uint64_t number = (uint64_t)repair_int(row, 1);
    const uint32_t stored = (uint32_t)repair_int(row, MESSAGE);
    const char *text = "";
    if (stored == 0 || (made && number >= f->radio_count))
        return PTL_OK;
    if (made)
        text = radio_row_text(&f->radios[number], &l->text);
    if (!text)
        return error_nomem(err);
    return compare(l, &l->names, &stored, 1, made ? &text : NULL, 1, text_name, err);
}

static ptl_status look_at_fill(learner *l, const repair_chunk *c, bool made, ptl_error *err)
{
    uint32_t numbers[PTL_LEVELS];
    const repair_value *fill = &c->row.list[0].values[CHUNK_COLUMN_FILL];
    if (fill_parse(numbers, repair_bytes(fill), fill->size, NUMBERS_MAX, NULL) != PTL_OK)
        return PTL_OK;
    return compare(l, &l->oters, numbers, PTL_LEVELS, made ? l->made.encoded.defaults : NULL,
                   PTL_LEVELS, oter_name, err);
}

static ptl_status look_at(learner *l, const repair_chunk *c, bool made, ptl_error *err)
{
    ptl_status status = look_at_fill(l, c, made, err);
    for (size_t i = 0; i < c->levels.count && status == PTL_OK; i++)
        status = look_at_level(l, &c->levels.list[i], made, err);
    for (size_t i = 0; i < c->features.count && status == PTL_OK; i++) {
        const repair_row *row = &c->features.list[i];
        if (row->table == TABLE_PACK)
            status = look_at_pack(l, row, made, err);
        else if (row->table == TABLE_SPECIAL)
            status = look_at_special(l, row, made, err);
        else if (row->table == TABLE_RADIO)
            status = look_at_radio(l, row, made, err);
    }
    return status;
}

/* ---- chunks ---- */

static bool digest_agrees(const repair_value *stored, const digest *made)
{
    return stored->size == DIGEST_SIZE && memcmp(stored->data, made->bytes, DIGEST_SIZE) == 0;
}

/* Only a chunk that comes out as its digests say teaches anything. */
static ptl_status learn_from(learner *l, const repair_chunk *c, ptl_error *err)
{
    const repair_value *row = c->row.list[0].values;
    bool made = false;
    ptl_status status = repair_make_only(l->w, c, &l->made, &made, err);
    if (status == PTL_OK && made &&
        digest_agrees(&row[CHUNK_COLUMN_TILE_DIGEST], &l->made.encoded.tiles) &&
        digest_agrees(&row[CHUNK_COLUMN_FEATURE_DIGEST], &l->made.features.digest))
        status = look_at(l, c, true, err);
    made_chunk_dispose(&l->made);
    return status;
}

static ptl_status learn_chunk(learner *l, int64_t id, ptl_error *err)
{
    repair_chunk c;
    l->wanted = false;
    ptl_status status = repair_chunk_read(&c, l->w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = look_at(l, &c, false, err);
    if (status == PTL_OK && l->wanted)
        status = learn_from(l, &c, err);
    repair_chunk_dispose(&c);
    return status;
}

static ptl_status learn_all(learner *l, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status =
        stmt_prepare(&s, l->w->r.store, "SELECT id FROM chunk ORDER BY id", err);
    if (status == PTL_OK)
        status = repair_ids_list(&ids, &count, s, err);
    stmt_free(s);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = learn_chunk(l, ids[i], err);
        if (status == PTL_OK)
            status = repair_breathe(&l->w->r, false, err);
    }
    free(ids);
    return status;
}

static ptl_status tell(learner *l, const number_set *set)
{
    return set->learnt == 0
               ? PTL_OK
               : repair_note(&l->w->r, PTL_REPAIR_RECOMPUTED,
                             set->table == TABLE_OTER ? "table oter" : "table name",
                             "%zu rows were missing: chunks that were made again say what they "
                             "were",
                             set->learnt);
}

ptl_status repair_names(world_repair *w, ptl_error *err)
{
    learner l = {.w = w, .oters.table = TABLE_OTER, .names.table = TABLE_NAME};
    row_scratch *scratch;
    ptl_status status = row_scratch_get(&scratch, w->r.store, err);
    if (status == PTL_OK) {
        l.codec = scratch->codec;
        status = read_known(&l.oters, w->r.store, "SELECT id FROM oter", err);
    }
    if (status == PTL_OK)
        status = read_known(&l.names, w->r.store, "SELECT id FROM name", err);
    if (status == PTL_OK)
        status = learn_all(&l, err);
    if (status == PTL_OK)
        status = tell(&l, &l.oters);
    if (status == PTL_OK)
        status = tell(&l, &l.names);
    pack_table_dispose(&l.packs);
    bytes_dispose(&l.text);
    free(l.oters.bits);
    free(l.names.bits);
    return status;
}
