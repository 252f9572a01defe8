/*
 * Specials of a catalogue written back as rows, next to the rows of the file: by the public
 * calls (portolan/catalogue.h) as far as they go. The catalogue finds numbers for names; here
 * the names are looked up again, and everything that the tables say of a special must come out.
 * Works for any content that the fixture has imported.
 */
#include "unit/store/catalogue/test_catalogue.h"

#include "store/sqlite/connection/stmt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const sides[] = {"north", "east", "south", "west", "above", "below"};

/* A table as text: `write` adds the rows of one special, which the query gives in its order. */
typedef struct comparison {
    const char *name, *sql;
    int columns;
    void (*write)(bytes *out, const catalogue *cat, size_t number);
} comparison;

static bool made_up(const cat_special *s)
{
    return strncmp(s->id, "FakeSpecial_", 12) == 0;
}

/* ---- all specials ---- */

static void put_upper(bytes *out, ptl_range range)
{
    if (range.max == PTL_UNBOUNDED)
        bytes_printf(out, "|%d|-", range.min);
    else
        bytes_printf(out, "|%d|%d", range.min, range.max);
}

static ptl_special special_of(const catalogue *cat, size_t number)
{
    ptl_special s = PTL_SPECIAL_INIT;
    ck_assert_int_eq(ptl_catalogue_special(&s, cat, number), PTL_OK);
    return s;
}

static void write_special(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    ptl_special_piece root = PTL_SPECIAL_PIECE_INIT;
    bytes_printf(out, "%s|%d|%d|%d|%d|%d|%d", s.id, s.kind == PTL_SPECIAL_BUILDING, s.rotate,
                 s.priority, s.conditional, s.occurrences.min, s.occurrences.max);
    put_upper(out, s.city_distance);
    put_upper(out, s.city_sizes);
    if (s.monster_group[0])
        bytes_printf(out, "|%s|%d|%d|%d|%d", s.monster_group, s.monsters.min, s.monsters.max,
                     s.monster_radius.min, s.monster_radius.max);
    else
        bytes_put_text(out, "|-|-|-|-|-");
    (void)ptl_catalogue_special_piece(&root, cat, number, s.root);
    bytes_printf(out, "|%s\n", s.kind == PTL_SPECIAL_MUTABLE ? root.id : "-");
}

static void write_flags(bytes *out, const catalogue *cat, size_t number)
{
    /* In order of their names. */
    static const struct {
        uint32_t flag;
        const char *name;
    } names[] = {
        {PTL_SPECIAL_BLOB, "BLOB"},       {PTL_SPECIAL_CITY_UNIQUE, "CITY_UNIQUE"},
        {PTL_SPECIAL_ENDGAME, "ENDGAME"}, {PTL_SPECIAL_GLOBALLY_UNIQUE, "GLOBALLY_UNIQUE"},
        {PTL_SPECIAL_LAKE, "LAKE"},       {PTL_SPECIAL_OCEAN, "OCEAN"},
        {PTL_SPECIAL_RIVER, "RIVER"},     {PTL_SPECIAL_SAFE, "SAFE_AT_WORLDGEN"},
        {PTL_SPECIAL_UNIQUE, "UNIQUE"}};
    const ptl_special s = special_of(cat, number);
    uint32_t left = s.flags;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (s.flags & names[i].flag)
            bytes_printf(out, "%s|%s\n", s.id, names[i].name);
        left &= ~names[i].flag;
    }
    if (left)
        bytes_printf(out, "%s has unknown flags %x\n", s.id, left);
}

static void write_tiles(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.omt_count; i++) {
        ptl_special_omt t = PTL_SPECIAL_OMT_INIT;
        ck_assert_int_eq(ptl_catalogue_special_omt(&t, cat, number, i), PTL_OK);
        const cat_omt *inner = &cat->specials[number].omts[i];
        ck_assert(t.allows == inner->allows &&
                  memcmp(t.oters, inner->oters, sizeof t.oters) == 0);
        bytes_printf(out, "%s|%d|%d|%d|%s|%d\n", s.id, t.x, t.y, t.z, cat->oters[t.oters[0]].id,
                     t.own_locations);
    }
}

static void write_links(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.link_count; i++) {
        ptl_special_link k = PTL_SPECIAL_LINK_INIT;
        ck_assert_int_eq(ptl_catalogue_special_link(&k, cat, number, i), PTL_OK);
        ck_assert_ptr_eq(k.carries, cat->specials[number].links[i].carries);
        bytes_printf(out, "%s|%d|%d|%d|%d|%d|%s\n", s.id, k.x, k.y, k.z, k.direction,
                     k.existing, cat->connections[k.connection].id);
    }
}

