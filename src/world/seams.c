/*
 * ptl_seams_verify: checks all chunks of a stored world for dead ends of roads and other lines
 * (gen/seams/dead_ends.h). Each check needs a chunk and its four neighbours in memory. A few
 * more chunks are kept in memory, so that going through the chunks column by column decodes
 * only about three chunks for each one that is checked.
 */
#include "world/world.h"

#include "core/sized.h"
#include "gen/seams/dead_ends.h"
#include "model/direction.h"

#include <stdio.h>
#include <stdlib.h>

enum { HELD = 8 };

/* A slot holds one chunk of those that are in memory. It may also say that the file has no
 * chunk at that place. */
typedef struct held {
    bool known;
    ptl_chunk_pos pos;
    ptl_chunk *chunk; /* owned; NULL: the chunk is not saved, or not all steps of generation ran
                         for it */
    gen_features features;
    bool imported, older;
    uint64_t used; /* value of seams.clock when this chunk was last used */
} held;

typedef struct seams {
    ptl_world *world;
    const ptl_seam_options *options;
    ptl_seam_report *report;
    dead_ends *check;
    held held[HELD];
    uint64_t clock;
    ptl_chunk_pos pos; /* the chunk that is being checked */
} seams;

/* Reads OMTs and features in one transaction, so that both are from one moment even if another
 * process writes. */
static ptl_status read_both(held *h, const ptl_world *world, ptl_error *err)
{
    chunk_info info;
    bool found = false;
    ptl_store *store = world->store;
    TRY(ops(store)->transaction->begin_read(store, err));
    ptl_status status = ops(store)->chunk->read(&h->chunk, store, world->row.id, h->pos,
                                                world->cat, &info, err);
    if (status == PTL_OK && h->chunk && info.last_step[0]) {
        ptl_chunk_free(h->chunk);
        h->chunk = NULL;
    }
    if (status == PTL_OK && h->chunk) {
        h->imported = info.imported;
        h->older = info.generator_version != PTL_GENERATOR_VERSION;
        status = ops(store)->chunk->features_read_all(&h->features, &found, store,
                                                      world->row.id, h->pos, world->cat, err);
    }
    ops(store)->transaction->rollback(store);
    return status == PTL_OK
               ? status
               : error_prefix(err, status, "chunk %d,%d", (int)h->pos.x, (int)h->pos.y);
}

/* Finds the slot in memory that has the chunk. If there is none, the chunk is read into the
 * slot that was not used for the longest time. */
static ptl_status hold(held **out, seams *s, ptl_chunk_pos pos, ptl_error *err)
{
    held *oldest = &s->held[0];
    s->clock++;
    for (int i = 0; i < HELD; i++) {
        held *h = &s->held[i];
        if (h->known && h->pos.x == pos.x && h->pos.y == pos.y) {
            h->used = s->clock;
            *out = h;
            return PTL_OK;
        }
        if (h->used < oldest->used)
            oldest = h;
    }
    ptl_chunk_free(oldest->chunk);
    oldest->chunk = NULL;
    features_reset(&oldest->features);
    oldest->pos = pos;
    oldest->used = s->clock;
    oldest->imported = oldest->older = false;
    ptl_status status = read_both(oldest, s->world, err);
    oldest->known = status == PTL_OK;
    *out = oldest;
    return status;
}

static dead_end_view view_of(const held *h)
{
    return (dead_end_view){
        .chunk = h->chunk, .features = &h->features, .foreign = h->imported, .older = h->older};
}

static void on_dead_end(void *payload, const dead_end_problem *p)
{
    static const char *const names[] = {"north", "east", "south", "west"};
    const seams *s = payload;
    char where[240], message[400];
    if (!s->options->on_problem)
        return;
    snprintf(where, sizeof where, "world '%s', chunk %d,%d", s->world->row.name, (int)s->pos.x,
             (int)s->pos.y);
    snprintf(message, sizeof message, "%s at %d,%d,%d (%s), %s: %s", p->kind, (int)p->x,
             (int)p->y, (int)p->z, p->oter, names[p->direction], p->what);
    const ptl_problem problem = {
        .size = sizeof problem, .invariant = 0, .where = where, .message = message};
    s->options->on_problem(s->options->payload, &problem);
}

