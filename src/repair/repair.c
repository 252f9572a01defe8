/*
 * The steps of ptl_repair run in a fixed order. First comes what chunks depend on: SQLite's
 * structure, dictionaries, worlds and runs, edges. Then come chunks, which are generated again
 * from all of these. A chunk depends on nothing but its seed, content, generator and edges. So
 * a chunk that is generated again in place of damaged rows is right if it has the stored
 * checksum or digests.
 */
#include "core/utf8.h"
#include "repair/repair_impl.h"

#include "core/array.h"
#include "core/sized.h"
#include "os/clock.h"
#include "world/local/local_maps.h"

#include <inttypes.h>
#include <stdio.h>

/* Lists ids (of damaged edges, for example) and calls `one` for each of them. Commits from time
 * to time, so that other writers get their turn. */
static ptl_status repair_each(world_repair *w, repair_ids_of *list, repair_one *one,
                              ptl_error *err)
{
    int64_t *ids = NULL;
    size_t count = 0;
    ptl_status status = list(&ids, &count, &w->r, err);
    for (size_t i = 0; i < count && status == PTL_OK; i++) {
        status = one(w, ids[i], err);
        THEN(status, repair_breathe(&w->r, false, err));
    }
    free(ids);
    return status;
}

/* ---- opening worlds ---- */

/* If a failure concerns only one chunk, copies its message to w->why and returns PTL_OK. Other
 * failures are returned as they are. */
static ptl_status soften(world_repair *w, ptl_status status, ptl_error *err)
{
    if (status == PTL_OK || !repair_is_soft(status, err))
        return status;
    snprintf(w->why, sizeof w->why, "%s", err->message);
    error_clear(err);
    return PTL_OK;
}

/* Closes the world that is open, if there is one. */
static void repair_world_close(world_repair *w)
{
    ptl_world_close(w->world);
    w->world = NULL;
    w->world_id = 0;
}

/* Opens the world, so that its chunks can be generated. If that fails, *ready is false and
 * w->why has the reason. */
ptl_status repair_world_open(world_repair *w, int64_t world_id, bool *ready, ptl_error *err)
{
    *ready = true;
    if (w->world && w->world_id == world_id)
        return PTL_OK;
    repair_world_close(w);
    static const ptl_world_open_options options = {.size = sizeof options,
                                                   .accept_content = true};
    char *name = NULL;
    ptl_status status = repair_world_find(&name, &w->r, world_id, err);
    THEN(status, ptl_world_open(&w->world, w->r.store, name, &options, err));
    free(name);
    if (status == PTL_OK && w->world->row.id != world_id)
        status = error_set(err, PTL_ERR_CORRUPT, "its world can't be told from another");
    THEN(status, world_prepare(w->world, err));
    if (status == PTL_OK) {
        w->world_id = world_id;
        return PTL_OK;
    }
    *ready = false;
    repair_world_close(w);
    return soften(w, status, err);
}

/* ---- generating a chunk again ---- */

/* Decides whether a damaged chunk can be generated again. If not, *can is false and w->why has
 * the reason. */
ptl_status repair_can_make(world_repair *w, const repair_said *said, bool *can, ptl_error *err)
{
    *can = false;
    if (!said->generated) {
        snprintf(w->why, sizeof w->why, "it was imported from a game's save");
        return PTL_OK;
    }
    TRY(repair_world_open(w, said->world_id, can, err));
    if (!*can)
        return PTL_OK;
    *can = false;
    if (said->generator_version != PTL_GENERATOR_VERSION)
        snprintf(w->why, sizeof w->why, "generator version %lld made it, this is %d",
                 (long long)said->generator_version, PTL_GENERATOR_VERSION);
    else if (said->content_id != w->world->cat->content_id)
        snprintf(w->why, sizeof w->why, REPAIR_OTHER_CONTENT);
    else
        *can = true;
    return PTL_OK;
}

void repair_place_of(repair_place *out, int64_t id, const repair_said *said)
{
    *out = (repair_place){.pos = said->pos, .id = id, .run_id = said->run_id};
    memcpy(out->last_step, said->last_step, sizeof out->last_step);
}