static void write_nested(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.nested_count; i++) {
        ptl_special_nested n = PTL_SPECIAL_NESTED_INIT;
        ck_assert_int_eq(ptl_catalogue_special_nested(&n, cat, number, i), PTL_OK);
        bytes_printf(out, "%s|%d|%d|%d|%s\n", s.id, n.x, n.y, n.z, cat->specials[n.special].id);
    }
}

/* ---- mutable ones ---- */

static ptl_special_join join_of(const catalogue *cat, size_t special, size_t number)
{
    ptl_special_join j = PTL_SPECIAL_JOIN_INIT;
    ck_assert_int_eq(ptl_catalogue_special_join(&j, cat, special, number), PTL_OK);
    ck_assert_ptr_eq(j.into, cat->specials[special].layout->joins[number].into);
    return j;
}

static void write_joins(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.join_count; i++) {
        const ptl_special_join j = join_of(cat, number, i);
        bytes_printf(out, "%s|%s|%s\n", s.id, j.id, join_of(cat, number, j.opposite).id);
    }
}

static ptl_special_piece piece_of(const catalogue *cat, size_t special, size_t number)
{
    ptl_special_piece p = PTL_SPECIAL_PIECE_INIT;
    ck_assert_int_eq(ptl_catalogue_special_piece(&p, cat, special, number), PTL_OK);
    const cat_piece *inner = &cat->specials[special].layout->pieces[number];
    ck_assert(p.allows == inner->allows && memcmp(p.oters, inner->oters, sizeof p.oters) == 0);
    return p;
}

static void write_pieces(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.piece_count; i++) {
        const ptl_special_piece p = piece_of(cat, number, i);
        bytes_printf(out, "%s|%s|%s\n", s.id, p.id, cat->oters[p.oters[0]].id);
    }
}

static void write_sides(bytes *out, const catalogue *cat, size_t number)
{
    static const char *const types[] = {"mandatory", "optional", "available", "reject"};
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.piece_count; i++) {
        const ptl_special_piece p = piece_of(cat, number, i);
        for (int k = 0; k < PTL_SIDES; k++)
            if (p.sides[k].join >= 0)
                bytes_printf(out, "%s|%s|%s|%s|%s\n", s.id, p.id, sides[k],
                             join_of(cat, number, (size_t)p.sides[k].join).id,
                             types[p.sides[k].type]);
    }
}

static void write_alternatives(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.piece_count; i++) {
        const ptl_special_piece p = piece_of(cat, number, i);
        for (int k = 0; k < PTL_SIDES; k++)
            for (size_t a = 0; a < p.sides[k].alternative_count; a++)
                bytes_printf(out, "%s|%s|%s|%s\n", s.id, p.id, sides[k],
                             join_of(cat, number, p.sides[k].alternatives[a]).id);
    }
}

static void write_piece_connections(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.piece_count; i++) {
        const ptl_special_piece p = piece_of(cat, number, i);
        for (int k = 0; k < PTL_SIDES; k++)
            if (p.connections[k] != PTL_CONTENT_NONE)
                bytes_printf(out, "%s|%s|%s|%s\n", s.id, p.id, sides[k],
                             cat->connections[p.connections[k]].id);
    }
}

static void write_checks(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    ck_assert_uint_eq(s.check_count, cat->specials[number].check_count);
    for (size_t i = 0; i < s.check_count; i++) {
        ptl_special_check c = PTL_SPECIAL_CHECK_INIT;
        const cat_check *inner = &cat->specials[number].checks[i];
        ck_assert_int_eq(ptl_catalogue_special_check(&c, cat, number, i), PTL_OK);
        ck_assert(c.allows == inner->allows && c.own_locations == inner->own);
        if (s.kind == PTL_SPECIAL_MUTABLE)
            bytes_printf(out, "%s|%d|%d|%d|%d|%d|%d\n", s.id, c.x0, c.y0, c.z0, c.x1, c.y1,
                         c.z1);
    }
}

