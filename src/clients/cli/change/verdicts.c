/* Compares the verdicts of coverage before and after the change, for the definitions that the
 * change touches. */
#include "clients/cli/change/change.h"

#include <math.h>

/* Coverage makes so many overmaps of each region at first. */
enum { COVERAGE_OVERMAPS = 100 };

/* The payload of the callbacks while coverage of one side is computed. */
typedef struct covering {
    change *c;
    change_side *side;
} covering;

/* Returns the index in c->names of a definition that coverage names by a kind of its own and an
 * id. */
static uint32_t name_of(const change *c, ptl_coverage_kind kind, const char *id)
{
    static const char *const kinds[PTL_COVERAGE_KINDS] = {
        [PTL_COVERAGE_TERRAIN] = "overmap_terrain", [PTL_COVERAGE_SPECIAL] = "overmap_special",
        [PTL_COVERAGE_BUILDING] = "city_building",  [PTL_COVERAGE_MAPGEN] = "mapgen",
        [PTL_COVERAGE_EXTRA] = "map_extra",
    };
    const uint32_t name = change_name_of(c, kinds[kind], id);
    return name == NAME_NONE && kind == PTL_COVERAGE_BUILDING
               ? change_name_of(c, "overmap_special", id)
               : name;
}

/* Must coverage give a verdict of this definition? Only if the change touches it, and --pack
 * does not leave it out. */
static bool wanted(void *payload, ptl_coverage_kind kind, const char *id, const char *pack)
{
    const change *c = ((covering *)payload)->c;
    const char *only = c->sides[AFTER].content.pack;
    const uint32_t name = name_of(c, kind, id);
    return name != NAME_NONE && c->names[name].touched && (!only || strcmp(pack, only) == 0);
}

static bool on_progress(void *payload, const ptl_progress *now)
{
    return progress_show(&((covering *)payload)->side->session.shown, now);
}

static int cover(change *c, change_side *side)
{
    session *s = &side->session;
    covering payload = {c, side};
    ptl_coverage_options o = PTL_COVERAGE_OPTIONS_INIT;
    o.seed = c->seed;
    o.overmaps = COVERAGE_OVERMAPS;
    o.until = 2 * COVERAGE_OVERMAPS;
    o.wanted = wanted;
    o.on_progress = on_progress;
    o.payload = &payload;
    o.jobs = c->jobs;
    progress_begin(&s->shown, "overmaps");
    const ptl_status status = ptl_coverage_run(&side->coverage, s->store, &o, &s->err);
    progress_end(&s->shown);
    if (stop_wanted())
        return stop_tell();
    return status == PTL_OK ? EXIT_DONE : session_content_failed(s);
}

/* ---- comparing ---- */

static int order(const ptl_coverage_entry *a, const ptl_coverage_entry *b)
{
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return strcmp(a->id, b->id);
}

/* The verdicts of one side on all entries of coverage with one kind and id. There are several
 * if a terrain has several entries of mapgen. */
typedef struct verdicts {
    const ptl_coverage_entry *first;
    size_t count;
    size_t by_verdict[PTL_COVERAGE_VERDICTS];
    ptl_coverage_verdict best; /* the most favourable verdict of the entries */
    bool allowed;
} verdicts;

/* Gathers the entries from the index *at on that have one kind and id, and moves *at behind
 * them. */
static verdicts gather(const ptl_coverage *coverage, size_t *at)
{
    verdicts v = {.first = ptl_coverage_entry_at(coverage, *at), .best = PTL_COVERAGE_NEVER};
    const ptl_coverage_entry *e;
    while ((e = ptl_coverage_entry_at(coverage, *at)) != NULL && order(e, v.first) == 0) {
        v.count++;
        v.by_verdict[e->verdict]++;
        v.allowed = v.allowed || e->allowed || e->unwanted;
        if (e->verdict < v.best) {
            v.best = e->verdict;
            v.first = e;
        }
        (*at)++;
    }
    return v;
}

static report_cell verdict_cell(report_table *t, const verdicts *v, const char *none)
{
    if (v->count == 0)
        return cell_text(none);
    if (v->by_verdict[v->best] == v->count)
        return cell_text(ptl_coverage_verdict_name(v->best));
    return report_format(t, "%s (%zu of %zu)", ptl_coverage_verdict_name(v->best),
                         v->by_verdict[v->best], v->count);
}

static report_cell share_cell(const verdicts *v)
{
    const ptl_coverage_entry *e = v->first;
    return v->count && e->overmaps ? cell_real((double)e->with / (double)e->overmaps)
                                   : cell_none();
}

static void put_pair(change *c, const verdicts *a, const verdicts *b)
{
    const ptl_coverage_entry *e = b->first ? b->first : a->first;
    if (!e)
        return;
    const uint32_t name = name_of(c, e->kind, e->id);
    const bool equal =
        a->count == b->count && memcmp(a->by_verdict, b->by_verdict, sizeof a->by_verdict) == 0;
    const char *kind = ptl_coverage_kind_name(e->kind);
    bytes why = {.size = 0};
    if (name == NAME_NONE || !c->names[name].touched || !change_is_asked(c, &c->names[name]))
        return;
    if (b->count && b->best != PTL_COVERAGE_COMES) {
        bytes_put_text(&why, ptl_coverage_reason_text(e->reason));
        if (*e->by)
            bytes_printf(&why, ": %s", e->by);
    }
    const char *text = bytes_text(&why);
    c->failed = c->failed || !text;
    report_table *t = &c->tables[PART_COVERAGE];
    report_put(t, CELLS(cell_text(kind), cell_text(e->id), cell_text(equal ? "" : "changed"),
                        verdict_cell(t, a, "not there"), verdict_cell(t, b, "gone"),
                        share_cell(a), share_cell(b), cell_text(text ? text : "")));
    const bool came = a->count && a->best <= PTL_COVERAGE_RARE && !b->allowed;
    if (came && b->count && b->best == PTL_COVERAGE_NEVER)
        change_found(c, FOUND_NEVER, name, e->id,
                     "this %s came before, and never comes now: %s", kind, text ? text : "");
    else if (came && b->count && b->best == PTL_COVERAGE_NOT_SEEN)
        change_found(c, FOUND_UNSEEN, name, e->id,
                     "this %s came before, and was not seen now: %s", kind, text ? text : "");
    bytes_dispose(&why);
}

int change_coverage(change *c)
{
    static const verdicts none = {.count = 0};
    for (int i = 0; i < SIDES; i++)
        NEED(cover(c, &c->sides[i]));
    const ptl_coverage *a = c->sides[BEFORE].coverage, *b = c->sides[AFTER].coverage;
    for (size_t i = 0, k = 0;;) {
        const ptl_coverage_entry *x = ptl_coverage_entry_at(a, i),
                                 *y = ptl_coverage_entry_at(b, k);
        if (!x && !y)
            break;
        const int which = !x ? 1 : !y ? -1 : order(x, y);
        const verdicts before = which <= 0 ? gather(a, &i) : none;
        const verdicts after = which >= 0 ? gather(b, &k) : none;
        put_pair(c, &before, &after);
    }
    return c->failed ? session_no_memory(c->s) : EXIT_DONE;
}
