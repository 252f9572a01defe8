/* Layers of the map: which kinds of specials and events a world has, and their markers. Where
 * markers are many, they are gathered: one marker for all of a kind in a square of chunks. */
#include "clients/server/answer.h"

#include "core/error.h"
#include "core/whole.h"

#include <stdlib.h>

/* ---- groups of specials ---- */

/*
 * The groups in which the page lists specials, by where they stand or how many there may be.
 */
typedef enum group {
    IN_COUNTRY,
    BY_CITIES, /* the content limits the distance from a city */
    IN_LAKES,
    BY_RIVERS,
    IN_SEA,
    BELOW,
    UNIQUE,     /* at most one in an overmap */
    ONE_OF_ALL, /* at most one in a world */
    PAST,       /* the world's content has no special of that id */
    GROUPS
} group;

static const char *const group_names[] = {
    [IN_COUNTRY] = "in the country", [BY_CITIES] = "in and around cities",
    [IN_LAKES] = "of lakes",         [BY_RIVERS] = "of rivers",
    [IN_SEA] = "of the sea",         [BELOW] = "below ground",
    [UNIQUE] = "one in an overmap",  [ONE_OF_ALL] = "one in the world",
    [PAST] = "of another content"};

/* Returns the group of a special of the content: that of the first test that holds. */
static group group_of(const ptl_catalogue *c, size_t number)
{
    ptl_special s = PTL_SPECIAL_INIT;
    (void)ptl_catalogue_special(&s, c, number);
    const struct {
        bool holds;
        group group;
    } tests[] = {{s.flags & PTL_SPECIAL_GLOBALLY_UNIQUE, ONE_OF_ALL},
                 {s.flags & PTL_SPECIAL_UNIQUE, UNIQUE},
                 {s.flags & PTL_SPECIAL_OCEAN, IN_SEA},
                 {s.flags & PTL_SPECIAL_LAKE, IN_LAKES},
                 {s.flags & PTL_SPECIAL_RIVER, BY_RIVERS},
                 {s.omt_count > 0 && s.z1 < 0, BELOW},
                 {s.city_distance.max != PTL_UNBOUNDED, BY_CITIES}};
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++)
        if (tests[i].holds)
            return tests[i].group;
    return IN_COUNTRY;
}

/* Does the list of names, each ended by a newline, contain this one? */
static bool has_line(const char *lines, const char *name)
{
    const size_t size = strlen(name);
    for (const char *at = lines; at && *at; at += strcspn(at, "\n")) {
        at += *at == '\n';
        if (strcspn(at, "\n") == size && memcmp(at, name, size) == 0)
            return true;
    }
    return false;
}

static bool is_within(const ptl_chunk_pos *within, ptl_chunk_pos at)
{
    return !within || (at.x >= within[0].x && at.y >= within[0].y && at.x <= within[1].x &&
                       at.y <= within[1].y);
}

/* The kinds of events by name. Once there are EVENT_KINDS_MAX names, all further kinds are
 * counted with the last one. */
enum { EVENT_KINDS_MAX = 32 };

typedef struct event_kinds {
    char *names[EVENT_KINDS_MAX]; /* owned; in the order in which they were found */
    uint64_t count[EVENT_KINDS_MAX], placed[EVENT_KINDS_MAX];
    size_t held;
} event_kinds;

/* Returns the index of a kind and adds the kind if it is new; SIZE_MAX when memory is out. */
static size_t event_kind(event_kinds *k, const char *name)
{
    for (size_t i = 0; i < k->held; i++)
        if (strcmp(k->names[i], name) == 0)
            return i;
    if (k->held == EVENT_KINDS_MAX)
        return EVENT_KINDS_MAX - 1;
    k->names[k->held] = strdup(name);
    return k->names[k->held] ? k->held++ : SIZE_MAX;
}

static void event_kinds_dispose(event_kinds *k)
{
    for (size_t i = 0; i < k->held; i++)
        free(k->names[i]);
}

/* ---- which kinds there are ---- */

/* A special that stands in the world but is not in the world's content. */
typedef struct past {
    char *id; /* owned */
    uint64_t count;
} past;

typedef struct kinds {
    const ptl_catalogue *catalogue;
    const ptl_chunk_pos *within; /* NULL: all chunks */
    uint64_t *counts;            /* owned; by number of the special in the content */
    past *past;                  /* owned */
    size_t past_count;
    bool failed; /* memory is out */
} kinds;

/* Counts a special by its number in the content, or by its id if the content lacks it. */
static bool count_special(void *payload, const ptl_special_place *special)
{
    kinds *k = payload;
    size_t number;
    if (!is_within(k->within, special->chunk))
        return true;
    if (ptl_catalogue_find(&number, k->catalogue, PTL_CONTENT_SPECIAL, special->id) == PTL_OK) {
        k->counts[number]++;
        return true;
    }
    size_t i = 0;
    while (i < k->past_count && strcmp(k->past[i].id, special->id) != 0)
        i++;
    if (i == k->past_count) {
        past *more = realloc(k->past, (k->past_count + 1) * sizeof *more);
        char *own = more ? strdup(special->id) : NULL;
        k->past = more ? more : k->past;
        k->failed = !own;
        if (k->failed)
            return false;
        k->past[k->past_count++] = (past){own, 0};
    }
    k->past[i].count++;
    return true;
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const past *)a)->id, ((const past *)b)->id);
}

