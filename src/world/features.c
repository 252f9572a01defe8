/* The features of a saved chunk with their ids as texts, for the public calls
 * (portolan/features.h). All data is copied, so that the copy stays valid when the store is
 * used again or closed. */
#include "portolan/features.h"

#include "core/array.h"
#include "world/entries.h"
#include "world/world.h"

#include <stdlib.h>

enum { SIDES = 4 };

/* The pieces, or the joins, that belong to one special. They are consecutive in the chunk's
 * list of pieces or joins, at the indices first .. first + count - 1. */
typedef struct run_of {
    size_t first, count;
} run_of;

typedef struct event_list {
    event_row *list; /* owned; its texts are in the features' arena */
    size_t count, room;
} event_list;

struct ptl_features {
    arena *texts;
    chunk_info info;
    char content[65];
    /* The chunk's features as they are stored; all texts in it belong to `texts`. */
    feature_set set;
    /* Owned; for each of the chunk's cities: how many buildings belong to it. */
    int32_t *of_city;
    /* Owned: for each special, which pieces and which joins belong to it. */
    run_of *pieces, *joins;
    edge edges[SIDES]; /* the edges of the chunk; the texts in them (crossing.kind) belong to
                          `texts` */
    bool saved[SIDES];
    event_list events;
};

/* ---- reading ---- */

static ptl_status keep_text(const char **text, ptl_features *f, ptl_error *err)
{
    *text = arena_strdup(f->texts, *text ? *text : "");
    return *text ? PTL_OK : error_nomem(err);
}

static ptl_status keep_event(void *payload, const event_row *event, ptl_error *err)
{
    ptl_features *f = payload;
    event_list *l = &f->events;
    event_row e = *event;
    if (!ARRAY_ROOM(l->list, l->room, l->count + 1))
        return error_nomem(err);
    TRY(keep_text(&e.step, f, err));
    TRY(keep_text(&e.kind, f, err));
    TRY(keep_text(&e.detail, f, err));
    l->list[l->count++] = e;
    return PTL_OK;
}

/* Finds for each special which of the chunk's pieces (or joins, depending on `kind`) belong to
 * it. Those of one special are consecutive in the chunk's list. */
static ptl_status find_runs(run_of **out, const feature_set *set, pack_kind kind, int column,
                            ptl_error *err)
{
    const pack_table *t = &set->tables[kind];
    *out = calloc(set->specials.count + 1, sizeof **out);
    if (!*out)
        return error_nomem(err);
    for (size_t i = 0; i < t->count; i++) {
        run_of *r = &(*out)[t->columns[column][i]];
        if (r->count == 0)
            r->first = i;
        else if (r->first + r->count != i)
            return error_set(err, PTL_ERR_CORRUPT,
                             "pack of %s: a special's do not stand together",
                             pack_layout_of(kind)->name);
        r->count++;
    }
    return PTL_OK;
}

static ptl_status read_chunk(void *payload, const stored_chunk *chunk, ptl_error *err)
{
    ptl_features *f = payload;
    const ptl_chunk_pos pos = f->info.pos;
    f->info = chunk->info;
    ptl_status status = ops(chunk->store)->chunk->stored_features_read(&f->set, chunk, err);
    if (status == PTL_OK) {
        /* Copies all texts that are borrowed from the store to the features' arena. */
        feature_set *s = &f->set;
        for (size_t kind = 0; kind < PACK_KINDS; kind++)
            for (size_t i = 0; s->names[kind] && i < s->tables[kind].name_count; i++)
                THEN(status, keep_text(&s->names[kind][i], f, err));
        /* Consecutive specials often have the same id, for which the copy is used again:
         * `before` is the id of the previous special, `same` our copy of that id. */
        const char *before = NULL, *same = NULL;
        for (size_t i = 0; i < s->specials.count && status == PTL_OK; i++) {
            const char **id = &s->specials.list[i].id;
            if (*id == before) {
                *id = same;
                continue;
            }
            before = *id;
            status = keep_text(id, f, err);
            same = *id;
        }
    }
    const pack_table *t = &f->set.tables[PACK_PLACEMENTS];
    f->of_city = calloc(f->set.rows.city_count + 1, sizeof *f->of_city);
    THEN(status, f->of_city ? PTL_OK : error_nomem(err));
    for (size_t i = 0; status == PTL_OK && i < t->count; i++)
        if (t->columns[PLACEMENT_CITY][i] >= 0)
            f->of_city[t->columns[PLACEMENT_CITY][i]]++;
    THEN(status, find_runs(&f->pieces, &f->set, PACK_PIECES, PIECE_PLACEMENT, err));
    THEN(status, find_runs(&f->joins, &f->set, PACK_JOINS, JOIN_PLACEMENT, err));
    THEN(status, ops(chunk->store)->chunk->stored_event_visit(chunk, keep_event, f, err));
    return status == PTL_OK ? PTL_OK : error_prefix(err, status, "chunk %d,%d", pos.x, pos.y);
}

