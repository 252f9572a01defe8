/*
 * ptl_import: reads, loads and checks content, and then either reports what is wrong or
 * replaces the file's content in one transaction.
 */
#include "content/import/record.h"
#include "content/import/sources.h"
#include "core/bytes.h"
#include "core/error.h"
#include "core/sized.h"
#include "os/clock.h"
#include "os/pool.h"
#include "store/content_store.h"
#include "store/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- stopping ---- */

static bool asks(void *payload)
{
    const import *im = payload;
    const ptl_import_options *o = im->options;
    return (o->should_stop && o->should_stop(o->payload)) ||
           (im->store && ops(im->store)->transaction->stopped(im->store));
}

stop_hook import_asks(import *im)
{
    return (stop_hook){asks, im};
}

bool import_stopped(import *im)
{
    enum { ROUNDS = 64 };
    const stop_hook hook = import_asks(im);
    ptl_status *status = &im->source->status;
    if (*status == PTL_OK && im->questions++ % ROUNDS == 0 && stop_asked(&hook))
        *status = PTL_ERR_CANCELLED;
    return *status == PTL_ERR_CANCELLED;
}

void import_await(import *im, pool *p)
{
    static const double WAIT = 0.05; /* seconds */
    const stop_hook hook = import_asks(im);
    while (!import_ended(im) && pool_pending(p) > 0) {
        pool_task *t = pool_take(p, WAIT);
        if (t && t->status != PTL_OK)
            import_fail(im, t->status);
        free(t);
        if (stop_asked(&hook))
            import_fail(im, PTL_ERR_CANCELLED);
    }
}

/* ---- writing ---- */

static void note_damage(void *payload, const char *table, const char *message)
{
    (void)table;
    (void)message;
    *(bool *)payload = true;
}

/* Refuses content that would change a world whose maps are derived from the present
 * content. */
static ptl_status check_world(void *payload, const world_row *world, ptl_error *err)
{
    const int64_t *current = payload;
    if (!world->derive || world->content_id != *current)
        return PTL_OK;
    return error_set(
        err, PTL_ERR_EXISTS,
        "world '%s' derives its local maps from the file's present content, of "
        "which another one would make others; first store those that were visited: "
        "portolan generate FILE --world NAME --local --keep --omt X0,Y0,X1,Y1",
        world->name);
}

/* Replaces the file's content. Must be called inside of a transaction. */
static ptl_status replace_content(import *im, ptl_store *store)
{
    content_standing found = {0};
    char hex[DIGEST_HEX_SIZE];
    digest_to_hex(&im->source->digest, hex);
    /* Looks whether the file has this content already. If so, the content stays as it is,
     * unless its tables are damaged, or were written by an older program that did not know all
     * of them. */
    bool damaged = false;
    TRY(ops(store)->import->find(&found, store, hex, im->err));
    if (found.current)
        TRY(ops(store)->import->check(store, note_damage, &damaged, im->err));
    im->report->unchanged = found.current && !found.older && !damaged;
    if (!found.current) {
        int64_t current = 0;
        TRY(ops(store)->content->current(&current, store, im->err));
        TRY(ops(store)->world->visit(store, check_world, &current, im->err));
    }
    if (im->report->unchanged)
        return ops(store)->import->count_stale(&im->report->stale_chunks, store, found.id,
                                               im->err);
    /* The file keeps the old content, but only for reading: worlds were made with it. */
    if (!found.current)
        TRY(ops(store)->import->keep(store, im->err));
    content_row row = {.id = found.id,
                       .digest = hex,
                       .lenient = im->options->lenient,
                       .files = im->report->files,
                       .objects = im->report->objects,
                       .bytes = im->report->bytes};
    TRY(ops(store)->import->put(store, &row, im->err));
    TRY(ops(store)->import->clear(store, row.id, im->err));
    content_writer *w = NULL;
    TRY(content_writer_new(&w, store, row.id, im->err));
    kept_write(im, w);
    for (size_t i = 0; im->modules[i]; i++) {
        definitions_write(im, w, im->modules[i]->definitions);
        if (im->modules[i]->write)
            im->modules[i]->write(im, w);
    }
    const ptl_status status = content_writer_status(w);
    content_writer_free(w);
    TRY(status == PTL_OK ? source_status(im) : status);
    TRY(ops(store)->import->seal(store, im->err));
    return ops(store)->import->count_stale(&im->report->stale_chunks, store, row.id, im->err);
}