static void put_amount(bytes *out, const ptl_amount *a)
{
    static const char *const kinds[] = {"unlimited", "fixed",  "range",
                                        "poisson",   "chance", "binomial"};
    bytes_printf(out, "|%s", kinds[a->kind]);
    if (a->kind == PTL_AMOUNT_FIXED || a->kind == PTL_AMOUNT_RANGE)
        bytes_printf(out, "|%d|%d|-", a->low, a->high);
    else if (a->kind == PTL_AMOUNT_UNLIMITED)
        bytes_put_text(out, "|-|-|-");
    else
        bytes_printf(out, "|-|-|%.6g", a->mean);
}

static void write_shared(bytes *out, const catalogue *cat, size_t number)
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.shared_count; i++) {
        ptl_special_shared shared = PTL_SPECIAL_SHARED_INIT;
        ck_assert_int_eq(ptl_catalogue_special_shared(&shared, cat, number, i), PTL_OK);
        bytes_put_text(out, s.id);
        put_amount(out, &shared.amount);
        bytes_put_text(out, "\n");
    }
}

static void put_optional(bytes *out, bool present, int32_t value)
{
    if (present)
        bytes_printf(out, "|%d", value);
    else
        bytes_put_text(out, "|-");
}

/* A rule, and where it stands. */
typedef struct placed_rule {
    ptl_special_rule rule;
    size_t special, phase, number;
} placed_rule;

static void write_rule(bytes *out, const catalogue *cat, const placed_rule *at)
{
    static const char *const kinds[] = {"any", "range", "top", "bottom", "offset"};
    const ptl_special_rule *r = &at->rule;
    bytes_printf(out, "%s|%zu|%s", special_of(cat, at->special).id, at->phase + 1, r->name);
    put_optional(out, r->weight >= 0, r->weight);
    put_amount(out, &r->max);
    bytes_printf(out, "|%d|%s|%s", r->shared >= 0,
                 r->join >= 0 ? join_of(cat, at->special, (size_t)r->join).id : "-",
                 kinds[r->z.kind]);
    put_optional(out, r->z.kind == PTL_HEIGHT_RANGE, r->z.low);
    put_optional(out, r->z.kind == PTL_HEIGHT_RANGE, r->z.high);
    put_optional(out, r->z.has_top, r->z.top);
    put_optional(out, r->z.has_bottom, r->z.bottom);
    put_optional(out, r->has_overmap, r->overmap_x);
    put_optional(out, r->has_overmap, r->overmap_y);
    bytes_printf(out, "|%d|%zu\n", r->rotate, r->piece_count);
}

static void write_pieces_of_rule(bytes *out, const catalogue *cat, const placed_rule *at)
{
    for (size_t i = 0; i < at->rule.piece_count; i++) {
        ptl_special_rule_piece p = PTL_SPECIAL_RULE_PIECE_INIT;
        ck_assert_int_eq(
            ptl_catalogue_special_rule_piece(&p, cat, at->special, at->phase, at->number, i),
            PTL_OK);
        bytes_printf(out, "%s|%s|%d|%d|%d|%d\n", special_of(cat, at->special).id,
                     piece_of(cat, at->special, p.piece).id, p.x, p.y, p.z, p.rotation);
    }
}

static void each_rule(bytes *out, const catalogue *cat, size_t number,
                      void (*write)(bytes *out, const catalogue *cat, const placed_rule *at))
{
    const ptl_special s = special_of(cat, number);
    for (size_t i = 0; i < s.phase_count; i++) {
        ptl_special_phase phase = PTL_SPECIAL_PHASE_INIT;
        ck_assert_int_eq(ptl_catalogue_special_phase(&phase, cat, number, i), PTL_OK);
        for (size_t k = 0; k < phase.rule_count; k++) {
            placed_rule at = {PTL_SPECIAL_RULE_INIT, number, i, k};
            ck_assert_int_eq(ptl_catalogue_special_rule(&at.rule, cat, number, i, k), PTL_OK);
            write(out, cat, &at);
        }
    }
}

static void write_rules(bytes *out, const catalogue *cat, size_t number)
{
    each_rule(out, cat, number, write_rule);
}

static void write_rule_pieces(bytes *out, const catalogue *cat, size_t number)
{
    each_rule(out, cat, number, write_pieces_of_rule);
}

/* ---- the same as queries ---- */

#define BY_SIDE(side)                                                                          \
    "CASE " side " WHEN 'north' THEN 0 WHEN 'east' THEN 1 WHEN 'south' THEN 2 WHEN 'west'"     \
    " THEN 3 WHEN 'above' THEN 4 ELSE 5 END"

