#include "support/chunk_digest.h"
#include "gen/pipeline.h"

#include <check.h>
#include <stdlib.h>

enum { OTERS_MAX = 65536 };

/* The numbers that oters have without a sea that names the mapgen `shoals`: figures of worlds
 * without a sea are older than ours has been in the pack. */
static void number_oters(uint32_t numbers[OTERS_MAX], const catalogue *cat)
{
    bool shoals = false;
    uint32_t count = 0;
    for (size_t i = 0; i < cat->terrain_count; i++)
        shoals = shoals || cat->terrains[i].shoals;
    for (size_t i = 0; i < cat->oter_count; i++) {
        const bool sea = shoals && cat->oters[i].flags & CAT_FLAGS_OCEAN;
        numbers[i] = sea ? OTERS_MAX + (uint32_t)i : count++;
    }
}

uint64_t digest_of_chunk(const maker *m, const ptl_chunk *chunk)
{
    uint32_t *numbers = malloc(OTERS_MAX * sizeof *numbers);
    ptl_oter cells[PTL_LEVEL_CELLS];
    const catalogue *cat = m->config->cat;
    uint64_t h = 0;
    ck_assert_ptr_nonnull(numbers);
    number_oters(numbers, cat);
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++) {
        ptl_chunk_level(cells, chunk, z);
        for (int32_t i = 0; i < PTL_LEVEL_CELLS; i++)
            h = hash_mix(h ^ numbers[cells[i]]);
    }
    free(numbers);
    const gen_features *f = generator_features(m->gen);
    for (size_t i = 0; i < f->city_count; i++) {
        const gen_city *c = &f->cities[i];
        const int32_t all[] = {c->x, c->y, c->size, c->planned_x, c->planned_y};
        h = hash_add(hash_add(h, hash_string(c->name)), hash_bytes(all, sizeof all));
    }
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const int32_t all[] = {p->x, p->y, p->z, p->rotation, p->city, p->draw, p->omts};
        h = hash_add(hash_add(h, hash_string(cat->specials[p->special].id)),
                     hash_bytes(all, sizeof all));
    }
    for (size_t i = 0; i < f->piece_count; i++) {
        const gen_piece *p = &f->pieces[i];
        const int32_t all[] = {p->placement, p->piece, p->x, p->y, p->z, p->rotation};
        h = hash_add(h, hash_bytes(all, sizeof all));
    }
    for (size_t i = 0; i < f->join_count; i++) {
        const gen_join *j = &f->joins[i];
        const int32_t all[] = {j->placement, j->join, j->x, j->y, j->z, j->side};
        h = hash_add(h, hash_bytes(all, sizeof all));
    }
    for (size_t i = 0; i < f->attempt_count; i++) {
        const gen_attempt *a = &f->attempts[i];
        const int32_t all[] = {a->asked, a->ground, a->linked, a->city,
                               a->room,  a->failed, a->placed};
        h = hash_add(hash_add(h, hash_string(cat->specials[a->special].id)),
                     hash_bytes(all, sizeof all));
    }
    for (size_t i = 0; i < f->group_count; i++) {
        const gen_group *g = &f->groups[i];
        const int32_t all[] = {g->x,          g->y,     g->z,      g->radius,
                               g->population, g->horde, g->diffuse};
        h = hash_add(hash_add(h, hash_string(g->type)), hash_bytes(all, sizeof all));
    }
    for (size_t i = 0; i < f->radio_count; i++) {
        const gen_radio *r = &f->radios[i];
        const int32_t all[] = {r->x, r->y, r->strength, r->weather, r->frequency};
        h = hash_add(hash_add(h, hash_string(r->message)), hash_bytes(all, sizeof all));
    }
    size_t count;
    const gen_event *events = generator_events(m->gen, &count);
    for (size_t i = 0; i < count; i++) {
        const int32_t all[] = {events[i].x, events[i].y, events[i].z};
        h = hash_add(hash_add(h, hash_string(events[i].kind)), hash_bytes(all, sizeof all));
        h = hash_add(h, hash_string(events[i].detail));
    }
    return h;
}
