#include "mapgen/compile/compile.h"
#include "mapgen/groups/groups_impl.h"

#include <stdio.h>
#include <stdlib.h>

/* Scenes of vehicles, such as a pile-up, that the games have as code; no objects of the content
 * define them. */
typedef enum traffic_scene {
    PLAIN,
    NOTHING,
    PILEUP,
    POLICE_PILEUP,
    JACK_KNIFED,
    PARKING
} traffic_scene;

/* One of the choices of a `vehicle_spawn` object, of which one is taken at random: a
 * vehicle, or a scene. */
typedef struct choice {
    uint32_t weight; /* weight of the choice, in thousandths */
    traffic_scene scene;
    uint32_t vehicle;
    uint32_t placement; /* name of a `vehicle_placement` object, in which "%t" still stands for
                           the shape of the road */
    spawn_range count;
    int32_t fuel, status;
} choice;

enum { FACINGS_MAX = 4 };

typedef struct location {
    spawn_range x, y;
    int32_t facings[FACINGS_MAX];
    uint32_t facing_count;
} location;

typedef struct traffic_named {
    uint32_t id;
    bool spawn;       /* true: a `vehicle_spawn` object; false: a `vehicle_placement` object */
    choice *choices;  /* only set for a `vehicle_spawn` object */
    location *places; /* only set for a `vehicle_placement` object */
    uint32_t count;
    /* The object that was added before: a linked list of all objects. */
    struct traffic_named *next;
} named;

/* ---- reading ---- */

static int32_t whole(json_view v, int32_t otherwise)
{
    int64_t number = otherwise;
    if (!json_view_integer(v, &number) || number < INT32_MIN || number > INT32_MAX)
        return otherwise;
    return (int32_t)number;
}

/* Reads a number, or [low, high]. */
static spawn_range range_of(json_view v, int32_t otherwise)
{
    spawn_range n = {otherwise, otherwise};
    json_walk w = mapgen_walk_each(v);
    if (json_walk_next(&w))
        n.low = n.high = whole(w.value, otherwise);
    if (json_walk_next(&w))
        n.high = whole(w.value, n.low);
    return n.low <= n.high ? n : (spawn_range){n.high, n.low};
}

static choice read_choice(mapgen_groups *g, json_view v)
{
    enum { THOUSAND = 1000, WEIGHT_MAX = 1000000 };
    const json_view vehicle = json_view_get(v, "vehicle_json");
    double weight = 0;
    static const struct {
        const char *name;
        traffic_scene scene;
    } all[] = {{"vehicle_pileup", PILEUP},
               {"policecar_pileup", POLICE_PILEUP},
               {"jack-knifed_semi", JACK_KNIFED},
               {"parkinglot", PARKING}};
    const json_view function = json_view_get(v, "vehicle_function");
    choice c = {.scene = function.document ? NOTHING : PLAIN};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (json_view_is(function, all[i].name))
            c.scene = all[i].scene;
    if (json_view_real(json_view_get(v, "weight"), &g->text, &weight) && weight > 0)
        c.weight = weight < WEIGHT_MAX ? (uint32_t)(weight * THOUSAND + 0.5)
                                       : (uint32_t)WEIGHT_MAX * THOUSAND;
    c.vehicle = groups_member_id(g, vehicle, "vehicle");
    c.placement = groups_member_id(g, vehicle, "placement");
    c.count = range_of(json_view_get(vehicle, "number"), 1);
    c.fuel = mapgen_number_cut(MAPGEN_NUMBER_FUEL, whole(json_view_get(vehicle, "fuel"), -1));
    c.status =
        mapgen_number_cut(MAPGEN_NUMBER_STATUS, whole(json_view_get(vehicle, "status"), -1));
    return c;
}

/* Reads a coordinate. A coordinate far outside of any map is cut, as its exact value does not
 * matter. */
static spawn_range place_of(json_view v)
{
    enum { FAR = 1000 };
    spawn_range n = range_of(v, 0);
    n.low = n.low < -FAR ? -FAR : n.low > FAR ? FAR : n.low;
    n.high = n.high < -FAR ? -FAR : n.high > FAR ? FAR : n.high;
    return n;
}

static location read_location(json_view v)
{
    enum { ROUND = 360 };
    location l = {.x = place_of(json_view_get(v, "x")), .y = place_of(json_view_get(v, "y"))};
    for (json_walk w = mapgen_walk_each(json_view_get(v, "facing"));
         json_walk_next(&w) && l.facing_count < FACINGS_MAX;)
        l.facings[l.facing_count++] = whole(w.value, 0) % ROUND;
    return l;
}

bool groups_add_traffic(mapgen_groups *g, json_view object)
{
    const json_view type = json_view_get(object, "type");
    const bool spawns = json_view_is(type, "vehicle_spawn");
    if (!spawns && !json_view_is(type, "vehicle_placement"))
        return true;
    const json_view list = json_view_get(object, spawns ? "spawn_types" : "locations");
    const size_t count = json_view_count(list);
    named *n = arena_calloc(g->memory, 1, sizeof *n);
    if (!n)
        return false;
    n->id = groups_member_id(g, object, "id");
    n->spawn = spawns;
    if (spawns)
        n->choices = arena_calloc(g->memory, count + 1, sizeof *n->choices);
    else
        n->places = arena_calloc(g->memory, count + 1, sizeof *n->places);
    if (!n->choices && !n->places)
        return false;
    for (json_walk w = json_walk_of(list); json_walk_next(&w); n->count++) {
        if (n->choices)
            n->choices[n->count] = read_choice(g, w.value);
        else
            n->places[n->count] = read_location(w.value);
    }
    n->next = g->traffic;
    g->traffic = n;
    return true;
}

