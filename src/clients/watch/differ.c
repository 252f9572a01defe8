#include "clients/watch/differ.h"

#include "core/error.h"
#include "portolan/features.h"

#include <assert.h>
#include <stdlib.h>

/* PAIRS_MAX: the most steps that may be taken to match n things of one world with m things of
 * the other by distance. Finding one pair takes n x m steps. If all pairs together would take
 * more than PAIRS_MAX, things are matched in the order of their places instead. */
enum { PAIRS_MAX = 20000000 };

/* A special, city or building of a chunk, with its place. */
typedef struct item {
    differ_thing thing;
    differ_place place;
    bool is_matched;
} item;

/* All specials, cities and buildings of one chunk of one world. */
typedef struct items {
    ptl_features *features; /* owned; the items borrow their ids from these features */
    item *list;             /* owned; sorted by compare_items */
    size_t count;
    bool is_there;
} items;

typedef struct differ {
    const differ_options *options;
    differ_report *report;
    bool is_stopped;
} differ;

/* ---- loading the specials, cities and buildings of a chunk ---- */

static int by_number(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* Compares two items by kind of thing and id. Items with equal kind and id form a group; only
 * items of one group can match. */
static int compare_group(const item *a, const item *b)
{
    assert(a->place.id && b->place.id); /* items_load has set every id */
    const int order = by_number(a->thing, b->thing);
    return order ? order : strcmp(a->place.id, b->place.id);
}

static int compare_place(const differ_place *a, const differ_place *b)
{
    int order = by_number(a->y, b->y);
    order = order ? order : by_number(a->x, b->x);
    order = order ? order : by_number(a->z, b->z);
    return order ? order : by_number(a->turn, b->turn);
}

static int compare_items(const void *a, const void *b)
{
    const item *i = a, *k = b;
    const int order = compare_group(i, k);
    return order ? order : compare_place(&i->place, &k->place);
}

static void items_dispose(items *i)
{
    free(i->list);
    ptl_features_free(i->features);
}

/* Loads the items of a chunk. If the chunk is not saved there are none, and is_there is false.
 * *out must be disposed of, also after an error. */
static ptl_status items_load(items *out, ptl_world *world, ptl_chunk_pos pos, ptl_error *err)
{
    ptl_error own = {.status = PTL_OK};
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    *out = (items){.features = NULL};
    ptl_status status = ptl_features_load(&out->features, world, pos, &own);
    if (status == PTL_ERR_NOT_FOUND)
        return PTL_OK;
    if (status != PTL_OK)
        return error_copy(err, &own);
    out->is_there = true;
    (void)ptl_features_describe(&info, out->features);
    /* Lists specials, cities and buildings with their absolute places. For a city the member
     * `turn` has its size, because a city has no rotation. */
    const int64_t x0 = (int64_t)info.pos.x * PTL_CHUNK_SIZE,
                  y0 = (int64_t)info.pos.y * PTL_CHUNK_SIZE;
    out->list = calloc(info.specials + info.cities + info.buildings + 1, sizeof *out->list);
    if (!out->list)
        return error_nomem(err);
    for (size_t i = 0; i < info.specials; i++) {
        ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
        if (ptl_features_special(&s, out->features, i) == PTL_OK)
            out->list[out->count++] =
                (item){DIFFER_SPECIAL, {s.id, x0 + s.x, y0 + s.y, s.z, s.rotation}, false};
    }
    for (size_t i = 0; i < info.cities; i++) {
        ptl_city c = PTL_CITY_INIT;
        if (ptl_features_city(&c, out->features, i) == PTL_OK)
            out->list[out->count++] =
                (item){DIFFER_CITY, {c.name, x0 + c.x, y0 + c.y, 0, c.radius}, false};
    }
    for (size_t i = 0; i < info.buildings; i++) {
        ptl_building b = PTL_BUILDING_INIT;
        if (ptl_features_building(&b, out->features, i) == PTL_OK)
            out->list[out->count++] =
                (item){DIFFER_BUILDING, {b.id, x0 + b.x, y0 + b.y, b.z, b.rotation}, false};
    }
    if (out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, compare_items);
    return PTL_OK;
}

/* ---- matching the specials, cities and buildings of two worlds ---- */

static void tell(differ *d, differ_thing thing, const item *before, const item *now)
{
    const differ_row row = {thing,
                            !before ? DIFFER_ADDED
                            : !now  ? DIFFER_LOST
                                    : DIFFER_MOVED,
                            before ? &before->place : NULL, now ? &now->place : NULL};
    d->report->count[row.thing][row.change]++;
    if (!d->is_stopped && d->options->on_row)
        d->is_stopped = !d->options->on_row(d->options->payload, &row);
}

/* Finds the nearest pair of unmatched items, one of each list; of several equally near pairs it
 * takes the first. A difference of one level counts like one OMT in x or y. If `many` is set,
 * it takes the first unmatched pair, whatever its distance. Returns false if one of the lists
 * has no unmatched item. */
static bool nearest(item *before, size_t n, item *now, size_t m, bool many, item **a, item **b)
{
    int64_t best = INT64_MAX;
    for (size_t i = 0; i < n && !(many && best < INT64_MAX); i++)
        for (size_t k = 0; k < m && !before[i].is_matched && !(many && best < INT64_MAX); k++) {
            const differ_place *p = &before[i].place, *q = &now[k].place;
            const int64_t x = p->x - q->x, y = p->y - q->y, z = p->z - q->z,
                          far = now[k].is_matched ? INT64_MAX : x * x + y * y + z * z;
            if (far < best) {
                best = far;
                *a = &before[i];
                *b = &now[k];
            }
        }
    return best < INT64_MAX;
}

/* Matches items that have the same kind and id: n items in the earlier world, m items in the
 * present one. First the items in the same place are matched; then the nearest pairs, which
 * count as moved. Items that remain were lost or added. */
static void match_group(differ *d, item *before, size_t n, item *now, size_t m)
{
    item *a = NULL, *b = NULL;
    const size_t fewer = n < m ? n : m;
    size_t same = 0;
    /* Items_load has sorted both lists by place, too. */
    for (size_t i = 0, k = 0; i < n && k < m;) {
        const int order = compare_place(&before[i].place, &now[k].place);
        if (order == 0) {
            before[i].is_matched = now[k].is_matched = true;
            same++;
        }
        i += order <= 0;
        k += order >= 0;
    }
    const bool many = fewer > 0 && n > PAIRS_MAX / m / fewer;
    if (n > 0 || m > 0)
        d->report->same[n > 0 ? before->thing : now->thing] += same;
    while (nearest(before, n, now, m, many, &a, &b)) {
        a->is_matched = b->is_matched = true;
        tell(d, a->thing, a, b);
    }
    for (size_t i = 0; i < n; i++)
        if (!before[i].is_matched)
            tell(d, before[i].thing, &before[i], NULL);
    for (size_t i = 0; i < m; i++)
        if (!now[i].is_matched)
            tell(d, now[i].thing, NULL, &now[i]);
}

/* Returns how many items at the beginning of the list are in one group, that is, equal for
 * compare_group. */
static size_t group_size(const item *list, size_t count)
{
    size_t size = count > 0;
    while (size < count && compare_group(&list[0], &list[size]) == 0)
        size++;
    return size;
}

/* ---- comparing worlds ---- */

static ptl_status differ_chunk(differ *d, ptl_world *before, ptl_world *now, ptl_chunk_pos pos,
                               ptl_error *err)
{
    items a, b = {.features = NULL};
    ptl_status status = items_load(&a, before, pos, err);
    THEN(status, items_load(&b, now, pos, err));
    const bool are_there = status == PTL_OK && a.is_there && b.is_there;
    d->report->chunks += are_there;
    for (size_t i = 0, k = 0; are_there && (i < a.count || k < b.count);) {
        item *p = a.list + i, *q = b.list + k;
        const int order = i == a.count ? 1 : k == b.count ? -1 : compare_group(p, q);
        const size_t n = order <= 0 ? group_size(p, a.count - i) : 0,
                     m = order >= 0 ? group_size(q, b.count - k) : 0;
        match_group(d, p, n, q, m);
        i += n;
        k += m;
    }
    items_dispose(&a);
    items_dispose(&b);
    if (status == PTL_OK && d->is_stopped)
        status = error_set(err, PTL_ERR_CANCELLED, "stopped");
    return status;
}

ptl_status differ_worlds(differ_report *out, ptl_world *before, ptl_world *now,
                         const differ_options *options, ptl_error *err)
{
    differ d = {.options = options, .report = out};
    ptl_status status = PTL_OK;
    *out = (differ_report){.chunks = 0};
    for (int32_t y = options->from.y; y <= options->to.y && status == PTL_OK; y++)
        for (int32_t x = options->from.x; x <= options->to.x && status == PTL_OK; x++)
            status = differ_chunk(&d, before, now, (ptl_chunk_pos){x, y}, err);
    return status;
}

/* ---- as JSON ---- */

static const char *const thing_names[] = {
    [DIFFER_SPECIAL] = "specials", [DIFFER_CITY] = "cities", [DIFFER_BUILDING] = "buildings"};
static const char *const change_names[] = {
    [DIFFER_MOVED] = "moved", [DIFFER_ADDED] = "added", [DIFFER_LOST] = "lost"};
static const char *const count_names[] = {[DIFFER_MOVED] = "moved_count",
                                          [DIFFER_ADDED] = "added_count",
                                          [DIFFER_LOST] = "lost_count"};

typedef struct row_lists {
    bytes text[DIFFER_THINGS][DIFFER_CHANGES];
    emitter j[DIFFER_THINGS][DIFFER_CHANGES];
    size_t listed[DIFFER_THINGS];
} row_lists;

static bool on_row(void *payload, const differ_row *row)
{
    row_lists *lists = payload;
    emitter *j = &lists->j[row->thing][row->change];
    if (lists->listed[row->thing]++ >= DIFFER_LISTED_MAX)
        return true;
    emit_put(j, "[%s", row->before ? row->before->id : row->now->id);
    if (row->before)
        emit_put(j, "%jd, %jd, %d, %d", row->before->x, row->before->y, row->before->z,
                 row->before->turn);
    if (row->now)
        emit_put(j, "%jd, %jd, %d, %d", row->now->x, row->now->y, row->now->z, row->now->turn);
    emit_put(j, "]");
    return true;
}

ptl_status differ_put(emitter *j, differ_report *out, ptl_world *before, ptl_world *now,
                      ptl_chunk_pos from, ptl_chunk_pos to, ptl_error *err)
{
    row_lists lists = {.listed = {0}};
    const differ_options options = {from, to, on_row, &lists};
    for (size_t i = 0; i < DIFFER_THINGS; i++)
        for (size_t k = 0; k < DIFFER_CHANGES; k++)
            lists.j[i][k] = (emitter){&lists.text[i][k], false};
    const ptl_status status = differ_worlds(out, before, now, &options, err);
    if (status == PTL_OK)
        emit_key_uint(j, "chunks", out->chunks);
    for (size_t i = 0; i < DIFFER_THINGS && status == PTL_OK; i++) {
        emit_key(j, thing_names[i]);
        emit_put(j, "{same:%ju", out->same[i]);
        for (size_t k = 0; k < DIFFER_CHANGES; k++) {
            emit_key(j, change_names[k]);
            emit_put(j, "[");
            emit_values(j, &lists.text[i][k]);
            emit_put(j, "]");
            emit_key_uint(j, count_names[k], out->count[i][k]);
        }
        emit_put(j, "}");
    }
    for (size_t i = 0; i < DIFFER_THINGS; i++)
        for (size_t k = 0; k < DIFFER_CHANGES; k++)
            bytes_dispose(&lists.text[i][k]);
    return status;
}
