/* Does the work after the author has saved files of the watched content: imports it, generates
 * a world, and compares that with an earlier world. */
#include "clients/os/throwaway.h"
#include "clients/watch/differ.h"
#include "clients/watch/locals.h"
#include "clients/watch/watch_impl.h"
#include "core/error.h"
#include "os/clock.h"
#include "portolan/catalogue.h"
#include "portolan/generate.h"
#include "portolan/stats.h"

#include <stdio.h>
#include <stdlib.h>

/* The most terrains that are listed because their name or drawing has changed. All are counted.
 */
enum { LOOKS_LISTED_MAX = 200 };

/* The most rows of statistics that are listed. All are counted. */
enum { RATES_LISTED_MAX = 500 };

typedef struct build {
    watch *w;
    const order *o;
    kept next;              /* the world that is being made */
    told_mistakes mistakes; /* the errors and warnings that the import has reported */
    watch_outcome outcome;
    ptl_error err;
} build;

/* The should_stop callback of all files that the work opens: true if the work shall end. */
static bool is_to_end(void *payload)
{
    const watch *w = payload;
    return atomic_load(&w->is_left_off) || atomic_load(&w->is_over) ||
           w->options.should_stop(w->options.reading);
}

void watch_drop(watch *w, kept *k)
{
    if (k->path) {
        w->options.on_drop(w->options.reading, k->world);
        throwaway_remove_file(k->path);
    }
    free(k->path);
    *k = (kept){.path = NULL};
}

static ptl_status open_store(ptl_store **out, watch *w, const char *path, ptl_open_mode mode,
                             ptl_error *err)
{
    ptl_open_options o = PTL_OPEN_OPTIONS_INIT;
    o.mode = mode;
    /* While the work goes on, requests of web pages may write to the file. */
    o.writers = PTL_WRITERS_SHARED;
    o.program = w->options.program;
    o.should_stop = is_to_end;
    o.payload = w;
    return ptl_store_open(out, path, &o, err);
}

/* ---- import and world ---- */

static void on_diagnostic(void *payload, const ptl_diagnostic *what)
{
    build *b = payload;
    told_mistakes_add(&b->mistakes, what);
    b->w->options.on_diagnostic(b->w->options.payload, what);
}

static ptl_status import(build *b, ptl_store *store)
{
    ptl_import_options o = *b->w->options.import;
    ptl_import_report report = PTL_IMPORT_REPORT_INIT;
    o.on_diagnostic = on_diagnostic;
    o.payload = b;
    told_stage(&b->w->told, "importing", 0, 0);
    const ptl_status status = ptl_import(&report, store, &o, &b->err);
    b->outcome.errors = report.errors;
    b->outcome.warnings = report.warnings;
    memcpy(b->next.digest, report.digest, sizeof b->next.digest);
    return status;
}

static bool on_chunks(void *payload, const ptl_progress *p)
{
    build *b = payload;
    told_stage(&b->w->told, "generating", p->done, p->total);
    return true;
}

/* Makes the world and generates the rectangle of overmaps in it. */
static ptl_status generate(build *b, ptl_store *store)
{
    const watch_options *wo = &b->w->options;
    const size_t width = (size_t)(wo->to.x - wo->from.x) + 1,
                 height = (size_t)(wo->to.y - wo->from.y) + 1;
    ptl_chunk_pos *list = calloc(width * height, sizeof *list);
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    ptl_world *world = NULL;
    if (!list)
        return error_nomem(&b->err);
    for (size_t i = 0; i < width * height; i++)
        list[i] = (ptl_chunk_pos){wo->from.x + (int32_t)(i % width),
                                  wo->from.y + (int32_t)(i / width)};
    o.positions = list;
    o.position_count = width * height;
    o.jobs = wo->jobs;
    o.on_progress = on_chunks;
    o.payload = b;
    told_stage(&b->w->told, "generating", 0, o.position_count);
    ptl_status status = ptl_world_create(store, b->next.world, wo->settings, &b->err);
    THEN(status, ptl_world_open(&world, store, b->next.world, NULL, &b->err));
    THEN(status, ptl_generate(NULL, world, &o, &b->err));
    ptl_world_close(world);
    free(list);
    return status;
}

