/* The public calls of searching: options become a search, a search is run. */
#include "analysis/search/search_impl.h"
#include "core/sized.h"
#include "os/file.h"

#include <stdlib.h>
#include <string.h>

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
        ptl_status status = world_check_position(o->chunks[i], err);
        if (status != PTL_OK)
            return status;
    }
    return PTL_OK;
}

static ptl_status copy_text(char **out, const char *text, ptl_error *err)
{
    *out = strdup(text);
    return *out ? PTL_OK : error_nomem(err);
}

/* Memory, if there is such a place: what lies there is written and thrown away all the time. */
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

static ptl_status copy_options(ptl_search *s, const ptl_search_options *o, ptl_error *err)
{
    s->o = *o;
    s->o.jobs = o->jobs == 0 ? 1 : o->jobs;
    s->o.settings = NULL;
    ptl_status status = copy_text(&s->where, o->where, err);
    if (status == PTL_OK)
        status = copy_text(&s->world_name, o->world_name ? o->world_name : "find", err);
    if (status == PTL_OK)
        status = copy_text(&s->scratch_folder,
                           o->scratch_folder ? o->scratch_folder : scratch_folder(), err);
    if (status == PTL_OK)
        status = copy_chunks(s, o, err);
    s->o.where = s->where;
    s->o.world_name = s->world_name;
    s->o.scratch_folder = s->scratch_folder;
    s->o.chunks = o->chunks ? s->chunks : NULL;
    return status;
}

/* ---- new ---- */

static ptl_status prepare_base(ptl_search *s, const ptl_world_options *given, ptl_error *err)
{
    static const sized_place within = {"ptl_search_seeds", "options.settings"};
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    const ptl_status status =
        sized_take(&settings, given, &sized_ptl_world_options, &within, err);
    return status == PTL_OK ? seed_base_init(&s->base, s->store, &settings, err) : status;
}

static ptl_status fill(ptl_search *s, const ptl_search_options *o, ptl_search_fault *fault,
                       ptl_error *err)
{
    ptl_status status = check(o, !s->world, err);
    if (status == PTL_OK)
        status = copy_options(s, o, err);
    if (status == PTL_OK && !s->world)
        status = prepare_base(s, o->settings, err);
    if (status == PTL_OK && o->language == PTL_SEARCH_RELATION)
        status =
            relation_parse(&s->relation, s->where,
                           s->world ? ptl_world_catalogue(s->world) : s->base.cat, fault, err);
    return status;
}

static ptl_status new_search(ptl_search **out, ptl_store *store, ptl_world *world,
                             const ptl_search_options *options, ptl_search_fault *fault,
                             ptl_error *err)
{
    const char *call = world ? "ptl_search_world" : "ptl_search_seeds";
    const sized_place given[] = {{call, "options"}, {call, "fault"}};
    ptl_search_options o = PTL_SEARCH_OPTIONS_INIT;
    ptl_search_fault local = PTL_SEARCH_FAULT_INIT;
    error_clear(err);
    *out = NULL;
    ptl_status status = sized_take(&o, options, &sized_ptl_search_options, &given[0], err);
    if (status == PTL_OK)
        status = sized_check(fault, &sized_ptl_search_fault, &given[1], err);
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

ptl_status ptl_search_seeds(ptl_search **out, ptl_store *store,
                            const ptl_search_options *options, ptl_search_fault *fault,
                            ptl_error *err)
{
    return new_search(out, store, NULL, options, fault, err);
}

ptl_status ptl_search_world(ptl_search **out, ptl_world *world,
                            const ptl_search_options *options, ptl_search_fault *fault,
                            ptl_error *err)
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

ptl_status ptl_search_run(ptl_search *s, ptl_search_report *report, ptl_error *err)
{
    error_clear(err);
    ptl_status status = SIZED_CHECK(ptl_search_report, report, err);
    if (status != PTL_OK)
        return status;
    s->progress = (ptl_progress){.size = sizeof s->progress};
    s->report = (ptl_search_report)PTL_SEARCH_REPORT_INIT;
    status = s->world ? search_run_world(s, err) : search_run_seeds(s, err);
    SIZED_FILL(ptl_search_report, report, &s->report);
    return status;
}

const char *ptl_search_grammar(void)
{
    return relation_grammar;
}
