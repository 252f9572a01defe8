#include "unit/gen/mutable/growth_fixture.h"

#include "gen/pipeline.h"
#include "support/land_catalogue.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { MIDDLE = SIZE / 2 };

static uint16_t add_terrain(plot *p, const char *id, const char *const names[4])
{
    const uint16_t number = (uint16_t)p->cat.terrain_count++;
    p->terrains[number] = (cat_terrain){.id = id,
                                        .name = id,
                                        .color = "",
                                        .symbol = '?',
                                        .first = (ptl_oter)p->cat.oter_count,
                                        .count = 4};
    for (uint8_t i = 0; i < 4; i++)
        p->oters[p->cat.oter_count++] =
            (cat_oter){.id = names[i], .terrain = number, .rotation = i, .symbol = '?'};
    return number;
}

static void add_to_set(plot *p, int set, const char *id)
{
    p->sets[set] |= UINT64_C(1) << catalogue_terrain(&p->cat, id);
}

plot *plot_new(uint64_t seed)
{
    static const char *const NAMES[] = {"tunnel_north", "tunnel_east", "tunnel_south",
                                        "tunnel_west"};
    plot *p = calloc(1, sizeof *p);
    ck_assert_ptr_nonnull(p);
    p->cat = *land_catalogue();
    memcpy(p->terrains, p->cat.terrains, p->cat.terrain_count * sizeof *p->terrains);
    memcpy(p->oters, p->cat.oters, p->cat.oter_count * sizeof *p->oters);
    p->cat.terrains = p->terrains;
    p->cat.oters = p->oters;
    add_terrain(p, "tunnel", NAMES);
    add_to_set(p, ON_LAND, "field");
    add_to_set(p, ON_ROCK, "empty_rock");
    p->sets[ON_ANYTHING] = ~UINT64_C(0);
    p->special = (cat_special){.id = "plot", .key = hash_string("plot"), .rotate = true};
    p->special.layout = &p->layout;
    p->special.occurrences_max = 1;
    p->special.city_distance.max = p->special.city_sizes.max = PTL_UNBOUNDED;
    p->check.allows = &p->sets[ON_LAND];
    p->layout = (cat_mutable){
        .joins = p->joins, .pieces = p->pieces, .shared = p->shared, .phases = p->phases};
    p->check.own = true;
    p->special.checks = &p->check;
    p->special.check_count = 1;
    p->cat.specials = &p->special;
    p->cat.special_count = 1;
    for (int i = 0; i < PLOT_PHASES; i++)
        p->phases[i].rules = p->rules[i];
    p->options =
        (ptl_world_options){.size = sizeof(ptl_world_options), .seed = seed, .region = "dry"};
    return p;
}

static void plot_close(plot *p)
{
    generator_adopt(p->g, NULL);
    generator_free(p->g);
    gen_config_free(p->config);
    ptl_chunk_free(p->chunk);
}

void plot_free(plot *p)
{
    plot_close(p);
    free(p);
}

void plot_reopen(plot *p)
{
    plot_close(p);
    plot_open(p);
}

void plot_joins(plot *p, const char *letters, int set)
{
    for (const char *c = letters; *c; c++) {
        const size_t i = p->layout.join_count++;
        p->names[i][0] = *c;
        p->joins[i] = (cat_join){p->names[i], (uint16_t)i, &p->sets[set], true};
    }
}

static uint16_t join_named(const plot *p, char name)
{
    uint16_t i = 0;
    while (p->names[i][0] != name)
        ck_assert_uint_lt(++i, p->layout.join_count);
    return i;
}

void plot_opposites(plot *p, char one, char other)
{
    p->joins[join_named(p, one)].opposite = join_named(p, other);
    p->joins[join_named(p, other)].opposite = join_named(p, one);
}

static cat_side read_side(plot *p, const char *word)
{
    cat_side side = {.join = -1};
    if (word[0] == '-')
        return side;
    side.join = (int16_t)join_named(p, word[0]);
    side.type = word[1] == '?'   ? PTL_JOIN_OPTIONAL
                : word[1] == '+' ? PTL_JOIN_AVAILABLE
                : word[1] == '!' ? PTL_JOIN_REJECT
                                 : PTL_JOIN_MANDATORY;
    const char *slash = strchr(word, '/');
    uint16_t *list = p->alternatives[p->alternative_count++];
    side.alternatives = list;
    for (const char *c = slash ? slash + 1 : ""; *c; c++)
        list[side.alternative_count++] = join_named(p, *c);
    return side;
}