static ptl_status read_edges(ptl_features *f, ptl_world *world, ptl_chunk_pos pos,
                             ptl_error *err)
{
    for (int d = 0; d < SIDES; d++) {
        edge *e = &f->edges[d];
        TRY(world_edge_find(e, &f->saved[d], world, pos, d, NULL, err));
        for (size_t i = 0; f->saved[d] && i < e->count; i++)
            TRY(keep_text(&e->crossings[i].kind, f, err));
    }
    return PTL_OK;
}

/* Reads the chunk's row, its features, its edges and the digest of its content. The caller has
 * begun a transaction, so that all of this is from one moment. */
static ptl_status read_all(ptl_features *f, ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    bool found = false;
    ptl_chunk_pos before = {pos.x, pos.y - 1};
    TRY(ops(world->store)
            ->chunk->find(&f->info, &found, world->store, world->row.id, pos, err));
    if (!found)
        return error_set(err, PTL_ERR_NOT_FOUND, "chunk %d,%d of world '%s' is not saved",
                         pos.x, pos.y, world->row.name);
    TRY(ops(world->store)
            ->chunk->visit_next(&before, world->store, world->row.id, read_chunk, f, err));
    TRY(read_edges(f, world, pos, err));
    return ops(world->store)
        ->content->digest(f->content, world->store, f->info.content_id, err);
}

typedef ptl_status features_read(ptl_features *f, ptl_world *world, ptl_chunk_pos pos,
                                 ptl_error *err);

static ptl_status load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                       features_read *read, ptl_error *err)
{
    bool own = false;
    error_clear(err);
    *out = NULL;
    TRY(world_check_position(pos, err));
    ptl_features *f = calloc(1, sizeof *f);
    if (f)
        f->texts = arena_new();
    ptl_status status = f && f->texts ? PTL_OK : error_nomem(err);
    THEN(status, ops(world->store)->transaction->begin_snapshot(world->store, &own, err));
    if (status == PTL_OK) {
        f->info.pos = pos;
        status = read(f, world, pos, err);
        ops(world->store)->transaction->end_snapshot(world->store, own);
    }
    if (status == PTL_OK)
        *out = f;
    else
        ptl_features_free(f);
    return status;
}

ptl_status ptl_features_load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                             ptl_error *err)
{
    return load(out, world, pos, read_all, err);
}

ptl_status ptl_edges_load(ptl_features **out, ptl_world *world, ptl_chunk_pos pos,
                          ptl_error *err)
{
    return load(out, world, pos, read_edges, err);
}

void ptl_features_free(ptl_features *f)
{
    if (!f)
        return;
    feature_set_dispose(&f->set);
    for (int d = 0; d < SIDES; d++)
        edge_dispose(&f->edges[d]);
    free(f->events.list);
    free(f->of_city);
    free(f->pieces);
    free(f->joins);
    arena_free(f->texts);
    free(f);
}

/* ---- the public calls for single features ---- */

ptl_status ptl_features_describe(ptl_features_info *out, const ptl_features *f)
{
    const pack_table *t = f->set.tables;
    const ptl_features_info local = {.pos = f->info.pos,
                                     .content = f->content,
                                     .last_step = f->info.last_step,
                                     .generator_version = f->info.generator_version,
                                     .imported = f->info.imported,
                                     .cities = f->set.rows.city_count,
                                     .buildings = t[PACK_PLACEMENTS].count,
                                     .specials = f->set.specials.count,
                                     .pieces = t[PACK_PIECES].count,
                                     .joins = t[PACK_JOINS].count,
                                     .radios = f->set.rows.radio_count,
                                     .monster_groups = t[PACK_GROUPS].count,
                                     .attempts = t[PACK_ATTEMPTS].count,
                                     .events = f->events.count,
                                     .predecessors = t[PACK_PREDECESSORS].count};
    return ENTRY_GIVE(ptl_features_info, out, &local);
}