static ptl_status make(made_chunk *made, world_repair *w, const repair_place *place,
                       ptl_error *err)
{
    ptl_world *world = w->world;
    chunk_maker maker = {.config = world->config,
                         .gen = world->gen,
                         .codec = world->codec,
                         .step_count = place->last_step[0] ? world_steps_to(place->last_step)
                                                           : ptl_step_count()};
    if (maker.step_count == 0)
        return error_set(err, PTL_ERR_MISMATCH, "there is no generation step '%s'",
                         place->last_step);
    TRY(world_edges(world, place->pos, made->edges, err));
    return world_make_chunk(made, NULL, &maker, place->pos, err);
}

/* Generates the chunk at a place of the open world again. If `proof` accepts the result, it
 * replaces all rows that have the chunk's id. Otherwise *proved is false, nothing has changed,
 * and w->why has the reason. */
ptl_status repair_make(world_repair *w, const repair_place *place, const repair_chunk *before,
                       repair_proof *proof, bool *proved, ptl_error *err)
{
    made_chunk made = {0};
    *proved = false;
    ptl_status status = make(&made, w, place, err);
    if (status != PTL_OK) {
        made_chunk_dispose(&made);
        return soften(w, status, err);
    }
    status = repair_try_begin(&w->r, err);
    if (status == PTL_OK) {
        /* Writes the new chunk, reads it back, and asks `proof` whether it is the same as the
         * damaged chunk was. If it is not, what was written is undone. */
        repair_chunk after = {0};
        chunk_write write = {.encoded = made.encoded,
                             .generator_version = PTL_GENERATOR_VERSION,
                             .content_id = w->world->cat->content_id,
                             .last_step = place->last_step,
                             .features = &made.features,
                             .events = made.events,
                             .event_count = made.event_count};
        for (int i = 0; i < 4; i++)
            write.edges[i] = &made.edges[i];
        const repair_ids ids = {
            .id = place->id, .world_id = w->world_id, .run_id = place->run_id};
        status = repair_chunk_put(&w->r, &ids, &write, w->world->cat, err);
        THEN(status, repair_chunk_read(&after, w->r.store, place->id, err));
        if (status == PTL_OK)
            *proved = after.row.count == 1 && proof(before, &after);
        repair_chunk_dispose(&after);
        status = soften(w, status, err);
        *proved = *proved && status == PTL_OK;
        status = repair_try_end(&w->r, *proved, status, err);
    }
    made_chunk_dispose(&made);
    return status;
}

/* ---- dictionaries: tables that give names a number, which chunks store ---- */

/* Restores rows of a dictionary from one chunk. If the chunk uses a number whose row is lost,
 * it is generated again: the new chunk has the name where the stored one has the number. The
 * name is believed only if the new chunk has the stored digests. */
static ptl_status learn_chunk(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    made_chunk made = {0};
    repair_said said;
    repair_place place;
    bool wanted = false, can = false;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_learner_wants(&wanted, w->learner, &c, err);
    if (status == PTL_OK && wanted) {
        repair_chunk_read_said(&said, &c);
        status = repair_can_make(w, &said, &can, err);
    }
    if (status == PTL_OK && can) {
        repair_place_of(&place, c.id, &said);
        const ptl_status result = make(&made, w, &place, err);
        status = soften(w, result, err);
        can = result == PTL_OK;
    }
    if (status == PTL_OK && can &&
        repair_chunk_has_digests(&c, &made.encoded.omts, &made.features.digest))
        status = repair_learner_take(w->learner, &c, &made.encoded, &made.features,
                                     w->world->cat, err);
    made_chunk_dispose(&made);
    repair_chunk_dispose(&c);
    return status;
}

/* Restores lost rows of the dictionaries from chunks that use them. */
static ptl_status repair_names(world_repair *w, ptl_error *err)
{
    ptl_status status = repair_learner_new(&w->learner, &w->r, err);
    THEN(status, repair_each(w, repair_chunk_ids, learn_chunk, err));
    THEN(status, repair_learner_tell(w->learner));
    repair_learner_free(w->learner);
    w->learner = NULL;
    return status;
}

/* Checks the dictionaries. If they are damaged, every chunk looks damaged, so repair ends here:
 * w->unsound keeps the steps that follow from running. */
static ptl_status check_dictionaries(world_repair *w, ptl_error *err)
{
    ptl_status status = repair_dictionaries_read(&w->r, err);
    w->unsound = status == PTL_ERR_CORRUPT;
    if (!w->unsound)
        return status;
    status = repair_note(&w->r, PTL_REPAIR_UNREPAIRED, "dictionary",
                         "%s; without it no chunk can be checked: bring back a backup",
                         err->message);
    error_clear(err);
    return status;
}

