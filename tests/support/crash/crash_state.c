/* What a folder holds after a crash: what was saved, whether it is sound, and, when the command
 * has ended, whether it ended as it should. */
#include "core/digest.h"
#include "core/error.h"
#include "core/hash.h"
#include "store/sqlite/connection/store_impl.h"
#include "support/crash/crash_scene.h"
#include "world/world.h"

#include <check.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static crash_finding found(crash_finding what, char why[256], const char *message)
{
    snprintf(why, 256, "%.255s", message);
    return what;
}

static crash_finding open_file(ptl_store **out, const char *path, ptl_open_mode mode,
                               char why[256])
{
    ptl_error err = {0};
    ptl_open_options options = PTL_OPEN_OPTIONS_INIT;
    options.mode = mode;
    if (ptl_store_open(out, path, &options, &err) == PTL_OK)
        return CRASH_FINE;
    return found(CRASH_REFUSED, why, err.message);
}

/* ---- what was saved ---- */

typedef struct reading {
    crash_run *run;
    ptl_store *store;
    ptl_error err;
    bool bad;
} reading;

/* 0 where there is no such row; an error ends the reading. */
static int64_t number(reading *g, const char *format, ...)
{
    char sql[400];
    int64_t value = 0;
    va_list args;
    va_start(args, format);
    vsnprintf(sql, sizeof sql, format, args);
    va_end(args);
    if (!g->bad && sqlite_pragma_int(g->store, sql, &value, &g->err) != PTL_OK)
        g->bad = true;
    return value;
}

static uint64_t saved_chunks(reading *g)
{
    ptl_world *world = NULL;
    uint64_t saved = 0;
    g->bad = ptl_world_open(&world, g->store, "w", NULL, &g->err) != PTL_OK;
    for (int i = 0; i < CRASH_CHUNKS && !g->bad; i++) {
        const ptl_chunk_pos pos = crash_position(i);
        bool begun = false, whole = false;
        g->bad = world_has_chunk(world, pos, 2, &begun, &g->err) != PTL_OK ||
                 world_has_chunk(world, pos, ptl_step_count(), &whole, &g->err) != PTL_OK;
        saved |= (begun ? CRASH_SHORT << i : 0) | (whole ? CRASH_WHOLE << i : 0);
        if (number(g, "SELECT content_id FROM chunk WHERE world_id = 1 AND x = %d AND y = %d",
                   (int)pos.x, (int)pos.y) == 2)
            saved |= CRASH_ANEW << i;
    }
    ptl_world_close(world);
    return saved;
}

static uint64_t saved_seeds(reading *g)
{
    uint64_t saved = 0;
    for (int i = 0; i < CRASH_SEEDS; i++) {
        const int64_t chunks =
            number(g, "SELECT count(*) FROM sweep_chunk WHERE seed = %d", i + 1);
        const int64_t tiles = number(g,
                                     "SELECT count(*) FROM chunk JOIN world ON world.id = "
                                     "chunk.world_id WHERE world.name = 's/%d'",
                                     i + 1);
        saved |= chunks == 2 && (i == 0 || tiles == 2) ? CRASH_SEED << i : 0;
    }
    return saved;
}

static uint64_t saved_index(reading *g)
{
    if (number(g, "SELECT count(*) FROM sqlite_schema WHERE name = 'unpacked_chunk'") == 0)
        return 0;
    return number(g, "SELECT (SELECT count(*) FROM unpacked_chunk) = (SELECT count(*) FROM "
                     "chunk)")
               ? CRASH_INDEX
               : 0;
}

static uint64_t saved_maps(reading *g)
{
    uint64_t saved = 0;
    for (int i = 0; i < CRASH_MAPS; i++) {
        const ptl_omt at = crash_map_place(i);
        saved |= number(g, "SELECT count(*) FROM omt_map WHERE x = %d AND y = %d AND z = %d",
                        (int)at.x, (int)at.y, (int)at.z)
                     ? CRASH_MAP << i
                     : 0;
    }
    return saved |
           (number(
                g,
                "SELECT count(*) FROM omt_map WHERE edited = 1 AND revision = 2 AND z = 0") ==
                    CRASH_MAPS
                ? CRASH_EDITED
                : 0);
}

/* A save of a game has two edits, one of which has placed a special, a local map, and a row in
 * each of three other tables: it is there with all of them, or none. */
