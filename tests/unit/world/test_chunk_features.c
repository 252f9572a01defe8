/*
 * Features of saved chunks through the public header (portolan/features.h): next to the tables
 * and views of the file, over several seeds and settings; chunks that are unfinished, imported
 * or of a content that is gone; the ends of all ranges; damage.
 */
#include "core/bytes.h"
#include "store/sqlite/connection/stmt.h"
#include "support/suite.h"
#include "support/test_folder.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_error err;
static bytes text;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    memset(&err, 0, sizeof err);
    bytes_init(&text);
}

static void tear_down(void)
{
    bytes_dispose(&text);
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
}

static void ok(ptl_status status)
{
    ck_assert_msg(status == PTL_OK, "%s: %s", ptl_status_name(status), err.message);
}

static ptl_features *load(ptl_chunk_pos pos)
{
    ptl_features *f;
    ok(ptl_features_load(&f, world, pos, &err));
    return f;
}

static ptl_features_info info_of(const ptl_features *f)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    ck_assert_int_eq(ptl_features_describe(&info, f), PTL_OK);
    return info;
}

static void make(ptl_chunk_pos pos, const char *stop_after)
{
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    o.positions = &pos;
    o.position_count = 1;
    o.stop_after = stop_after;
    ok(ptl_generate(NULL, world, &o, &err));
}

/* ---- next to the tables ---- */

static bool on_line(void *payload, size_t columns, const char *const *names,
                    const ptl_value *values)
{
    bytes *out = payload;
    (void)columns;
    (void)names;
    bytes_printf(out, "%.*s\n", (int)values[0].size, values[0].text);
    return true;
}

/* The rows are what `text` holds, line by line; it is empty afterwards. "WORLD" and "CHUNK" in
 * the SQL stand for conditions on columns world, chunk_x and chunk_y. */
static size_t expect_rows(ptl_chunk_pos pos, const char *sql)
{
    bytes rows;
    char where[200], statement[1200];
    const ptl_query_options o = {.size = sizeof o, .on_row = on_line, .payload = &rows};
    const char *at = strstr(sql, "CHUNK");
    ck_assert_ptr_nonnull(at);
    snprintf(where, sizeof where, "world = '%s' AND chunk_x = %d AND chunk_y = %d",
             ptl_world_name(world), pos.x, pos.y);
    snprintf(statement, sizeof statement, "%.*s%s%s", (int)(at - sql), sql, where, at + 5);
    bytes_init(&rows);
    ok(ptl_query(store, statement, &o, &err));
    ck_assert_msg(strcmp(bytes_text(&text), bytes_text(&rows)) == 0,
                  "%s\n---\n%.600s\n---\n%.600s", statement, bytes_text(&text),
                  bytes_text(&rows));
    const size_t size = rows.size;
    bytes_dispose(&rows);
    bytes_dispose(&text);
    bytes_init(&text);
    return size;
}