/* ---- comparing two worlds ---- */

/* An open world and its open file. */
typedef struct opened {
    ptl_store *store;
    ptl_world *world;
} opened;

static void close_world(opened *o)
{
    ptl_world_close(o->world);
    ptl_store_close(o->store);
}

/* Opens the world `k`, which was made after this or an earlier save of the content. The caller
 * must call close_world, also after an error. */
static ptl_status open_world(opened *out, watch *w, const kept *k, ptl_open_mode mode,
                             ptl_error *err)
{
    *out = (opened){.store = NULL};
    TRY(open_store(&out->store, w, k->path, mode, err));
    return ptl_world_open(&out->world, out->store, k->world, NULL, err);
}

/* Compares the statistics of two worlds. The result has the rows of `portolan compare`, as
 * JSON. */

/* The counted overmaps of one of the two worlds that are compared. */
typedef struct side {
    ptl_sample *sample;
    ptl_tally *tally;
    ptl_comparison_input input;
} side;

static void side_dispose(side *s)
{
    ptl_tally_free(s->tally);
    ptl_sample_close(s->sample);
}

/* Counts a world's overmaps. *out must be disposed of, also after an error. */
static ptl_status side_count(side *out, const opened *world, ptl_error *err)
{
    ptl_sample_options o = PTL_SAMPLE_OPTIONS_INIT;
    bytes name = {.size = 0};
    /* The prefix "world:" is needed because a sweep may have the same name. */
    bytes_printf(&name, "world:%s", ptl_world_name(world->world));
    const char *full = bytes_text(&name);
    o.parts = PTL_COUNT_SPECIALS | PTL_COUNT_TERRAINS | PTL_COUNT_CITIES | PTL_COUNT_LINES;
    out->tally = ptl_tally_new();
    ptl_status status = full && out->tally
                            ? ptl_sample_open(&out->sample, world->store, full, err)
                            : error_nomem(err);
    THEN(status, ptl_tally_add(out->tally, out->sample, &o, err));
    if (status == PTL_OK) {
        out->input.tally = out->tally;
        out->input.specials = ptl_sample_specials(&out->input.special_count, out->sample);
    }
    bytes_dispose(&name);
    return status;
}

/* Returns whether two contents state different frequencies for a special. NULL: that content
 * lacks the special. */
static bool is_redefined(const ptl_sample_special *a, const ptl_sample_special *b)
{
    if (!a || !b)
        return a != b;
    return a->occurrences_min != b->occurrences_min ||
           a->occurrences_max != b->occurrences_max || a->is_unique != b->is_unique ||
           a->is_globally_unique != b->is_globally_unique;
}

/*
 * Writes a JSON object about the frequencies of things (specials, terrains, ...). It has the
 * numbers of overmaps in each world, and `rows`: a row for each thing that is more or less
 * frequent in `now` than in `before`, or whose defined frequency has changed. A row has the
 * kind, the id, the sums before and now, the means for one overmap (null if unknown), and the
 * name of the change. Then come the p-value of the test, the same corrected for the number of
 * tests, and whether the change is significant at 0.95. `count` is the number of such rows,
 * and `significant` the number of significant ones; *count and *significant get the same
 * numbers.
 */