static uint64_t saved_games(reading *g)
{
    uint64_t saved = 0;
    for (int n = 0; n < CRASH_GAMES && !g->bad; n++) {
        const int x = (int)crash_map_place(n).x;
        const int64_t rows =
            number(g,
                   "SELECT count(*) FROM chunk_edit WHERE author = '' AND number IN (%d, %d)",
                   2 * n + 1, 2 * n + 2) +
            number(g, "SELECT count(*) FROM placed_special WHERE number = %d", 2 * n + 2) +
            number(g, "SELECT count(*) FROM omt_map WHERE x = %d AND z = %d AND revision = 2",
                   x, CRASH_CELLAR) +
            number(g, "SELECT count(*) FROM note WHERE x = %d AND revision = %d", x, n + 2) +
            number(g, "SELECT count(*) FROM mark WHERE kind = %d AND revision = %d", n, n + 2) +
            number(g, "SELECT count(*) FROM fact WHERE x = %d AND revision = %d", x, n + 2);
        saved |= rows == 7 ? CRASH_KEPT << n : 0;
        if (rows != 0 && rows != 7 && !g->bad) {
            g->bad = true;
            (void)error_set(&g->err, PTL_ERR_CORRUPT, "%d of 7 rows of save %d are there",
                            (int)rows, n);
        }
    }
    return saved;
}

/* What was edited is as it was, or as generated with its local maps gone. */
static uint64_t saved_reset(reading *g)
{
    if (number(g, "SELECT count(*) FROM chunk_edit WHERE author = 'ann'") == 0)
        return 0;
    const int64_t resets = number(g, "SELECT count(*) FROM chunk_edit WHERE author = 'reset'");
    const int64_t maps = number(g, "SELECT count(*) FROM omt_map WHERE edited = 1");
    if (!g->bad && !(resets == 1 && maps == 0) && !(resets == 0 && maps == 2)) {
        g->bad = true;
        (void)error_set(&g->err, PTL_ERR_CORRUPT, "%d resets, %d edited maps", (int)resets,
                        (int)maps);
    }
    return resets == 1 ? CRASH_RESET : 0;
}

/* Of a damaged file only what can be asked of every file. */
static uint64_t saved_in_file(reading *g)
{
    uint64_t saved = CRASH_SET_UP;
    saved |= number(g, "SELECT count(*) FROM content") > 0 ? CRASH_CONTENT : 0;
    saved |=
        number(g, "SELECT id FROM content WHERE is_current = 1") == 2 ? CRASH_OTHER_CONTENT : 0;
    if (number(g, "SELECT count(*) FROM world WHERE name = 'w'") == 0)
        return saved | saved_seeds(g);
    saved |= CRASH_WORLD;
    saved |= number(g, "SELECT content_id FROM world WHERE name = 'w'") == 2 ? CRASH_MOVED : 0;
    if (g->run->scene->damaged)
        return saved;
    saved |=
        number(g, "SELECT count(*) FROM chunk WHERE origin = 'imported'") == 6 ? CRASH_SAVE : 0;
    return saved | saved_chunks(g) | saved_seeds(g) | saved_index(g) | saved_maps(g) |
           saved_games(g) | saved_reset(g);
}

/* ---- files beside the world ---- */

/* A copy is whole, and of a moment that it may be of. */
static crash_finding saved_copy(uint64_t *saved, const crash_run *r, char why[256])
{
    char hex[65] = "";
    ptl_error err = {0};
    ptl_store *store = NULL;
    ptl_world *world = NULL;
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    ptl_world_digest_result whole = PTL_WORLD_DIGEST_RESULT_INIT;
    if (access(r->copy, F_OK) != 0)
        return CRASH_FINE;
    if (open_file(&store, r->copy, PTL_OPEN_READ, why) != CRASH_FINE)
        return CRASH_MIXED;
    ptl_status status = ptl_verify(&counts, store, NULL, NULL, &err);
    if (status == PTL_OK)
        status = ptl_world_open(&world, store, "w", NULL, &err);
    if (status == PTL_OK)
        status = ptl_world_digest_get(&whole, world, &err);
    if (status == PTL_OK)
        memcpy(hex, whole.hex, sizeof hex);
    ptl_world_close(world);
    ptl_store_close(store);
    if (status != PTL_OK || counts.problems > 0)
        return found(CRASH_MIXED, why, status != PTL_OK ? err.message : "the copy is damaged");
    if (strcmp(hex, r->digests[1]) == 0)
        *saved |= CRASH_COPY | CRASH_NEW_COPY;
    else if (strcmp(hex, r->digests[0]) == 0)
        *saved |= CRASH_COPY;
    else
        return found(CRASH_MIXED, why, "the copy holds another world");
    return CRASH_FINE;
}