static size_t compare_cities(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_city c = PTL_CITY_INIT;
    size_t i = 0;
    for (; ptl_features_city(&c, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%d|%d|%d|%d|%d|%d\n", i, c.name, c.x, c.y, c.radius,
                     c.planned_x, c.planned_y, c.buildings);
    ck_assert(i == info_of(f).cities && !c.name[0] && !c.radius);
    return expect_rows(pos,
                       "SELECT number || '|' || name || '|' || (x - chunk_x * 180) || '|' ||"
                       " (y - chunk_y * 180) || '|' || size || '|' || (planned_x - chunk_x *"
                       " 180) || '|' || (planned_y - chunk_y * 180) || '|' || (SELECT count(*)"
                       " FROM building b WHERE b.world = c.world AND b.chunk_x = c.chunk_x AND"
                       " b.chunk_y = c.chunk_y AND b.city = c.number) FROM v_city c WHERE CHUNK"
                       " ORDER BY number");
}

static size_t compare_buildings(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_building b = PTL_BUILDING_INIT;
    size_t i = 0;
    for (; ptl_features_building(&b, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%d|%d|%d|%d|%lld\n", i, b.id, b.x, b.y, b.z, b.rotation,
                     (long long)b.city);
    ck_assert(i == info_of(f).buildings && !b.id[0]);
    return expect_rows(pos, "SELECT number || '|' || id || '|' || (x - chunk_x * 180) || '|' ||"
                            " (y - chunk_y * 180) || '|' || z || '|' || rotation || '|' ||"
                            " ifnull(city, -1) FROM building WHERE CHUNK ORDER BY number");
}

/* With the pieces and joins of each. */
static size_t compare_specials(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
    size_t i = 0, pieces = 0, joins = 0;
    for (; ptl_features_special(&s, f, i) == PTL_OK; i++) {
        bytes_printf(&text, "%zu|%s|%d|%d|%d|%d|%lld|%d|%d\n", i, s.id, s.x, s.y, s.z,
                     s.rotation, (long long)s.city, s.draw, s.omts);
        for (size_t k = 0; k < s.piece_count; k++) {
            ptl_placed_piece p = PTL_PLACED_PIECE_INIT;
            ck_assert_int_eq(ptl_features_piece(&p, f, s.first_piece + k), PTL_OK);
            ck_assert_uint_eq(p.special, i);
        }
        for (size_t k = 0; k < s.join_count; k++) {
            ptl_placed_join j = PTL_PLACED_JOIN_INIT;
            ck_assert_int_eq(ptl_features_join(&j, f, s.first_join + k), PTL_OK);
            ck_assert_uint_eq(j.special, i);
        }
        ck_assert((s.piece_count > 0) == (s.join_count > 0) || s.piece_count == 1);
        pieces += s.piece_count;
        joins += s.join_count;
    }
    ck_assert(i == info_of(f).specials && !s.id[0] && !s.omts);
    ck_assert(pieces == info_of(f).pieces && joins == info_of(f).joins);
    return expect_rows(pos,
                       "SELECT number || '|' || special || '|' || (x - chunk_x * 180) || '|' ||"
                       " (y - chunk_y * 180) || '|' || z || '|' || rotation || '|' ||"
                       " ifnull(city_number, -1) || '|' || draw || '|' || omts FROM v_special"
                       " WHERE CHUNK ORDER BY number");
}

static size_t compare_pieces(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_placed_piece p = PTL_PLACED_PIECE_INIT;
    size_t i = 0;
    for (; ptl_features_piece(&p, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%zu|%d|%d|%d|%d\n", i, p.id, p.special, p.x, p.y, p.z,
                     p.rotation);
    ck_assert(i == info_of(f).pieces && !p.id[0]);
    return expect_rows(
        pos, "SELECT number || '|' || id || '|' || special_number || '|' ||"
             " (x - chunk_x * 180) || '|' || (y - chunk_y * 180) || '|' || z || '|' ||"
             " rotation FROM piece WHERE CHUNK ORDER BY number");
}

static size_t compare_joins(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_placed_join j = PTL_PLACED_JOIN_INIT;
    size_t i = 0;
    for (; ptl_features_join(&j, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%zu|%d|%d|%d|%d\n", i, j.id, j.special, j.x, j.y, j.z,
                     j.side);
    ck_assert(i == info_of(f).joins && !j.id[0]);
    return expect_rows(
        pos, "SELECT number || '|' || id || '|' || special_number || '|' ||"
             " (x - chunk_x * 180) || '|' || (y - chunk_y * 180) || '|' || z || '|' ||"
             " side FROM piece_join WHERE CHUNK ORDER BY number");
}

static size_t compare_radios(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_radio r = PTL_RADIO_INIT;
    size_t i = 0;
    for (; ptl_features_radio(&r, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%s|%lld|%d|%d|%d\n", i, r.weather ? "weather" : "broadcast",
                     r.message, (long long)r.frequency, r.strength, r.x, r.y);
    ck_assert(i == info_of(f).radios && !r.message[0] && !r.weather);
    return expect_rows(pos, "SELECT number || '|' || kind || '|' || message || '|' || frequency"
                            " || '|' || strength || '|' || ((x - chunk_x * 180) * 2 + submap_x)"
                            " || '|' || ((y - chunk_y * 180) * 2 + submap_y) FROM v_radio WHERE"
                            " CHUNK ORDER BY number");
}

static size_t compare_groups(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_monster_group g = PTL_MONSTER_GROUP_INIT;
    size_t i = 0;
    for (; ptl_features_monster_group(&g, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%d|%d|%d|%d|%d|%d|%d\n", i, g.type, g.x, g.y, g.z, g.radius,
                     g.population, g.horde, g.diffuse);
    ck_assert(i == info_of(f).monster_groups && !g.type[0]);
    return expect_rows(pos, "SELECT number || '|' || type || '|' || ((x - chunk_x * 180) * 2 +"
                            " submap_x) || '|' || ((y - chunk_y * 180) * 2 + submap_y) || '|'"
                            " || z || '|' || radius || '|' || population || '|' || horde || '|'"
                            " || diffuse FROM monster_group WHERE CHUNK ORDER BY number");
}

static size_t compare_attempts(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_attempt a = PTL_ATTEMPT_INIT;
    size_t i = 0;
    for (; ptl_features_attempt(&a, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%lld|%lld|%lld|%lld|%lld|%lld|%lld\n", i, a.id,
                     (long long)a.asked, (long long)a.ground, (long long)a.linked,
                     (long long)a.city, (long long)a.room, (long long)a.failed,
                     (long long)a.placed);
    ck_assert(i == info_of(f).attempts && !a.id[0]);
    return expect_rows(pos,
                       "SELECT number || '|' || special || '|' || asked || '|' || ground ||"
                       " '|' || linked || '|' || city || '|' || room || '|' || failed ||"
                       " '|' || placed FROM attempt WHERE CHUNK ORDER BY number");
}

static size_t compare_predecessors(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_predecessor p = PTL_PREDECESSOR_INIT;
    size_t i = 0;
    for (; ptl_features_predecessor(&p, f, i) == PTL_OK; i++)
        bytes_printf(&text, "%zu|%s|%d|%d|%d|%d|%d|%d\n", i, p.id, p.x, p.y, p.z, p.length,
                     p.step_x, p.step_y);
    ck_assert(i == info_of(f).predecessors && !p.id[0]);
    return expect_rows(
        pos, "SELECT number || '|' || id || '|' || (x - chunk_x * 180) || '|' ||"
             " (y - chunk_y * 180) || '|' || z || '|' || length || '|' || (1 - south) || '|' ||"
             " south FROM predecessor WHERE CHUNK ORDER BY number");
}

static size_t compare_events(const ptl_features *f, ptl_chunk_pos pos)
{
    ptl_event e = PTL_EVENT_INIT;
    size_t i = 0;
    for (; ptl_features_event(&e, f, i) == PTL_OK; i++) {
        bytes_printf(&text, "%zu|%s|%s|%s", i, e.step, e.kind, e.detail);
        if (e.has_place)
            bytes_printf(&text, "|%d|%d|%d\n", e.x, e.y, e.z);
        else
            bytes_put_text(&text, "|-|-|-\n");
    }
    ck_assert(i == info_of(f).events && !e.step[0] && !e.kind[0] && !e.detail[0]);
    return expect_rows(
        pos, "SELECT number || '|' || step || '|' || kind || '|' || detail || '|' ||"
             " ifnull(x - chunk_x * 180, '-') || '|' || ifnull(y - chunk_y * 180, '-')"
             " || '|' || ifnull(z, '-') FROM v_event WHERE CHUNK ORDER BY number");
}

static size_t compare_edges(const ptl_features *f, ptl_chunk_pos pos)
{
    for (size_t side = 0; side < 4; side++) {
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        ptl_crossing c = PTL_CROSSING_INIT;
        ck_assert_int_eq(ptl_features_edge(&e, f, side), PTL_OK);
        ck_assert(e.saved);
        for (size_t i = 0; ptl_features_crossing(&c, f, side, i) == PTL_OK; i++)
            bytes_printf(&text, "%zu|%s|%d|%s|%d|%d|%d\n", side,
                         e.foreign ? "foreign" : "planned", c.z, c.kind, c.position, c.width,
                         c.direction);
        ck_assert(!c.kind[0] && !c.width);
    }
    return expect_rows(
        pos, "SELECT n || '|' || origin || '|' || z || '|' || kind || '|' || position || '|' ||"
             " width || '|' || direction FROM (SELECT w.name AS world, c.x AS chunk_x, c.y AS"
             " chunk_y, CASE WHEN e.side = 'S' THEN CASE e.y WHEN c.y THEN 2 ELSE 0 END ELSE"
             " CASE e.x WHEN c.x THEN 1 ELSE 3 END END AS n, e.origin, k.* FROM chunk c JOIN"
             " world w ON w.id = c.world_id JOIN edge e ON e.world_id = w.id AND ((e.side = 'S'"
             " AND e.x = c.x AND e.y IN (c.y, c.y - 1)) OR (e.side = 'E' AND e.y = c.y AND e.x"
             " IN (c.x, c.x - 1))) JOIN crossing k ON k.edge_id = e.id) WHERE CHUNK"
             " ORDER BY n, z, kind, position");
}

enum { KINDS = 10 };

/* Adds up how much text there was of each kind. */
static void compare_all(ptl_chunk_pos pos, size_t seen[KINDS])
{
    static size_t (*const compare[KINDS])(const ptl_features *f, ptl_chunk_pos pos) = {
        compare_cities, compare_buildings, compare_specials, compare_pieces, compare_joins,
        compare_radios, compare_groups,    compare_attempts, compare_events, compare_edges};
    ptl_features *f = load(pos);
    const ptl_features_info info = info_of(f);
    ck_assert(info.pos.x == pos.x && info.pos.y == pos.y);
    for (size_t i = 0; i < KINDS; i++)
        seen[i] += compare[i](f, pos);
    ptl_features_free(f);
}

START_TEST(as_the_tables_have_them)
{
    static const ptl_chunk_pos places[] = {{0, 0}, {-1, 0}, {0, 1}};
    size_t seen[KINDS] = {0};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        char name[20];
        ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
        o.seed = seed;
        o.railroads = o.subways = seed == 2;
        o.placement = seed == 3 ? PTL_PLACEMENT_SECTORS : PTL_PLACEMENT_QUOTA;
        snprintf(name, sizeof name, "w%d", (int)seed);
        ok(ptl_world_create(store, name, &o, &err));
        ptl_world_close(world);
        world = world_file_world(store, name);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            make(places[i], NULL);
        for (size_t i = 0; i < sizeof places / sizeof *places; i++)
            compare_all(places[i], seen);
    }
    for (size_t i = 0; i < KINDS; i++)
        ck_assert_msg(seen[i] > 0, "nothing of kind %zu in any chunk", i);
}
END_TEST

/* ---- which chunk ---- */

/* Content that asks for predecessors: that of the kept files, with its roads. */
START_TEST(predecessors)
{
    const char *source = getenv("PORTOLAN_SOURCE_DIR");
    char paths[2][600];
    const char *directories[2] = {paths[0], paths[1]};
    ptl_import_options o = PTL_IMPORT_OPTIONS_INIT;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    ck_assert_ptr_nonnull(source);
    snprintf(paths[0], sizeof paths[0], "%s/tests/files/content", source);
    snprintf(paths[1], sizeof paths[1], "%s/tests/files/asks", source);
    o.directories = directories;
    o.directory_count = 2;
    ok(ptl_import(NULL, store, &o, &err));
    for (uint64_t seed = 1; seed <= 3; seed++) {
        char name[20];
        snprintf(name, sizeof name, "w%u", (unsigned)seed);
        settings.seed = seed;
        ok(ptl_world_create(store, name, &settings, &err));
        ptl_world_close(world);
        world = world_file_world(store, name);
        const ptl_chunk_pos pos = {(int32_t)seed, -1};
        make(pos, NULL);
        ptl_features *f = load(pos);
        ck_assert_uint_gt(compare_predecessors(f, pos), 0);
        ptl_features_free(f);
    }
}
END_TEST

START_TEST(chunks_that_are_not_there)
{
    ptl_features *f = (ptl_features *)&err;
    ck_assert_int_eq(ptl_features_load(&f, world, (ptl_chunk_pos){0, 0}, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_ptr_null(f);
    ck_assert_ptr_nonnull(strstr(err.message, "not saved"));
    make((ptl_chunk_pos){0, 1}, NULL); /* the one behind it in the file */
    ck_assert_int_eq(ptl_features_load(&f, world, (ptl_chunk_pos){0, 0}, &err),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(
        ptl_features_load(&f, world, (ptl_chunk_pos){PTL_CHUNK_COORD_MAX + 1, 0}, &err),
        PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_features_load(&f, world, (ptl_chunk_pos){0, INT32_MIN}, &err),
                     PTL_ERR_ARGUMENT);
    ptl_features_free(NULL);
    const ptl_chunk_pos last = {-PTL_CHUNK_COORD_MAX, -PTL_CHUNK_COORD_MAX};
    size_t seen[KINDS] = {0};
    make(last, "rivers");
    compare_all(last, seen);
}
END_TEST

START_TEST(unfinished_chunks)
{
    const ptl_chunk_pos pos = {0, 0};
    size_t seen[KINDS] = {0};
    make(pos, "cities");
    ptl_features *f = load(pos);
    ptl_features_info info = info_of(f);
    ck_assert_str_eq(info.last_step, "cities");
    ck_assert(!info.imported && info.specials == 0 && info.generator_version > 0);
    ck_assert_str_eq(info.content, ptl_catalogue_digest(ptl_world_catalogue(world)));
    ptl_features_free(f);
    compare_all(pos, seen);
    make(pos, NULL);
    f = load(pos);
    info = info_of(f);
    ck_assert_str_eq(info.last_step, "");
    ck_assert_uint_gt(info.specials, 0);
    ptl_features_free(f);
}
END_TEST

START_TEST(they_outlive_world_and_store)
{
    const ptl_chunk_pos pos = {0, 0};
    ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
    ptl_crossing c = PTL_CROSSING_INIT;
    make(pos, NULL);
    ptl_features *f = load(pos);
    ptl_world_close(world);
    ptl_store_close(store);
    world = NULL;
    store = NULL;
    for (size_t i = 0; ptl_features_special(&s, f, i) == PTL_OK; i++)
        ck_assert_str_ne(s.id, "");
    for (size_t side = 0; side < 4; side++)
        for (size_t i = 0; ptl_features_crossing(&c, f, side, i) == PTL_OK; i++)
            ck_assert_str_ne(c.kind, "");
    ptl_features_free(f);
}
END_TEST

START_TEST(ends_and_sizes)
{
    const ptl_chunk_pos pos = {0, 0};
    make(pos, NULL);
    ptl_features *f = load(pos);
    ptl_city city = PTL_CITY_INIT;
    ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
    ptl_crossing c = PTL_CROSSING_INIT;
    ptl_features_info info;
    ck_assert_int_eq(ptl_features_city(&city, f, SIZE_MAX), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_features_edge(&e, f, 4), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_features_crossing(&c, f, 4, 0), PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_features_crossing(&c, f, 0, SIZE_MAX), PTL_ERR_NOT_FOUND);
    ck_assert(city.size == sizeof city && e.size == sizeof e && !e.saved);
    memset(&info, 0, sizeof info);
    ck_assert_int_eq(ptl_features_describe(&info, f), PTL_ERR_ARGUMENT);
    city.size = 0;
    ck_assert_int_eq(ptl_features_city(&city, f, 0), PTL_ERR_ARGUMENT);
    ptl_features_free(f);
}
END_TEST

/* ---- other contents, other makers ---- */

/* All that describes the chunk, as text. */
static void put_specials(bytes *out, const ptl_features *f)
{
    ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
    ptl_placed_piece p = PTL_PLACED_PIECE_INIT;
    ptl_building b = PTL_BUILDING_INIT;
    bytes_printf(out, "%s\n", info_of(f).content);
    for (size_t i = 0; ptl_features_building(&b, f, i) == PTL_OK; i++)
        bytes_printf(out, "%s|%d|%d\n", b.id, b.x, b.y);
    for (size_t i = 0; ptl_features_special(&s, f, i) == PTL_OK; i++)
        bytes_printf(out, "%s|%d|%d|%zu\n", s.id, s.x, s.y, s.piece_count);
    for (size_t i = 0; ptl_features_piece(&p, f, i) == PTL_OK; i++)
        bytes_printf(out, "%s|%d|%d\n", p.id, p.x, p.y);
}

static void import_other(void)
{
    char content[WORLD_PATH_SIZE];
    const char *directories[] = {content};
    ptl_import_options other = PTL_IMPORT_OPTIONS_INIT;
    snprintf(content, sizeof content, "%s/tests/content/mutable",
             getenv("PORTOLAN_SOURCE_DIR"));
    other.directories = directories;
    other.directory_count = 1;
    other.lenient = true;
    ok(ptl_import(NULL, store, &other, &err));
}

/* Whatever content the file has now, and whatever the world is opened with. */
START_TEST(chunks_of_another_content)
{
    const ptl_chunk_pos pos = {0, 0};
    ptl_world_open_options open = {.size = sizeof open, .accept_content = false};
    size_t seen[KINDS] = {0};
    bytes before;
    make(pos, NULL);
    ptl_features *f = load(pos);
    bytes_init(&before);
    put_specials(&before, f);
    ptl_features_free(f);
    import_other();
    for (int accept = 0; accept < 2; accept++) {
        bytes now;
        ptl_world_close(world);
        open.accept_content = accept == 1;
        ok(ptl_world_open(&world, store, "w", &open, &err));
        f = load(pos);
        bytes_init(&now);
        put_specials(&now, f);
        ck_assert_str_eq(bytes_text(&now), bytes_text(&before));
        bytes_dispose(&now);
        ptl_features_free(f);
        compare_all(pos, seen);
    }
    bytes_dispose(&before);
}
END_TEST

START_TEST(imported_chunks)
{
    const ptl_chunk_pos pos = {0, 0};
    char folder[WORLD_PATH_SIZE], file[WORLD_PATH_SIZE + 20];
    ptl_game_save_write_options out = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ptl_game_save_import_options in = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    ptl_world_options o = PTL_WORLD_OPTIONS_INIT;
    size_t seen[KINDS] = {0};
    test_folder(folder, sizeof folder);
    make(pos, NULL);
    out.directory = in.directory = folder;
    out.force = true;
    ok(ptl_game_save_write(NULL, world, &out, &err));
    ok(ptl_world_create(store, "of a save", &o, &err));
    ptl_world_close(world);
    world = world_file_world(store, "of a save");
    ok(ptl_game_save_import(NULL, world, &in, &err));
    ptl_features *f = load(pos);
    ck_assert(info_of(f).imported && info_of(f).specials > 0 && info_of(f).attempts == 0);
    for (size_t side = 0; side < 4; side++) {
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        ck_assert_int_eq(ptl_features_edge(&e, f, side), PTL_OK);
        ck_assert(e.saved && e.foreign);
    }
    ptl_features_free(f);
    compare_all(pos, seen);
    make((ptl_chunk_pos){1, 0}, NULL); /* its western edge is foreign, the others are not */
    f = load((ptl_chunk_pos){1, 0});
    for (size_t side = 0; side < 4; side++) {
        ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
        ck_assert_int_eq(ptl_features_edge(&e, f, side), PTL_OK);
        ck_assert_int_eq(e.foreign, side == 3);
    }
    ptl_features_free(f);
    compare_all((ptl_chunk_pos){1, 0}, seen);
    snprintf(file, sizeof file, "%s/o.0.0", folder);
    remove(file);
    remove(folder);
}
END_TEST

/* ---- damage ---- */

static const struct {
    const char *sql, *message; /* NULL: it loads */
} damages[] = {
    {"UPDATE event SET detail = detail || 'x' WHERE number = 0", "table event"},
    /* of another type, with the same bytes */
    {"PRAGMA ignore_check_constraints = ON; UPDATE event SET step = CAST(step AS BLOB) WHERE "
     "number = 0",
     "table event"},
    {"UPDATE special_placement SET x = x + 1", "chunk 0,0"},
    {"UPDATE pack SET checksum = checksum + 1", "chunk 0,0"},
    {"UPDATE city SET size = size + 1", "chunk 0,0"},
    {"UPDATE edge SET checksum = checksum + 1", "edge"},
    {"UPDATE chunk SET checksum = checksum + 1", "checksum"},
};

START_TEST(damaged_chunks)
{
    const ptl_chunk_pos pos = {0, 0};
    ptl_features *f;
    make(pos, NULL);
    f = load(pos);
    ck_assert(info_of(f).events > 0 && info_of(f).cities > 0);
    ptl_features_free(f);
    ok(sqlite_exec(store, damages[_i].sql, &err));
    ck_assert_int_eq(ptl_features_load(&f, world, pos, &err), PTL_ERR_CORRUPT);
    ck_assert_msg(strstr(err.message, damages[_i].message) != NULL, "%s", err.message);
    ck_assert_ptr_null(f);
}
END_TEST

START_TEST(lost_edges_and_events)
{
    const ptl_chunk_pos pos = {0, 0};
    ptl_chunk_edge e = PTL_CHUNK_EDGE_INIT;
    ptl_crossing c = PTL_CROSSING_INIT;
    ptl_features *f;
    make(pos, NULL);
    ok(sqlite_exec(store,
                   "PRAGMA foreign_keys = OFF; DELETE FROM edge WHERE side = 'E' AND x = 0; "
                   "DELETE FROM crossing WHERE edge_id NOT IN (SELECT id FROM edge)",
                   &err));
    f = load(pos);
    for (size_t side = 0; side < 4; side++) {
        ck_assert_int_eq(ptl_features_edge(&e, f, side), PTL_OK);
        ck_assert_int_eq(e.saved, side != 1);
    }
    ck_assert_int_eq(ptl_features_crossing(&c, f, 1, 0), PTL_ERR_NOT_FOUND);
    ptl_features_free(f);
    ok(sqlite_exec(store, "DELETE FROM event WHERE number = 0", &err));
    ck_assert_int_eq(ptl_features_load(&f, world, pos, &err), PTL_ERR_CORRUPT);
    ck_assert_ptr_nonnull(strstr(err.message, "event 0 is missing"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("chunk features");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, as_the_tables_have_them);
    tcase_add_test(tcase, predecessors);
    tcase_add_test(tcase, chunks_that_are_not_there);
    tcase_add_test(tcase, unfinished_chunks);
    tcase_add_test(tcase, they_outlive_world_and_store);
    tcase_add_test(tcase, ends_and_sizes);
    tcase_add_test(tcase, chunks_of_another_content);
    tcase_add_test(tcase, imported_chunks);
    tcase_add_loop_test(tcase, damaged_chunks, 0, sizeof damages / sizeof *damages);
    tcase_add_test(tcase, lost_edges_and_events);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
