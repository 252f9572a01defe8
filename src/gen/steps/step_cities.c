/*
 * Cities. A city is built at its planned site, if the content fixes it; otherwise at the
 * default ground nearest to the site. (Rivers, swamps, earlier cities, and the ground that is
 * kept free for roads from exits may be in the way.) It consists of a centre, from which
 * streets leave in all four directions; a name; and the streets' buildings (city.h).
 */
#include "gen/cities/city.h"
#include "gen/connect/ends.h"
#include "gen/steps/steps.h"

#include <stdio.h>
#include <string.h>

enum {
    /* The first DROPS_TOLD cities of a chunk that find no place get an event each. One more
     * event tells how many further cities found none. */
    DROPS_TOLD = 16,
    MOVE_MAX = 32, /* how far a centre may lie from the planned site, in OMTs */
    /* The greatest number of places for buildings that may be used before a unique building is
     * tried. */
    DUE_LATEST = 30
};

/* The step's own memory. */
typedef struct cities_scratch {
    city_site sites[CITY_SITES_MAX]; /* the planned sites of the chunk's cities */
    size_t count;
    /* For each city: its centre, or x = -1 if the city is not built. Used if all centres are
     * put first (put_centres). */
    point centres[CITY_SITES_MAX];
    /* For each cell: what cities have built on it; see city_ground. */
    int32_t built[SIZE * SIZE];
    city_names names; /* names of the cities at the planned sites */
} cities_scratch;

static bool is_centre(const generator *g, int32_t x, int32_t y)
{
    const int32_t cell = y * SIZE + x;
    return inside_ring(x, y) && !g->reserved[cell] &&
           g->ground[cell] == g->config->region->default_ter;
}

/* Finds the nearest cell that may be a centre: in rings around the site, each searched from
 * north to south and from west to east. */
static bool find_centre(const generator *g, const city_site *site, point *out)
{
    /* The centre of a city that the content fixes may lie on any ground but that of highways.
     * On the border, where two chunks must agree, it must also not lie on a river, nor on
     * ground that is kept free for roads from exits. */
    const int32_t x = site->x, y = site->y;
    const uint32_t flags = g->config->cat->oters[g->ground[y * SIZE + x]].flags;
    const bool border = x == 0 || x == SIZE - 1 || y == 0 || y == SIZE - 1;
    if (plan_cities_fixed(g->config) && !(flags & CAT_FLAG_HIGHWAY) &&
        !(border && (flags & CAT_FLAG_RIVER || g->reserved[y * SIZE + x]))) {
        *out = (point){x, y};
        return true;
    }
    for (int32_t ring = 0; ring <= MOVE_MAX; ring++)
        for (int32_t dy = -ring; dy <= ring; dy++) {
            const bool whole_row = dy == -ring || dy == ring;
            const int32_t stride = whole_row || ring == 0 ? 1 : 2 * ring;
            for (int32_t dx = -ring; dx <= ring; dx += stride)
                if (is_centre(g, site->x + dx, site->y + dy)) {
                    *out = (point){site->x + dx, site->y + dy};
                    return true;
                }
        }
    return false;
}

/* Returns the site's planned name; a numbered name where the content has no more names. */
static const char *name_of(generator *g, size_t site)
{
    const cities_scratch *s = g->scratch;
    const char *planned = s->names.list[site];
    char number[32];
    snprintf(number, sizeof number, "City %zu", site + 1);
    const char *text = planned ? planned : features_text(&g->features, number);
    if (!text)
        g->failed = true;
    return text;
}

/* In some regions each large or huge city gets a finale: a building that is placed only after
 * other buildings. Returns at how many places for buildings others are placed before it: at up
 * to five in a large city, at up to fifteen in a huge one; -1 if the city gets no finale. */
static int32_t finale_turn(const generator *g, int32_t size, rng *r)
{
    const int32_t usual = g->config->city_size;
    if (g->config->region->city.finales.count == 0 || size <= usual + 1)
        return -1;
    return rng_range(r, 0, size >= 2 * (usual - 1) ? 15 : 5);
}

/* Puts a street OMT without arms at the centre, unless a street of another city already passes
 * there. */
static void put_centre(city_ground *ground, point at)
{
    const int32_t cell = at.y * SIZE + at.x;
    if (!(ground->built[cell] & CITY_STREET)) {
        cell_covered(ground->g, 0, cell, ground->g->ground[cell], ground->isolated);
        ground->g->ground[cell] = ground->isolated;
    }
    ground->built[cell] |= CITY_STREET;
}

static void drop_city(generator *g, const city_site *site, size_t dropped)
{
    char detail[80];
    snprintf(detail, sizeof detail, "size %d: no free ground within %d cells", site->size,
             MOVE_MAX);
    if (dropped < DROPS_TOLD)
        add_event(g, "city_dropped", site->x, site->y, 0, detail);
}

