/* mapgen --check: prints what is wrong in entries of mapgen, as findings, in all their formats.
 */
#include "clients/cli/pictures/mapgen.h"

typedef struct checking {
    mapgen_job *job;
    findings *findings;
} checking;

static bool wanted(void *payload, const char *file)
{
    const content *c = &((checking *)payload)->job->content;
    return !c->pack || strcmp(content_pack_of(c, file), c->pack) == 0;
}

static bool on_progress(void *payload, uint64_t done, uint64_t total)
{
    checking *k = payload;
    return progress_count(&k->job->s->shown, done, total);
}

/* `payload` is a struct of findings, which also has a pointer to the content. */
static bool on_fault(void *payload, const ptl_diagnostic *fault)
{
    findings *f = payload;
    ptl_diagnostic d = *fault;
    d.pack = content_pack_of(f->content, d.file);
    findings_add(f, &d);
    return !stop_wanted();
}

static int check(mapgen_job *job, findings *f)
{
    session *s = job->s;
    checking k = {job, f};
    ptl_mapgen_check_options o = PTL_MAPGEN_CHECK_OPTIONS_INIT;
    o.id = job->options.id;
    o.maps = args_has(s->args, "times") ? (int32_t)job->times : 0;
    o.seed = job->seed;
    o.wanted = wanted;
    o.on_progress = on_progress;
    o.payload = &k;
    uint64_t checked = 0;
    progress_begin(&s->shown, "ids");
    s->shown.patience = 1;
    const ptl_status status =
        ptl_mapgen_fault_list(&checked, s->world, &o, on_fault, f, &s->err);
    progress_end(&s->shown);
    if (stop_wanted())
        return stop_tell();
    if (status != PTL_OK)
        return session_failed(s);
    if (!args_has(s->args, "quiet"))
        tell("%ju id%s checked\n", (uintmax_t)checked, plural(checked));
    NEED(findings_settle(f));
    NEED(findings_print(f));
    return findings_end(f);
}

int mapgen_check(mapgen_job *job, int (*open)(mapgen_job *job))
{
    finding_kinds kinds;
    findings f = {.session = job->s};
    /* The codes of what is wrong in mapgen: MG501, MG502, ... */
    finding_kinds_list(&kinds, "MG5");
    int code = kinds.failed
                   ? args_no_memory(job->s->args)
                   : findings_begin(&f, job->s, &job->content, kinds.items, kinds.count);
    if (code == EXIT_DONE)
        code = open(job);
    if (code == EXIT_DONE)
        code = check(job, &f);
    findings_dispose(&f);
    free(kinds.items);
    return code;
}
