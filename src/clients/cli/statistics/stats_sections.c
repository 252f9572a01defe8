/* The report of `portolan stats`: its sections one after the other, in the format asked for. */
#include "clients/cli/statistics/stats.h"
#include "core/error.h"

/* A section's rows; of one special's details those of `count` from `first` on. */
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

/* ---- for machines ---- */

static ptl_status print_all_data(const stats_report *r, ptl_error *err)
{
    const bool json = r->s->style.format == ROWS_JSON;
    ptl_status status = PTL_OK;
    if (json) {
        out_text("{\"sample\": ");
        stats_print_head_json(r);
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

/* ---- for the eye ---- */

/* Prints a section; of the special of that number without the column that names it, and nothing
 * where it is empty. */
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
    stats_print_special(r, f);
    for (int i = SECTION_HISTOGRAM; i < SECTION_COUNT; i++)
        if (r->q->sections[i] && section_is_detail((section)i))
            TRY(print_section(r, (section)i, number, err));
    stats_print_hints(r, f);
    return PTL_OK;
}

static ptl_status print_tables(const stats_report *r, ptl_error *err)
{
    bool detail = false;
    stats_print_head(r);
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

ptl_status stats_print(const stats_report *r, ptl_error *err)
{
    return r->s->style.format == ROWS_TABLE ? print_tables(r, err) : print_all_data(r, err);
}