/* ---- the passes ---- */

static ptl_status content_status(import *im)
{
    if (im->report->errors == 0)
        return PTL_OK;
    const import_source *source = im->source;
    const unsigned long long errors = im->report->errors;
    const char *plural = errors == 1 ? "" : "s";
    for (size_t i = 0; i < source->diagnostic_count; i++) {
        const diagnostic *d = &source->diagnostics[i];
        const char *text = d->severity == PTL_ERROR ? diagnostic_text(im, d) : NULL;
        if (!text)
            continue;
        /* Writes line and column of the error as ":LINE:COLUMN", as far as they are known. */
        char numbers[40] = "";
        if (d->line > 0)
            (void)snprintf(numbers, sizeof numbers, d->column > 0 ? ":%d:%d" : ":%d", d->line,
                           d->column);
        return error_set(im->err, PTL_ERR_CONTENT,
                         "%llu error%s in the content; the first: %s%s%s%s%s%s", errors, plural,
                         d->path, d->path[0] ? numbers : "", d->path[0] ? ": " : "", d->id,
                         d->id[0] ? ": " : "", text);
    }
    return error_set(im->err, PTL_ERR_CONTENT, "%llu error%s in the content", errors, plural);
}

/* Gathers the directories to read: the built-in pack, those of the game, and those that the
 * caller gave. A directory given as "" is read as "./", since the path "" stands for the
 * built-in pack. */
static ptl_status find_roots(import *im)
{
    const ptl_import_options *o = im->options;
    texts_find(im);
    if (o->builtin)
        roots_add(im, "", ROOT_BASE);
    game_take(im);
    const bool first_of_several = im->source->root_count == 0 && o->directory_count > 1;
    for (size_t i = 0; i < o->directory_count; i++)
        roots_add(im, o->directories[i][0] ? o->directories[i] : "./",
                  first_of_several && i == 0 ? ROOT_FIRST : ROOT_GIVEN);
    return source_status(im);
}

/*
 * The rest of this file loads and checks the objects that the source layer (source.h) has
 * found. With the option lenient, an object with an error is left out, and the modules run
 * again over the rest until nothing is wrong. A reference to an object that was left out is
 * reported as any other unknown reference; the message also gives the file and line of that
 * object.
 */

/* The most rounds of loading and checking. Most errors show in the first round; later rounds
 * find errors that arise because an object was left out. */
enum { ROUNDS_MAX = 16 };

/* The values that a round of loading and checking changes, as they were before the round. */
typedef struct checkpoint {
    ptl_import_report report;
    size_t diagnostics, own;
    uint64_t compared;
} checkpoint;

static void note_id(import *im, const json_t *id, size_t index)
{
    if (json_is_string(id) &&
        strmap_put(&im->source->left_out, json_string_value(id), (uint32_t)index) != 0)
        import_no_memory(im);
}

/* Leaves an object out. Its JSON value is kept, since its ids are still needed for messages. */
static void leave_out(import *im, const source_object *object)
{
    import_source *source = im->source;
    const json_t *id = json_object_get(object->json, "id");
    const size_t index = source->wrong_count;
    if ((object->json && !source_own(im, object->json)) ||
        !SOURCE_ROOM(im, source->wrong, index, source->wrong_capacity))
        return;
    source->wrong[source->wrong_count++] = object;
    note_id(im, id ? id : json_object_get(object->json, "abstract"), index);
    for (size_t i = 0; i < json_array_size(id); i++)
        note_id(im, json_array_get(id, i), index);
}

