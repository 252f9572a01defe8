/* Layers of the map: which kinds of specials and events a world has, and their markers. Where
 * markers are many, they are gathered: one marker for all of a kind in a square of chunks. */
#include "clients/server/answer.h"

#include "clients/lookup/names.h"

#include "core/array.h"
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
    UNIQUE,     /* specials of which an overmap has at most one */
    ONE_OF_ALL, /* at most one in a world */
    PAST,       /* specials that stand in the world, but that its content no longer defines */
    GROUPS
} group;

static const char *const group_names[] = {
    [IN_COUNTRY] = "in the country", [BY_CITIES] = "in and around cities",
    [IN_LAKES] = "of lakes",         [BY_RIVERS] = "of rivers",
    [IN_SEA] = "of the sea",         [BELOW] = "below ground",
    [UNIQUE] = "one in an overmap",  [ONE_OF_ALL] = "one in the world",
    [PAST] = "of another content"};

/* Returns the group under which the page lists the special with this number in the content. The
 * conditions are tried in order, and the first one that holds decides. */
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

/* Does the list of names, each ended by a newline, contain `name`? */
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

/* The most kinds of events that get a count of their own. Events of all further kinds are added
 * to the last of these counts. */
enum { EVENT_KINDS_MAX = 32 };

/* A name and its counts: a kind of events, or a special that stands in the world although the
 * world's content lacks it. */
typedef struct named {
    char *name; /* owned */
    uint64_t count, placed;
} named;

typedef struct name_list {
    named *list; /* owned; the names, in the order in which they were found */
    size_t held, room, most;
    bool failed; /* memory was out, so a name is missing */
} name_list;

/* Returns the element of the list that has this name, which is added if it is new. Once the
 * list has l->most elements, the last one is returned for each new name. NULL when memory is
 * out. */
static named *entry_of(name_list *l, const char *name)
{
    for (size_t i = 0; i < l->held; i++)
        if (strcmp(l->list[i].name, name) == 0)
            return &l->list[i];
    if (l->held == l->most)
        return &l->list[l->held - 1];
    char *own = ARRAY_ROOM(l->list, l->room, l->held + 1) ? strdup(name) : NULL;
    l->failed = !own;
    if (own)
        l->list[l->held] = (named){own, 0, 0};
    return own ? &l->list[l->held++] : NULL;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const named *)a)->name, ((const named *)b)->name);
}

static void sort_names(name_list *l)
{
    if (l->held > 1)
        qsort(l->list, l->held, sizeof *l->list, by_name);
}

static void names_dispose(name_list *l)
{
    for (size_t i = 0; i < l->held; i++)
        free(l->list[i].name);
    free(l->list);
}

/* ---- which kinds there are ---- */

typedef struct kinds {
    const ptl_catalogue *catalogue;
    const ptl_chunk_pos *within; /* NULL: all chunks */
    uint64_t *counts;            /* owned; indexed by the special's number in the content */
    name_list past;              /* specials that are not in the world's content */
} kinds;

/* Counts a special by its number in the content, or by its id if the content lacks it. */
static bool count_special(void *payload, const ptl_special_place *special)
{
    kinds *k = payload;
    size_t number;
    if (!answer_is_within(k->within, special->chunk))
        return true;
    if (ptl_catalogue_find(&number, k->catalogue, PTL_CONTENT_SPECIAL, special->id) == PTL_OK) {
        k->counts[number]++;
        return true;
    }
    named *past = entry_of(&k->past, special->id);
    if (past)
        past->count++;
    return past != NULL;
}

/* Writes a kind of specials if the world has some: id, group, count, and its name. `number` is
 * its number in the content; SIZE_MAX: the content lacks it. */
static void put_kind(emitter *j, const kinds *k, const char *id, size_t number, group g,
                     uint64_t count)
{
    bytes name = {.size = 0};
    if (count == 0)
        return;
    if (number == SIZE_MAX)
        names_put_id(&name, id);
    else
        names_put_special(&name, k->catalogue, number);
    const char *text = bytes_text(&name);
    emit_put(j, "[%s, %u, %ju, %s]", id, g, count, text ? text : id);
    bytes_dispose(&name);
}

/*
 * Writes as JSON the groups in which the page lists specials, and for each special that stands
 * somewhere its id, its group and its count.
 */
static ptl_status put_kinds(emitter *j, kinds *k, ptl_store *store, const char *world,
                            ptl_error *err)
{
    const size_t count = ptl_catalogue_count(k->catalogue, PTL_CONTENT_SPECIAL);
    k->counts = calloc(count + 1, sizeof *k->counts);
    if (!k->counts)
        return error_nomem(err);
    const ptl_status status = ptl_special_each(store, world, count_special, k, err);
    if (k->past.failed) {
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
        put_kind(j, k, s.id, i, group_of(k->catalogue, i), k->counts[i]);
    }
    sort_names(&k->past);
    for (size_t i = 0; i < k->past.held; i++)
        put_kind(j, k, k->past.list[i].name, SIZE_MAX, PAST, k->past.list[i].count);
    emit_put(j, "]");
    return status;
}

