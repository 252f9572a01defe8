/* Nested chunks: checks their conditions, and draws a chunk and one of its entries. */
#include "mapgen/run/run_impl.h"

enum { CHUNKS_DEPTH_MAX = 16, LEVEL_ZERO = 64 };

static bool matches(const mapgen_request *q, const mapgen_omt *omt, uint32_t text,
                    mapgen_match match)
{
    const char *id = omt->seen.id, *wanted = id_pool_text(q->pool, text);
    const size_t length = strlen(wanted);
    switch (match) {
    case MAPGEN_EXACT:
        return strcmp(id, wanted) == 0;
    case MAPGEN_CONTAINS:
        return strstr(id, wanted) != NULL;
    case MAPGEN_TYPE: /* an id without its direction */
        return strcmp(omt->seen.type, wanted) == 0;
    case MAPGEN_SUBTYPE: /* the same, but of a linear terrain with its shape */
        return omt->key == text;
    case MAPGEN_PREFIX:
        break;
    }
    return strncmp(id, wanted, length) == 0 && (id[length] == '\0' || id[length] == '_');
}

/* Did it ever stand here before? */
static bool was_there(const mapgen_request *q, const mapgen_condition *c)
{
    mapgen_omt before;
    bool found = false;
    for (size_t i = 0; q->before && !found && q->before(&before, q->payload, i); i++)
        found = matches(q, &before, c->text, c->match);
    return found;
}

static bool holds(const run_frame *f, const mapgen_condition *c)
{
    const mapgen_request *q = f->run->request;
    /* A direction in the drawing is turned into one in the world. */
    enum { AROUND = 8 };
    const int turns = f->run->request->unturned ? 0 : f->run->turns & 3;
    const int direction =
        c->direction < AROUND ? (c->direction + 2 * turns) % AROUND : c->direction;
    const char *text = id_pool_text(q->pool, c->text);
    switch (c->kind) {
    case MAPGEN_LEVELS:
        return (int)c->text - LEVEL_ZERO == q->z;
    case MAPGEN_FLAGS:
    case MAPGEN_FLAGS_ANY:
        return q->has_flag && q->has_flag(q->payload, direction, text);
    case MAPGEN_JOINS:
        return q->join && strcmp(q->join(q->payload, direction), text) == 0;
    case MAPGEN_CONNECTIONS:
        return q->connects && q->connects(q->payload, direction, text);
    case MAPGEN_PREDECESSORS:
        return was_there(q, c);
    case MAPGEN_NEIGHBORS:
        break;
    }
    mapgen_omt there;
    if (!q->neighbour)
        return false;
    q->neighbour(&there, q->payload, direction);
    return matches(q, &there, c->text, c->match);
}

/* Are the two conditions alternatives of each other? For flags_any, those of all directions
 * are. */
static bool alike(const mapgen_condition *a, const mapgen_condition *b)
{
    return a->kind == b->kind && (a->direction == b->direction || a->kind == MAPGEN_FLAGS_ANY);
}

void run_nested(run_frame *f, const mapgen_unit *unit, const mapgen_piece *p, int x, int y)
{
    run *r = f->run;
    /* Do all conditions hold? Alternatives stand next to each other, and one of them must
     * hold. */
    bool all = run_touch(f->run, p->count);
    for (uint32_t i = 0; i < p->count && all;) {
        const mapgen_condition *first = &unit->conditions[p->first + i];
        bool any = false;
        for (; i < p->count && alike(first, &unit->conditions[p->first + i]); i++)
            any = any || holds(f, &unit->conditions[p->first + i]);
        all = any;
    }
    const uint32_t id = run_value(f, unit, all ? p->what : p->with);
    if (id == ID_NONE || id == r->ids.null_id)
        return;
    const mapgen_candidate *c = run_candidate(r, MAPGEN_CHUNK, id);
    if (!c)
        return;
    if (r->depth == CHUNKS_DEPTH_MAX) {
        r->own->cut = true;
        return;
    }
    r->depth++;
    run_chunk(r, c->entry, x, y);
    r->depth--;
}