int plot_piece(plot *p, int set, const char *sides)
{
    const size_t number = p->layout.piece_count++;
    cat_piece *piece = &p->pieces[number];
    char text[100];
    ck_assert_uint_lt(number, PLOT_PIECES);
    strncpy(text, sides, sizeof text - 1);
    text[sizeof text - 1] = 0;
    piece->id = "piece";
    piece->allows = &p->sets[set];
    char *word = strtok(text, " ");
    for (int i = 0; i < PTL_SIDES; i++) {
        ck_assert_ptr_nonnull(word);
        piece->sides[i] = read_side(p, word);
        piece->connections[i] = CAT_NONE;
        word = strtok(NULL, " ");
    }
    for (uint16_t i = 0; i < 4; i++)
        piece->oters[i] = (ptl_oter)(p->cat.oter_count - 4 + i);
    return (int)number;
}

void plot_chunk_piece(plot *p, cat_rule *rule, int piece, int x, int y, int z, int rotation)
{
    cat_rule_piece *pieces = NULL;
    for (int i = 0; i < PLOT_PHASES; i++)
        for (int k = 0; k < PLOT_RULES; k++)
            if (rule == &p->rules[i][k])
                pieces = p->rule_pieces[i][k];
    ck_assert_ptr_nonnull(pieces);
    rule->pieces = pieces;
    pieces[rule->piece_count++] =
        (cat_rule_piece){(uint16_t)piece, (int16_t)x, (int16_t)y, (int8_t)z, (uint8_t)rotation};
}

cat_rule *plot_rule(plot *p, int phase, int piece, int32_t max, int32_t weight)
{
    cat_rule *rule = &p->rules[phase][p->phases[phase].rule_count++];
    ck_assert_uint_le(p->phases[phase].rule_count, PLOT_RULES);
    *rule = (cat_rule){.name = "", .weight = weight, .join = -1, .scale = -1, .rotate = true};
    if (max >= 0)
        rule->max = (ptl_amount){PTL_AMOUNT_FIXED, max, max, 0, 0, false};
    plot_chunk_piece(p, rule, piece, 0, 0, 0, 0);
    if (p->layout.phase_count < (size_t)phase + 1)
        p->layout.phase_count = (size_t)phase + 1;
    return rule;
}

void plot_open(plot *p)
{
    ptl_error err = {0};
    const ptl_status status = gen_config_new(&p->config, &p->cat, &p->options, &err);
    ck_assert_msg(status == PTL_OK, "%s", err.message);
    p->g = generator_new(p->config);
    p->chunk = chunk_new((ptl_chunk_pos){0, 0});
    ck_assert_ptr_nonnull(p->g);
    ck_assert_ptr_nonnull(p->chunk);
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&p->chunk->levels[i], p->config->defaults[i]);
    generator_adopt(p->g, p->chunk);
}

growth_result plot_grow_at(plot *p, int x, int y, int z, int rotation, int draw, grown *out)
{
    const growth_site site = {.x = (int16_t)x,
                              .y = (int16_t)y,
                              .z = (int8_t)z,
                              .rotation = (uint8_t)rotation,
                              .draw = (int16_t)draw};
    return growth_grow(p->g, &site, out);
}

growth_result plot_grow(plot *p, int draw, grown *out)
{
    return plot_grow_at(p, MIDDLE, MIDDLE, 0, 0, draw, out);
}

static const gen_piece *find(const grown *what, int x, int y, int z)
{
    for (size_t i = 0; i < what->piece_count; i++) {
        const gen_piece *q = &what->pieces[i];
        if (q->x == MIDDLE + x && q->y == MIDDLE + y && q->z == z)
            return q;
    }
    return NULL;
}

int plot_at(const grown *what, int x, int y, int z)
{
    const gen_piece *q = find(what, x, y, z);
    return q ? q->piece : -1;
}

int plot_rotation_at(const grown *what, int x, int y, int z)
{
    const gen_piece *q = find(what, x, y, z);
    return q ? q->rotation : -1;
}

int plot_many(plot *p, int draws, int *bad)
{
    int done = 0;
    for (int i = 0; i < draws; i++) {
        grown what;
        growth_report report;
        if (plot_grow(p, i, &what) != GROWTH_DONE)
            continue;
        done++;
        growth_check(&report, &p->layout, &what, p->chunk);
        *bad += report.open + report.wrong + report.misplaced;
        growth_undo(p->g);
    }
    return done;
}
