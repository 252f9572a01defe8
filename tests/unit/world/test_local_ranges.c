/* Numbers of content and of callers, at both ends and beyond: whatever is told, what is made of
 * it can be stored and read, and the file verifies. */
#include "mapgen/compile/compile.h"
#include "model/local_map.h"
#include "support/suite.h"
#include "unit/world/any_store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what content may tell ---- */

/* What a map has to have of a number that was told. */
typedef enum kept { NOWHERE, IN_COUNT, IN_CHARGES, IN_STATUS, ON_TILE } kept;

/* One member of mapgen: a piece that has it at %s, which stands alone on tile 1, 1. */
typedef struct told {
    const char *piece;
    const char *kind; /* of the thing that keeps it; NULL: none does */
    kept where;
    mapgen_number rule; /* MAPGEN_NUMBERS: it may be anything */
} told;

static const told members[] = {
    {"'place_fields': [{'field': 'fd_blood', 'x': 1, 'y': 1, 'age': %s}]", "field", IN_CHARGES,
     MAPGEN_NUMBER_AGE},
    {"'place_vehicles': [{'vehicle': 'car', 'x': 1, 'y': 1, 'chance': 100, 'fuel': %s}]",
     "vehicle", IN_CHARGES, MAPGEN_NUMBER_FUEL},
    {"'place_vehicles': [{'vehicle': 'car', 'x': 1, 'y': 1, 'chance': 100, 'status': %s}]",
     "vehicle", IN_STATUS, MAPGEN_NUMBER_STATUS},
    {"'place_computers': [{'name': 'PC', 'x': 1, 'y': 1, 'security': %s}]", "computer",
     IN_COUNT, MAPGEN_NUMBER_SECURITY},
    {"'set': [{'point': 'radiation', 'x': 1, 'y': 1, 'amount': %s}]", NULL, ON_TILE,
     MAPGEN_NUMBER_RADIATION},
    {"'place_fields': [{'field': 'fd_blood', 'x': 1, 'y': 1, 'intensity': %s}]", NULL, NOWHERE,
     MAPGEN_NUMBERS},
    {"'place_fields': [{'field': 'fd_blood', 'x': 1, 'y': 1, 'intensity': [%s, 2]}]", NULL,
     NOWHERE, MAPGEN_NUMBERS},
    {"'place_vehicles': [{'vehicle': 'car', 'x': 1, 'y': 1, 'chance': 100, 'rotation': %s}]",
     NULL, NOWHERE, MAPGEN_NUMBERS},
    {"'place_monsters': [{'monster': 'GROUP_NOBODY', 'x': 1, 'y': 1, 'density': %s}]", NULL,
     NOWHERE, MAPGEN_NUMBERS},
    {"'place_monster': [{'monster': 'mon_dog', 'x': 1, 'y': 1, 'pack_size': %s}]", NULL,
     NOWHERE, MAPGEN_NUMBERS},
    {"'place_corpses': [{'group': 'GROUP_DOG', 'x': 1, 'y': 1, 'age': %s}]", NULL, NOWHERE,
     MAPGEN_NUMBER_AGE},
    {"'place_items': [{'item': 'ranged', 'x': 1, 'y': 1, 'chance': 100, 'ammo': %s}]", NULL,
     NOWHERE, MAPGEN_NUMBER_AMMO},
    {"'place_items': [{'item': 'ranged', 'x': 1, 'y': 1, 'chance': 100, 'magazine': %s}]", NULL,
     NOWHERE, MAPGEN_NUMBER_MAGAZINE},
    {"'place_item': [{'item': 'grain', 'x': 1, 'y': 1, 'charges': %s, 'repeat': 3}]", NULL,
     NOWHERE, MAPGEN_NUMBERS},
    {"'place_item': [{'item': 'grain', 'x': 1, 'y': 1, 'damage': %s}]", NULL, NOWHERE,
     MAPGEN_NUMBERS},
    {"'place_items': [{'item': 'sacks', 'x': 1, 'y': 1, 'chance': 100, 'charges': [%s, 7]}]",
     NULL, NOWHERE, MAPGEN_NUMBERS},
    {"'place_liquids': [{'liquid': 'water', 'x': 1, 'y': 1, 'amount': %s}]", NULL, NOWHERE,
     MAPGEN_NUMBERS},
    {"'place_toilets': [{'x': 1, 'y': 1, 'amount': %s}]", NULL, NOWHERE, MAPGEN_NUMBERS},
    {"'place_gaspumps': [{'x': 1, 'y': 1, 'amount': %s}]", NULL, NOWHERE, MAPGEN_NUMBERS},
    {"'set': [{'square': 'terrain', 'id': 't_dirt', 'x': 1, 'y': 1, 'x2': %s, 'y2': %s}]", NULL,
     NOWHERE, MAPGEN_NUMBERS},
    {"'set': [{'line': 'terrain', 'id': 't_dirt', 'x': 1, 'y': 1, 'x2': %s, 'y2': 3}]", NULL,
     NOWHERE, MAPGEN_NUMBERS},
    {"'place_signs': [{'signage': 'Low', 'x': 1, 'y': 1, 'z': %s}]", NULL, NOWHERE,
     MAPGEN_NUMBERS}};