/* Removes all objects with errors from the lists that modules read. The errors are those among
 * the remarks from number `first` on. */
static ptl_status take_out(import *im, size_t first)
{
    const import_source *source = im->source;
    bool *wrong = calloc((size_t)source->object_count + 1, sizeof *wrong);
    if (!wrong)
        return error_nomem(im->err);
    for (size_t i = first; i < source->diagnostic_count; i++)
        if (source->diagnostics[i].severity == PTL_ERROR)
            wrong[source->diagnostics[i].object->order] = true;
    for (size_t i = 0; i < source->type_count; i++) {
        source_type *type = &source->types[i]->objects;
        size_t left = 0;
        for (size_t k = 0; k < type->count; k++) {
            if (wrong[type->objects[k]->order])
                leave_out(im, type->objects[k]);
            else
                type->objects[left++] = type->objects[k];
        }
        type->count = left;
    }
    free(wrong);
    return source_status(im);
}

/* Restores the state before a round of loading and checking, except that objects with errors
 * are left out, and their errors become warnings. */
static ptl_status end_round(import *im, const checkpoint *before)
{
    import_source *source = im->source;
    const size_t wrong = source->wrong_count;
    for (size_t i = before->own; i < source->own_count; i++)
        json_decref(source->own[i]);
    source->own_count = before->own;
    const ptl_status status = take_out(im, before->diagnostics);
    *im->report = before->report;
    im->report->left_out += source->wrong_count - wrong;
    im->compared = before->compared;
    strmap_dispose(&im->source->unknown_map);
    strmap_init(&im->source->unknown_map);
    im->source->unknown_count = 0;
    diagnostics_excuse(im, before->diagnostics);
    return status == PTL_OK ? source_status(im) : status;
}

/* Returns true if there are errors among the remarks from number `first` on, and if each of
 * these errors is about an object, so that the object can be left out. */
static bool excusable(const import *im, size_t first)
{
    size_t found = 0;
    for (size_t i = first; i < im->source->diagnostic_count; i++) {
        const diagnostic *d = &im->source->diagnostics[i];
        if (d->severity == PTL_ERROR && !d->object)
            return false;
        found += d->severity == PTL_ERROR;
    }
    return found > 0;
}

/* Loads and checks everything. With the option lenient, an error in an object
 * becomes a warning, and the object is left out. */
static ptl_status modules_run(import *im)
{
    for (int round = 0;; round++) {
        const checkpoint before = {*im->report, im->source->diagnostic_count,
                                   im->source->own_count, im->compared};
        for (size_t i = 0; im->modules[i] && !import_stopped(im) && !import_ended(im); i++) {
            definitions_load(im, im->modules[i]->definitions);
            if (im->modules[i]->load && !import_ended(im))
                im->modules[i]->load(im);
        }
        for (size_t i = 0; im->modules[i] && !import_stopped(im) && !import_ended(im); i++)
            if (im->modules[i]->check)
                im->modules[i]->check(im);
        ptl_status status = source_status(im);
        if (status != PTL_OK || !im->options->lenient || round == ROUNDS_MAX ||
            !excusable(im, before.diagnostics))
            return status;
        TRY(end_round(im, &before));
    }
}

static void emit_packs(const import *im)
{
    const ptl_import_options *o = im->options;
    for (size_t i = 0; o->on_pack && i < im->pack_count; i++)
        o->on_pack(o->payload, im->packs[i].id, im->packs[i].directory, im->packs[i].is_base);
}