ptl_status ptl_features_city(ptl_city *out, const ptl_features *f, size_t number)
{
    if (number >= f->set.rows.city_count)
        return ENTRY_NONE(ptl_city, out, .name = "");
    const gen_city *c = &f->set.rows.cities[number];
    const ptl_city local = {.name = c->name,
                            .x = c->x,
                            .y = c->y,
                            .radius = c->size,
                            .planned_x = c->planned_x,
                            .planned_y = c->planned_y,
                            .buildings = f->of_city[number]};
    return ENTRY_GIVE(ptl_city, out, &local);
}

/* Returns, as a text, the id that stands in a column of row `number` in the chunk's list of
 * features of one kind (for example its buildings). */
static const char *name_of(const ptl_features *f, pack_kind kind, int column, size_t number)
{
    return f->set.names[kind][f->set.tables[kind].columns[column][number]];
}

ptl_status ptl_features_building(ptl_building *out, const ptl_features *f, size_t number)
{
    const pack_table *t = &f->set.tables[PACK_PLACEMENTS];
    if (number >= t->count)
        return ENTRY_NONE(ptl_building, out, .id = "");
    const ptl_building local = {.id = name_of(f, PACK_PLACEMENTS, PLACEMENT_ID, number),
                                .x = t->columns[PLACEMENT_X][number],
                                .y = t->columns[PLACEMENT_Y][number],
                                .z = t->columns[PLACEMENT_Z][number],
                                .rotation = t->columns[PLACEMENT_ROTATION][number],
                                .city = t->columns[PLACEMENT_CITY][number]};
    return ENTRY_GIVE(ptl_building, out, &local);
}

ptl_status ptl_features_special(ptl_placed_special *out, const ptl_features *f, size_t number)
{
    if (number >= f->set.specials.count)
        return ENTRY_NONE(ptl_placed_special, out, .id = "");
    const special_row *row = &f->set.specials.list[number];
    const gen_placement *p = &row->placement;
    const ptl_placed_special local = {.id = row->id,
                                      .x = p->x,
                                      .y = p->y,
                                      .z = p->z,
                                      .rotation = p->rotation,
                                      .city = p->city,
                                      .draw = p->draw,
                                      .omts = p->omts,
                                      .first_piece = f->pieces[number].first,
                                      .piece_count = f->pieces[number].count,
                                      .first_join = f->joins[number].first,
                                      .join_count = f->joins[number].count};
    return ENTRY_GIVE(ptl_placed_special, out, &local);
}

ptl_status ptl_features_piece(ptl_placed_piece *out, const ptl_features *f, size_t number)
{
    const pack_table *t = &f->set.tables[PACK_PIECES];
    if (number >= t->count)
        return ENTRY_NONE(ptl_placed_piece, out, .id = "");
    const ptl_placed_piece local = {.id = name_of(f, PACK_PIECES, PIECE_ID, number),
                                    .special = (size_t)t->columns[PIECE_PLACEMENT][number],
                                    .x = t->columns[PIECE_X][number],
                                    .y = t->columns[PIECE_Y][number],
                                    .z = t->columns[PIECE_Z][number],
                                    .rotation = t->columns[PIECE_ROTATION][number]};
    return ENTRY_GIVE(ptl_placed_piece, out, &local);
}

ptl_status ptl_features_join(ptl_placed_join *out, const ptl_features *f, size_t number)
{
    const pack_table *t = &f->set.tables[PACK_JOINS];
    if (number >= t->count)
        return ENTRY_NONE(ptl_placed_join, out, .id = "");
    const ptl_placed_join local = {.id = name_of(f, PACK_JOINS, JOIN_ID, number),
                                   .special = (size_t)t->columns[JOIN_PLACEMENT][number],
                                   .x = t->columns[JOIN_X][number],
                                   .y = t->columns[JOIN_Y][number],
                                   .z = t->columns[JOIN_Z][number],
                                   .side = t->columns[JOIN_SIDE][number]};
    return ENTRY_GIVE(ptl_placed_join, out, &local);
}

ptl_status ptl_features_radio(ptl_radio *out, const ptl_features *f, size_t number)
{
    if (number >= f->set.rows.radio_count)
        return ENTRY_NONE(ptl_radio, out, .message = "");
    const gen_radio *r = &f->set.rows.radios[number];
    const ptl_radio local = {.message = r->message,
                             .x = r->x,
                             .y = r->y,
                             .strength = r->strength,
                             .weather = r->weather,
                             .frequency = r->frequency};
    return ENTRY_GIVE(ptl_radio, out, &local);
}

