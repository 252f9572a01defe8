/* Prints the report of portolan stats: one section after the other, in the format asked
 * for. */
#include "clients/cli/statistics/stats.h"
#include "core/error.h"
#include "core/settings.h"

#include <math.h>

/* ---- sentences: the sample, and one special ---- */

enum { WORDS_INDENT = 12 };

/* Prints the switches that are on, and the choices that differ from the default. */
static void print_choices(const ptl_world_options *w)
{
    char text[SETTING_TEXT_SIZE];
    for (size_t i = SETTING_OF_placement + 1; i < SETTINGS_OF_SWEEPS; i++) {
        const setting *s = &setting_rows[i];
        const bool is_default = !(setting_number(w, s) > s->otherwise);
        if (s->kind == SETTING_SWITCH && !is_default)
            out_printf(", %s", s->option);
        else if (s->kind == SETTING_CHOICE && !is_default)
            out_printf(", %s %s", s->option, setting_text(text, w, s));
    }
}

/* Returns the number of blocks that intervals were computed from; it is the same
 * for all specials. */
static uint64_t interval_blocks(const stats_report *r)
{
    return r->facts->count > 0 ? r->facts->items[0]->blocks : 0;
}

static void print_head_json(const stats_report *r)
{
    const ptl_sample_info *s = r->sample;
    const ptl_world_options *w = s->settings;
    char text[SETTING_TEXT_SIZE], share[32];
    format_double(r->q->level, share);
    out_printf("{\"kind\": \"%s\", \"name\": ", s->is_sweep ? "sweep" : "world");
    out_json_text(s->name);
    out_printf(", \"overmaps\": %ju, \"left_out\": %ju, \"content\": ", r->tally->overmaps,
               s->left_out);
    out_json_text(s->content);
    out_text(", \"definitions\": ");
    out_json_text(s->definitions);
    out_printf(", \"generator_version\": %d, \"seed\": ", s->generator_version);
    if (s->is_sweep)
        out_text("null");
    else
        out_json_uint(w->seed);
    for (size_t i = 0; i < SETTINGS_OF_SWEEPS; i++) {
        const setting *t = &setting_rows[i];
        out_printf(", \"%s\": ", t->name);
        if (t->kind == SETTING_SWITCH)
            out_text(setting_number(w, t) > 0 ? "true" : "false");
        else if (t->kind == SETTING_INT || t->kind == SETTING_REAL)
            out_text(setting_text(text, w, t));
        else
            out_json_text(setting_text(text, w, t));
    }
    out_printf(", \"level\": %s, \"blocks\": %ju}", share, interval_blocks(r));
}

static void print_verdict(const ptl_special_facts *f)
{
    out_printf("  verdict   %s", ptl_rate_verdict_text(f->verdict));
    if (!isnan(f->p)) {
        char p[24], adjusted[24];
        report_p_text(f->p, p);
        report_p_text(f->p_adjusted, adjusted);
        out_printf(" (%s: p %s, corrected for all UNIQUE specials: %s)",
                   f->blocks > 0 ? "Student's t of blocks" : "exact binomial test", p,
                   adjusted);
    }
    if (f->missing > 0)
        out_printf("; fewer than due in %ju overmap%s", f->missing, plural(f->missing));
    out_text("\n");
}

static void print_special(const stats_report *r, const ptl_special_facts *f)
{
    const double confidence = 100 * r->q->level;
    out_prose_begin(WORDS_INDENT);
    out_printf("\n%s\n", f->id);
    const ptl_sample_special *d = f->definition;
    out_text("  expected  ");
    if (f->verdict == PTL_RATE_BY_OTHERS && !d)
        out_text("the present content does not have it\n");
    else if (f->verdict == PTL_RATE_BY_OTHERS)
        out_printf("no rule asks for it (occurrences %d-%d)\n", d->occurrences_min,
                   d->occurrences_max);
    else if (d->is_globally_unique)
        out_printf("%d in %d for the one chunk that may have it, %.5f per chunk near the "
                   "origin\n",
                   d->occurrences_min, d->occurrences_max, f->expected);
    else if (d->is_unique)
        out_printf("%.3f per overmap: its chance, %d in %d; asked for: %.3f\n", f->expected,
                   d->occurrences_min, d->occurrences_max, f->asked);
    else if (f->expected_min == f->expected_max)
        out_printf("%.3f per overmap: what rule %s asked for (occurrences %d-%d)\n",
                   f->expected, placement_name(r->sample->settings->placement),
                   d->occurrences_min, d->occurrences_max);
    else
        out_printf("%d to %d per overmap: the bounds of rule sectors\n", d->occurrences_min,
                   d->occurrences_max);
    out_printf("  placed    %.3f per overmap by the rule", f->placed);
    if (f->others > 0)
        out_printf(", %.3f by other specials or steps", f->others);
    out_printf("\n  present   %.3f per overmap (%.3f..%.3f at %g %%), variance %.3f",
               f->present, f->present_range.low, f->present_range.high, confidence,
               f->variance);
    if (f->present > 0 && f->variance >= 0)
        out_printf(", dispersion %.2f (1: at random)", f->variance / f->present);
    out_printf("\n  none in   %.1f %% of the overmaps (%.1f..%.1f)\n", 100 * f->without,
               100 * f->without_range.low, 100 * f->without_range.high);
    print_verdict(f);
    out_prose_end();
}

/* ---- sections ---- */