/* Runs the import. `store` is NULL if the content is only checked. */
static ptl_status run(import *im, ptl_store *store)
{
    sources_begin(im);
    im->arena = arena_new();
    if (!im->arena)
        return error_nomem(im->err);
    ptl_status status = source_init(im);
    THEN(status, find_roots(im));
    const bool found = im->report->errors == 0;
    if (status == PTL_OK && found)
        status = source_load(im);
    if (status == PTL_OK && found)
        status = modules_run(im);
    if (status == PTL_OK && found)
        sources_end(im);
    if (im->source && im->source->status != PTL_ERR_CANCELLED) {
        /* Remarks are reported also after a failure, since they may explain it. */
        diagnostics_finish(im);
        emit_packs(im);
        diagnostics_emit(im);
    }
    THEN(status, source_status(im));
    THEN(status, content_status(im));
    if (status == PTL_OK && store) {
        status = ops(store)->transaction->begin(store, im->err);
        if (status == PTL_OK) {
            status = replace_content(im, store);
            if (status == PTL_OK && !im->report->unchanged)
                status = ops(store)->transaction->commit(store, im->err);
            if (status != PTL_OK || im->report->unchanged)
                ops(store)->transaction->rollback(store);
        }
    }
    source_dispose(im);
    arena_free(im->arena);
    return status;
}

ptl_status import_content(ptl_store *store, const ptl_import_options *options,
                          ptl_import_report *report, const content_module *const *modules,
                          ptl_error *err)
{
    ptl_import_options o = PTL_IMPORT_OPTIONS_INIT;
    ptl_import_report r = PTL_IMPORT_REPORT_INIT;
    ptl_error own_error;
    struct import im = {
        .options = &o, .report = &r, .err = err ? err : &own_error, .modules = modules};
    error_clear(im.err);
    TRY(SIZED_TAKE_IN("ptl_import", ptl_import_options, &o, options, err));
    TRY(SIZED_CHECK_IN("ptl_import", ptl_import_report, report, err));
    if (!options || (!store && !o.check))
        return error_set(im.err, PTL_ERR_ARGUMENT, "no %s given",
                         options ? "store" : "options");
    if (o.quick && !o.check && ops(store)->lasting)
        return error_set(im.err, PTL_ERR_ARGUMENT, "a quick import needs a transient store");
    if (o.directory_count == 0 && !o.builtin && !o.game)
        return error_set(im.err, PTL_ERR_ARGUMENT, "no content directory given");
    if ((o.mod_count > 0 || o.save) && !o.game)
        return error_set(im.err, PTL_ERR_ARGUMENT, "mods without their game");
    double start = clock_seconds();
    im.store = o.check ? NULL : store;
    im.has_world = store && file_id_of_path(&im.world, ptl_store_path(store));
    const ptl_status status = run(&im, im.store);
    r.seconds = clock_seconds() - start;
    SIZED_FILL(ptl_import_report, report, &r);
    return status;
}

/* Counts a key that no module knows, by type and key, and notes the first object that has it.
 * A key that is new in a game shows up in these counts. */
void import_count_unknown_key(import *im, const source_object *obj, const char *key)
{
    import_source *source = im->source;
    const char *name = import_printf(im, "%s\n%s", obj->type, key);
    const uint32_t at = strmap_get(&source->unknown_map, name);
    im->report->unknown_keys++;
    if (at != STRMAP_NONE) {
        source->unknown[at].objects++;
        return;
    }
    if (!SOURCE_ROOM(im, source->unknown, source->unknown_count, source->unknown_capacity))
        return;
    if (strmap_put(&source->unknown_map, name, (uint32_t)source->unknown_count) != 0)
        import_no_memory(im);
    source->unknown[source->unknown_count++] = (unknown_key){obj->type, key, obj, 1};
}

/* ---- leaving out ---- */

const char *left_out_text(import *im, const char *id)
{
    const import_source *source = im->source;
    if (source->wrong_count == 0)
        return "";
    uint32_t at = strmap_get(&source->left_out, id);
    /* An oter's id has a suffix, which the id of its terrain, the object that was left out,
     * lacks. */
    if (at == STRMAP_NONE) {
        const char *last = strrchr(id, '_');
        const char *cut = last ? arena_strndup(im->arena, id, (size_t)(last - id)) : NULL;
        at = strmap_get(&source->left_out, cut ? cut : "");
    }
    if (at == STRMAP_NONE)
        return "";
    const source_object *object = source->wrong[at];
    return import_printf(im, "; that one is left out: %s:%d", object->file->path, object->line);
}
