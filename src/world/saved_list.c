/* Reads notes, marks and facts (portolan/save.h), and computes the digest of a world that has
 * some. */
#include "core/array.h"
#include "core/digest.h"
#include "world/edits.h"

#include <stdlib.h>

saved_row saved_marks_row(const ptl_marks_key *key)
{
    saved_row row = SAVED_ROW_OF(SAVED_MARK);
    row.viewer = key->viewer ? key->viewer : "";
    row.kind = key->kind;
    row.x = key->chunk.x;
    row.y = key->chunk.y;
    row.z = key->z;
    return row;
}

saved_row saved_fact_row(const ptl_fact_key *key)
{
    saved_row row = SAVED_ROW_OF(SAVED_FACT);
    row.space = key->space ? key->space : "";
    row.name = key->name ? key->name : "";
    row.scope = (int32_t)key->scope;
    if (key->scope == PTL_FACT_CHUNK) {
        row.x = key->chunk.x;
        row.y = key->chunk.y;
    } else if (key->scope == PTL_FACT_OMT) {
        row.x = key->omt.x;
        row.y = key->omt.y;
        row.z = key->omt.z;
    } else if (key->scope == PTL_FACT_VIEWER) {
        row.viewer = key->viewer ? key->viewer : "";
    }
    return row;
}

ptl_status ptl_save_revision_load(int64_t *out, ptl_world *world, ptl_error *err)
{
    error_clear(err);
    return ops(world->store)->saved->revision(out, world->store, world->row.id, err);
}

static ptl_status stopped(ptl_error *err)
{
    return error_set(err, PTL_ERR_CANCELLED, "the list was stopped");
}

/* ---- notes ---- */

typedef struct found_notes {
    saved_row **list; /* owned, as each row is */
    size_t count, room;
} found_notes;

static ptl_status keep_note(void *payload, const saved_row *row, ptl_error *err)
{
    found_notes *all = payload;
    if (row->removed)
        return PTL_OK;
    saved_row *copy = saved_row_copy(row);
    if (!copy || !ARRAY_ROOM(all->list, all->room, all->count + 1)) {
        free(copy);
        return error_nomem(err);
    }
    all->list[all->count++] = copy;
    return PTL_OK;
}

static ptl_note note_of(const saved_row *row)
{
    return (ptl_note){.size = sizeof(ptl_note),
                      .viewer = row->viewer,
                      .at = {row->x, row->y, row->z},
                      .text = row->text,
                      .symbol = row->symbol,
                      .colour = row->colour,
                      .radius = row->radius,
                      .dangerous = row->dangerous,
                      .revision = row->revision};
}

ptl_status ptl_note_list(ptl_world *world, const char *viewer, const int64_t rect[4],
                         bool (*on_note)(void *payload, const ptl_note *note), void *payload,
                         ptl_error *err)
{
    saved_which which = SAVED_ALL(SAVED_NOTE);
    found_notes all = {.count = 0};
    error_clear(err);
    which.owner = viewer;
    if (rect) {
        TRY(world_rect_check(rect, err));
        which.x0 = rect[0];
        which.y0 = rect[1];
        which.x1 = rect[2];
        which.y1 = rect[3];
    }
    ptl_status status =
        ops(world->store)
            ->saved->visit(world->store, world->row.id, &which, keep_note, &all, err);
    for (size_t i = 0; i < all.count && status == PTL_OK; i++) {
        const ptl_note note = note_of(all.list[i]);
        if (!on_note(payload, &note))
            status = stopped(err);
    }
    for (size_t i = 0; i < all.count; i++)
        free(all.list[i]);
    free(all.list);
    return status;
}

/* ---- marks ---- */

static ptl_status take_bits(void *payload, const saved_row *row, ptl_error *err)
{
    (void)err;
    memcpy(payload, row->data, PTL_MARKS_BYTES);
    return PTL_OK;
}

/* Marks of nothing, so that a key can be checked as rows are. */
static const uint8_t no_marks[PTL_MARKS_BYTES];

ptl_status ptl_marks_load(uint8_t out[PTL_MARKS_BYTES], ptl_world *world,
                          const ptl_marks_key *key, ptl_error *err)
{
    saved_row row = saved_marks_row(key);
    const saved_which which = {.key = &row};
    error_clear(err);
    row.data = no_marks;
    row.size = sizeof no_marks;
    TRY(saved_row_check(&row, PTL_ERR_ARGUMENT, err));
    memset(out, 0, PTL_MARKS_BYTES);
    return ops(world->store)
        ->saved->visit(world->store, world->row.id, &which, take_bits, out, err);
}

typedef struct giving_marks {
    bool (*on_marks)(void *payload, const ptl_marks_key *key,
                     const uint8_t bits[PTL_MARKS_BYTES]);
    void *payload;
} giving_marks;

