/*
 * A catalogue through the public header (portolan/catalogue.h): each entry next to the rows of
 * the file's tables, the ends of all ranges, structs of other sizes, and what saved chunks have
 * of other contents. (What specials consist of, next to their tables, for any content:
 * tests/unit/store/catalogue.)
 */
#include "core/bytes.h"
#include "support/suite.h"
#include "support/world_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char path[WORLD_PATH_SIZE];
static ptl_store *store;
static ptl_world *world;
static ptl_catalogue *loaded;    /* the file's */
static const ptl_catalogue *cat; /* the world's */
static ptl_error err;
static bytes text;

static void set_up(void)
{
    world_file_path(path);
    store = world_file_open(path, "w", 42);
    world = world_file_world(store, "w");
    memset(&err, 0, sizeof err);
    cat = ptl_world_catalogue(world);
    ck_assert_int_eq(ptl_catalogue_load(&loaded, store, &err), PTL_OK);
    bytes_init(&text);
}

static void tear_down(void)
{
    bytes_dispose(&text);
    ptl_catalogue_free(loaded);
    ptl_world_close(world);
    ptl_store_close(store);
    world_file_remove(path);
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

/* The rows are what `text` holds, line by line; it is empty afterwards. */
static void expect_rows(const char *sql)
{
    bytes rows;
    const ptl_query_options o = {.size = sizeof o, .on_row = on_line, .payload = &rows};
    bytes_init(&rows);
    ck_assert_msg(ptl_query(store, sql, &o, &err) == PTL_OK, "%s", err.message);
    ck_assert_uint_gt(rows.size, 0);
    ck_assert_str_eq(bytes_text(&text), bytes_text(&rows));
    bytes_dispose(&rows);
    bytes_dispose(&text);
    bytes_init(&text);
}

static const char *oter_id(size_t oter)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    ck_assert_int_eq(ptl_catalogue_oter(&t, cat, oter), PTL_OK);
    return t.id;
}

static const char *terrain_id(size_t terrain)
{
    ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
    ck_assert_int_eq(ptl_catalogue_terrain(&t, cat, terrain), PTL_OK);
    return t.id;
}

START_TEST(terrains)
{
    ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT;
    const size_t count = ptl_catalogue_count(cat, PTL_CONTENT_TERRAIN);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(ptl_catalogue_terrain(&t, cat, i), PTL_OK);
        bytes_printf(&text, "%s|%d|%s|%u|%s", t.id, (int)t.shape, t.name, t.symbol, t.color);
        for (size_t k = 0; k < t.flag_count; k++)
            bytes_printf(&text, "|%s", t.flags[k]);
        bytes_put_text(&text, "\n");
        for (size_t k = 0; k < t.count; k++) {
            ptl_terrain o = PTL_TERRAIN_INIT;
            ck_assert_int_eq(ptl_catalogue_oter(&o, cat, t.first + k), PTL_OK);
            ck_assert(o.type_number == i && o.flags == t.flags && o.flag_count == t.flag_count);
            ck_assert(o.shape == t.shape && (size_t)o.rotation + o.arms == k && o.past == 0);
            ck_assert_str_eq(o.type, t.id);
            ck_assert_str_eq(o.name, t.name);
            ck_assert_str_eq(o.color, t.color);
            for (size_t f = 0; f < o.flag_count; f++)
                ck_assert(ptl_terrain_has_flag(&o, o.flags[f]));
            ck_assert(!ptl_terrain_has_flag(&o, "") && !ptl_terrain_has_flag(&o, "RIVE"));
        }
    }
    expect_rows("SELECT id || '|' || kind || '|' || name || '|' || symbol || '|' || color ||"
                " ifnull((SELECT '|' || group_concat(flag, '|') FROM (SELECT flag FROM"
                " overmap_terrain_flag f WHERE f.terrain = t.id ORDER BY flag)), '')"
                " FROM overmap_terrain t ORDER BY id");
    ck_assert_int_eq(ptl_catalogue_terrain(&t, cat, count), PTL_ERR_NOT_FOUND);
    ck_assert(!t.id[0] && !t.name[0] && !t.color[0] && !t.symbol && !t.flag_count && !t.count);
    ck_assert_int_eq(ptl_catalogue_terrain(&t, cat, SIZE_MAX), PTL_ERR_NOT_FOUND);
}
END_TEST