static ptl_status rates_put(emitter *j, uint64_t *count, uint64_t *significant,
                            const opened *before, const opened *now, ptl_error *err)
{
    ptl_comparison_options o = PTL_COMPARISON_OPTIONS_INIT;
    ptl_comparison *c = NULL;
    side a = {.sample = NULL}, b = {.sample = NULL};
    *count = *significant = 0;
    o.terrains = true;
    ptl_status status = side_count(&a, before, err);
    THEN(status, side_count(&b, now, err));
    THEN(status, ptl_comparison_new(&c, &a.input, &b.input, &o, err));
    emit_put(j, "{");
    if (status == PTL_OK) {
        emit_put(j, "overmaps_before:%ju, overmaps_now:%ju, rows:[", a.tally->overmaps,
                 b.tally->overmaps);
        for (size_t i = 0; i < c->count; i++) {
            const ptl_comparison_row *r = c->rows[i];
            if (r->a.sum == r->b.sum && !r->significant &&
                !is_redefined(r->a.definition, r->b.definition))
                continue;
            *significant += r->significant;
            if ((*count)++ < RATES_LISTED_MAX) {
                emit_put(j,
                         "{kind:%s, id:%s, before:%ju, now:%ju, mean_before:%g, mean_now:%g, "
                         "change:%s, p:%g, adjusted:%g, significant:%i, redefined:%i}",
                         ptl_comparison_kind_name(r->kind), r->id, r->a.sum, r->b.sum,
                         r->a.each.mean, r->b.each.mean, ptl_comparison_change_name(r->change),
                         r->test.p, r->adjusted, r->significant,
                         is_redefined(r->a.definition, r->b.definition));
            }
        }
        emit_put(j, "], count:%ju, significant:%ju", *count, *significant);
    }
    emit_put(j, "}");
    ptl_comparison_free(c);
    side_dispose(&a);
    side_dispose(&b);
    return status;
}

static void put_look(emitter *j, const char *key, const ptl_terrain_type *t)
{
    emit_key(j, key);
    emit_put(j, "{name:%s, color:%s, symbol:%u}", t->name, t->color, t->symbol);
}

/* Writes the members "looks" and "looks_count". "looks" lists terrains that are drawn or named
 * differently: the id, and name, color and symbol "before" and "now". Terrains that only one of
 * the contents has are left out. */
static void looks_put(emitter *j, uint64_t *count, const ptl_world *before,
                      const ptl_world *now)
{
    const ptl_catalogue *old = ptl_world_catalogue(before), *all = ptl_world_catalogue(now);
    const size_t terrains = ptl_catalogue_count(all, PTL_CONTENT_TERRAIN);
    *count = 0;
    emit_put(j, "looks:[");
    for (size_t i = 0; i < terrains; i++) {
        ptl_terrain_type t = PTL_TERRAIN_TYPE_INIT, was = PTL_TERRAIN_TYPE_INIT;
        size_t number;
        if (ptl_catalogue_terrain(&t, all, i) != PTL_OK ||
            ptl_catalogue_find(&number, old, PTL_CONTENT_TERRAIN, t.id) != PTL_OK ||
            ptl_catalogue_terrain(&was, old, number) != PTL_OK)
            continue; /* a new terrain has no name and drawing in the earlier content */
        if ((was.symbol == t.symbol && strcmp(was.name, t.name) == 0 &&
             strcmp(was.color, t.color) == 0) ||
            ++*count > LOOKS_LISTED_MAX)
            continue;
        emit_put(j, "{id:%s", t.id);
        put_look(j, "before", &was);
        put_look(j, "now", &t);
        emit_put(j, "}");
    }
    emit_put(j, "], looks_count:%ju", *count);
}

/* Compares the new world with an earlier one: specials, cities, looks of terrains,
 * statistics. */