static bool same_file(const disk_image *image, const disk_file *f)
{
    const disk_file *other = disk_image_find(image, f->name);
    return other && other->content.size == f->content.size &&
           memcmp(other->content.data, f->content.data, f->content.size) == 0;
}

/* Every file is the older one or the newer one, and no older one is gone. */
static crash_finding saved_export(uint64_t *saved, const crash_run *r, char why[256])
{
    disk_image now = {0};
    crash_finding finding = CRASH_FINE;
    size_t newer = 0;
    if (r->after.count == 0) /* the newer ones are still to come */
        return CRASH_FINE;
    if (access(r->out, F_OK) != 0)
        return found(CRASH_MIXED, why, "the export is gone");
    disk_image_take(&now, r->out);
    for (size_t i = 0; i < r->after.count; i++) {
        const disk_file *f = &r->after.files[i], *there = disk_image_find(&now, f->name);
        const bool older = there && same_file(&r->before, there);
        const bool missing = !there && !disk_image_find(&r->before, f->name);
        newer += there && same_file(&r->after, there);
        if (!missing && !older && !(there && same_file(&r->after, there))) {
            snprintf(why, 256, "%s is %s", f->name, there ? "a mixture" : "gone");
            finding = CRASH_MIXED;
        }
    }
    *saved |= newer == r->after.count ? CRASH_EXPORT : 0;
    disk_image_dispose(&now);
    return finding;
}

/* A file of a save lies in its place or in the folder of what is replaced, as it was. */
static bool is_kept(const disk_image *now, const disk_file *f)
{
    char name[CRASH_PATH_SIZE];
    const disk_file moved = {.name = name, .content = f->content};
    snprintf(name, sizeof name, "portolan-replaced-1/%s", f->name);
    return same_file(now, f) || same_file(now, &moved);
}

/* The manifest holds times. */
static bool is_of_save(const disk_file *f)
{
    return !f->is_folder && !strstr(f->name, "manifest.json");
}

/* Whatever happens, nothing of the game's is lost; done is done. */
static crash_finding saved_into(uint64_t *saved, const crash_run *r, char why[256])
{
    const bool undoes = disk_image_find(&r->before, "portolan-replaced-1") != NULL;
    const disk_image *theirs = undoes ? &r->after : &r->before;
    disk_image now = {0};
    crash_finding finding = CRASH_FINE;
    if (r->after.count == 0) /* not known yet */
        return CRASH_FINE;
    if (access(r->out, F_OK) != 0)
        return found(CRASH_MIXED, why, "the save is gone");
    disk_image_take(&now, r->out);
    for (size_t i = 0; i < theirs->count; i++)
        if (is_of_save(&theirs->files[i]) && !is_kept(&now, &theirs->files[i])) {
            snprintf(why, 256, "%.200s of the save is gone", theirs->files[i].name);
            finding = CRASH_MIXED;
        }
    bool done = !(undoes && disk_image_find(&now, "portolan-replaced-1"));
    for (size_t i = 0; i < r->after.count; i++)
        done = done && (!is_of_save(&r->after.files[i]) || same_file(&now, &r->after.files[i]));
    *saved |= done ? CRASH_EXPORT : 0;
    disk_image_dispose(&now);
    return finding;
}

static crash_finding saved_beside(uint64_t *saved, const crash_run *r, char why[256])
{
    crash_finding finding = r->digests[0][0] ? saved_copy(saved, r, why) : CRASH_FINE;
    if (finding == CRASH_FINE && r->before.count > 0)
        finding = r->scene->moves ? saved_into(saved, r, why) : saved_export(saved, r, why);
    return finding;
}

/* ---- a state ---- */

static bool read_saved(uint64_t *saved, crash_run *r, ptl_store *store, char why[256])
{
    reading g = {.run = r, .store = store};
    *saved = saved_in_file(&g);
    if (g.bad)
        (void)found(CRASH_PROBLEMS, why, g.err.message);
    return !g.bad;
}

