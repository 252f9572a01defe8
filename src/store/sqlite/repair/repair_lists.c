/*
 * Lists for repair: which chunks, edges and places the file has, and which are missing. Also
 * moves chunks back that were set aside, and learns names of dictionary numbers whose rows are
 * lost.
 */
#include "codec/chunk_codec.h"
#include "codec/level_parse.h"
#include "core/array.h"
#include "core/error.h"
#include "model/catalogue.h"
#include "portolan/generate.h"
#include "store/sqlite/connection/store_impl.h"
#include "store/sqlite/repair/repair_impl.h"
#include "store/sqlite/rows/feature_rows.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stdlib.h>
#include <string.h>

static ptl_status list_ids(int64_t **ids, size_t *count, repairer *r, const char *sql,
                           ptl_error *err)
{
    stmt *s;
    const ptl_status status = stmt_prepare(&s, r->store, sql, err);
    return stmt_list_ids(ids, count, s, status, err);
}

ptl_status repair_chunk_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    return list_ids(ids, count, r, "SELECT id FROM chunk ORDER BY id", err);
}

ptl_status repair_orphan_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    return list_ids(
        ids, count, r,
        "SELECT n FROM (SELECT id >> 5 AS n FROM level UNION SELECT id >> 3 FROM pack "
        "UNION SELECT id >> 16 FROM special_placement UNION SELECT chunk_id FROM city "
        "UNION SELECT chunk_id FROM radio UNION SELECT chunk_id FROM event) "
        "WHERE typeof(n) = 'integer' AND n NOT IN (SELECT id FROM chunk) ORDER BY n",
        err);
}

ptl_status repair_chunks_count(uint64_t *out, repairer *r, ptl_error *err)
{
    return stmt_count(out, r->store, "SELECT count(*) FROM chunk", NULL, 0, err);
}

ptl_status repair_chunks_each(repairer *r, repair_visit *visit, void *payload, ptl_error *err)
{
    stmt *s = NULL;
    int64_t after = INT64_MIN;
    ptl_status status = stmt_prepare(
        &s, r->store, "SELECT id FROM chunk WHERE id > ?1 ORDER BY id LIMIT 1", err);
    while (stmt_row_after(s, &after, "chunk", &status, err)) {
        stmt_reset(s);
        status = visit(payload, after, err);
    }
    stmt_free(s);
    return status;
}

ptl_status repair_chunk_find(repair_chunk *out, bool *found, repairer *r, int64_t world_id,
                             ptl_chunk_pos pos, ptl_error *err)
{
    stmt *s;
    ptl_status status =
        stmt_query(&s, r->store, "SELECT id FROM chunk WHERE world_id = ? AND x = ? AND y = ?",
                   STMT_VALUES(world_id, pos.x, pos.y), err);
    memset(out, 0, sizeof *out);
    *found = stmt_row(s, &status, err);
    if (*found)
        status = repair_chunk_read(out, r->store, stmt_int(s, 0), err);
    stmt_free(s);
    return status;
}

ptl_status repair_world_find(char **name, repairer *r, int64_t world_id, ptl_error *err)
{
    stmt *s;
    ptl_status status = stmt_query(&s, r->store, "SELECT name FROM world WHERE id = ?",
                                   STMT_VALUES(world_id), err);
    const bool row = stmt_row(s, &status, err);
    *name = row ? strdup(stmt_text(s, 0)) : NULL;
    if (row)
        status = *name ? stmt_had_memory(s, err) : error_nomem(err);
    else if (status == PTL_OK)
        status = error_set(err, PTL_ERR_NOT_FOUND, "its world has no row");
    stmt_free(s);
    return status;
}

/* ---- places where a chunk may be ---- */

/* The eastern and southern edge of a chunk are stored at the chunk's own place, the western and
 * northern edge at the places of the western and northern neighbour. */