static ptl_status put_back(world_repair *w, ptl_error *err)
{
    return repair_put_back(&w->r, REPAIR_OTHER_CONTENT, err);
}

/* ---- chunks that have lost their row in table chunk: at each free place a chunk is generated,
 * until one has the levels and features that the file still has of the lost chunk ---- */

static ptl_status try_place(world_repair *w, const repair_chunk *c, const repair_free_place *at,
                            bool *proved, ptl_error *err)
{
    bool ready = false;
    repair_place place = {.pos = at->pos, .id = c->id};
    repair_said said = {.run_id = 0};
    if (c->row.count)
        repair_chunk_read_said(&said, c);
    TRY(repair_world_open(w, at->world_id, &ready, err));
    if (!ready)
        return PTL_OK;
    TRY(repair_place_run(&place.run_id, &w->r, at, said.run_id, c->id, err));
    memcpy(place.last_step, said.last_step, sizeof place.last_step);
    TRY(repair_make(w, &place, c, repair_same_leftovers, proved, err));
    if (*proved || !place.last_step[0])
        return PTL_OK;
    place.last_step[0] = '\0';
    return repair_make(w, &place, c, repair_same_leftovers, proved, err);
}

static ptl_status find_place(world_repair *w, const repair_chunk *c, bool *proved,
                             ptl_error *err)
{
    repair_free_place *places = NULL;
    size_t count = 0;
    char where[REPAIR_WHERE_SIZE], name[110];
    *proved = false;
    ptl_status status = repair_places_free(&places, &count, &w->r, c->id, err);
    for (size_t i = 0; i < count && status == PTL_OK && !*proved; i++) {
        status = try_place(w, c, &places[i], proved, err);
        if (status == PTL_OK && *proved)
            status = repair_chunk_run(&w->r, c, err);
        if (status != PTL_OK || !*proved)
            continue;
        repair_world_name(name, sizeof name, &w->r, places[i].world_id);
        snprintf(where, sizeof where, "world '%s', chunk %d,%d", name, places[i].pos.x,
                 places[i].pos.y);
        status = repair_note(&w->r, PTL_REPAIR_MADE_AGAIN, where,
                             "its row was lost: its levels prove the place");
    }
    free(places);
    return status;
}

/* Repairs a chunk whose row in table chunk is damaged or lost. */
static ptl_status repair_lost_chunk(world_repair *w, repair_chunk *c, ptl_error *err)
{
    bool proved = false;
    char where[REPAIR_WHERE_SIZE];
    if (repair_chunk_id_fits(c->id))
        TRY(find_place(w, c, &proved, err));
    if (proved)
        return PTL_OK;
    if (c->row.count)
        repair_chunk_where(where, &w->r, c->row.list);
    else
        snprintf(where, sizeof where, "chunk with id %" PRId64, c->id);
    TRY(repair_id_set_aside(&w->r, c->id, "its row is damaged or lost", err));
    return repair_note(&w->r, PTL_REPAIR_SET_ASIDE, where,
                       "its row is damaged or lost, and no chunk that can be made has its "
                       "levels");
}

/* Handles rows with the id of a chunk that has no row in table chunk. Rows that are only copies
 * of sound rows are dropped. If the remaining rows include levels or features, the rows are
 * repaired as a lost chunk; otherwise they are set aside. */
static ptl_status repair_orphan(world_repair *w, int64_t id, ptl_error *err)
{
    repair_chunk c;
    size_t left = 0;
    char where[REPAIR_WHERE_SIZE];
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    const repair_rows *const lists[] = {&c.levels, &c.features, &c.events};
    for (int i = 0; i < 3 && status == PTL_OK; i++)
        status = repair_drop_copies(&w->r, lists[i], &left, err);
    snprintf(where, sizeof where, "chunk with id %" PRId64, id);
    if (status == PTL_OK && left == 0) {
        status =
            repair_note(&w->r, PTL_REPAIR_CORRECTED, where,
                        "rows that stood under a wrong number: they are where they belong");
    } else if (status == PTL_OK && repair_chunk_has_blobs(&c)) {
        status = repair_lost_chunk(w, &c, err);
    } else if (status == PTL_OK) {
        status = repair_id_set_aside(&w->r, id, "it belongs to no chunk", err);
        if (status == PTL_OK)
            status =
                repair_note(&w->r, PTL_REPAIR_SET_ASIDE, where, "rows that belong to no chunk");
    }
    repair_chunk_dispose(&c);
    return status;
}