enum { MEMBERS = sizeof members / sizeof *members };

/* Groups and vehicles on roads have numbers of their own. */
static const char OTHERS[] =
    "{'type': 'COMESTIBLE', 'id': 'grain', 'charges': %s, 'stack_size': %s, 'stackable': true},"
    "{'type': 'item_group', 'id': 'sacks', 'subtype': 'collection', 'entries': [{'item': "
    "'grain', 'charges': %s, 'count': 2}, {'item': 'grain', 'charges-min': %s, 'damage': %s}]},"
    "{'type': 'vehicle_placement', 'id': 'road_lane', 'locations': [{'x': 3, 'y': 3, 'facing': "
    "%s}]},"
    "{'type': 'vehicle_spawn', 'id': 'default_city', 'spawn_types': [{'weight': 1, "
    "'vehicle_json': {'vehicle': 'car', 'placement': 'road_lane', 'fuel': %s, 'status': %s, "
    "'number': %s}}]},";

/* The ends of all rules, what lies beside them, and the ends of what is a number at all. */
static int add_values(int64_t out[])
{
    static const int64_t plain[] = {INT32_MIN, -5, 5, INT32_MAX};
    int count = 0;
    for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
        out[count++] = plain[i];
    for (int i = 0; i < MAPGEN_NUMBERS; i++) {
        const mapgen_number_rule *rule = mapgen_number_of((mapgen_number)i);
        const int64_t ends[] = {rule->least - 1, rule->least, rule->most,
                                (int64_t)rule->most + 1};
        for (int k = 0; k < 4; k++) {
            bool known = ends[k] > INT32_MAX;
            for (int n = 0; n < count; n++)
                known = known || out[n] == ends[k];
            if (!known)
                out[count++] = ends[k];
        }
    }
    return count;
}

/* Writes the text with ' as " and %s as the value. */
static size_t put(char *out, const char *text, int64_t value)
{
    size_t n = 0;
    for (; *text; text++) {
        if (text[0] == '%')
            n += (size_t)sprintf(out + n, "%" PRId64, value);
        else
            out[n++] = *text == '\'' ? '"' : *text;
        text += *text == '%';
    }
    out[n] = '\0';
    return n;
}

/* A map of fields for each member, told apart by the sign on tile 0, 0. */
static char *content_of(int64_t value)
{
    enum { ROOM = 100000 };
    char *text = malloc(ROOM);
    ck_assert_ptr_nonnull(text);
    size_t n = put(text, "[", 0);
    n += put(text + n, OTHERS, value);
    for (int i = 0; i < MEMBERS; i++) {
        char name[200];
        snprintf(name, sizeof name,
                 "%s{'type': 'mapgen', 'update_mapgen_id': 'u%d', 'object': {", i ? "," : "",
                 i);
        n += put(text + n, name, 0);
        n += put(text + n, members[i].piece, value);
        n += put(text + n, "}}", 0);
    }
    n += put(text + n, "]", 0);
    ck_assert_uint_lt(n, ROOM);
    return text;
}

static bool find_thing(ptl_local_entity *out, const ptl_local_map *map, const char *kind)
{
    bool found = false;
    for (size_t i = 0; i < ptl_local_entity_count(map) && !found; i++) {
        *out = (ptl_local_entity)PTL_LOCAL_ENTITY_INIT;
        ck_assert_int_eq(ptl_local_entity_at(out, map, i), PTL_OK);
        found = strcmp(out->kind, kind) == 0;
    }
    return found;
}

static void check_kept(const ptl_local_map *map, const told *t, int64_t value)
{
    const int32_t wanted = mapgen_number_cut(t->rule, value);
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    if (t->where == ON_TILE) {
        int32_t most = 0; /* updates are turned with their terrain */
        for (int i = 0; i < LOCAL_CELLS; i++) {
            const int32_t here = ptl_local_radiation(map, i % LOCAL_SIDE, i / LOCAL_SIDE);
            most = here > most ? here : most;
        }
        ck_assert_int_eq(most, wanted);
        return;
    }
    ck_assert_msg(find_thing(&e, map, t->kind), "%s: no %s", t->piece, t->kind);
    ck_assert_int_eq(t->where == IN_COUNT     ? e.count
                     : t->where == IN_CHARGES ? e.charges
                                              : e.status,
                     wanted);
}

static void check_verifies(ptl_store *store)
{
    ptl_verify_counts counts = PTL_VERIFY_COUNTS_INIT;
    OK(ptl_verify(&counts, store, NULL, NULL, &err));
    ck_assert_uint_eq(counts.problems, 0);
}

static int64_t values[4 + 4 * MAPGEN_NUMBERS];