ptl_status repair_places_free(repair_free_place **out, size_t *count, repairer *r, int64_t id,
                              ptl_error *err)
{
    stmt *s;
    size_t room = 0;
    *out = NULL;
    *count = 0;
    ptl_status status = stmt_query(
        &s, r->store,
        "SELECT e.world_id, e.x, e.y FROM edge e "
        "WHERE e.side = 'E' AND typeof(e.x) = 'integer' AND typeof(e.y) = 'integer' "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y AND o.side = 'S') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x - 1 "
        "AND o.y = e.y AND o.side = 'E') "
        "AND EXISTS (SELECT 1 FROM edge o WHERE o.world_id = e.world_id AND o.x = e.x "
        "AND o.y = e.y - 1 AND o.side = 'S') "
        "AND NOT EXISTS (SELECT 1 FROM chunk c WHERE c.world_id = e.world_id AND c.x = e.x "
        "AND c.y = e.y AND c.id <> ?1) ORDER BY 1, 2, 3",
        STMT_VALUES(id), err);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(*out, room, *count + 1)) {
            status = error_nomem(err);
            break;
        }
        (*out)[(*count)++] = (repair_free_place){
            stmt_int(s, 0), {(int32_t)stmt_int(s, 1), (int32_t)stmt_int(s, 2)}};
    }
    stmt_free(s);
    return status;
}

ptl_status repair_place_run(int64_t *out, repairer *r, const repair_free_place *at,
                            int64_t said, int64_t id, ptl_error *err)
{
    *out = said;
    return stmt_ask(
        out, r->store,
        "SELECT coalesce((SELECT id FROM run WHERE id = ?1 AND world_id = ?2), "
        "(SELECT max(n) FROM (SELECT run_id AS n FROM chunk WHERE id = (SELECT max(id) FROM "
        "chunk WHERE world_id = ?2 AND id < ?3) UNION ALL SELECT run_id FROM edge "
        "WHERE world_id = ?2 AND (x = ?4 AND y = ?5 OR x = ?4 - 1 AND y = ?5 AND side = 'E' "
        "OR x = ?4 AND y = ?5 - 1 AND side = 'S')) WHERE n IN (SELECT id FROM run)), ?1)",
        STMT_VALUES(said, at->world_id, id, at->pos.x, at->pos.y), err);
}

/* ---- missing edges ---- */

ptl_status repair_edges_missing(repair_lost_edge **out, size_t *count, repairer *r,
                                ptl_error *err)
{
    stmt *s;
    size_t room = 0;
    *out = NULL;
    *count = 0;
    ptl_status status = stmt_prepare(
        &s, r->store,
        "SELECT DISTINCT c.world_id, c.x - d.dx, c.y - d.dy, d.side FROM chunk c, "
        "(SELECT 0 AS dx, 0 AS dy, 'E' AS side UNION ALL SELECT 0, 0, 'S' UNION ALL "
        "SELECT 1, 0, 'E' UNION ALL SELECT 0, 1, 'S') d "
        "WHERE typeof(c.x) = 'integer' AND c.x BETWEEN -4194304 AND 4194304 "
        "AND typeof(c.y) = 'integer' AND c.y BETWEEN -4194304 AND 4194304 "
        "AND NOT EXISTS (SELECT 1 FROM edge e WHERE e.world_id = c.world_id "
        "AND e.x = c.x - d.dx AND e.y = c.y - d.dy AND e.side = d.side) ORDER BY 1, 2, 3, 4",
        err);
    while (stmt_row(s, &status, err)) {
        if (!ARRAY_ROOM(*out, room, *count + 1)) {
            status = error_nomem(err);
            break;
        }
        (*out)[(*count)++] = (repair_lost_edge){
            stmt_int(s, 0),
            {.x = (int32_t)stmt_int(s, 1),
             .y = (int32_t)stmt_int(s, 2),
             .side = strcmp(stmt_text(s, 3), "E") == 0 ? EDGE_EAST : EDGE_SOUTH}};
    }
    stmt_free(s);
    return status;
}

/* ---- chunks that were set aside ---- */

/*
 * Chunks that were set aside because the file held other content than theirs are moved back
 * when their content is the file's present one again. They return to their tables as damaged as
 * they are, and can then be generated again.
 */

