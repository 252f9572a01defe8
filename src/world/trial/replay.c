/*
 * Replays the growth of a special that a saved chunk has. The chunk is generated again in
 * memory, and a listener records the steps of the special's growths. Nothing is written.
 */
#include "core/array.h"
#include "core/sized.h"
#include "core/utf8.h"
#include "gen/mutable/growth.h"
#include "world/world.h"

#include <stdlib.h>

/* Records the steps of the growths of one special in a chunk, until the wanted placement is
 * complete. */
typedef struct recorder {
    gen_growth_step *steps; /* owned */
    size_t count, room;
    size_t first; /* index of the first recorded step that belongs to the next placement */
    /* How many placements of the special still come before the one that is asked about. */
    int32_t wanted;
    bool done, no_memory;
} recorder;

static void on_growth(void *payload, const gen_growth_step *step)
{
    recorder *r = payload;
    if (r->done || r->no_memory)
        return;
    if (!ARRAY_ROOM(r->steps, r->room, r->count + 1)) {
        r->no_memory = true;
        return;
    }
    r->steps[r->count++] = *step;
    if (step->event != PTL_GROWTH_DONE)
        return;
    r->done = r->wanted == 0;
    if (!r->done) {
        r->wanted--;
        r->count = 0;
    }
}

static bool tell_growth(const ptl_world *world, const recorder *r, const gen_placement *p,
                        ptl_growth_callback on_step, void *payload)
{
    const cat_special *special = &world->cat->specials[p->special];
    /* Leave out the growths that were recorded before that of the wanted placement: they have
     * failed at other origins. */
    size_t i = 0;
    while (i < r->count && (r->steps[i].event != PTL_GROWTH_BEGINS || r->steps[i].x != p->x ||
                            r->steps[i].y != p->y))
        i++;
    for (; i < r->count; i++) {
        const gen_growth_step *s = &r->steps[i];
        ptl_growth_step out = {.size = sizeof out,
                               .event = s->event,
                               .special = special->id,
                               .piece = "",
                               .x = s->x,
                               .y = s->y,
                               .z = s->z,
                               .rotation = s->rotation,
                               .phase = s->phase,
                               .rule = s->rule,
                               .count = s->count};
        if (s->event == PTL_GROWTH_PIECE) {
            const cat_piece *piece = &special->layout->pieces[s->piece];
            out.piece = piece->id;
            out.oter = piece->oters[s->rotation];
        }
        if (!on_step(payload, &out))
            return false;
    }
    return true;
}

static bool tell_omts(const ptl_world *world, const gen_placement *p,
                      ptl_growth_callback on_step, void *payload)
{
    const cat_special *special = &world->cat->specials[p->special];
    ptl_growth_step out = {.size = sizeof out,
                           .event = PTL_GROWTH_BEGINS,
                           .special = special->id,
                           .piece = "",
                           .x = p->x,
                           .y = p->y,
                           .z = p->z,
                           .rotation = p->rotation};
    bool go_on = on_step(payload, &out);
    out.event = PTL_GROWTH_PIECE;
    out.rule = -1;
    for (size_t i = 0; i < special->omt_count && go_on; i++) {
        const cat_omt *t = &special->omts[i];
        int32_t x, y;
        feature_rotate(t->x, t->y, p->rotation, &x, &y);
        out.x = p->x + x;
        out.y = p->y + y;
        out.z = p->z + t->z;
        out.oter = t->oters[p->rotation];
        go_on = on_step(payload, &out);
    }
    out.event = PTL_GROWTH_DONE;
    out.count = p->omts;
    return go_on && on_step(payload, &out);
}

/* Returns a special of the features by its number; buildings are not counted. NULL if there is
 * none. *before: number of earlier placements of the same special. */
static const gen_placement *find_placement(const catalogue *cat, const gen_features *f,
                                           int32_t number, int32_t *before)
{
    const gen_placement *found = NULL;
    *before = 0;
    for (size_t i = 0; i < f->placement_count && !found; i++)
        if (!cat->specials[f->placements[i].special].building && number-- == 0)
            found = &f->placements[i];
    for (const gen_placement *p = f->placements; found && p < found; p++)
        *before += p->special == found->special;
    return found;
}

static ptl_status read_placement(ptl_world *world, ptl_chunk_pos pos, int32_t number,
                                 gen_placement *out, int32_t *before, ptl_error *err)
{
    gen_features f = {0};
    bool found;
    ptl_status status = ops(world->store)
                            ->chunk->features_read(&f, &found, world->store, world->row.id, pos,
                                                   world->cat, err);
    const gen_placement *p = NULL;
    if (status == PTL_OK && found)
        p = find_placement(world->cat, &f, number, before);
    if (p)
        *out = *p;
    features_dispose(&f);
    if (status != PTL_OK || p)
        return status;
    if (!found)
        return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d of world '%s' is not saved",
                         pos.x, pos.y, world->row.name);
    return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d has no special number %d", pos.x,
                     pos.y, number);
}

/* Returns whether the special with this number in the regenerated chunk is the same as the
 * stored one. */
static bool same_placement(const catalogue *cat, const gen_features *f, int32_t number,
                           const gen_placement *stored)
{
    int32_t before;
    const gen_placement *p = find_placement(cat, f, number, &before);
    return p && p->special == stored->special && p->x == stored->x && p->y == stored->y &&
           p->z == stored->z && p->rotation == stored->rotation && p->draw == stored->draw &&
           p->omts == stored->omts;
}

ptl_status ptl_growth_each(ptl_world *world, ptl_chunk_pos pos, int32_t number,
                           ptl_growth_callback on_step, void *payload, ptl_error *err)
{
    gen_placement stored = {0};
    recorder r = {0};
    ptl_chunk *chunk;
    error_clear(err);
    TRY(world_check_position(pos, err));
    TRY(world_prepare_again(world, &pos, err));
    TRY(read_placement(world, pos, number, &stored, &r.wanted, err));
    const gen_trace trace = {.payload = &r, .special = stored.special, .on_growth = on_growth};
    ptl_status status = world_make_again(&chunk, world, pos, ptl_step_count(), &trace, err);
    ptl_chunk_free(chunk);
    if (status == PTL_OK && r.no_memory)
        status = error_nomem(err);
    if (status == PTL_OK &&
        !same_placement(world->cat, generator_features(world->gen), number, &stored))
        status = error_set(err, PTL_ERR_MISMATCH,
                           "chunk %d,%d comes out differently now (it was imported, or made by "
                           "another version or content): its specials can't be grown again",
                           pos.x, pos.y);
    if (status == PTL_OK) {
        const bool grows = world->cat->specials[stored.special].layout != NULL;
        const bool whole = grows ? tell_growth(world, &r, &stored, on_step, payload)
                                 : tell_omts(world, &stored, on_step, payload);
        if (!whole)
            status = error_set(err, PTL_ERR_CANCELLED, "stopped");
    }
    free(r.steps);
    return status;
}