START_TEST(oters)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    const size_t count = ptl_catalogue_count(cat, PTL_CONTENT_OTER);
    for (size_t i = 0; i < count; i++) {
        ck_assert_int_eq(ptl_catalogue_oter(&t, cat, i), PTL_OK);
        ck_assert_str_eq(t.id, ptl_world_oter_name(world, (ptl_oter)i));
        bytes_printf(&text, "%s|%s|%u|%d|%u\n", t.id, t.type, t.arms, t.rotation, t.symbol);
    }
    expect_rows("SELECT id || '|' || terrain || '|' || line || '|' || rotation || '|' || symbol"
                " FROM concrete_terrain ORDER BY terrain, variant");
    for (size_t i = count; i <= UINT16_MAX; i += i == count ? 1000 : UINT16_MAX - i + 1) {
        ck_assert_int_eq(ptl_catalogue_oter(&t, cat, i), PTL_ERR_NOT_FOUND);
        ck_assert(!t.id[0] && !t.type[0] && !t.name[0] && !t.color[0] && !t.flag_count);
        ck_assert(!ptl_terrain_has_flag(&t, "RIVER"));
    }
}
END_TEST

START_TEST(what_terrains_are)
{
    static const struct {
        const char *id, *type;
        ptl_terrain_shape shape;
        int32_t rotation;
        uint32_t arms;
    } cases[] = {{"road_ns", "road", PTL_TERRAIN_LINE, 0, 5},
                 {"bridge_west", "bridge", PTL_TERRAIN_ROTATABLE, 3, 0},
                 {"field", "field", PTL_TERRAIN_FIXED, 0, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ptl_terrain t = PTL_TERRAIN_INIT;
        size_t number;
        ck_assert_int_eq(ptl_catalogue_find(&number, cat, PTL_CONTENT_OTER, cases[i].id),
                         PTL_OK);
        ck_assert_int_eq(ptl_catalogue_oter(&t, cat, number), PTL_OK);
        ck_assert_str_eq(t.id, cases[i].id);
        ck_assert_str_eq(t.type, cases[i].type);
        ck_assert(t.shape == cases[i].shape && t.rotation == cases[i].rotation);
        ck_assert(t.arms == cases[i].arms && t.name[0] && t.color[0]);
    }
}
END_TEST

START_TEST(locations)
{
    const size_t types = ptl_catalogue_count(cat, PTL_CONTENT_TERRAIN);
    ptl_location l = PTL_LOCATION_INIT;
    size_t i = 0;
    for (; ptl_catalogue_location(&l, cat, i) == PTL_OK; i++)
        for (size_t t = 0; t < types; t++)
            if (ptl_catalogue_set_has(cat, l.terrains, t))
                bytes_printf(&text, "%s|%s\n", l.id, terrain_id(t));
    ck_assert_uint_eq(i, ptl_catalogue_count(cat, PTL_CONTENT_LOCATION));
    expect_rows("SELECT l.id || '|' || t.id FROM overmap_location l, overmap_terrain t WHERE"
                " EXISTS (SELECT 1 FROM overmap_location_terrain x WHERE x.location = l.id AND"
                " x.terrain = t.id) OR EXISTS (SELECT 1 FROM overmap_location_flag x JOIN"
                " overmap_terrain_flag f ON f.flag = x.flag WHERE x.location = l.id AND"
                " f.terrain = t.id) ORDER BY l.id, t.id");
    ck_assert(!l.id[0] && !l.terrains);
    ck_assert(!ptl_catalogue_set_has(cat, NULL, 0));
    ck_assert_int_eq(ptl_catalogue_location(&l, cat, 0), PTL_OK);
    ck_assert(!ptl_catalogue_set_has(cat, l.terrains, types) &&
              !ptl_catalogue_set_has(cat, l.terrains, SIZE_MAX));
}
END_TEST

/* ---- connections ---- */

START_TEST(connections)
{
    ptl_connection c = PTL_CONNECTION_INIT;
    ptl_connection_subtype s = PTL_CONNECTION_SUBTYPE_INIT;
    size_t i = 0;
    for (; ptl_catalogue_connection(&c, cat, i) == PTL_OK; i++) {
        bytes_printf(&text, "%s|%s|%s|%zu\n", c.id,
                     c.default_terrain == PTL_CONTENT_NONE ? "-"
                                                           : terrain_id(c.default_terrain),
                     c.p2p ? "p2p" : "city", c.subtype_count);
        ck_assert_int_eq(ptl_catalogue_connection_subtype(&s, cat, i, c.subtype_count),
                         PTL_ERR_NOT_FOUND);
        ck_assert(!s.allows && !s.terrain && !s.basic_cost);
    }
    ck_assert_uint_eq(i, ptl_catalogue_count(cat, PTL_CONTENT_CONNECTION));
    ck_assert(!c.id[0] && !c.subtype_count && !c.terrains);
    ck_assert_int_eq(ptl_catalogue_connection_subtype(&s, cat, i, 0), PTL_ERR_NOT_FOUND);
    expect_rows("SELECT id || '|' || ifnull(default_terrain, '-') || '|' || layout || '|' ||"
                " (SELECT count(*) FROM overmap_connection_subtype WHERE connection = c.id)"
                " FROM overmap_connection c WHERE id IN (SELECT connection FROM"
                " overmap_connection_subtype) ORDER BY id");
}
END_TEST

START_TEST(subtypes)
{
    const size_t types = ptl_catalogue_count(cat, PTL_CONTENT_TERRAIN);
    ptl_connection c = PTL_CONNECTION_INIT;
    for (size_t i = 0; ptl_catalogue_connection(&c, cat, i) == PTL_OK; i++)
        for (size_t k = 0; k < c.subtype_count; k++) {
            ptl_connection_subtype s = PTL_CONNECTION_SUBTYPE_INIT;
            ptl_terrain_type drawn = PTL_TERRAIN_TYPE_INIT;
            size_t allowed = 0;
            ck_assert_int_eq(ptl_catalogue_connection_subtype(&s, cat, i, k), PTL_OK);
            ck_assert_int_eq(ptl_catalogue_terrain(&drawn, cat, s.terrain), PTL_OK);
            for (size_t t = 0; t < types; t++)
                allowed += ptl_catalogue_set_has(cat, s.allows, t);
            ck_assert(ptl_catalogue_set_has(cat, s.allows, s.terrain));
            ck_assert(ptl_catalogue_set_has(cat, c.terrains, s.terrain));
            ck_assert(s.shape == drawn.shape);
            ck_assert(!s.in_place || allowed == 1);
            bytes_printf(&text, "%s|%s|%d|%d|%d|%d|%d\n", c.id, drawn.id, s.basic_cost,
                         s.weight, s.orthogonal, s.perpendicular, s.in_place);
        }
    expect_rows(
        "SELECT connection || '|' || terrain || '|' || basic_cost || '|' || weight || '|' ||"
        " orthogonal || '|' || (flags LIKE '%\"PERPENDICULAR_CROSSING\"%') || '|' || NOT EXISTS"
        " (SELECT 1 FROM overmap_connection_location l WHERE l.connection = s.connection AND"
        " l.position = s.position) FROM overmap_connection_subtype s"
        " ORDER BY connection, position");
}
END_TEST

/* ---- specials ---- */

/* The same of what a mutable one grows by. */
static void check_growth_ends(size_t number, const ptl_special *s)
{
    ptl_special_phase phase = PTL_SPECIAL_PHASE_INIT;
    ptl_special_rule rule = PTL_SPECIAL_RULE_INIT;
    ptl_special_rule_piece piece = PTL_SPECIAL_RULE_PIECE_INIT;
    ptl_special_shared shared = PTL_SPECIAL_SHARED_INIT;
    for (size_t i = 0; i < s->phase_count; i++) {
        ck_assert_int_eq(ptl_catalogue_special_phase(&phase, cat, number, i), PTL_OK);
        ck_assert_uint_gt(phase.rule_count, 0);
        ck_assert_int_eq(ptl_catalogue_special_rule(&rule, cat, number, i, 0), PTL_OK);
        ck_assert_int_eq(
            ptl_catalogue_special_rule_piece(&piece, cat, number, i, 0, rule.piece_count),
            PTL_ERR_NOT_FOUND);
        ck_assert_int_eq(ptl_catalogue_special_rule(&rule, cat, number, i, phase.rule_count),
                         PTL_ERR_NOT_FOUND);
        ck_assert(!rule.name[0] && rule.piece_count == 0 && rule.size == sizeof rule);
    }
    ck_assert(ptl_catalogue_special_phase(&phase, cat, number, s->phase_count) ==
                  PTL_ERR_NOT_FOUND &&
              phase.rule_count == 0);
    ck_assert_int_eq(ptl_catalogue_special_rule(&rule, cat, number, s->phase_count, 0),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(
        ptl_catalogue_special_rule_piece(&piece, cat, number, s->phase_count, 0, 0),
        PTL_ERR_NOT_FOUND);
    ck_assert(ptl_catalogue_special_shared(&shared, cat, number, s->shared_count) ==
                  PTL_ERR_NOT_FOUND &&
              shared.amount.high == 0);
}

/* All parts of a special behind their last one, and of what it has none of. */
static void check_ends(size_t number, const ptl_special *s)
{
    ptl_special_check check = PTL_SPECIAL_CHECK_INIT;
    ptl_special_omt tile = PTL_SPECIAL_OMT_INIT;
    ptl_special_link link = PTL_SPECIAL_LINK_INIT;
    ptl_special_nested nested = PTL_SPECIAL_NESTED_INIT;
    ptl_special_piece piece = PTL_SPECIAL_PIECE_INIT;
    ptl_special_join join = PTL_SPECIAL_JOIN_INIT;
    ck_assert(ptl_catalogue_special_omt(&tile, cat, number, s->omt_count) ==
                  PTL_ERR_NOT_FOUND &&
              !tile.allows && tile.size == sizeof tile);
    ck_assert(ptl_catalogue_special_link(&link, cat, number, s->link_count) ==
                  PTL_ERR_NOT_FOUND &&
              !link.carries);
    ck_assert(ptl_catalogue_special_nested(&nested, cat, number, s->nested_count) ==
                  PTL_ERR_NOT_FOUND &&
              nested.special == 0);
    ck_assert(ptl_catalogue_special_piece(&piece, cat, number, s->piece_count) ==
                  PTL_ERR_NOT_FOUND &&
              !piece.id[0] && !piece.allows);
    ck_assert(ptl_catalogue_special_join(&join, cat, number, s->join_count) ==
                  PTL_ERR_NOT_FOUND &&
              !join.id[0] && !join.into);
    ck_assert(ptl_catalogue_special_check(&check, cat, number, s->check_count) ==
                  PTL_ERR_NOT_FOUND &&
              !check.allows && check.size == sizeof check);
    check_growth_ends(number, s);
}

/* The box of a fixed one is that of its tiles. */
static void check_box(size_t number, const ptl_special *s)
{
    ptl_special_omt t = PTL_SPECIAL_OMT_INIT;
    int32_t box[6] = {INT32_MAX, INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN, INT32_MIN};
    for (size_t i = 0; i < s->omt_count; i++) {
        ck_assert_int_eq(ptl_catalogue_special_omt(&t, cat, number, i), PTL_OK);
        const int32_t at[3] = {t.x, t.y, t.z};
        for (int k = 0; k < 3; k++) {
            box[k] = at[k] < box[k] ? at[k] : box[k];
            box[k + 3] = at[k] > box[k + 3] ? at[k] : box[k + 3];
        }
        for (size_t r = 0; r < 4; r++) /* all rotations are of one terrain */
            ck_assert_str_ne(oter_id(t.oters[r]), "");
    }
    ck_assert(s->omt_count == 0 || (box[0] == s->x0 && box[1] == s->y0 && box[2] == s->z0 &&
                                    box[3] == s->x1 && box[4] == s->y1 && box[5] == s->z1));
}

START_TEST(specials)
{
    ptl_special s = PTL_SPECIAL_INIT;
    size_t seen[PTL_SPECIAL_BUILDING + 1] = {0};
    size_t i = 0;
    for (; ptl_catalogue_special(&s, cat, i) == PTL_OK; i++) {
        ck_assert((s.kind == PTL_SPECIAL_MUTABLE) == (s.piece_count > 0));
        ck_assert(s.kind != PTL_SPECIAL_MUTABLE || (s.join_count > 0 && s.omt_count == 0));
        ck_assert(s.piece_count == 0 || s.root < s.piece_count);
        ck_assert(s.kind == PTL_SPECIAL_MUTABLE ? s.check_count > 0
                                                : s.phase_count + s.shared_count == 0);
        seen[s.kind]++;
        check_ends(i, &s);
        check_box(i, &s);
        if (strncmp(s.id, "FakeSpecial_", 12) == 0)
            continue;
        bytes_printf(&text, "%s|%d|%d|%d|%d|%d|%zu|%zu\n", s.id, s.occurrences.min,
                     s.occurrences.max, s.city_distance.min,
                     s.city_distance.max == PTL_UNBOUNDED ? -1 : s.city_distance.max,
                     s.priority, s.omt_count, s.piece_count);
    }
    ck_assert_uint_eq(i, ptl_catalogue_count(cat, PTL_CONTENT_SPECIAL));
    ck_assert(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
    ck_assert(!s.id[0] && !s.monster_group[0] && !s.omt_count && !s.flags);
    expect_rows("SELECT id || '|' || occurrences_min || '|' || occurrences_max || '|' ||"
                " city_distance_min || '|' || ifnull(city_distance_max, -1) || '|' || priority"
                " || '|' || (SELECT count(*) FROM special_omt WHERE special = s.id) || '|' ||"
                " (SELECT count(*) FROM special_piece WHERE special = s.id)"
                " FROM overmap_special s ORDER BY id");
    check_ends(i, &(ptl_special){.size = sizeof s});
}
END_TEST

/* ---- regions ---- */

START_TEST(regions)
{
    ptl_region r = PTL_REGION_INIT;
    size_t i = 0;
    for (; ptl_catalogue_region(&r, cat, i) == PTL_OK; i++) {
        bytes_printf(&text, "%s|%.6g|%.6g|%d|%d|%.6g|%.6g|%.6g|%.6g|%d|%d|%d|%d|%d|%d", r.id,
                     r.river_scale, r.lake_threshold, r.lake_size_min, r.lake_depth,
                     r.forest_threshold, r.forest_thick_threshold, r.swamp_adjacent_threshold,
                     r.swamp_isolated_threshold, r.floodplain_min, r.floodplain_max,
                     r.ravine_count, r.ravine_range, r.ravine_width, r.ravine_depth);
        bytes_printf(&text, "|%d|%d|%d|%d|%d|%d|%d|%d|%s\n", r.city_size, r.city_spacing,
                     r.shop_radius, r.shop_sigma, r.park_radius, r.park_sigma, r.trail_chance,
                     r.trailhead_chance, oter_id(r.default_oter));
    }
    ck_assert_uint_eq(i, ptl_catalogue_count(cat, PTL_CONTENT_REGION));
    ck_assert(!r.id[0] && r.river_scale == 0);
    expect_rows(
        "SELECT printf('%s|%.6g|%.6g|%d|%d|%.6g|%.6g|%.6g|%.6g|%d|%d|%d|%d|%d|%d|%d|%d|%d|%d|%d"
        "|%d|%d|%d|%s', id, river_scale, noise_threshold_lake, lake_size_min, lake_depth,"
        " noise_threshold_forest, noise_threshold_forest_thick,"
        " noise_threshold_swamp_adjacent_water, noise_threshold_swamp_isolated,"
        " river_floodplain_buffer_distance_min, river_floodplain_buffer_distance_max,"
        " num_ravines, ravine_range, ravine_width, ravine_depth, city_size, city_spacing,"
        " shop_radius, shop_sigma, park_radius, park_sigma, trail_chance, trailhead_chance,"
        " default_oter) FROM region_settings ORDER BY id");
}
END_TEST

START_TEST(choices)
{
    static const char *const bins[] = {"houses",     "shops",        "parks",      "finales",
                                       "trailheads", "urban_houses", "urban_shops"};
    enum { BINS = sizeof bins / sizeof *bins };
    ptl_region r = PTL_REGION_INIT;
    ptl_region_choice c = PTL_REGION_CHOICE_INIT;
    ptl_special s = PTL_SPECIAL_INIT;
    const size_t many = ptl_catalogue_count(cat, PTL_CONTENT_REGION);
    for (size_t i = 0; i < many; i++)
        for (int b = 0; b < BINS; b++) {
            ck_assert_int_eq(ptl_catalogue_region(&r, cat, i), PTL_OK);
            for (size_t k = 0;
                 ptl_catalogue_region_choice(&c, cat, i, (ptl_region_bin)b, k) == PTL_OK; k++) {
                ck_assert_int_eq(ptl_catalogue_special(&s, cat, c.special), PTL_OK);
                const bool made_up = strncmp(s.id, "FakeSpecial_", 12) == 0;
                bytes_printf(&text, "%s|%d|%s|%llu\n", r.id, b, s.id + (made_up ? 12 : 0),
                             (unsigned long long)c.weight);
            }
            ck_assert(c.special == 0 && c.weight == 0);
        }
    ck_assert_int_eq(ptl_catalogue_region_choice(&c, cat, many, PTL_BIN_HOUSES, 0),
                     PTL_ERR_NOT_FOUND);
    ck_assert_int_eq(ptl_catalogue_region_choice(&c, cat, 0, (ptl_region_bin)BINS, 0),
                     PTL_ERR_NOT_FOUND);
    bytes sql;
    bytes_init(&sql);
    bytes_put_text(&sql, "SELECT region || '|' || n || '|' || id || '|' || weight FROM (SELECT"
                         " b.*, CASE bin ");
    for (int b = 0; b < BINS; b++)
        bytes_printf(&sql, "WHEN '%s' THEN %d ", bins[b], b);
    bytes_put_text(&sql, "END AS n, CASE kind WHEN 'terrain' THEN 'FakeSpecial_' ELSE '' END"
                         " || id AS whole FROM region_building b WHERE weight > 0)"
                         " WHERE n IS NOT NULL ORDER BY region, n, whole");
    expect_rows(bytes_text(&sql));
    bytes_dispose(&sql);
    ck_assert(!ptl_catalogue_special_is_excluded(cat, many, 0) &&
              !ptl_catalogue_special_is_excluded(cat, 0, SIZE_MAX));
}
END_TEST

/* ---- by id, and by size ---- */

START_TEST(found_by_id)
{
    for (int kind = PTL_CONTENT_TERRAIN; kind <= PTL_CONTENT_REGION; kind++) {
        const ptl_content_kind k = (ptl_content_kind)kind;
        const size_t count = ptl_catalogue_count(cat, k);
        ck_assert_uint_eq(count, ptl_catalogue_count(loaded, k));
        ck_assert_uint_gt(count, 0);
        for (size_t i = 0; i < count; i++) {
            ptl_location l = PTL_LOCATION_INIT;
            ptl_connection c = PTL_CONNECTION_INIT;
            ptl_special s = PTL_SPECIAL_INIT;
            ptl_region r = PTL_REGION_INIT;
            (void)ptl_catalogue_location(&l, cat, i);
            (void)ptl_catalogue_connection(&c, cat, i);
            (void)ptl_catalogue_special(&s, cat, i);
            (void)ptl_catalogue_region(&r, cat, i);
            const char *id = k == PTL_CONTENT_TERRAIN      ? terrain_id(i)
                             : k == PTL_CONTENT_OTER       ? oter_id(i)
                             : k == PTL_CONTENT_LOCATION   ? l.id
                             : k == PTL_CONTENT_CONNECTION ? c.id
                             : k == PTL_CONTENT_SPECIAL    ? s.id
                                                           : r.id;
            size_t number = 7;
            ck_assert_int_eq(ptl_catalogue_find(&number, cat, k, id), PTL_OK);
            ck_assert_uint_eq(number, i);
        }
        size_t number = 7;
        ck_assert_int_eq(ptl_catalogue_find(&number, cat, k, "no such id"), PTL_ERR_NOT_FOUND);
        ck_assert_uint_eq(number, PTL_CONTENT_NONE);
        ck_assert_int_eq(ptl_catalogue_find(&number, cat, k, ""), PTL_ERR_NOT_FOUND);
    }
    size_t number = 7;
    const ptl_content_kind none = (ptl_content_kind)(PTL_CONTENT_REGION + 1);
    ck_assert_uint_eq(ptl_catalogue_count(cat, none), 0);
    ck_assert_int_eq(ptl_catalogue_find(&number, cat, none, "default"), PTL_ERR_NOT_FOUND);
}
END_TEST

START_TEST(structs_of_other_sizes)
{
    struct {
        ptl_location known;
        unsigned char more[32];
    } later;
    ptl_location nothing;
    memset(&later, 7, sizeof later);
    memset(&nothing, 0, sizeof nothing);
    later.known.size = sizeof later;
    ck_assert_int_eq(ptl_catalogue_location(&later.known, cat, 0), PTL_OK);
    ck_assert(later.known.size == sizeof later && later.known.id[0] && later.known.terrains);
    for (size_t i = 0; i < sizeof later.more; i++)
        ck_assert_int_eq(later.more[i], 7);
    ck_assert_int_eq(ptl_catalogue_location(&nothing, cat, 0), PTL_ERR_ARGUMENT);
    ck_assert(nothing.size == 0 && !nothing.id);
    nothing.size = sizeof nothing - 1;
    ck_assert_int_eq(ptl_catalogue_location(&nothing, cat, 0), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_catalogue_location(&nothing, cat, 1u << 20), PTL_ERR_ARGUMENT);
}
END_TEST

/* ---- whose it is ---- */

START_TEST(loaded_ones_are_free_of_the_store)
{
    ptl_catalogue *none = (ptl_catalogue *)&err;
    ptl_store *empty;
    const ptl_open_options create = {.size = sizeof create, .mode = PTL_OPEN_CREATE};
    char other[WORLD_PATH_SIZE];
    ck_assert_str_eq(ptl_catalogue_digest(loaded), ptl_catalogue_digest(cat));
    ck_assert_uint_eq(strlen(ptl_catalogue_digest(cat)), 64);
    world_file_path(other);
    ck_assert_int_eq(ptl_store_open(&empty, other, &create, &err), PTL_OK);
    ck_assert_int_eq(ptl_catalogue_load(&none, empty, &err), PTL_ERR_CONTENT);
    ck_assert_ptr_null(none);
    ptl_catalogue_free(none);
    ptl_store_close(empty);
    world_file_remove(other);

    ptl_world_close(world);
    ptl_store_close(store);
    world = NULL;
    store = NULL;
    cat = loaded;
    for (size_t i = 0; i < ptl_catalogue_count(cat, PTL_CONTENT_OTER); i++)
        ck_assert_str_ne(oter_id(i), "");
}
END_TEST

/* Another content than the world's: what its chunks have stays readable, and is said to be of
 * the past. */
START_TEST(terrains_of_the_past)
{
    ptl_chunk *chunk;
    char content[WORLD_PATH_SIZE];
    const char *directories[] = {content};
    const ptl_import_options other = {.size = sizeof other,
                                      .directories = directories,
                                      .directory_count = 1,
                                      .lenient = true};
    const ptl_world_open_options accept = {.size = sizeof accept, .accept_content = true};
    const size_t before = ptl_catalogue_count(cat, PTL_CONTENT_OTER);
    size_t past = 0;
    snprintf(content, sizeof content, "%s/tests/content/mutable",
             getenv("PORTOLAN_SOURCE_DIR"));
    ck_assert_int_eq(ptl_chunk_get(&chunk, world, (ptl_chunk_pos){0, 0}, &err), PTL_OK);
    ptl_chunk_free(chunk);
    ck_assert_msg(ptl_import(NULL, store, &other, &err) == PTL_OK, "%s", err.message);
    ptl_world_close(world);
    ck_assert_int_eq(ptl_world_open(&world, store, "w", NULL, &err), PTL_OK);
    cat = ptl_world_catalogue(world);
    ck_assert_str_eq(ptl_catalogue_digest(cat), ptl_catalogue_digest(loaded));
    ck_assert_uint_ge(ptl_catalogue_count(cat, PTL_CONTENT_OTER), before);
    ptl_world_close(world);
    ck_assert_int_eq(ptl_world_open(&world, store, "w", &accept, &err), PTL_OK);
    cat = ptl_world_catalogue(world);
    ck_assert_str_ne(ptl_catalogue_digest(cat), ptl_catalogue_digest(loaded));
    for (size_t i = 0; i < ptl_catalogue_count(cat, PTL_CONTENT_OTER); i++) {
        ptl_terrain t = PTL_TERRAIN_INIT, was = PTL_TERRAIN_INIT;
        ptl_terrain_type type = PTL_TERRAIN_TYPE_INIT;
        size_t number;
        ck_assert_int_eq(ptl_catalogue_oter(&t, cat, i), PTL_OK);
        ck_assert_int_eq(ptl_catalogue_find(&number, cat, PTL_CONTENT_OTER, t.id), PTL_OK);
        ck_assert_uint_eq(number, i);
        ck_assert(t.past <= 1);
        past += t.past;
        if (!t.past)
            continue;
        ck_assert_int_eq(ptl_catalogue_terrain(&type, cat, t.type_number), PTL_OK);
        ck_assert_int_eq(ptl_catalogue_find(&number, cat, PTL_CONTENT_TERRAIN, type.id),
                         PTL_OK);
        ck_assert_uint_eq(number, t.type_number);
        ck_assert_int_eq(ptl_catalogue_find(&number, loaded, PTL_CONTENT_OTER, t.id), PTL_OK);
        ck_assert_int_eq(ptl_catalogue_oter(&was, loaded, number), PTL_OK);
        ck_assert_str_eq(t.name, was.name);
        ck_assert(t.symbol == was.symbol && t.shape == was.shape && t.arms == was.arms &&
                  t.rotation == was.rotation);
    }
    ck_assert_uint_gt(past, 10);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("entries");
    TCase *tcase = tcase_create("all");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, terrains);
    tcase_add_test(tcase, oters);
    tcase_add_test(tcase, what_terrains_are);
    tcase_add_test(tcase, locations);
    tcase_add_test(tcase, connections);
    tcase_add_test(tcase, subtypes);
    tcase_add_test(tcase, specials);
    tcase_add_test(tcase, regions);
    tcase_add_test(tcase, choices);
    tcase_add_test(tcase, found_by_id);
    tcase_add_test(tcase, structs_of_other_sizes);
    tcase_add_test(tcase, loaded_ones_are_free_of_the_store);
    tcase_add_test(tcase, terrains_of_the_past);
    suite_add_tcase(suite, tcase);
    return suite_run(suite);
}