static bool count_event(void *payload, const ptl_event_place *event)
{
    named *kind = entry_of(payload, event->kind);
    if (!kind)
        return false;
    kind->count++;
    kind->placed += event->has_place;
    return true;
}

ptl_status answer_kinds(const asked *q, reply *out, ptl_error *err)
{
    kinds k = {.within = q->within, .past = {.most = SIZE_MAX}};
    k.catalogue = ptl_world_catalogue(q->world);
    const char *name = ptl_world_name(q->world);
    emit_put(&out->j, "{");
    ptl_status status = put_kinds(&out->j, &k, reader_store(q->from), name, err);
    name_list events = {.most = EVENT_KINDS_MAX};
    THEN(status,
         ptl_event_list(reader_store(q->from), name, q->within, count_event, &events, err));
    if (events.failed) {
        error_clear(err);
        status = error_nomem(err);
    }
    emit_put(&out->j, "events:[");
    /* Writes the kinds of events ordered by name. Each has the number of its events, and how
     * many of these say where they happened. */
    sort_names(&events);
    for (size_t i = 0; i < events.held; i++)
        emit_put(&out->j, "[%s, %ju, %ju]", events.list[i].name, events.list[i].count,
                 events.list[i].placed);
    emit_put(&out->j, "]}");
    names_dispose(&events);
    names_dispose(&k.past);
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

/* Markers that lie in one square of n x n chunks, which is called a cell here, are gathered
 * into one. CELLS_MAX: how many cells a side of the rectangle may have that a request names.
 * CHUNKS_MAX: the greatest n. */
enum { CELLS_MAX = 64, CHUNKS_MAX = 1024 };

/* Sums over all markers of one kind in one square of n x n chunks. The page gets one marker for
 * them, at their mean place. */
typedef struct marker {
    uint64_t count;
    int64_t x, y; /* sums of the coordinates of all markers that were gathered into this one */
} marker;

/* The markers of the request, of specials or of events, and the grid of squares in which they
 * are gathered. */
typedef struct gathered {
    const ptl_catalogue *catalogue;
    const char *without; /* ids of specials, or kinds of events, that get no markers, each ended
                            by a newline; NULL: none */
    /* North-west and south-east chunk of the rectangle that is asked for. */
    const ptl_chunk_pos *within;
    /* The grid of cells. Each cell is a square of n x n chunks on the level z. The grid has so
     * many columns and rows; (x0, y0) is its north-western cell. */
    int32_t n, z, x0, y0, columns, rows;
    name_list kinds; /* kinds of events */
    bool events;   /* True: the markers are of events. False: they are of specials, and the kind
                      of a marker is the special's group. */
    marker *cells; /* owned; ordered by row, column, kind */
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
    if (s->z != g->z || !answer_is_within(g->within, s->chunk) || has_line(g->without, s->id))
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
    const named *kind = entry_of(&g->kinds, e->kind);
    if (kind)
        add_marker(g, e->chunk, (size_t)(kind - g->kinds.list), e->x, e->y);
    return kind != NULL;
}

static ptl_status gather(gathered *g, const asked *q, ptl_world *world, ptl_error *err)
{
    const size_t room = g->events ? EVENT_KINDS_MAX : GROUPS;
    const char *name = ptl_world_name(world);
    ptl_status status;
    g->catalogue = ptl_world_catalogue(world);
    g->cells = calloc((size_t)g->columns * (size_t)g->rows * room, sizeof *g->cells);
    if (!g->cells)
        return error_nomem(err);
    if (g->events)
        status = ptl_event_list(reader_store(q->from), name, g->within, gather_event, g, err);
    else
        status = ptl_special_each(reader_store(q->from), name, gather_special, g, err);
    if (g->kinds.failed) {
        error_clear(err);
        status = error_nomem(err);
    }
    return status;
}

ptl_status answer_gathered(const asked *q, reply *out, ptl_error *err)
{
    gathered g = {.z = q->z,
                  .within = q->corners,
                  .events = strcmp(q->text, "events") == 0,
                  .kinds = {.most = EVENT_KINDS_MAX}};
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
            emit_text(&out->j, g.events ? g.kinds.list[i].name : group_names[i]);
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
    names_dispose(&g.kinds);
    free(g.cells);
    return status;
}

/* ---- names that a reader may type ---- */

/* Writes id and name of all specials and buildings of cities, and whether it is a building. */
ptl_status answer_names(const asked *q, reply *out, ptl_error *err)
{
    (void)err;
    const ptl_catalogue *c = ptl_world_catalogue(q->world);
    emit_put(&out->j, "[");
    for (size_t i = 0; i < ptl_catalogue_count(c, PTL_CONTENT_SPECIAL); i++) {
        ptl_special s = PTL_SPECIAL_INIT;
        bytes name = {.size = 0};
        if (ptl_catalogue_special(&s, c, i) != PTL_OK)
            continue;
        names_put_special(&name, c, i);
        const char *text = bytes_text(&name);
        emit_put(&out->j, "[%s, %s, %i]", s.id, text ? text : s.id,
                 s.kind == PTL_SPECIAL_BUILDING);
        bytes_dispose(&name);
    }
    emit_put(&out->j, "]");
    return PTL_OK;
}
