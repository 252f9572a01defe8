/* The public calls of searching: making a search from options, and running it. */
#include "analysis/search/search_impl.h"
#include "core/array.h"
#include "core/sized.h"
#include "os/clock.h"
#include "os/file.h"
#include "portolan/query.h"

#include <stdlib.h>
#include <strings.h>

/* ---- options ---- */

static ptl_status check(const ptl_search_options *o, bool of_seeds, ptl_error *err)
{
    if (!o->where || !o->on_match)
        return error_set(err, PTL_ERR_ARGUMENT, "a search needs `where` and `on_match`");
    if (o->language != PTL_SEARCH_RELATION && o->language != PTL_SEARCH_SQL)
        return error_set(err, PTL_ERR_ARGUMENT, "a search's language is %d", (int)o->language);
    if (o->jobs < 0 || o->jobs > PTL_SEARCH_JOBS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "jobs must be 1 to %d", PTL_SEARCH_JOBS_MAX);
    if (o->chunks && o->chunk_count == 0)
        return error_set(err, PTL_ERR_ARGUMENT, "a search needs a chunk");
    if (of_seeds && o->seed_first > o->seed_last)
        return error_set(err, PTL_ERR_ARGUMENT, "seeds go from the lower one on");
    if (of_seeds && o->chunks && o->chunk_count > PTL_SEARCH_CHUNKS_MAX)
        return error_set(err, PTL_ERR_ARGUMENT, "chunks of a seed must be 1 to %d",
                         PTL_SEARCH_CHUNKS_MAX);
    for (size_t i = 0; o->chunks && i < o->chunk_count; i++) {
        TRY(world_check_position(o->chunks[i], err));
    }
    return PTL_OK;
}

static ptl_status copy_text(char **out, const char *text, ptl_error *err)
{
    *out = strdup(text);
    return *out ? PTL_OK : error_nomem(err);
}

/* Returns a folder in memory, if the system has one, as scratch files are written and
 * thrown away all the time. */
static const char *scratch_folder(void)
{
    return file_is_writable("/dev/shm") ? "/dev/shm" : "/tmp";
}

static ptl_status copy_chunks(ptl_search *s, const ptl_search_options *o, ptl_error *err)
{
    static const ptl_chunk_pos origin = {0, 0};
    const ptl_chunk_pos *from = o->chunks ? o->chunks : &origin;
    const size_t count = o->chunks ? o->chunk_count : 1;
    s->chunks = malloc(count * sizeof *s->chunks);
    if (!s->chunks)
        return error_nomem(err);
    memcpy(s->chunks, from, count * sizeof *s->chunks);
    s->chunk_count = count;
    search_order_chunks(s);
    return PTL_OK;
}

/* ---- new ---- */

static ptl_status fill(ptl_search *s, const ptl_search_options *o, ptl_search_fault *fault,
                       ptl_error *err)
{
    TRY(check(o, !s->world, err));
    s->o = *o;
    s->o.jobs = o->jobs == 0 ? 1 : o->jobs;
    s->o.settings = NULL;
    ptl_status status = copy_text(&s->where, o->where, err);
    THEN(status, copy_text(&s->world_name, o->world_name ? o->world_name : "find", err));
    THEN(status, copy_text(&s->scratch_folder,
                           o->scratch_folder ? o->scratch_folder : scratch_folder(), err));
    THEN(status, copy_chunks(s, o, err));
    s->o.where = s->where;
    s->o.world_name = s->world_name;
    s->o.scratch_folder = s->scratch_folder;
    s->o.chunks = o->chunks ? s->chunks : NULL;
    TRY(status);
    if (!s->world) {
        static const sized_place within = {"ptl_search_seeds_new", "options.settings"};
        ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
        TRY(sized_take(&settings, o->settings, &sized_ptl_world_options, &within, err));
        TRY(seed_base_init(&s->base, s->store, &settings, err));
    }
    if (o->language == PTL_SEARCH_RELATION)
        TRY(relation_parse(&s->relation, s->where,
                           s->world ? ptl_world_catalogue(s->world) : s->base.cat, fault, err));
    return PTL_OK;
}

static ptl_status new_search(ptl_search **out, ptl_store *store, ptl_world *world,
                             const ptl_search_options *options, ptl_search_fault *fault,
                             ptl_error *err)
{
    const char *call = world ? "ptl_search_world_new" : "ptl_search_seeds_new";
    const sized_place given[] = {{call, "options"}, {call, "fault"}};
    ptl_search_options o = PTL_SEARCH_OPTIONS_INIT;
    ptl_search_fault local = PTL_SEARCH_FAULT_INIT;
    error_clear(err);
    *out = NULL;
    ptl_status status = sized_take(&o, options, &sized_ptl_search_options, &given[0], err);
    THEN(status, sized_check(fault, &sized_ptl_search_fault, &given[1], err));
    if (status != PTL_OK)
        return status;
    ptl_search *s = calloc(1, sizeof *s);
    if (!s)
        return error_nomem(err);
    s->store = store;
    s->world = world;
    status = fill(s, &o, &local, err);
    SIZED_FILL(ptl_search_fault, fault, &local);
    if (status == PTL_OK)
        *out = s;
    else
        ptl_search_free(s);
    return status;
}