/* ---- damaged chunks: the row in table chunk is restored from the chunk's other rows; other
 * rows are restored by generating the chunk again, or by flipping bits ---- */

static ptl_status repair_damaged(world_repair *w, repair_chunk *c, unsigned bad, ptl_error *err)
{
    bool ready = true;
    if (bad & REPAIR_BAD_ROW)
        TRY(repair_chunk_by_others(&w->r, c, &bad, err));
    if (bad == 0)
        return PTL_OK;
    if (bad & REPAIR_BAD_ROW)
        return repair_lost_chunk(w, c, err);
    repair_said said;
    repair_place place;
    bool can = false, proved = false;
    repair_chunk_read_said(&said, c);
    TRY(repair_can_make(w, &said, &can, err));
    if (can) {
        repair_place_of(&place, c->id, &said);
        snprintf(w->why, sizeof w->why, "made again, it comes out otherwise");
        TRY(repair_make(w, &place, c, repair_same_row, &proved, err));
    }
    if (proved)
        return repair_made_note(&w->r, c, bad);
    TRY(repair_chunk_by_bits(&w->r, c, &bad, err));
    if (bad == 0)
        return PTL_OK;
    repair_chunk_read_said(&said, c);
    TRY(repair_world_open(w, said.world_id, &ready, err));
    if (!ready) /* the chunk can't be generated now, but nothing is set aside, since a later
                 * repair may succeed */
        return repair_left_note(&w->r, c, bad, w->why);
    return repair_chunk_give_up(&w->r, c, bad, w->why, err);
}

static ptl_status visit_chunk(void *payload, int64_t id, ptl_error *err)
{
    world_repair *w = payload;
    repair_chunk c;
    unsigned bad = 0;
    ptl_status status = repair_chunk_read(&c, w->r.store, id, err);
    if (status == PTL_OK && c.row.count == 1)
        status = repair_chunk_check(&w->r, &c, &bad, err);
    if (status == PTL_OK && bad != 0)
        status = repair_damaged(w, &c, bad, err);
    repair_chunk_dispose(&c);
    TRY(status);
    w->r.done++;
    w->r.report.chunks++;
    return repair_breathe(&w->r, false, err);
}

static ptl_status repair_chunks(world_repair *w, ptl_error *err)
{
    TRY(repair_chunks_count(&w->r.total, &w->r, err));
    return repair_chunks_each(&w->r, visit_chunk, w, err);
}

/* ---- spills of local maps (schema/shoals.md, "Spills") ---- */

static ptl_status note_spills(void *payload, ptl_omt at, bool stored, ptl_error *err)
{
    world_repair *w = payload;
    char name[110], where[REPAIR_WHERE_SIZE];
    (void)err;
    repair_world_name(name, sizeof name, &w->r, w->world_id);
    snprintf(where, sizeof where, "world '%.*s', local map %lld,%lld", UTF8_CUT(name, 100),
             (long long)at.x, (long long)at.y);
    return repair_note(&w->r, PTL_REPAIR_RECOMPUTED, where,
                       stored ? "its spills were wrong: the maps around say what they are"
                              : "its spills were missing: the maps around say what they are");
}

static ptl_status mend_spills(world_repair *w, int64_t id, ptl_error *err)
{
    static const map_area all = {INT64_MIN, INT64_MAX, INT64_MIN, INT64_MAX, .after = 0};
    uint64_t checked;
    bool ready;
    TRY(repair_world_open(w, id, &ready, err));
    /* If the world can't be opened, other steps of repair have reported why. */
    return ready ? world_spills_check(&checked, w->world, &all, true, note_spills, w, err)
                 : PTL_OK;
}

typedef struct id_list {
    int64_t *ids; /* owned */
    size_t count, room;
} id_list;

static ptl_status add_world(void *payload, const world_row *world, ptl_error *err)
{
    id_list *list = payload;
    if (!ARRAY_ROOM(list->ids, list->room, list->count + 1))
        return error_nomem(err);
    list->ids[list->count++] = world->id;
    return PTL_OK;
}