static const comparison comparisons[] = {
    {"specials",
     "SELECT id, kind = 'city_building', rotate, priority, iif(json_valid(eoc), "
     "json_type(eoc, '$.holds') IS 'false', 0), occurrences_min,"
     " occurrences_max, city_distance_min, city_distance_max, city_sizes_min, city_sizes_max,"
     " spawn_group, min(spawn_population_min, spawn_population_max),"
     " max(spawn_population_min, spawn_population_max), min(spawn_radius_min, "
     "spawn_radius_max),"
     " max(spawn_radius_min, spawn_radius_max), root FROM overmap_special ORDER BY id",
     17, write_special},
    {"flags",
     "SELECT DISTINCT special, CASE flag WHEN 'OVERMAP_UNIQUE' THEN 'UNIQUE' ELSE flag END AS f"
     " FROM special_flag WHERE f IN ('UNIQUE', 'GLOBALLY_UNIQUE', 'LAKE', 'RIVER', 'OCEAN',"
     " 'BLOB', 'ENDGAME', 'SAFE_AT_WORLDGEN', 'CITY_UNIQUE') ORDER BY special, f",
     2, write_flags},
    {"omts",
     "SELECT special, x, y, z, oter, EXISTS (SELECT 1 FROM special_omt_location l WHERE"
     " l.special = t.special AND l.omt = t.position) FROM special_omt t"
     " ORDER BY special, position",
     6, write_tiles},
    {"links",
     "SELECT special, x, y, z, ifnull(direction, -1), existing, connection FROM"
     " special_connection c WHERE NOT (existing AND EXISTS (SELECT 1 FROM overmap_special WHERE"
     " id = c.special AND root IS NOT NULL)) AND connection IN (SELECT connection FROM"
     " overmap_connection_subtype) ORDER BY special, position",
     7, write_links},
    {"nested", "SELECT special, x, y, z, nested FROM special_nested ORDER BY special, position",
     5, write_nested},
    {"joins", "SELECT special, \"join\", opposite FROM special_join ORDER BY special, position",
     3, write_joins},
    {"pieces", "SELECT special, piece, oter FROM special_piece ORDER BY special, piece", 3,
     write_pieces},
    {"sides",
     "SELECT special, piece, side, \"join\", type FROM special_piece_side"
     " ORDER BY special, piece, " BY_SIDE("side"),
     5, write_sides},
    {"alternatives",
     "SELECT special, piece, side, \"join\" FROM special_piece_alternative"
     " ORDER BY special, piece, " BY_SIDE("side") ", position",
     4, write_alternatives},
    {"connections of pieces",
     "SELECT special, piece, side, connection FROM special_piece_connection"
     " WHERE connection IN (SELECT connection FROM overmap_connection_subtype)"
     " ORDER BY special, piece, " BY_SIDE("side"),
     4, write_piece_connections},
    {"checks",
     "SELECT special, x0, y0, z0, x1, y1, z1 FROM (SELECT * FROM special_check UNION ALL SELECT"
     " id, 0, 0, 0, 0, 0, 0, 0 FROM overmap_special WHERE root IS NOT NULL AND id NOT IN"
     " (SELECT special FROM special_check)) ORDER BY special, position",
     7, write_checks},
    {"shared numbers",
     "SELECT special, kind, min(low, high), max(low, high), CASE WHEN mean IS NOT NULL THEN"
     " printf('%.6g', mean) END FROM special_shared ORDER BY special, name",
     5, write_shared},
    {"rules",
     "SELECT special, dense_rank() OVER (PARTITION BY special ORDER BY phase), ifnull(name, "
     "''),"
     " weight, max_kind, min(max_low, max_high), max(max_low, max_high), CASE WHEN max_mean IS"
     " NOT NULL THEN printf('%.6g', max_mean) END, scale IS NOT NULL, \"join\", z_kind, z_low,"
     " z_high, z_top, z_bottom, om_x, om_y, ifnull(rotate, (SELECT rotate FROM overmap_special"
     " WHERE id = r.special)), (SELECT count(*) FROM special_phase_rule_piece p WHERE"
     " p.special = r.special AND p.phase = r.phase AND p.rule = r.position)"
     " FROM special_phase_rule r ORDER BY special, phase, position",
     19, write_rules},
    {"pieces of rules",
     "SELECT special, piece, x, y, z, rotation FROM special_phase_rule_piece"
     " ORDER BY special, phase, rule, position",
     6, write_rule_pieces},
};