ptl_status ptl_search_seeds_new(ptl_search **out, ptl_search_fault *fault, ptl_store *store,
                                const ptl_search_options *options, ptl_error *err)
{
    return new_search(out, store, NULL, options, fault, err);
}

ptl_status ptl_search_world_new(ptl_search **out, ptl_search_fault *fault, ptl_world *world,
                                const ptl_search_options *options, ptl_error *err)
{
    return new_search(out, world->store, world, options, fault, err);
}

void ptl_search_free(ptl_search *s)
{
    if (!s)
        return;
    relation_free(s->relation);
    seed_base_dispose(&s->base);
    free(s->chunks);
    free(s->where);
    free(s->world_name);
    free(s->scratch_folder);
    free(s);
}

/* ---- running ---- */

ptl_status ptl_search_run(ptl_search_report *report, ptl_search *s, ptl_error *err)
{
    error_clear(err);
    TRY(SIZED_CHECK(ptl_search_report, report, err));
    s->progress = (ptl_progress){.size = sizeof s->progress};
    s->report = (ptl_search_report)PTL_SEARCH_REPORT_INIT;
    ptl_status status = s->world ? search_run_world(s, err) : search_run_seeds(s, err);
    SIZED_FILL(ptl_search_report, report, &s->report);
    return status;
}

const char *ptl_search_grammar(void)
{
    return relation_grammar;
}

/* Asking for the matches of one seed, and reporting them. */

enum { SQL_SECONDS = 60 };

static bool add(search_found *found, ptl_search_match match, ptl_error *err)
{
    if (!ARRAY_ROOM(found->list, found->room, found->count + 1)) {
        error_nomem(err);
        return false;
    }
    found->list[found->count++] = match;
    return true;
}

static bool is_full(search_found *found)
{
    found->cut = found->most > 0 && found->count >= found->most;
    return found->cut;
}

ptl_status search_ask_relation(search_found *found, finder *f, uint64_t seed, ptl_error *err)
{
    const relation_match *list;
    size_t count;
    ptl_status status = finder_find(f, &list, &count, err);
    found->count = 0;
    found->cut = false;
    for (size_t i = 0; i < count && status == PTL_OK && !is_full(found); i++)
        if (!add(found,
                 (ptl_search_match){.size = sizeof(ptl_search_match),
                                    .seed = seed,
                                    .x = list[i].x,
                                    .y = list[i].y,
                                    .z = list[i].z,
                                    .what = list[i].what,
                                    .has_place = true,
                                    .has_level = true},
                 err))
            status = PTL_ERR_NOMEM;
    return status;
}

typedef struct sql_rows {
    search_found *found;
    uint64_t seed;
    ptl_error *err;
    bool full, failed;
} sql_rows;

static bool whole(const ptl_value *v, int64_t *out)
{
    if (v->type == PTL_VALUE_INTEGER)
        *out = v->integer;
    else if (v->type == PTL_VALUE_REAL && v->real > -9e15 && v->real < 9e15)
        *out = (int64_t)v->real;
    else
        return false;
    return true;
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    sql_rows *rows = payload;
    ptl_search_match match = {.size = sizeof match, .seed = rows->seed, .what = ""};
    bool has_x = false, has_y = false;
    rows->full = is_full(rows->found);
    if (rows->full)
        return false;
    for (size_t i = 0; i < columns; i++) {
        if (strcasecmp(names[i], "x") == 0)
            has_x = whole(&values[i], &match.x);
        else if (strcasecmp(names[i], "y") == 0)
            has_y = whole(&values[i], &match.y);
        else if (strcasecmp(names[i], "z") == 0)
            match.has_level = whole(&values[i], &match.z);
    }
    match.has_place = has_x && has_y;
    rows->failed = !add(rows->found, match, rows->err);
    return !rows->failed;
}

ptl_status search_ask_sql(search_found *found, ptl_store *store, const char *sql, uint64_t seed,
                          ptl_error *err)
{
    ptl_error local = {0};
    sql_rows rows = {.found = found, .seed = seed, .err = err};
    const ptl_query_options options = {
        .size = sizeof options, .on_row = on_row, .payload = &rows, .time_limit = SQL_SECONDS};
    found->count = 0;
    found->cut = false;
    ptl_status status = ptl_query(store, sql, &options, &local);
    if (rows.failed)
        return PTL_ERR_NOMEM;
    if (rows.full)
        return PTL_OK;
    return status == PTL_OK ? PTL_OK : error_set(err, status, "%s", local.message);
}

