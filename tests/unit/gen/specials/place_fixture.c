#include "unit/gen/specials/place_fixture.h"

#include "gen/pipeline.h"
#include "gen/seams/dead_ends.h"
#include "support/land_catalogue.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

stage *stage_new(void)
{
    stage *s = calloc(1, sizeof *s);
    ck_assert_ptr_nonnull(s);
    s->cat = *town_catalogue();
    ck_assert_uint_le(s->cat.region_count, sizeof s->regions / sizeof s->regions[0]);
    memcpy(s->regions, s->cat.regions, s->cat.region_count * sizeof *s->regions);
    memcpy(s->specials, s->cat.specials, s->cat.special_count * sizeof *s->specials);
    for (size_t i = 0; i < s->cat.special_count; i++)
        s->specials[i].key = hash_string(s->specials[i].id);
    s->cat.regions = s->regions;
    s->cat.specials = s->specials;
    return s;
}

void stage_open(stage *s, uint64_t seed)
{
    s->b = board_new(seed, &s->cat);
}

void stage_reopen(stage *s, uint64_t seed)
{
    board_dispose(&s->b);
    stage_open(s, seed);
}

void stage_free(stage *s)
{
    if (s->b.g)
        board_dispose(&s->b);
    for (int i = 0; i < PTL_LEVELS; i++)
        free(s->before[i]);
    free(s);
}

ptl_oter stage_turned(const stage *s, const char *id, int rotation)
{
    const ptl_oter oter = catalogue_oter_or_first(&s->cat, id);
    ck_assert_msg(oter != CAT_NONE, "no oter %s", id);
    const cat_oter *o = &s->cat.oters[oter];
    const cat_terrain *t = &s->cat.terrains[o->terrain];
    if (t->count == 4)
        return (ptl_oter)(t->first + (o->rotation + rotation) % 4);
    if (t->count == 16)
        return (ptl_oter)(t->first + ((o->line << rotation | o->line >> (4 - rotation)) & 15));
    return oter;
}

ptl_terrain_set stage_location(const stage *s, const char *id)
{
    for (size_t i = 0; i < s->cat.location_count; i++)
        if (strcmp(s->cat.locations[i].id, id) == 0)
            return s->cat.locations[i].terrains;
    ck_abort_msg("no location %s", id);
}

uint16_t stage_add(stage *s, const char *id, const stage_omt *omts, size_t count)
{
    const size_t n = s->cat.special_count++;
    ck_assert_uint_lt(n, STAGE_SPECIALS);
    ck_assert_uint_le(count, STAGE_OMTS);
    cat_special *out = &s->specials[n];
    *out = (cat_special){.id = id,
                         .key = hash_string(id),
                         .rotate = true,
                         .omts = s->omts[n],
                         .omt_count = count,
                         .links = s->links[n],
                         .occurrences_max = 1};
    out->city_distance.max = out->city_sizes.max = PTL_UNBOUNDED;
    for (size_t i = 0; i < count; i++) {
        cat_omt *omt = &s->omts[n][i];
        *omt = (cat_omt){.x = (int16_t)omts[i].x,
                         .y = (int16_t)omts[i].y,
                         .z = (int8_t)omts[i].z,
                         .own = omts[i].location != NULL};
        omt->allows = stage_location(s, omts[i].location ? omts[i].location : "field");
        for (int r = 0; r < 4; r++)
            omt->oters[r] = stage_turned(s, omts[i].oter, r);
        out->x0 = omt->x < out->x0 ? omt->x : out->x0;
        out->x1 = omt->x > out->x1 ? omt->x : out->x1;
        out->y0 = omt->y < out->y0 ? omt->y : out->y0;
        out->y1 = omt->y > out->y1 ? omt->y : out->y1;
        out->z0 = omt->z < out->z0 ? omt->z : out->z0;
        out->z1 = omt->z > out->z1 ? omt->z : out->z1;
    }
    return (uint16_t)n;
}

uint16_t stage_house(stage *s, const char *id)
{
    return stage_add(s, id, &(stage_omt){0, 0, 0, "house_north", NULL}, 1);
}

cat_link *stage_link(stage *s, uint16_t special, int x, int y, int z, int direction,
                     const char *connection)
{
    const size_t n = s->specials[special].link_count++;
    ck_assert_uint_lt(n, STAGE_LINKS);
    cat_link *link = &s->links[special][n];
    const uint16_t c = catalogue_connection(&s->cat, connection);
    ck_assert_msg(c != CAT_NONE, "no connection %s", connection);
    *link = (cat_link){.x = (int16_t)x,
                       .y = (int16_t)y,
                       .z = (int8_t)z,
                       .direction = (int8_t)direction,
                       .connection = c,
                       .carries = s->cat.connections[c].terrains};
    return link;
}

place_order stage_order(uint16_t special, int x, int y, int rotation)
{
    return (place_order){.special = special,
                         .x = (int16_t)x,
                         .y = (int16_t)y,
                         .rotation = (uint8_t)rotation,
                         .city = FEATURE_NO_CITY};
}

bool stage_place(stage *s, uint16_t special, int x, int y, int rotation)
{
    const place_order order = stage_order(special, x, y, rotation);
    const bool placed = place_special(s->b.g, &order);
    ck_assert(!s->b.g->failed);
    return placed;
}

void stage_keep(stage *s)
{
    for (int i = 0; i < PTL_LEVELS; i++) {
        if (!s->before[i])
            s->before[i] = malloc(CELLS * sizeof **s->before);
        ck_assert_ptr_nonnull(s->before[i]);
        ptl_chunk_level(s->before[i], s->b.chunk, i + PTL_Z_MIN);
    }
}

int stage_changed(const stage *s)
{
    int changed = 0;
    for (int i = 0; i < PTL_LEVELS; i++) {
        const level *l = &s->b.chunk->levels[i];
        for (int32_t c = 0; c < CELLS; c++)
            changed += (l->cells ? l->cells[c] : l->fill) != s->before[i][c];
    }
    return changed;
}

int stage_events(const stage *s, const char *kind, const gen_event **last)
{
    size_t count;
    int found = 0;
    const gen_event *events = generator_events(s->b.g, &count);
    for (size_t i = 0; i < count; i++)
        if (strcmp(events[i].kind, kind) == 0) {
            found++;
            if (last)
                *last = &events[i];
        }
    return found;
}

static void print_problem(void *payload, const dead_end_problem *p)
{
    int *left = payload;
    if ((*left)-- > 0)
        fprintf(stderr, "%s at %d,%d,%d, arm %d: %s\n", p->oter, p->x, p->y, p->z, p->direction,
                p->what);
}

int stage_dead_ends(const stage *s)
{
    dead_ends *d = dead_ends_new(&s->cat);
    const dead_end_view here = {.chunk = s->b.chunk, .features = &s->b.g->features},
                        none[4] = {{0}};
    const edge *const edges[4] = {NULL};
    int left = 5;
    ck_assert_ptr_nonnull(d);
    ck_assert(dead_ends_check(d, &here, none, edges, print_problem, &left));
    const int problems = (int)dead_ends_problems(d);
    dead_ends_free(d);
    return problems;
}