/* Names a city and lets it grow around its centre. */
static void make_city(city_ground *ground, const city_site *site, size_t number, point centre)
{
    generator *g = ground->g;
    const cities_scratch *s = g->scratch;
    const int16_t index = (int16_t)g->features.city_count;
    const char *name = name_of(g, number);
    gen_city *city = name ? features_add_city(&g->features) : NULL;
    if (!city) {
        g->failed = true;
        return;
    }
    *city = (gen_city){.name = name,
                       .x = (int16_t)centre.x,
                       .y = (int16_t)centre.y,
                       .size = site->size,
                       .planned_x = site->x,
                       .planned_y = site->y};
    /* Grows streets in all directions, clockwise from a random one. */
    const size_t before = g->features.placement_count;
    rng r = step_stream(g, "city");
    town t = {.ground = ground,
              .random = rng_from_key(hash_add(rng_next(&r), number)),
              .index = index,
              .x = city->x,
              .y = city->y,
              .size = city->size,
              .fixed = plan_cities_fixed(g->config),
              .streets = CITY_STREETS_MAX};
    put_centre(ground, (point){t.x, t.y});
    t.finale = finale_turn(g, t.size, &t.random);
    if (g->config->region->levelled)
        city_find_due(&t, s->sites, s->count, number);
    if (t.due_count > 0)
        t.due_turn = rng_range(&t.random, 0, DUE_LATEST);
    const int first = (int)rng_below(&t.random, 4);
    for (int i = 0; i < 4; i++)
        city_street(&t, t.x, t.y, (first + i) % 4);
    if (t.finale >= 0)
        add_event(g, "finale_dropped", t.x, t.y, 0, "no place in the city has room for it");
    for (size_t i = 0; i < t.due_count; i++)
        add_event(g, "unique_dropped", t.x, t.y, 0, g->config->cat->specials[t.due[i]].id);
    if (g->features.placement_count == before)
        add_event(g, "city_empty", t.x, t.y, 0, "no building had room beside its streets");
}

/* Finds two oters of the connection of roads: the OMT without arms that is drawn on default
 * ground, and the manhole, into which a crossing of streets is turned. */
static void find_pieces(city_ground *ground)
{
    const gen_config *config = ground->g->config;
    const catalogue *cat = config->cat;
    ground->isolated = ground->manhole = CAT_NONE;
    if (config->road == CAT_NONE)
        return;
    ground->road = compiled(ground->g, config->road)->classes;
    const cat_connection *road = &cat->connections[config->road];
    const uint16_t plain = cat->oters[config->region->default_ter].terrain;
    for (size_t i = road->subtype_count; i-- > 0;) {
        const cat_subtype *s = &road->subtypes[i];
        if (s->shape == PTL_TERRAIN_LINE && cat_terrain_in(s->allows, plain))
            ground->isolated = cat->terrains[s->terrain].first;
        if (s->shape == PTL_TERRAIN_FIXED && s->in_place)
            ground->manhole = cat->terrains[s->terrain].first;
    }
}

/* Puts all centres before any street grows, so that a street of one city does not drive another
 * city away. This is done in regions of DDA since 0.I (cat_region.levelled), and where the
 * content fixes the cities. */
static void put_centres(city_ground *ground, size_t count)
{
    cities_scratch *s = ground->g->scratch;
    for (size_t i = 0; i < count; i++) {
        s->centres[i].x = -1;
        if (find_centre(ground->g, &s->sites[i], &s->centres[i]))
            put_centre(ground, s->centres[i]);
    }
}

static bool centres_first(const generator *g)
{
    return g->config->region->levelled || plan_cities_fixed(g->config);
}

static void run(generator *g)
{
    cities_scratch *s = g->scratch;
    reserve_corridors(g);
    size_t missing;
    const size_t count = s->count = plan_cities(s->sites, g->config, g->chunk->pos, &missing);
    if (g->config->region->levelled)
        city_tell_homeless(g, s->sites, count);
    if (missing > 0 && !cell_kinds_all_sea(g->config->cell_kinds, g->ground)) {
        char detail[80];
        snprintf(detail, sizeof detail, "no land for %zu of %zu planned", missing,
                 missing + count);
        add_event(g, "city_missing", -1, -1, 0, detail);
    }
    if (count == 0)
        return;
    const char *game = g->config->cat->game;
    city_ground ground = {.g = g, .built = s->built, .urban = game && strcmp(game, "bn") == 0};
    find_pieces(&ground);
    if (ground.isolated == CAT_NONE) {
        add_event(g, "city_dropped", -1, -1, 0,
                  "no linear subtype of local_road allows the region's default_oter");
        return;
    }
    city_note_set_back(&ground);
    memset(ground.built, 0, SIZE * SIZE * sizeof *ground.built);
    plan_city_names(&s->names, g->config, g->chunk->pos, count);
    size_t dropped = 0;
    if (centres_first(g))
        put_centres(&ground, count);
    for (size_t i = 0; i < count && !g->failed; i++) {
        point centre = s->centres[i];
        if (centres_first(g) ? centre.x >= 0 : find_centre(g, &s->sites[i], &centre))
            make_city(&ground, &s->sites[i], i, centre);
        else
            drop_city(g, &s->sites[i], dropped++);
    }
    if (dropped > DROPS_TOLD) {
        char detail[80];
        snprintf(detail, sizeof detail, "no free ground for %zu more", dropped - DROPS_TOLD);
        add_event(g, "city_dropped", -1, -1, 0, detail);
    }
}

const gen_step step_cities = {
    .info = {"cities", 0, false},
    .run = run,
    .scratch = sizeof(cities_scratch),
    .needs = {&connector_part},
};