uint64_t search_most(const ptl_search *s)
{
    const uint64_t left = s->o.limit;
    return s->o.per_seed == 0 || (left > 0 && left < s->o.per_seed) ? left : s->o.per_seed;
}

ptl_status search_tell(ptl_search *s, const search_found *found, bool *stop, ptl_error *err)
{
    *stop = false;
    s->report.cut = false;
    for (size_t i = 0; i < found->count && !*stop; i++) {
        s->report.matches++;
        *stop = s->o.limit > 0 && s->report.matches >= s->o.limit;
        s->report.cut = *stop && (found->cut || i + 1 < found->count) &&
                        (s->o.per_seed == 0 || i + 1 < s->o.per_seed);
        if (!s->o.on_match(s->o.payload, &found->list[i]))
            return error_set(err, PTL_ERR_CANCELLED, "stopped");
    }
    return PTL_OK;
}

static int compare_chunks(const void *left, const void *right)
{
    const ptl_chunk_pos *a = left, *b = right;
    if (a->y != b->y)
        return a->y < b->y ? -1 : 1;
    return a->x < b->x ? -1 : a->x > b->x;
}

void search_order_chunks(ptl_search *s)
{
    size_t count = 0;
    if (s->chunk_count > 1)
        qsort(s->chunks, s->chunk_count, sizeof *s->chunks, compare_chunks);
    for (size_t i = 0; i < s->chunk_count; i++)
        if (count == 0 || compare_chunks(&s->chunks[count - 1], &s->chunks[i]) != 0)
            s->chunks[count++] = s->chunks[i];
    s->chunk_count = count;
}

/* Searching a stored world. */

/* Reads a chunk, its cells and its features, in one transaction. */
static ptl_status read_chunk(ptl_chunk **out, gen_features *features, ptl_world *world,
                             ptl_chunk_pos pos, ptl_error *err)
{
    chunk_info info;
    bool found = false;
    *out = NULL;
    TRY(ops(world->store)->transaction->begin_read(world->store, err));
    ptl_status status =
        ops(world->store)
            ->chunk->read(out, world->store, world->row.id, pos, world->cat, &info, err);
    if (status == PTL_OK && *out)
        status = ops(world->store)
                     ->chunk->features_read_all(features, &found, world->store, world->row.id,
                                                pos, world->cat, err);
    ops(world->store)->transaction->rollback(world->store);
    if (status != PTL_OK || !found) {
        ptl_chunk_free(*out);
        *out = NULL;
    }
    return status;
}

/* Lists the chunks that are saved by now. */
static ptl_status list_chunks(ptl_search *s, ptl_error *err)
{
    const chunk_filter all = CHUNK_FILTER_ALL;
    if (s->o.chunks)
        return PTL_OK;
    free(s->chunks);
    s->chunks = NULL;
    s->chunk_count = 0;
    ptl_status status = ops(s->store)->chunk->list(&s->chunks, &s->chunk_count, s->store,
                                                   s->world->row.id, &all, err);
    search_order_chunks(s);
    return status;
}

static ptl_status ask_relation(search_found *found, ptl_search *s, ptl_error *err)
{
    finder *f = finder_new(s->relation);
    if (!f)
        return error_nomem(err);
    ptl_status status = list_chunks(s, err);
    if (status == PTL_OK) {
        gen_features features = {0};
        const double started = clock_seconds();
        s->progress = (ptl_progress){.size = sizeof s->progress, .total = s->chunk_count};
        for (size_t i = 0; i < s->chunk_count && status == PTL_OK; i++) {
            ptl_chunk *chunk;
            status = read_chunk(&chunk, &features, s->world, s->chunks[i], err);
            if (status == PTL_OK && chunk)
                status = finder_add(f, chunk, &features, err);
            ptl_chunk_free(chunk);
            s->progress.done = i + 1;
            s->progress.seconds = clock_seconds() - started;
            s->progress.rate = (double)(i + 1) / s->progress.seconds;
            if (status == PTL_OK && s->o.on_progress &&
                !s->o.on_progress(s->o.payload, &s->progress))
                status = error_set(err, PTL_ERR_CANCELLED, "stopped");
        }
        s->report.seconds = s->progress.seconds;
        features_dispose(&features);
    }
    THEN(status, search_ask_relation(found, f, s->world->row.seed, err));
    finder_free(f);
    return status;
}

ptl_status search_run_world(ptl_search *s, ptl_error *err)
{
    search_found found = {.most = search_most(s)};
    bool stop = false;
    ptl_status status =
        s->relation ? ask_relation(&found, s, err)
                    : search_ask_sql(&found, s->store, s->where, s->world->row.seed, err);
    THEN(status, search_tell(s, &found, &stop, err));
    s->report.seeds = 1;
    free(found.list);
    return status;
}