/* Reads a row that is stored in table set_aside; false if it is not valid. */
static bool take_row(repair_rows *out, const char *table, const void *data, size_t size)
{
    byte_reader r = byte_reader_over(data, size);
    const row_table *t = row_table_named(table);
    if (!t)
        return false;
    repair_row *row = repair_rows_add(out, (row_table_id)(t - row_table_of(0)));
    bool good = row != NULL;
    for (int i = 0; good && i < t->count; i++) {
        row_value v;
        good = row_value_read(&v, &r) && repair_value_own(&row->values[i], &v);
    }
    return good && byte_reader_left(&r) == 0;
}

/* SQL for the rows that were set aside together with a chunk's row: those with the same world,
 * place, reason and time. ?1 is the id of the chunk's row in set_aside. */
#define ASIDE_WITH                                                                             \
    " FROM set_aside a JOIN set_aside c ON c.id = ?1 WHERE a.world = c.world AND a.x = c.x "   \
    "AND a.y = c.y AND a.reason = c.reason AND a.found = c.found"

static ptl_status read_asides(repair_rows *out, repairer *r, int64_t chunk, ptl_error *err)
{
    stmt *s;
    ptl_status status =
        stmt_query(&s, r->store, "SELECT a.source_table, a.data" ASIDE_WITH " ORDER BY a.id",
                   STMT_VALUES(chunk), err);
    while (stmt_row(s, &status, err)) {
        size_t size;
        const void *data = stmt_blob(s, 1, &size);
        if (!take_row(out, stmt_text(s, 0), data, size))
            status = error_set(err, PTL_ERR_CORRUPT, "table set_aside: a damaged row");
    }
    stmt_free(s);
    return status;
}

/* Returns true if one of the rows is the chunk's row in table chunk, and it says that the chunk
 * was made with this content and the present generator. */
static bool is_wanted(const repair_rows *rows, int64_t content_id)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->list[i].table == TABLE_CHUNK)
            return repair_int(&rows->list[i], CHUNK_COLUMN_CONTENT_ID) == content_id &&
                   repair_int(&rows->list[i], CHUNK_COLUMN_GENERATOR_VERSION) ==
                       PTL_GENERATOR_VERSION;
    return false;
}

/* Moves the rows of a chunk back. They stay set aside if another chunk has their place or id by
 * now, or if a row is damaged. */
static ptl_status put_back(repairer *r, int64_t chunk, int64_t content_id, ptl_error *err)
{
    repair_rows rows = {0};
    ptl_error why = {0};
    bool kept;
    TRY(repair_try_begin(r, err));
    ptl_status status = read_asides(&rows, r, chunk, &why);
    if (status == PTL_OK && !is_wanted(&rows, content_id))
        status = PTL_ERR_EXISTS;
    for (size_t i = 0; i < rows.count && status == PTL_OK; i++)
        status = repair_row_replace(r->store, NULL, &rows.list[i], &why);
    THEN(status,
         stmt_do(r->store, "DELETE FROM set_aside WHERE id IN (SELECT a.id" ASIDE_WITH ")",
                 STMT_VALUES(chunk), &why));
    repair_rows_dispose(&rows);
    status = status == PTL_ERR_CORRUPT ? PTL_ERR_EXISTS : status;
    return repair_try_settle(r, &kept, status, &why, err);
}