void compare_with_tables(const catalogue *cat)
{
    for (size_t i = 0; i < sizeof comparisons / sizeof *comparisons; i++) {
        bytes out;
        bytes_init(&out);
        for (size_t k = 0; k < cat->special_count; k++)
            if (!made_up(&cat->specials[k]))
                comparisons[i].write(&out, cat, k);
        if (out.size > 0) /* the fixture puts line ends between rows, not behind them */
            out.size--;
        const char *text = bytes_text(&out);
        ck_assert_ptr_nonnull(text);
        fixture_expect_rows(comparisons[i].sql, comparisons[i].columns, text);
        bytes_dispose(&out);
    }
}

/* ---- sets ---- */

/* The union of the locations that a query names; false if it names none. */
static bool union_of(const catalogue *cat, stmt *s, uint64_t *set)
{
    size_t words = cat->terrain_count / 64 + 1;
    ptl_error err = {0};
    bool row = false, any = false;
    memset(set, 0, words * sizeof *set);
    while (stmt_step(s, &row, &err) == PTL_OK && row) {
        any = true;
        for (size_t i = 0; i < cat->location_count; i++)
            for (size_t w = 0; strcmp(cat->locations[i].id, stmt_text(s, 0)) == 0 && w < words;
                 w++)
                set[w] |= cat->locations[i].terrains[w];
    }
    ck_assert_msg(err.status == PTL_OK, "%s", err.message);
    stmt_reset(s);
    return any;
}

typedef struct set_checker {
    const catalogue *cat;
    stmt *own[3], *of_special; /* of joins, pieces, checks */
    uint64_t *expected;
    size_t wrong, compared;
} set_checker;

/* What stands for a part: its own locations, else those of the special unless it is a check. */
static void compare_set(set_checker *c, int kind, const char *special, const char *name,
                        ptl_terrain_set found)
{
    size_t size = (c->cat->terrain_count / 64 + 1) * sizeof *found;
    stmt_bind_text(c->own[kind], 1, special);
    stmt_bind_text(c->own[kind], 2, name);
    if (!union_of(c->cat, c->own[kind], c->expected) && kind < 2) {
        stmt_bind_text(c->of_special, 1, special);
        union_of(c->cat, c->of_special, c->expected);
    }
    c->wrong += memcmp(found, c->expected, size) != 0;
    c->compared++;
}

static void compare_layout_sets(set_checker *c, const cat_special *s)
{
    char sql[300], position[24];
    const cat_mutable *m = s->layout;
    for (size_t i = 0; i < m->join_count; i++)
        compare_set(c, 0, s->id, m->joins[i].id, m->joins[i].into);
    for (size_t i = 0; i < m->piece_count; i++)
        compare_set(c, 1, s->id, m->pieces[i].id, m->pieces[i].allows);
    snprintf(sql, sizeof sql, "SELECT count(*) FROM special_check WHERE special = '%s'", s->id);
    if (fixture_number(sql) == 0) {
        c->wrong += s->check_count != 1 || s->checks[0].allows != m->pieces[m->root].allows;
        return;
    }
    for (size_t i = 0; i < s->check_count; i++) {
        snprintf(position, sizeof position, "%zu", i);
        compare_set(c, 2, s->id, position, s->checks[i].allows);
    }
}

size_t compare_sets(const catalogue *cat)
{
    static const char *const sql[] = {
        "SELECT location FROM special_join_location WHERE special = ? AND \"join\" = ?",
        "SELECT location FROM special_piece_location WHERE special = ? AND piece = ?",
        "SELECT location FROM special_check_location WHERE special = ? AND \"check\" = ?",
        "SELECT location FROM special_location WHERE special = ?"};
    ptl_error err = {0};
    set_checker c = {.cat = cat};
    for (int i = 0; i < 4; i++) {
        stmt **out = i < 3 ? &c.own[i] : &c.of_special;
        ck_assert_int_eq(stmt_prepare(out, fixture.store, sql[i], &err), PTL_OK);
    }
    c.expected = calloc(cat->terrain_count / 64 + 1, sizeof *c.expected);
    ck_assert_ptr_nonnull(c.expected);
    for (size_t i = 0; i < cat->special_count; i++)
        if (cat->specials[i].layout)
            compare_layout_sets(&c, &cat->specials[i]);
    ck_assert_uint_eq(c.wrong, 0);
    for (int i = 0; i < 3; i++)
        stmt_free(c.own[i]);
    stmt_free(c.of_special);
    free(c.expected);
    return c.compared;
}