static ptl_status give_marks(void *payload, const saved_row *row, ptl_error *err)
{
    const giving_marks *g = payload;
    const ptl_marks_key key = {
        row->viewer, row->kind, {(int32_t)row->x, (int32_t)row->y}, row->z};
    return row->removed || g->on_marks(g->payload, &key, row->data) ? PTL_OK : stopped(err);
}

ptl_status ptl_marks_each(ptl_world *world, const char *viewer,
                          bool (*on_marks)(void *payload, const ptl_marks_key *key,
                                           const uint8_t bits[PTL_MARKS_BYTES]),
                          void *payload, ptl_error *err)
{
    saved_which which = SAVED_ALL(SAVED_MARK);
    giving_marks g = {on_marks, payload};
    error_clear(err);
    which.owner = viewer;
    return ops(world->store)
        ->saved->visit(world->store, world->row.id, &which, give_marks, &g, err);
}

/* ---- facts ---- */

static ptl_status take_value(void *payload, const saved_row *row, ptl_error *err)
{
    ptl_fact_value *out = payload;
    if (row->removed)
        return PTL_OK;
    uint8_t *data = malloc(row->size + 1);
    if (!data)
        return error_nomem(err);
    if (row->size > 0)
        memcpy(data, row->data, row->size);
    data[row->size] = 0;
    out->data = data;
    out->size = row->size;
    return PTL_OK;
}

ptl_status ptl_fact_value_load(ptl_fact_value *out, ptl_world *world, const ptl_fact_key *key,
                               ptl_error *err)
{
    const saved_row row = saved_fact_row(key);
    const saved_which which = {.key = &row};
    char name[300];
    error_clear(err);
    *out = (ptl_fact_value){.data = NULL};
    TRY(saved_row_check(&row, PTL_ERR_ARGUMENT, err));
    TRY(ops(world->store)
            ->saved->visit(world->store, world->row.id, &which, take_value, out, err));
    if (out->data)
        return PTL_OK;
    saved_row_name(name, sizeof name, &row);
    return error_set(err, PTL_ERR_NOT_FOUND, "world '%s' has not %s", world->row.name, name);
}

void ptl_fact_value_dispose(ptl_fact_value *value)
{
    free(value->data);
    *value = (ptl_fact_value){.data = NULL};
}

typedef struct giving_facts {
    bool (*on_fact)(void *payload, const ptl_fact_key *key, const void *value, size_t size);
    void *payload;
} giving_facts;

static ptl_status give_fact(void *payload, const saved_row *row, ptl_error *err)
{
    const giving_facts *g = payload;
    ptl_fact_key key = {.space = row->space,
                        .name = row->name,
                        .scope = (ptl_fact_scope)row->scope,
                        .viewer = row->viewer};
    if (key.scope == PTL_FACT_CHUNK)
        key.chunk = (ptl_chunk_pos){(int32_t)row->x, (int32_t)row->y};
    else
        key.omt = (ptl_omt){row->x, row->y, row->z};
    const void *value = row->size > 0 ? row->data : "";
    return row->removed || g->on_fact(g->payload, &key, value, row->size) ? PTL_OK
                                                                          : stopped(err);
}

ptl_status ptl_fact_each(ptl_world *world, const char *space,
                         bool (*on_fact)(void *payload, const ptl_fact_key *key,
                                         const void *value, size_t size),
                         void *payload, ptl_error *err)
{
    saved_which which = SAVED_ALL(SAVED_FACT);
    giving_facts g = {on_fact, payload};
    error_clear(err);
    which.owner = space;
    return ops(world->store)
        ->saved->visit(world->store, world->row.id, &which, give_fact, &g, err);
}

/* ---- the digest ---- */

typedef struct digesting_rows {
    digest_state state;
    uint64_t count;
} digesting_rows;

static ptl_status digest_row(void *payload, const saved_row *row, ptl_error *err)
{
    digesting_rows *d = payload;
    (void)err;
    if (row->removed)
        return PTL_OK;
    d->count++;
    saved_row_digest(&d->state, row);
    return PTL_OK;
}

ptl_status world_saved_digest(ptl_world_digest_result *out, const ptl_world *world,
                              ptl_error *err)
{
    static const char head[] = "portolan saved world 1\n";
    digesting_rows d = {.count = 0};
    digest result;
    ptl_status status = PTL_OK;
    if (world->base)
        return PTL_OK;
    digest_init(&d.state);
    digest_update(&d.state, head, sizeof head - 1);
    digest_update(&d.state, out->hex, sizeof out->hex - 1);
    for (int type = 0; type < SAVED_TYPES && status == PTL_OK; type++) {
        const saved_which which = SAVED_ALL((saved_type)type);
        status = ops(world->store)
                     ->saved->visit(world->store, world->row.id, &which, digest_row, &d, err);
    }
    digest_final(&d.state, &result);
    if (status == PTL_OK && d.count > 0)
        digest_to_hex(&result, out->hex);
    return status;
}