static ptl_status check_chunk(seams *s, ptl_chunk_pos pos, ptl_error *err)
{
    dead_end_view view, neighbours[4];
    edge edges[4] = {{.count = 0}};
    const edge *list[4];
    held *h;
    s->pos = pos;
    ptl_status status = hold(&h, s, pos, err);
    if (status == PTL_OK && !h->chunk) {
        s->report->skipped++;
        return PTL_OK;
    }
    if (status == PTL_OK)
        view = view_of(h);
    for (int d = 0; d < 4 && status == PTL_OK; d++) {
        status = hold(&h, s, (ptl_chunk_pos){pos.x + step_x(d), pos.y + step_y(d)}, err);
        if (status == PTL_OK)
            neighbours[d] = view_of(h);
    }
    for (int d = 0; d < 4 && status == PTL_OK; d++) {
        bool found = false;
        status = world_edge_find(&edges[d], &found, s->world, pos, d, NULL, err);
        list[d] = found ? &edges[d] : NULL;
    }
    if (status == PTL_OK && !dead_ends_check(s->check, &view, neighbours, list, on_dead_end, s))
        status = error_nomem(err);
    for (int d = 0; d < 4; d++)
        edge_dispose(&edges[d]);
    s->report->chunks += status == PTL_OK;
    return status;
}

static void tell_counts(const seams *s)
{
    const catalogue *cat = s->world->cat;
    for (size_t i = 0; i <= cat->connection_count && s->options->on_counts; i++) {
        const dead_end_counts *c = dead_ends_counts(s->check, i);
        if (dead_ends_group(s->check, i) != i)
            continue;
        const ptl_seam_counts counts = {.size = sizeof counts,
                                        .kind = dead_ends_kind(s->check, i),
                                        .arms = c->arms,
                                        .line = c->line,
                                        .parallel = c->parallel,
                                        .crossed = c->crossed,
                                        .building = c->building,
                                        .border = c->border,
                                        .own = c->own,
                                        .foreign = c->foreign,
                                        .unbound = c->unbound,
                                        .dead = c->dead,
                                        .ends = c->ends,
                                        .loose = c->loose,
                                        .crossings = c->crossings,
                                        .missing = c->missing};
        s->options->on_counts(s->options->payload, &counts);
    }
}

ptl_status ptl_seams_verify(ptl_seam_report *report, ptl_world *world,
                            const ptl_seam_options *options, ptl_error *err)
{
    ptl_seam_options o = PTL_SEAM_OPTIONS_INIT;
    ptl_seam_report r = PTL_SEAM_REPORT_INIT;
    ptl_chunk_pos *list = NULL;
    size_t count = 0;
    const chunk_filter all = CHUNK_FILTER_ALL;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_seam_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_seam_report, report, err));
    seams s = {.world = world, .options = &o, .report = &r, .check = dead_ends_new(world->cat)};
    ptl_status status =
        s.check ? ops(world->store)
                      ->chunk->list(&list, &count, world->store, world->row.id, &all, err)
                : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK; i++)
        status = check_chunk(&s, list[i], err);
    if (status == PTL_OK) {
        const dead_end_river_counts *rivers = dead_ends_rivers(s.check);
        r.river_runs = rivers->runs;
        r.river_crossings = rivers->crossings;
        r.highway_crossings = rivers->highways;
        r.straight_shores = rivers->straight;
        r.problems = dead_ends_problems(s.check);
        tell_counts(&s);
    }
    free(list);
    for (int i = 0; i < HELD; i++) {
        ptl_chunk_free(s.held[i].chunk);
        features_dispose(&s.held[i].features);
    }
    dead_ends_free(s.check);
    SIZED_FILL(ptl_seam_report, report, &r);
    return status;
}