static ptl_status world_ids(int64_t **ids, size_t *count, repairer *r, ptl_error *err)
{
    id_list list = {0};
    const ptl_status status = ops(r->store)->world->visit(r->store, add_world, &list, err);
    *ids = list.ids;
    *count = status == PTL_OK ? list.count : 0;
    return status;
}

/* Computes the spills of local maps again, and stores those that differ from the stored ones.
 */
static ptl_status repair_spills(world_repair *w, ptl_error *err)
{
    const ptl_status status = repair_each(w, world_ids, mend_spills, err);
    if (status == PTL_OK || !repair_is_soft(status, err))
        return status;
    error_clear(err); /* the row of a world is damaged; other steps of repair report that */
    return PTL_OK;
}

/* ---- the steps of ptl_repair, in their order ---- */

/* One step of ptl_repair. It has one of three: the function `store`, which needs only the file;
 * the function `world`; or `ids` together with `each`. The functions `world` and `each` may
 * open a world, so they take a world_repair. */
typedef struct repair_part {
    ptl_status (*store)(repairer *r, ptl_error *err);
    ptl_status (*world)(world_repair *w, ptl_error *err);
    repair_ids_of *ids; /* lists ids; `each` is then called for each of them */
    repair_one *each;
    bool last; /* true: an earlier entry has run this step already; now the step also reports
                  what it can't repair */
} repair_part;

static const repair_part parts[] = {
    {.store = repair_file},
    {.store = repair_tables},
    {.store = repair_content},
    {.store = repair_edge_bits},
    {.store = repair_indexes},
    {.world = repair_names},
    {.world = check_dictionaries},
    {.world = put_back},
    {.ids = repair_edges_damaged, .each = repair_edge},
    {.world = repair_missing_edges},
    {.world = repair_chunks},
    {.store = repair_odd_rows},
    {.ids = repair_orphan_ids, .each = repair_orphan},
    {.world = repair_missing_edges, .last = true},
    {.store = repair_stray_crossings},
    {.store = repair_overviews},
    {.store = repair_lone_rows},
    {.world = repair_spills},
    {.store = repair_runs},
    {.store = repair_index},
    {.ids = repair_edges_damaged, .each = repair_name_edge},
    {.store = repair_name_rest},
    {.store = repair_indexes},
    {.store = repair_name_found},
};

ptl_status ptl_repair(ptl_repair_report *report, ptl_store *store,
                      const ptl_repair_options *options, ptl_error *err)
{
    ptl_repair_options o = PTL_REPAIR_OPTIONS_INIT;
    ptl_error local;
    ptl_error *e = err ? err : &local;
    error_clear(e);
    TRY(SIZED_TAKE(ptl_repair_options, &o, options, e));
    TRY(SIZED_CHECK(ptl_repair_report, report, e));
    TRY(store_file_expect(store, e));
    world_repair w = {
        .r = {
            .store = store, .options = &o, .clock = clock_seconds, .started = clock_seconds()}};
    clock_now(w.r.found);
    ptl_status status = repair_guards(&w.r, false, e);
    THEN(status, ops(store)->transaction->begin(store, e));
    if (status == PTL_OK) {
        w.r.batch_started = clock_seconds();
        for (const repair_part *p = parts;
             p < parts + sizeof parts / sizeof *parts && status == PTL_OK && !w.unsound; p++) {
            w.last = p->last;
            status = p->store   ? p->store(&w.r, e)
                     : p->world ? p->world(&w, e)
                                : repair_each(&w, p->ids, p->each, e);
        }
        repair_world_close(&w);
        THEN(status, repair_breathe(&w.r, true, e));
        /* Undoes the changes that are not committed: in a dry run all changes, after an error
         * those of the last transaction. */
        ops(store)->transaction->rollback(store);
    }
    if (status == PTL_ERR_NOMEM && e->status == PTL_OK)
        error_nomem(e); /* memory was out when an action of repair was noted for the report */
    ptl_status after = repair_guards(&w.r, true, status == PTL_OK ? e : NULL);
    w.r.report.seconds = clock_seconds() - w.r.started;
    bytes_dispose(&w.r.items);
    bytes_dispose(&w.r.scratch);
    SIZED_FILL(ptl_repair_report, report, &w.r.report);
    return status == PTL_OK ? after : status;
}