ptl_status repair_put_back(repairer *r, const char *reason, ptl_error *err)
{
    stmt *s = NULL;
    int64_t *ids = NULL, content_id = -1;
    size_t count = 0;
    ptl_status status = stmt_ask(&content_id, r->store,
                                 "SELECT id FROM content WHERE is_current = 1", NULL, 0, err);
    THEN(status, stmt_prepare(&s, r->store,
                              "SELECT id FROM set_aside WHERE source_table = 'chunk' "
                              "AND reason = ? ORDER BY id",
                              err));
    stmt_bind_text(s, 1, reason);
    status = stmt_list_ids(&ids, &count, s, status, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = put_back(r, ids[i], content_id, err);
    free(ids);
    return status;
}

/* ---- names of dictionary numbers whose rows are lost ---- */

/* A chunk stores lists of numbers that stand for names; the same chunk, generated again, has
 * lists of the names. The lists are compared element by element. NUMBERS_MAX: names of numbers
 * from this one on are not learnt. */

enum { NUMBERS_MAX = 1 << 24 };

typedef struct number_set {
    row_table_id table;
    uint8_t *bits; /* has a bit for each number of the dictionary: 1 if the number has a row */
    size_t learnt;
} number_set;

struct repair_learner {
    repairer *r;
    codec *codec; /* borrowed from the store's scratch memory */
    number_set oters, names;
    pack_table packs, pieces; /* memory for unpacked blobs of table pack: `pieces` for those
                               * that list pieces of specials, `packs` for all others */
    int64_t pieces_of;        /* id of the chunk whose pieces were read last; -1: none */
    bytes text;
    /* The chunk whose rows are read, as it was generated again; borrowed. NULL in the first
     * pass over the rows, which only looks for numbers without a name. */
    const encoded_chunk *omts;
    const encoded_features *features;
    const catalogue *cat;
    bool wanted; /* the first pass over a chunk's rows has found a number without a name */
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

/* Writes a row that gives the number this name. If the name has another number already, nothing
 * can be concluded, and nothing is written. */
static ptl_status learn(repair_learner *l, number_set *set, uint32_t number, const char *name,
                        ptl_error *err)
{
    ptl_error local = {0};
    stmt *s;
    if (number == 0 || is_known(set, number) || number >= NUMBERS_MAX || !name || !name[0])
        return PTL_OK;
    /* Checks that no row of the dictionary has this name yet. This is needed because no index
     * would refuse a second row with it. */
    ptl_status status =
        stmt_prepare(&s, l->r->store,
                     set->table == TABLE_OTER ? "SELECT 1 FROM oter WHERE name = ?"
                                              : "SELECT 1 FROM name WHERE name = ?",
                     err);
    stmt_bind_text(s, 1, name);
    const bool taken = stmt_row(s, &status, err);
    stmt_free(s);
    if (status != PTL_OK || taken)
        return status;
    /* The indices of the columns of table `name` serve for table `oter` as well: both have the
     * same columns. */
    row_value v[NAME_COLUMN_COUNT] = {
        [NAME_COLUMN_ID] = row_int(number), [NAME_COLUMN_NAME] = row_text(name)};
    status = row_put(l->r->store, set->table, v, &local);
    set->learnt += status == PTL_OK;
    set->bits[number / 8] |= (uint8_t)(1u << number % 8);
    return status == PTL_OK || (local.backend_code & 0xff) == SQLITE_CONSTRAINT
               ? PTL_OK
               : error_copy(err, &local);
}

/* ---- comparing a stored list of numbers with a list of names ---- */

/* Returns the name at index i in a list of the chunk that was generated again. */
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

/* Learns the names of a stored list's numbers. `list` has the `size` names that the chunk, when
 * it was generated again, has in the same places. If `list` is NULL, it only looks for numbers
 * without a name, and sets l->wanted if there are any. */
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
    const encoded_level *e = l->omts && index < PTL_LEVELS ? &l->omts->levels[index] : NULL;
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
        TRY(compare(l, &l->oters, numbers, PTL_LEVELS, l->omts ? l->omts->defaults : NULL,
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

/* ---- all rows of a chunk ---- */

ptl_status repair_learner_wants(bool *wanted, repair_learner *l, const repair_chunk *c,
                                ptl_error *err)
{
    l->wanted = false;
    ptl_status status = look_at(l, c, err);
    *wanted = l->wanted;
    return status;
}

ptl_status repair_learner_take(repair_learner *l, const repair_chunk *c,
                               const encoded_chunk *omts, const encoded_features *features,
                               const catalogue *cat, ptl_error *err)
{
    l->omts = omts;
    l->features = features;
    l->cat = cat;
    ptl_status status = look_at(l, c, err);
    l->omts = NULL;
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
