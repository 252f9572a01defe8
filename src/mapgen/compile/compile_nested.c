/* Compiles the conditions of nested chunks: neighbours, flags, joins, connections,
 * predecessors, and the level. */
#include "mapgen/compile/compile_impl.h"

static const char *const directions[MAPGEN_DIRECTIONS] = {
    "north",      "north_east", "east",       "south_east", "south",
    "south_west", "west",       "north_west", "above",      "below"};

static const char *const matches[] = {"CONTAINS", "EXACT", "TYPE", "SUBTYPE", "PREFIX"};

static void add_condition(mapgen_compiler *c, mapgen_piece *p, mapgen_condition made)
{
    GROWING_PUT(c, &c->conditions, made);
    p->count++;
}

/* Adds texts of a condition: a text, an object with a text and the way it is matched, or a
 * list of these. */
static void add_texts(mapgen_compiler *c, mapgen_piece *p, json_view v, mapgen_condition like)
{
    if (json_view_kind(v) == VIEW_ARRAY) {
        for (json_walk w = json_walk_of(v); json_walk_next(&w);)
            if (json_view_kind(w.value) != VIEW_ARRAY)
                add_texts(c, p, w.value, like);
        return;
    }
    enum { MATCHES = sizeof matches / sizeof matches[0] };
    const bool object = json_view_kind(v) == VIEW_OBJECT;
    const json_view match = json_view_get(v, "om_terrain_match_type");
    const int found = mapgen_word_of(match, matches, MATCHES);
    if (found < MATCHES)
        like.match = (mapgen_match)found;
    else if (match.document)
        remark(c, 4, match, "'om_terrain_match_type' is none of the known ones");
    const json_view text = object ? json_view_get(v, "om_terrain") : v;
    like.text = pool_text(c, text);
    like.place = (uint32_t)json_view_offset(v);
    if (like.text != ID_NONE)
        add_condition(c, p, like);
    else if (!text.document)
        remark(c, 4, v, "'om_terrain' is missing");
}

void compile_conditions(mapgen_compiler *c, json_view v, mapgen_piece *p)
{
    static const struct {
        const char *name;
        mapgen_condition_kind kind;
    } kinds[] = {{"neighbors", MAPGEN_NEIGHBORS},
                 {"flags", MAPGEN_FLAGS},
                 {"flags_any", MAPGEN_FLAGS_ANY},
                 {"joins", MAPGEN_JOINS},
                 {"connections", MAPGEN_CONNECTIONS}};
    p->first = c->conditions.count;
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        for (json_walk w = json_walk_of(json_view_get(v, kinds[i].name)); json_walk_next(&w);) {
            const int d = mapgen_word_of(w.key, directions, MAPGEN_DIRECTIONS);
            if (d == MAPGEN_DIRECTIONS)
                remark(c, 4, w.key, "'%s' is no direction", key_text(c, &w));
            else
                add_texts(c, p, w.value,
                          (mapgen_condition){.kind = kinds[i].kind, .direction = (uint8_t)d});
        }
    }
    const json_view before = json_view_get(v, "predecessors");
    if (before.document)
        add_texts(c, p, before, (mapgen_condition){.kind = MAPGEN_PREDECESSORS});
    const json_view inside = json_view_get(json_view_get(v, "neighbors"), "check_z");
    enum { LEVEL_ZERO = 64 };
    for (json_walk w = json_walk_of(inside.document ? inside : json_view_get(v, "check_z"));
         json_walk_next(&w);) {
        int64_t z = 0;
        if (!json_view_integer(w.value, &z) || z < -10 || z > 10)
            remark(c, 4, w.value, "a level must be -10 to 10");
        else
            add_condition(
                c, p,
                (mapgen_condition){.kind = MAPGEN_LEVELS, .text = (uint32_t)(z + LEVEL_ZERO)});
    }
}