/* ---- drawing ---- */

static uint32_t id_of(const mapgen_groups *g, const char *text)
{
    return id_pool_put(g->pool, text, strlen(text));
}

static const named *find(const mapgen_groups *g, const char *text, bool spawns)
{
    const uint32_t id = id_of(g, text);
    const named *n = g->traffic;
    while (n && (n->spawn != spawns || n->id != id))
        n = n->next;
    return n;
}

static int32_t draw_from(rng *random, spawn_range n)
{
    return rng_range(random, n.low, n.high);
}

/* Parks one more vehicle at one of the places that a `vehicle_placement` object lists. The
 * vehicle is left out if another vehicle stands there; the games make a wreck of both. */
static size_t park(mapgen_parked *out, size_t count, rng *random, const named *placement,
                   const choice *c)
{
    enum { ROOM = 7 };
    if (!placement || placement->count == 0 || count == MAPGEN_PARKED_MAX)
        return count;
    const location *l = &placement->places[rng_below(random, placement->count)];
    mapgen_parked p = {.vehicle = c->vehicle, .fuel = c->fuel, .status = c->status};
    p.x = draw_from(random, l->x);
    p.y = draw_from(random, l->y);
    p.facing = l->facing_count ? l->facings[rng_below(random, l->facing_count)] : 0;
    for (size_t i = 0; i < count; i++)
        if (abs(out[i].x - p.x) < ROOM && abs(out[i].y - p.y) < ROOM)
            return count;
    out[count] = p;
    return count + 1;
}

/* If the choice is a scene that the games have as code, sets its vehicle, placement, number,
 * fuel and status so that it is a choice as content could define it. Other choices stay as they
 * are. */
static choice scene(const mapgen_groups *g, choice c)
{
    enum { LEAST = 4, MOST = 8 };
    const bool piled = c.scene == PILEUP || c.scene == POLICE_PILEUP;
    if (c.scene == PLAIN)
        return c;
    c.vehicle = id_of(g, c.scene == PILEUP          ? "city_pileup"
                         : c.scene == POLICE_PILEUP ? "police_pileup"
                                                    : "semi_truck");
    c.placement = id_of(g, piled ? "pileup" : "%t_semi");
    c.count = piled ? (spawn_range){LEAST, MOST} : (spawn_range){1, 1};
    c.fuel = -1;
    c.status = 1;
    return c;
}

/* Parks vehicles in the places of a parking lot (ground/road.c), as the games' own code for
 * parking lots does. */
static size_t park_lot(mapgen_parked *out, const mapgen_groups *g, rng *random)
{
    enum { MOST = 4, ROWS = 4, APART = 4, ASIDE = 15, LENGTH = 7, WIDTH = 3, BACK = 180 };
    size_t count = 0;
    for (int32_t k = 0; k < rng_range(random, 1, MOST); k++) {
        mapgen_parked p = {.vehicle = id_of(g, "parkinglot"), .fuel = -1, .status = -1};
        bool free = true;
        p.x = rng_range(random, 0, 1) * ASIDE;
        p.x += rng_range(random, 4, 5);
        p.y = rng_range(random, 0, ROWS) * APART;
        p.y += rng_range(random, 2, 4);
        p.facing = rng_one_in(random, 2) ? 0 : BACK;
        for (size_t i = 0; i < count; i++)
            free = free && (abs(out[i].x - p.x) >= LENGTH || abs(out[i].y - p.y) >= WIDTH);
        if (free)
            out[count++] = p;
    }
    return count;
}

size_t mapgen_traffic_draw(mapgen_parked out[MAPGEN_PARKED_MAX], mapgen_groups *g, rng *random,
                           const char *name, const char *shape)
{
    groups_ask(g, MAPGEN_SORT_VEHICLE_GROUPS);
    const named *n = find(g, name, true);
    uint64_t sum = 0;
    uint32_t i = 0;
    for (uint32_t k = 0; n && k < n->count; k++)
        sum += n->choices[k].weight;
    if (sum == 0)
        return 0;
    uint64_t wanted = sum <= UINT32_MAX ? rng_below(random, sum) : rng_next(random) % sum;
    for (; wanted >= n->choices[i].weight; i++)
        wanted -= n->choices[i].weight;
    if (n->choices[i].scene == NOTHING)
        return 0;
    if (n->choices[i].scene == PARKING)
        return park_lot(out, g, random);
    const choice c = scene(g, n->choices[i]);
    const char *text = id_pool_text(g->pool, c.placement);
    char place[128];
    const bool open = strncmp(text, "%t", 2) == 0;
    snprintf(place, sizeof place, "%s%s", open ? shape : "", open ? text + 2 : text);
    const named *placement = find(g, place, false);
    const int32_t drawn = draw_from(random, c.count);
    const int32_t many = drawn < MAPGEN_PARKED_MAX ? drawn : MAPGEN_PARKED_MAX;
    size_t count = 0;
    for (int32_t k = 0; k < many; k++)
        count = park(out, count, random, placement, &c);
    return count;
}