static void put_kind(emitter *j, const char *id, group g, uint64_t count)
{
    if (count > 0)
        emit_put(j, "[%s, %u, %ju]", id, g, count);
}

/*
 * Puts the groups, and for each special that stands somewhere its id, its group and its count.
 */
static ptl_status put_kinds(emitter *j, kinds *k, ptl_store *store, const char *world,
                            ptl_error *err)
{
    const size_t count = ptl_catalogue_count(k->catalogue, PTL_CONTENT_SPECIAL);
    k->counts = calloc(count + 1, sizeof *k->counts);
    if (!k->counts)
        return error_nomem(err);
    const ptl_status status = ptl_special_each(store, world, count_special, k, err);
    if (k->failed) {
        error_clear(err);
        return error_nomem(err);
    }
    emit_put(j, "groups:[");
    for (size_t i = 0; i < GROUPS; i++)
        emit_text(j, group_names[i]);
    emit_put(j, "], specials:[");
    for (size_t i = 0; i < count && k->counts; i++) {
        ptl_special s = PTL_SPECIAL_INIT;
        (void)ptl_catalogue_special(&s, k->catalogue, i);
        put_kind(j, s.id, group_of(k->catalogue, i), k->counts[i]);
    }
    if (k->past_count > 1)
        qsort(k->past, k->past_count, sizeof *k->past, by_id);
    for (size_t i = 0; i < k->past_count; i++)
        put_kind(j, k->past[i].id, PAST, k->past[i].count);
    emit_put(j, "]");
    return status;
}

typedef struct event_count {
    event_kinds kinds;
    bool failed; /* memory is out */
} event_count;

static bool count_event(void *payload, const ptl_event_place *event)
{
    event_count *c = payload;
    const size_t kind = event_kind(&c->kinds, event->kind);
    c->failed = kind == SIZE_MAX;
    if (c->failed)
        return false;
    c->kinds.count[kind]++;
    c->kinds.placed[kind] += event->has_place;
    return true;
}

ptl_status answer_kinds(const asked *q, reply *out, ptl_error *err)
{
    kinds k = {.within = q->within};
    k.catalogue = ptl_world_catalogue(q->world);
    const char *name = ptl_world_name(q->world);
    emit_put(&out->j, "{");
    ptl_status status = put_kinds(&out->j, &k, reader_store(q->from), name, err);
    event_count c = {.failed = false};
    THEN(status, ptl_event_list(reader_store(q->from), name, q->within, count_event, &c, err));
    if (c.failed) {
        error_clear(err);
        status = error_nomem(err);
    }
    emit_put(&out->j, "events:[");
    /* Puts the kinds ordered by name, each with the number of its events and how many of them
     * have a place. */
    const char *last = "";
    for (size_t n = 0; n < c.kinds.held; n++) {
        size_t next = SIZE_MAX;
        for (size_t i = 0; i < c.kinds.held; i++)
            if ((n == 0 || strcmp(c.kinds.names[i], last) > 0) &&
                (next == SIZE_MAX || strcmp(c.kinds.names[i], c.kinds.names[next]) < 0))
                next = i;
        last = c.kinds.names[next];
        emit_put(&out->j, "[%s, %ju, %ju]", last, c.kinds.count[next], c.kinds.placed[next]);
    }
    emit_put(&out->j, "]");
    event_kinds_dispose(&c.kinds);

    emit_put(&out->j, "}");
    for (size_t i = 0; i < k.past_count; i++)
        free(k.past[i].id);
    free(k.past);
    free(k.counts);
    return status;
}

/* ---- all events ---- */

static bool put_event(void *payload, const ptl_event_place *event)
{
    emitter *j = payload;
    if (!event->has_place)
        return true;
    emit_put(j, "%s, %jd, %jd, %d", event->kind, event->x, event->y, event->z);
    return !j->out->failed;
}

ptl_status answer_events(const asked *q, reply *out, ptl_error *err)
{
    emit_put(&out->j, "[");
    const ptl_status status =
        ptl_event_list(reader_store(q->from), q->text, q->within, put_event, &out->j, err);
    emit_put(&out->j, "]");
    return status;
}

/* ---- markers ---- */

/* CELLS_MAX: the most cells along a side of one request. CHUNKS_MAX: the most chunks along a
 * side of one cell. */
enum { CELLS_MAX = 64, CHUNKS_MAX = 1024 };

/* All markers of one kind within one cell; what is put is their mean place. */
typedef struct marker {
    uint64_t count;
    int64_t x, y; /* sums over the places of all of them */
} marker;