ptl_status ptl_features_monster_group(ptl_monster_group *out, const ptl_features *f,
                                      size_t number)
{
    const pack_table *t = &f->set.tables[PACK_GROUPS];
    if (number >= t->count)
        return ENTRY_NONE(ptl_monster_group, out, .type = "");
    const int32_t flags = t->columns[GROUP_FLAGS][number];
    const ptl_monster_group local = {.type = name_of(f, PACK_GROUPS, GROUP_TYPE, number),
                                     .x = t->columns[GROUP_X][number],
                                     .y = t->columns[GROUP_Y][number],
                                     .z = t->columns[GROUP_Z][number],
                                     .radius = t->columns[GROUP_RADIUS][number],
                                     .horde = (flags & GROUP_FLAG_HORDE) != 0,
                                     .diffuse = (flags & GROUP_FLAG_DIFFUSE) != 0,
                                     .population = t->columns[GROUP_POPULATION][number]};
    return ENTRY_GIVE(ptl_monster_group, out, &local);
}

ptl_status ptl_features_attempt(ptl_attempt *out, const ptl_features *f, size_t number)
{
    const pack_table *t = &f->set.tables[PACK_ATTEMPTS];
    if (number >= t->count)
        return ENTRY_NONE(ptl_attempt, out, .id = "");
    const ptl_attempt local = {.id = name_of(f, PACK_ATTEMPTS, ATTEMPT_SPECIAL, number),
                               .asked = t->columns[ATTEMPT_ASKED][number],
                               .ground = t->columns[ATTEMPT_GROUND][number],
                               .linked = t->columns[ATTEMPT_LINKED][number],
                               .city = t->columns[ATTEMPT_CITY][number],
                               .room = t->columns[ATTEMPT_ROOM][number],
                               .failed = t->columns[ATTEMPT_FAILED][number],
                               .placed = t->columns[ATTEMPT_PLACED][number]};
    return ENTRY_GIVE(ptl_attempt, out, &local);
}

ptl_status ptl_features_predecessor(ptl_predecessor *out, const ptl_features *f, size_t number)
{
    const pack_table *t = &f->set.tables[PACK_PREDECESSORS];
    if (number >= t->count)
        return ENTRY_NONE(ptl_predecessor, out, .id = "");
    const ptl_predecessor local = {.id = name_of(f, PACK_PREDECESSORS, PREDECESSOR_ID, number),
                                   .x = t->columns[PREDECESSOR_X][number],
                                   .y = t->columns[PREDECESSOR_Y][number],
                                   .z = t->columns[PREDECESSOR_Z][number],
                                   .length = t->columns[PREDECESSOR_LENGTH][number],
                                   .step_x = !t->columns[PREDECESSOR_SOUTH][number],
                                   .step_y = t->columns[PREDECESSOR_SOUTH][number]};
    return ENTRY_GIVE(ptl_predecessor, out, &local);
}

ptl_status ptl_features_event(ptl_event *out, const ptl_features *f, size_t number)
{
    if (number >= f->events.count)
        return ENTRY_NONE(ptl_event, out, .step = "", .kind = "", .detail = "");
    const event_row *e = &f->events.list[number];
    ptl_event local = {
        .step = e->step, .kind = e->kind, .detail = e->detail, .has_place = e->x >= 0};
    if (local.has_place) {
        local.x = e->x;
        local.y = e->y;
        local.z = e->z;
    }
    return ENTRY_GIVE(ptl_event, out, &local);
}

/* ---- edges ---- */

ptl_status ptl_features_edge(ptl_chunk_edge *out, const ptl_features *f, size_t side)
{
    if (side >= SIDES)
        return ENTRY_NONE(ptl_chunk_edge, out, .saved = false);
    const bool saved = f->saved[side];
    const ptl_chunk_edge local = {.saved = saved,
                                  .foreign = saved && f->edges[side].origin == EDGE_FOREIGN,
                                  .crossing_count = saved ? f->edges[side].count : 0};
    return ENTRY_GIVE(ptl_chunk_edge, out, &local);
}

ptl_status ptl_features_crossing(ptl_crossing *out, const ptl_features *f, size_t side,
                                 size_t number)
{
    if (side >= SIDES || !f->saved[side] || number >= f->edges[side].count)
        return ENTRY_NONE(ptl_crossing, out, .kind = "");
    const crossing *c = &f->edges[side].crossings[number];
    const ptl_crossing local = {.kind = c->kind,
                                .position = c->position,
                                .z = c->z,
                                .width = c->width,
                                .direction = c->direction};
    return ENTRY_GIVE(ptl_crossing, out, &local);
}