static ptl_status compare(build *b, const kept *base, bytes *changes, bytes *rates)
{
    opened before, now = {.store = NULL};
    differ_report report = {.chunks = 0};
    emitter c = {changes, false}, j = {rates, false};
    told_stage(&b->w->told, "comparing", 0, 0);
    ptl_status status = open_world(&before, b->w, base, PTL_OPEN_READ, &b->err);
    THEN(status, open_world(&now, b->w, &b->next, PTL_OPEN_READ, &b->err));
    emit_put(&c, "{");
    THEN(status, differ_put(&c, &report, before.world, now.world, b->w->options.from,
                            b->w->options.to, &b->err));
    if (status == PTL_OK)
        looks_put(&c, &b->outcome.looks, before.world, now.world);
    emit_put(&c, "}");
    b->outcome.moved = report.count[DIFFER_SPECIAL][DIFFER_MOVED];
    b->outcome.added = report.count[DIFFER_SPECIAL][DIFFER_ADDED];
    b->outcome.lost = report.count[DIFFER_SPECIAL][DIFFER_LOST];
    THEN(status,
         rates_put(&j, &b->outcome.departed, &b->outcome.significant, &before, &now, &b->err));
    THEN(status, changes->failed || rates->failed ? error_nomem(&b->err) : PTL_OK);
    close_world(&now);
    close_world(&before);
    return status;
}

static bool on_maps(void *payload, uint64_t done, uint64_t total)
{
    build *b = payload;
    told_stage(&b->w->told, "local maps", done, total);
    return !is_to_end(b->w);
}

/* Compares the local maps of the shown world with those of the world `w->base`, and makes the
 * result available to web pages. Both files are opened for writing, because the maps are made
 * and stored first. After an error the pages get the error instead, because the world can be
 * shown without the result. Returns false if the work was broken off. */
static bool tell_maps(build *b)
{
    const watch_options *wo = &b->w->options;
    concerned those = {.memory = NULL};
    const locals_options o = {wo->from, wo->to, wo->maps, &those, wo->jobs, on_maps, b};
    locals_report report = {.terrains = 0};
    opened before = {.store = NULL}, now = {.store = NULL};
    bytes maps = {.size = 0};
    emitter j = {&maps, false};
    ptl_error err = {.status = PTL_OK};
    told_stage(&b->w->told, "local maps", 0, 0);
    ptl_status status = wo->maps > 0
                            ? open_world(&before, b->w, &b->w->base, PTL_OPEN_WRITE, &err)
                            : error_set(&err, PTL_ERR_LIMIT, "--maps 0 was said");
    THEN(status, open_world(&now, b->w, &b->w->shown, PTL_OPEN_WRITE, &err));
    THEN(status, concerned_read(&those, (const char *)b->w->paths.data, b->w->paths.size)
                     ? PTL_OK
                     : error_nomem(&err));
    THEN(status, locals_put(&j, &report, before.world, now.world, &o, &err));
    b->outcome.maps = report.compared;
    b->outcome.maps_changed = report.changed;
    concerned_dispose(&those);
    close_world(&now);
    close_world(&before);
    if (status != PTL_OK) {
        bytes_clear(&maps);
        j = (emitter){&maps, false};
        emit_put(&j, "{error:%s}", err.message);
    }
    if (status != PTL_ERR_CANCELLED)
        told_maps(&b->w->told, &maps);
    bytes_dispose(&maps);
    return status != PTL_ERR_CANCELLED;
}

/* ---- all work after the content was saved ---- */

/*
 * Makes the new world, compares it, opens its file to readers, and shows it. The new world is
 * compared with the world that has been shown until now. But if the comparison of the shown
 * world was broken off, the new world is compared with `w->base`, with which the shown world
 * should have been compared.
 */