/* What is gathered into which grid of cells. */
typedef struct gathered {
    const ptl_catalogue *catalogue;
    const char *without;         /* names to omit, each ended by a newline; NULL: none */
    const ptl_chunk_pos *within; /* two corners: north-west, south-east */
    /* A cell has n x n chunks; x0, y0 is the first cell; columns x rows cells. */
    int32_t n, z, x0, y0, columns, rows;
    event_kinds kinds;
    bool events;   /* true: events; false: specials, by their groups */
    marker *cells; /* owned; ordered by row, column, kind */
    bool failed;   /* memory is out */
} gathered;

static void add_marker(gathered *g, ptl_chunk_pos chunk, size_t kind, int64_t x, int64_t y)
{
    const int64_t column = floor_div(chunk.x, g->n) - g->x0,
                  row = floor_div(chunk.y, g->n) - g->y0;
    const size_t room = g->events ? EVENT_KINDS_MAX : GROUPS;
    marker *m = &g->cells[(size_t)(row * g->columns + column) * room + kind];
    m->count++;
    m->x += x;
    m->y += y;
}

static bool gather_special(void *payload, const ptl_special_place *s)
{
    gathered *g = payload;
    size_t number;
    if (s->z != g->z || !is_within(g->within, s->chunk) || has_line(g->without, s->id))
        return true;
    const bool known =
        ptl_catalogue_find(&number, g->catalogue, PTL_CONTENT_SPECIAL, s->id) == PTL_OK;
    add_marker(g, s->chunk, known ? group_of(g->catalogue, number) : PAST, s->x, s->y);
    return true;
}

static bool gather_event(void *payload, const ptl_event_place *e)
{
    gathered *g = payload;
    if (!e->has_place || e->z != g->z || has_line(g->without, e->kind))
        return true;
    const size_t kind = event_kind(&g->kinds, e->kind);
    g->failed = kind == SIZE_MAX;
    if (!g->failed)
        add_marker(g, e->chunk, kind, e->x, e->y);
    return !g->failed;
}

static ptl_status gather(gathered *g, const asked *q, ptl_world *world, ptl_error *err)
{
    const size_t room = g->events ? EVENT_KINDS_MAX : GROUPS;
    const char *name = ptl_world_name(world);
    ptl_status status;
    g->catalogue = ptl_world_catalogue(world);
    g->cells = calloc((size_t)g->columns * (size_t)g->rows * room + 1, sizeof *g->cells);
    if (!g->cells)
        return error_nomem(err);
    if (g->events)
        status = ptl_event_list(reader_store(q->from), name, g->within, gather_event, g, err);
    else
        status = ptl_special_each(reader_store(q->from), name, gather_special, g, err);
    if (g->failed) {
        error_clear(err);
        status = error_nomem(err);
    }
    return status;
}

ptl_status answer_gathered(const asked *q, reply *out, ptl_error *err)
{
    gathered g = {.z = q->z, .within = q->corners, .events = strcmp(q->text, "events") == 0};
    int64_t n = 1;
    if (!g.events && strcmp(q->text, "specials") != 0)
        return error_set(err, PTL_ERR_ARGUMENT, "what must be specials or events");
    TRY(asked_int(q, "n", 1, CHUNKS_MAX, &n, err));
    g.without = target_text(q->values, "without");
    g.n = (int32_t)n;
    g.x0 = (int32_t)floor_div(g.within[0].x, n);
    g.y0 = (int32_t)floor_div(g.within[0].y, n);
    g.columns = (int32_t)floor_div(g.within[1].x, n) - g.x0 + 1;
    g.rows = (int32_t)floor_div(g.within[1].y, n) - g.y0 + 1;
    if (g.columns < 1 || g.rows < 1 || g.columns > CELLS_MAX || g.rows > CELLS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "from 1 to %d cells along a side are gathered",
                         (int)CELLS_MAX);
    const ptl_status status = gather(&g, q, q->world, err);

    if (status == PTL_OK) {
        const size_t cells = (size_t)g.columns * (size_t)g.rows,
                     room = g.events ? EVENT_KINDS_MAX : GROUPS;
        emit_put(&out->j, "{kinds:[");
        for (size_t i = 0; i < (g.events ? g.kinds.held : GROUPS); i++)
            emit_text(&out->j, g.events ? g.kinds.names[i] : group_names[i]);
        emit_put(&out->j, "], markers:[");
        for (size_t i = 0; i < cells; i++)
            for (size_t k = 0; k < room; k++) {
                const marker *m = &g.cells[i * room + k];
                if (m->count > 0)
                    emit_put(&out->j, "%jd, %jd, %zu, %ju, %jd, %jd",
                             g.x0 + (int64_t)(i % (size_t)g.columns),
                             g.y0 + (int64_t)(i / (size_t)g.columns), k, m->count,
                             floor_div(m->x, (int64_t)m->count),
                             floor_div(m->y, (int64_t)m->count));
            }
        emit_put(&out->j, "]}");
    }
    event_kinds_dispose(&g.kinds);
    free(g.cells);
    return status;
}