/* Fills a section's table. Sections of details get the rows of `count` specials of the
 * question, from the one with the number `first` on. */
static ptl_status fill(report_table *t, const stats_report *r, section which, size_t first,
                       size_t count, ptl_error *err)
{
    const section_sample of = {r->tally, r->sample->settings->region, r->q->level};
    section_init(t, which);
    for (size_t i = first; section_is_detail(which) && i < first + count; i++)
        TRY(section_add_detail(t, which, ptl_facts_find(r->facts, r->q->specials[i]), &of,
                               err));
    if (which == SECTION_SPECIALS)
        section_add_specials(t, r->facts, r->q->lacking_only);
    else if (!section_is_detail(which))
        section_add_overmaps(t, which, r->tally, r->q->level);
    return report_status(t, err);
}

/* ---- for the eye ---- */

/* Prints a section. A section of details is printed for one special, without the column that
 * names it; it is left out if it would be empty. */
static ptl_status print_section(const stats_report *r, section which, size_t number,
                                ptl_error *err)
{
    report_table t;
    const bool detail = section_is_detail(which);
    ptl_status status = fill(&t, r, which, number, 1, err);
    const bool shown = status == PTL_OK && (!detail || report_rows(&t) > 0);
    if (shown && t.title)
        out_printf("\n%s\n", t.title);
    if (shown && report_rows(&t) == 0)
        out_text("  none\n");
    else if (shown && !rows_print(&r->s->style, &t, detail))
        status = error_nomem(err);
    report_dispose(&t);
    return status;
}

static ptl_status print_one(const stats_report *r, size_t number, ptl_error *err)
{
    const ptl_special_facts *f = ptl_facts_find(r->facts, r->q->specials[number]);
    print_special(r, f);
    for (int i = SECTION_HISTOGRAM; i < SECTION_COUNT; i++)
        if (r->q->sections[i] && section_is_detail((section)i))
            TRY(print_section(r, (section)i, number, err));
    if (!ptl_facts_is_lacking(f) && f->reason == PTL_REASON_NONE)
        return PTL_OK;
    const char *file = r->s->args->operands[0];
    out_text("\n");
    if (f->verdict == PTL_RATE_NOT_ASKED)
        out_text(
            "The region's flags, the lack of water or cities, or a condition keep it out.\n");
    out_text(r->sample->is_sweep
                 ? "Why, chunk by chunk, in a world of one of its seeds:\n  portolan why "
                 : "Why, chunk by chunk:\n  portolan why ");
    out_printf("'%s' '%s'", file, f->id);
    if (!r->sample->is_sweep)
        out_printf(" --world '%s'", r->sample->name);
    if (f->reason == PTL_REASON_GROWTH)
        out_printf("\nHow its growth fails:\n  portolan try '%s' '%s'", file, f->id);
    out_text("\n");
    return PTL_OK;
}

static ptl_status print_tables(const stats_report *r, ptl_error *err)
{
    bool detail = false;
    const ptl_sample_info *s = r->sample;
    const ptl_world_options *w = s->settings;
    out_prose_begin(0);
    out_printf("%s %s: %ju overmap%s", s->is_sweep ? "Sweep" : "World", s->name,
               r->tally->overmaps, plural(r->tally->overmaps));
    if (s->left_out > 0)
        out_printf("; left out, since incomplete or imported: %ju", s->left_out);
    out_printf(
        "\nregion %s, placement %s, density %g, spacing %d, city size %d, city spacing %d",
        w->region, placement_name(s->settings->placement), w->specials_density,
        w->specials_spacing, w->city_size, w->city_spacing);
    if (!s->is_sweep)
        out_printf(", seed %ju", w->seed);
    print_choices(w);
    out_printf("\ncontent %.16s, generator %d; intervals at %g %%", s->content,
               s->generator_version, 100 * r->q->level);
    if (interval_blocks(r) > 0)
        out_printf(", by %ju blocks of overmaps", interval_blocks(r));
    out_text("\n");
    if (s->is_redefined)
        out_printf("The file has other content now, %.16s: what is stated and expected is that "
                   "one's.\n",
                   s->definitions);
    out_prose_end();
    for (int i = 0; i < SECTION_COUNT; i++) {
        const bool own = section_is_detail((section)i);
        detail |= r->q->sections[i] && own;
        if (r->q->sections[i] && !own)
            TRY(print_section(r, (section)i, 0, err));
    }
    for (size_t i = 0; i < r->q->special_count && detail; i++)
        TRY(print_one(r, i, err));
    return PTL_OK;
}

/* ---- all of it ---- */

ptl_status stats_print(const stats_report *r, ptl_error *err)
{
    if (r->s->style.format == ROWS_TABLE)
        return print_tables(r, err);
    const bool json = r->s->style.format == ROWS_JSON;
    ptl_status status = PTL_OK;
    if (json) {
        out_text("{\"sample\": ");
        print_head_json(r);
    }
    for (int i = 0; i < SECTION_COUNT && status == PTL_OK; i++) {
        report_table t;
        if (!r->q->sections[i])
            continue;
        status = fill(&t, r, (section)i, 0, r->q->special_count, err);
        if (status == PTL_OK && json)
            out_printf(",\n\"%s\": ", section_name((section)i));
        if (status == PTL_OK && !rows_print(&r->s->style, &t, 0))
            status = error_nomem(err);
        report_dispose(&t);
    }
    out_text(json ? "}\n" : "");
    return status;
}
