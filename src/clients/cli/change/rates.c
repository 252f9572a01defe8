/* Compares how many of each special an overmap has, before the change and after it, by sweeps
 * of both contents with the same seeds. Also checks the seams of some overmaps of both. */
#include "clients/cli/change/change.h"

#include <math.h>

/* The name of the sweep and of the world in the temporary file of each side. */
static const char SWEEP[] = "change";

static int sweep(const change *c, change_side *side)
{
    session *s = &side->session;
    ptl_sweep_options o = PTL_SWEEP_OPTIONS_INIT;
    const ptl_chunk_pos origin = {0, 0};
    o.seed_first = c->seed;
    o.seed_last = c->seed + c->overmaps - 1;
    o.positions = &origin;
    o.position_count = 1;
    o.jobs = c->jobs;
    o.on_progress = progress_show;
    o.payload = &s->shown;
    progress_begin(&s->shown, "overmaps");
    ptl_status status = ptl_sweep_run(NULL, s->store, SWEEP, &o, &s->err);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell();
    ptl_sample_options count = PTL_SAMPLE_OPTIONS_INIT;
    count.parts = PTL_COUNT_SPECIALS;
    side->tally = ptl_tally_new();
    if (!side->tally)
        return session_no_memory(s);
    if (status == PTL_OK)
        status = ptl_sample_open(&side->sample, s->store, SWEEP, &s->err);
    if (status == PTL_OK)
        status = ptl_tally_add(side->tally, side->sample, &count, &s->err);
    if (status == PTL_OK)
        return EXIT_DONE;
    (void)session_content_failed(s);
    if (status == PTL_ERR_CONTENT || status == PTL_ERR_NOT_FOUND)
        import_folders_advise(&side->args, 0, 0);
    return EXIT_FAILED;
}

static uint32_t special_name(const change *c, const char *id)
{
    const uint32_t special = change_name_of(c, "overmap_special", id);
    return special != NAME_NONE ? special : change_name_of(c, "city_building", id);
}

bool change_rate_is_asked(const change *c, const ptl_comparison_row *row)
{
    const uint32_t name = special_name(c, row->id);
    return row->kind == PTL_COMPARE_SPECIAL &&
           (name == NAME_NONE ? !c->sides[AFTER].content.pack
                              : change_is_asked(c, &c->names[name]));
}

static report_cell factor_cell(double factor)
{
    return factor > 0 ? cell_real(factor)
                      : cell_none(); /* report_put makes an infinite factor empty, too */
}

static void put_row(change *c, const ptl_comparison_row *row)
{
    report_table *t = &c->tables[PART_RATES];
    char p[24];
    report_p_text(row->adjusted, p);
    const char *word = ptl_comparison_change_name(row->change);
    report_put(t,
               CELLS(cell_text(row->id), cell_text(row->change == PTL_CHANGE_NONE ? "" : word),
                     cell_text(row->significant ? "yes" : "no"),
                     cell_text(row->beyond ? "yes" : "no"), cell_uint(row->a.sum),
                     cell_uint(row->b.sum), cell_real(row->a.each.mean),
                     cell_real(row->b.each.mean), cell_real(row->ratio.ratio),
                     isinf(row->ratio.range.high)
                         ? cell_text("")
                         : report_range(t, row->ratio.range.low, row->ratio.range.high, 2),
                     cell_real(row->ratio.range.low), cell_real(row->ratio.range.high),
                     cell_text(ptl_test_kind_name(row->test.kind)), cell_real(row->test.p),
                     cell_real(row->adjusted), cell_text(p), factor_cell(row->visible_more),
                     factor_cell(row->visible_fewer)));
}

static int compare(change *c)
{
    session *s = c->s;
    ptl_comparison_input in[SIDES];
    for (int i = 0; i < SIDES; i++) {
        in[i] = (ptl_comparison_input){.tally = c->sides[i].tally};
        in[i].specials = ptl_sample_specials(&in[i].special_count, c->sides[i].sample);
    }
    if (ptl_comparison_new(&c->comparison, &in[BEFORE], &in[AFTER], &c->rates, &s->err) !=
        PTL_OK)
        return session_failed(s);
    for (size_t i = 0; i < c->comparison->count; i++) {
        const ptl_comparison_row *row = c->comparison->rows[i];
        if (!change_rate_is_asked(c, row))
            continue;
        put_row(c, row);
        if (row->beyond)
            change_found(c, FOUND_RATE, special_name(c, row->id), row->id,
                         "this special came %.4g times an overmap before, and comes %.4g times "
                         "now: more than a factor of %g",
                         row->a.each.mean, row->b.each.mean, c->rates.max_change);
    }
    return EXIT_DONE;
}

int change_rates(change *c)
{
    for (int i = 0; i < SIDES; i++)
        NEED(sweep(c, &c->sides[i]));
    return compare(c);
}

/* ---- seams ---- */

enum { SEAM_CHUNKS = 9 };

typedef struct seam_listing {
    change *c;
    const char *side;
} seam_listing;

static void on_problem(void *payload, const ptl_problem *p)
{
    const seam_listing *l = payload;
    report_put(&l->c->tables[PART_SEAMS],
               CELLS(cell_text(l->side), cell_text(p->where), cell_text(p->message)));
}

static int check_seams(change *c, int number)
{
    static const char *const words[SIDES] = {"before", "after"};
    change_side *side = &c->sides[number];
    session *s = &side->session;
    ptl_chunk_pos places[SEAM_CHUNKS];
    seam_listing listing = {c, words[number]};
    ptl_seam_report report = PTL_SEAM_REPORT_INIT;
    ptl_seam_options wish = PTL_SEAM_OPTIONS_INIT;
    ptl_generate_options o = PTL_GENERATE_OPTIONS_INIT;
    ptl_sweep_spiral(places, SEAM_CHUNKS);
    o.positions = places;
    o.position_count = SEAM_CHUNKS;
    o.jobs = c->jobs;
    o.on_progress = progress_show;
    o.payload = &s->shown;
    wish.on_problem = on_problem;
    wish.payload = &listing;
    progress_begin(&s->shown, "chunks");
    ptl_status status = ptl_generate(NULL, s->world, &o, &s->err);
    progress_end(&s->shown);
    if (stop_wanted())
        return stop_tell();
    if (status == PTL_OK)
        status = ptl_seams_verify(&report, s->world, &wish, &s->err);
    side->seam_problems = report.problems;
    side->seam_chunks = report.chunks;
    return status == PTL_OK ? EXIT_DONE : session_failed(s);
}

int change_seams(change *c)
{
    for (int i = 0; i < SIDES; i++)
        NEED(check_seams(c, i));
    if (c->sides[AFTER].seam_problems > c->sides[BEFORE].seam_problems)
        change_found(
            c, FOUND_SEAMS, NAME_NONE, "",
            "the check of seams finds %ju problems in %d overmaps, and found %ju before",
            (uintmax_t)c->sides[AFTER].seam_problems, SEAM_CHUNKS,
            (uintmax_t)c->sides[BEFORE].seam_problems);
    return EXIT_DONE;
}