static ptl_status build_world(build *b)
{
    watch *w = b->w;
    const kept *base = w->shown.is_whole ? &w->shown : &w->base;
    bytes changes = {.size = 0}, rates = {.size = 0};
    /* Makes a file with the new content, and a new world in it. If the content turns out to be
     * the same as before (WATCH_UNCHANGED), the file gets no world. */
    ptl_store *store = NULL;
    ptl_status status = open_store(&store, b->w, b->next.path, PTL_OPEN_CREATE, &b->err);
    THEN(status, import(b, store));
    /* If the content is the same as before, no new world is made. But if the comparison of the
     * shown world was broken off, a new world is made all the same, so that there is a
     * comparison. */
    if (status == PTL_OK && w->shown.path && w->shown.is_whole &&
        strcmp(w->shown.digest, b->next.digest) == 0)
        b->outcome.result = WATCH_UNCHANGED;
    else if (status == PTL_OK)
        status = generate(b, store);
    ptl_store_close(store);
    if (status == PTL_OK && b->outcome.result == WATCH_GOOD) {
        if (base->path)
            status = compare(b, base, &changes, &rates);
        THEN(status,
             w->options.on_add(w->options.reading, b->next.world, b->next.path, &b->err));
    }
    if (status == PTL_OK && b->outcome.result == WATCH_GOOD) {
        /* Makes the new world the shown one. If the comparison of the previously shown world
         * was finished, that world becomes w->base, with which later worlds are compared;
         * otherwise w->base stays and the previously shown world is dropped. */
        kept gone = w->shown;
        if (w->shown.is_whole) {
            gone = w->base;
            w->base = w->shown;
        }
        w->shown = b->next;
        b->next = (kept){.path = NULL};
        b->outcome.world = w->shown.world;
        b->outcome.is_compared = w->base.path != NULL;
        b->outcome.before = w->base.world;
        told_world(&w->told, w->shown.world, w->base.world, &changes, &rates);
        watch_drop(w, &gone);
    }
    bytes_dispose(&changes);
    bytes_dispose(&rates);
    return status;
}

static watch_result result_of(const build *b, ptl_status status)
{
    if (status == PTL_OK)
        return b->outcome.result;
    if (is_to_end(b->w) && status == PTL_ERR_CANCELLED)
        return WATCH_LEFT_OFF;
    return status == PTL_ERR_CONTENT && b->outcome.errors > 0 ? WATCH_REFUSED : WATCH_FAILED;
}

bool watch_build(watch *w, const order *o)
{
    const watch_options *wo = &w->options;
    const double begun = clock_seconds();
    build b = {.w = w, .o = o, .err = {.status = PTL_OK}};
    char name[WATCH_NAME_SIZE];
    bytes_put(&w->paths, o->paths.data, o->paths.size);
    b.outcome.save = o->save;
    (void)snprintf(b.next.world, sizeof b.next.world, "save %u", o->save);
    (void)snprintf(name, sizeof name, "save-%u.db", o->save);
    told_begin(&w->told, o->save, &o->paths, o->changed);
    wo->on_begin(wo->payload, o->save, o->changed,
                 o->paths.size > 0 ? (const char *)o->paths.data : "");
    b.next.path = throwaway_path(wo->folder, name);
    const ptl_status status = b.next.path ? build_world(&b) : error_nomem(&b.err);
    if (b.next.path) /* the new world did not become the shown one */
        throwaway_remove_file(b.next.path);
    free(b.next.path);
    b.outcome.result = result_of(&b, status);
    static const char *const names[] = {[WATCH_GOOD] = "good",
                                        [WATCH_UNCHANGED] = "unchanged",
                                        [WATCH_REFUSED] = "refused",
                                        [WATCH_FAILED] = "failed",
                                        [WATCH_LEFT_OFF] = "left off"};
    const bool is_left = b.outcome.result == WATCH_LEFT_OFF;
    told_end(&b.w->told, b.o->save, names[b.outcome.result], b.err.message,
             is_left ? NULL : &b.mistakes);
    bool is_whole = b.outcome.result != WATCH_LEFT_OFF;
    if (b.outcome.result == WATCH_GOOD) {
        is_whole = !w->base.path || tell_maps(&b);
        w->shown.is_whole = is_whole;
        if (is_whole)
            bytes_clear(&w->paths);
    }
    told_stage(&w->told, "waiting", 0, 0);
    b.outcome.seconds = clock_seconds() - begun;
    b.outcome.err = &b.err;
    wo->on_end(wo->payload, &b.outcome);
    told_mistakes_dispose(&b.mistakes);
    return is_whole;
}