bool crash_state_saved(uint64_t *saved, crash_run *r, char why[256])
{
    ptl_store *store = NULL;
    *saved = 0;
    bool good = open_file(&store, r->world, PTL_OPEN_READ, why) == CRASH_FINE &&
                read_saved(saved, r, store, why);
    ptl_store_close(store);
    return good && saved_beside(saved, r, why) == CRASH_FINE;
}

/* The world's own files, and what a killed command may leave lying there. */
static bool is_own(const char *name)
{
    return strncmp(name, "w.db", 4) == 0 || strstr(name, ".tmp") || strstr(name, "-partial") ||
           strstr(name, "manifest.json"); /* which holds times */
}

/* A copy's runs and times are other ones each time; saved_copy looks at the rest. */
static bool is_own_or_copy(const char *name)
{
    return is_own(name) || strncmp(name, "copy.db", 7) == 0;
}

static crash_finding hash_state(uint64_t *out, const crash_run *r, ptl_store *store,
                                char why[256])
{
    sqlite3_int64 size = 0;
    unsigned char *pages = sqlite3_serialize(store->db, "main", &size, 0);
    disk_image all;
    if (!pages)
        return found(CRASH_PROBLEMS, why, "the pages can't be read");
    disk_image_take(&all, r->root);
    *out = disk_image_hash(&all, is_own);
    disk_image_dispose(&all);
    digest_state state;
    digest d;
    uint64_t word;
    digest_init(&state);
    digest_update(&state, pages, (size_t)size);
    digest_final(&state, &d);
    memcpy(&word, d.bytes, sizeof word);
    *out = hash_add(*out, word);
    sqlite3_free(pages);
    return CRASH_FINE;
}

static const crash_state *find_known(const crash_known *known, uint64_t pages)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->states[i].pages == pages)
            return &known->states[i];
    return NULL;
}

static crash_finding read_state(crash_state *out, bool *is_known, crash_run *r,
                                ptl_store *store, const crash_known *known, char why[256])
{
    crash_finding finding = hash_state(&out->pages, r, store, why);
    if (finding != CRASH_FINE)
        return finding;
    const crash_state *same = find_known(known, out->pages);
    *is_known = same != NULL;
    if (same)
        *out = *same;
    else if (!read_saved(&out->saved, r, store, why))
        finding = CRASH_PROBLEMS;
    return finding;
}

crash_finding crash_state_read(crash_state *out, bool *is_known, crash_run *r,
                               uint64_t reported, bool read_first, const crash_known *known,
                               char why[256])
{
    ptl_store *store = NULL;
    const uint64_t wanted = reported | r->baseline;
    /* What had been set up opens without being created. */
    const bool there = (wanted & CRASH_SET_UP) != 0;
    const ptl_open_mode mode = !there       ? PTL_OPEN_CREATE
                               : read_first ? PTL_OPEN_READ
                                            : PTL_OPEN_WRITE;
    *out = (crash_state){0};
    *is_known = false;
    crash_finding finding = open_file(&store, r->world, mode, why);
    if (finding != CRASH_FINE)
        return finding;
    finding = read_state(out, is_known, r, store, known, why);
    ptl_store_close(store);
    if (finding == CRASH_FINE && !*is_known)
        finding = saved_beside(&out->saved, r, why);
    if (finding == CRASH_FINE && !*is_known && r->scene->damaged &&
        crash_state_verify(r, why) == CRASH_FINE)
        out->saved |= CRASH_REPAIRED;
    if (finding == CRASH_FINE && (wanted & ~out->saved) != 0) {
        snprintf(why, 256, "reported as saved %llx, there is %llx", (unsigned long long)wanted,
                 (unsigned long long)out->saved);
        return CRASH_LOST;
    }
    return finding;
}

static void keep_first(void *payload, const ptl_problem *problem)
{
    char *why = payload;
    if (!why[0])
        snprintf(why, 256, "%.100s: %.150s", problem->where, problem->message);
}

crash_finding crash_state_verify(const crash_run *r, char why[256])
{
    ptl_store *store = NULL;
    ptl_error err = {0};
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    crash_finding finding = open_file(&store, r->world, PTL_OPEN_READ, why);
    if (finding != CRASH_FINE)
        return finding;
    why[0] = '\0';
    if (ptl_verify(&counts, store, keep_first, why, &err) != PTL_OK)
        finding = found(CRASH_PROBLEMS, why, err.message);
    else if (counts.problems > 0)
        finding = CRASH_PROBLEMS;
    ptl_store_close(store);
    return finding;
}

