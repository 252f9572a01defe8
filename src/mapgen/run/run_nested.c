/* Nested chunks: whether the conditions hold, which chunk, and which of its entries. */
#include "mapgen/run/run_impl.h"

#include <string.h>

enum { CHUNKS_DEPTH_MAX = 16, LEVEL_ZERO = 64 };

static bool matches(const char *id, const char *wanted, mapgen_match match)
{
    const size_t length = strlen(wanted);
    switch (match) {
    case MAPGEN_EXACT:
        return strcmp(id, wanted) == 0;
    case MAPGEN_CONTAINS:
        return strstr(id, wanted) != NULL;
    case MAPGEN_TYPE: /* an id without its direction */
    case MAPGEN_SUBTYPE:
    case MAPGEN_PREFIX:
        break;
    }
    return strncmp(id, wanted, length) == 0 && (id[length] == '\0' || id[length] == '_');
}

static bool holds(const run_frame *f, const mapgen_condition *c)
{
    const mapgen_request *q = f->run->request;
    if (c->kind == MAPGEN_LEVELS)
        return (int)c->text - LEVEL_ZERO == q->z;
    if (c->kind == MAPGEN_FLAGS || c->kind == MAPGEN_FLAGS_ANY)
        return q->has_flag &&
               q->has_flag(q->payload, c->direction, id_pool_text(q->pool, c->text));
    if (c->kind != MAPGEN_NEIGHBORS || !q->neighbour)
        return false; /* what is asked is not known: MG310 has counted it */
    return matches(q->neighbour(q->payload, c->direction), id_pool_text(q->pool, c->text),
                   c->match);
}

/* Do they stand for each other? Of flags_any those of all directions do. */
static bool alike(const mapgen_condition *a, const mapgen_condition *b)
{
    return a->kind == b->kind && (a->direction == b->direction || a->kind == MAPGEN_FLAGS_ANY);
}

/* All kinds and directions must hold, each by one of its alternatives, which stand together. */
static bool all_hold(const run_frame *f, const mapgen_unit *unit, const mapgen_piece *p)
{
    bool all = true;
    for (uint32_t i = 0; i < p->count && all;) {
        const mapgen_condition *first = &unit->conditions[p->first + i];
        bool any = false;
        for (; i < p->count && alike(first, &unit->conditions[p->first + i]); i++)
            any = any || holds(f, &unit->conditions[p->first + i]);
        all = any;
    }
    return all;
}

void run_nested(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    const uint32_t id = run_value(f, unit, all_hold(f, unit, p) ? p->what : p->with);
    if (id == ID_NONE || id == r->ids.null_id)
        return;
    const mapgen_candidate *c = run_candidate(r, MAPGEN_CHUNK, id);
    if (!c)
        return;
    if (r->depth == CHUNKS_DEPTH_MAX) {
        r->map->cut = true;
        return;
    }
    r->depth++;
    run_chunk(r, c->entry, x, y);
    r->depth--;
}