START_TEST(a_number_of_content_is_stored_and_read)
{
    place p;
    const int64_t value = values[_i];
    open_place(&p, FILE_BACKEND);
    char *text = content_of(value);
    import_text(p.store, text, false);
    free(text);
    ptl_world *world = create(p.store, "w", 12);
    for (int i = 0; i < MEMBERS; i++) {
        char update[16];
        const ptl_omt at = {40 + i, 7, 0};
        ptl_local_map *map = NULL, *again = NULL;
        snprintf(update, sizeof update, "u%d", i);
        OK(ptl_local_get(&map, world, at, NULL, &err));
        ck_assert_msg(ptl_local_update_run(world, map, update, &err) == PTL_OK, "%s: %s",
                      members[i].piece, err.message);
        OK(ptl_local_load(&again, world, at, &err));
        if (members[i].where != NOWHERE)
            check_kept(again, &members[i], value);
        ptl_local_free(map);
        ptl_local_free(again);
    }
    check_verifies(p.store);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

START_TEST(what_content_may_tell_can_be_stored)
{
    static const local_number kept_as[MAPGEN_NUMBERS] = {
        [MAPGEN_NUMBER_AGE] = LOCAL_NUMBER_CHARGES,
        [MAPGEN_NUMBER_FUEL] = LOCAL_NUMBER_CHARGES,
        [MAPGEN_NUMBER_STATUS] = LOCAL_NUMBER_STATUS,
        [MAPGEN_NUMBER_SECURITY] = LOCAL_NUMBER_COUNT,
        [MAPGEN_NUMBER_AMMO] = LOCAL_NUMBER_CHARGES,
        [MAPGEN_NUMBER_MAGAZINE] = LOCAL_NUMBER_CHARGES,
        [MAPGEN_NUMBER_RADIATION] = LOCAL_NUMBER_RADIATION,
        [MAPGEN_NUMBER_DENSITY] = LOCAL_NUMBER_COUNT};
    for (int i = 0; i < MAPGEN_NUMBERS; i++) {
        const mapgen_number_rule *rule = mapgen_number_of((mapgen_number)i);
        ck_assert(local_range_has(kept_as[i], rule->least));
        ck_assert(local_range_has(kept_as[i], rule->most));
    }
}
END_TEST

/* ---- what a caller may tell ---- */

static void set_number(ptl_local_entity *e, local_number number, int64_t value)
{
    int32_t *const of[LOCAL_THING_NUMBERS] = {&e->x,     &e->y,       &e->x2,    &e->y2,
                                              &e->count, &e->charges, &e->status};
    *of[number] = (int32_t)value;
}

/* On a tile of its own; only one number is at an end. */
static ptl_status add_with(ptl_local_map *map, local_number number, int64_t value)
{
    ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
    e.kind = "vehicle";
    e.id = "car";
    e.x2 = number <= LOCAL_NUMBER_X2 ? LOCAL_SIDE - 1 : 0;
    e.y2 = number <= LOCAL_NUMBER_Y2 ? LOCAL_SIDE - 1 : 0;
    set_number(&e, number, value);
    return ptl_local_entity_add(map, &e);
}

START_TEST(a_number_of_a_caller_is_refused_or_stored)
{
    place p;
    open_place(&p, FILE_BACKEND);
    import_builtin(p.store);
    ptl_world *world = create(p.store, "w", 12);
    ptl_local_map *map = NULL, *again = NULL;
    OK(ptl_local_get(&map, world, (ptl_omt){40, 7, 0}, NULL, &err));
    for (int i = 0; i < LOCAL_THING_NUMBERS; i++) {
        const local_range *r = local_range_of((local_number)i);
        ck_assert_int_eq(add_with(map, (local_number)i, r->least - 1), PTL_ERR_ARGUMENT);
        ck_assert_int_eq(add_with(map, (local_number)i, r->least), PTL_OK);
        ck_assert_int_eq(add_with(map, (local_number)i, r->most), PTL_OK);
        if (r->most < INT32_MAX)
            ck_assert_int_eq(add_with(map, (local_number)i, r->most + 1), PTL_ERR_ARGUMENT);
    }
    ck_assert_int_eq(ptl_local_radiation_set(map, 1, 1, -1), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_radiation_set(map, 1, 1, 256), PTL_ERR_ARGUMENT);
    ck_assert_int_eq(ptl_local_radiation_set(map, 1, 1, 255), PTL_OK);
    OK(ptl_local_put(world, &map, 1, &err));
    OK(ptl_local_load(&again, world, (ptl_omt){40, 7, 0}, &err));
    ck_assert_uint_eq(ptl_local_entity_count(again), ptl_local_entity_count(map));
    check_verifies(p.store);
    ptl_local_free(map);
    ptl_local_free(again);
    ptl_world_close(world);
    close_place(&p);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_ranges");
    TCase *tc = tcase_create("local_ranges");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, a_number_of_content_is_stored_and_read, 0, add_values(values));
    tcase_add_test(tc, what_content_may_tell_can_be_stored);
    tcase_add_test(tc, a_number_of_a_caller_is_refused_or_stored);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