/* ---- the end ---- */

/* All rows by every column but times, runs, and checksums, which cover those. */
static void rows_sql(bytes *out, sqlite3 *db, const char *table)
{
    sqlite3_stmt *s = NULL;
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                                        "SELECT group_concat('\"' || name || '\"') FROM "
                                        "pragma_table_info(?1) WHERE name NOT IN ('run_id', "
                                        "'checksum') AND name NOT LIKE '%\\_at' ESCAPE '\\'",
                                        -1, &s, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(s, 1, table, -1, SQLITE_STATIC);
    ck_assert_int_eq(sqlite3_step(s), SQLITE_ROW);
    const unsigned char *text = sqlite3_column_text(s, 0);
    bytes_printf(out, "SELECT %s FROM \"%s\" ORDER BY %s", text, table, text);
    sqlite3_finalize(s);
}

static void hash_rows(digest_state *state, sqlite3 *db, const char *sql)
{
    sqlite3_stmt *s = NULL;
    ck_assert_msg(sqlite3_prepare_v2(db, sql, -1, &s, NULL) == SQLITE_OK, "%s: %s", sql,
                  sqlite3_errmsg(db));
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            digest_update_u64(state, (uint64_t)sqlite3_column_type(s, i));
            const void *value = sqlite3_column_blob(s, i);
            digest_update_counted(state, value, (size_t)sqlite3_column_bytes(s, i));
        }
    ck_assert_int_eq(code, SQLITE_DONE);
    sqlite3_finalize(s);
}

static uint64_t hash_tables(sqlite3 *db)
{
    sqlite3_stmt *s = NULL;
    digest_state state;
    digest d;
    uint64_t word;
    bytes sql;
    bytes_init(&sql);
    digest_init(&state);
    ck_assert_int_eq(sqlite3_prepare_v2(db,
                                        "SELECT name FROM sqlite_schema WHERE type = 'table' "
                                        "AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name "
                                        "NOT IN ('run', 'content_checksum') ORDER BY name",
                                        -1, &s, NULL),
                     SQLITE_OK);
    while (sqlite3_step(s) == SQLITE_ROW) {
        bytes_clear(&sql);
        rows_sql(&sql, db, (const char *)sqlite3_column_text(s, 0));
        hash_rows(&state, db, bytes_text(&sql));
    }
    sqlite3_finalize(s);
    bytes_dispose(&sql);
    digest_final(&state, &d);
    memcpy(&word, d.bytes, sizeof word);
    return word;
}

void crash_result_read(crash_result *out, crash_run *r)
{
    char why[256];
    ptl_store *store = NULL;
    ptl_world *world = NULL;
    ptl_journal_info info = PTL_JOURNAL_INFO_INIT;
    ptl_world_digest_result whole = PTL_WORLD_DIGEST_RESULT_INIT;
    disk_image all;
    *out = (crash_result){.tables = 0};
    ck_assert_msg(open_file(&store, r->world, PTL_OPEN_READ, why) == CRASH_FINE, "%s: %s",
                  r->context, why);
    if (ptl_world_open(&world, store, "w", NULL, &r->err) == PTL_OK) {
        ck_assert_msg(ptl_world_digest_get(&whole, world, &r->err) == PTL_OK, "%s: %s",
                      r->context, r->err.message);
        memcpy(out->digest, whole.hex, sizeof out->digest);
    }
    ck_assert_int_eq(ptl_journal_info_load(&info, store, &r->err), PTL_OK);
    out->mode = info.mode;
    out->tables = hash_tables(store->db);
    ptl_world_close(world);
    ptl_store_close(store);
    disk_image_take(&all, r->root);
    out->files = disk_image_hash(&all, is_own_or_copy);
    disk_image_dispose(&all);
}

const char *crash_result_difference(const crash_result *a, const crash_result *b)
{
    return strcmp(a->digest, b->digest) != 0 ? "the world's digest"
           : a->tables != b->tables          ? "the tables"
           : a->mode != b->mode              ? "the journal mode"
           : a->files != b->files            ? "the files beside it"
                                             : NULL;
}
