/* The report of `portolan stats`: its sections one after the other, in the format asked for. */
#include "clients/cli/line/output.h"
#include "clients/cli/statistics/stats.h"

#include "core/error.h"

/* A section of the details, of all specials that were asked about or of one. */
static ptl_status fill_detail(report_table *t, const stats_report *r, section which,
                              size_t first, size_t count, ptl_error *err)
{
    ptl_status status = PTL_OK;
    const section_sample of = {r->tally, r->sample->settings->region, r->q->level};
    for (size_t i = first; i < first + count && status == PTL_OK; i++)
        status =
            section_add_detail(t, which, ptl_facts_find(r->facts, r->q->specials[i]), &of, err);
    return status;
}

static ptl_status fill(report_table *t, const stats_report *r, section which, ptl_error *err)
{
    if (section_is_detail(which))
        return fill_detail(t, r, which, 0, r->q->special_count, err);
    if (which == SECTION_SPECIALS)
        section_add_specials(t, r->facts, r->q->lacking_only);
    else
        section_add_overmaps(t, which, r->tally, r->q->level);
    return report_status(t, err);
}

/* ---- for machines ---- */

static ptl_status print_data(const stats_report *r, section which, ptl_error *err)
{
    report_table t;
    section_init(&t, which);
    ptl_status status = fill(&t, r, which, err);
    if (status == PTL_OK && r->q->style.format == ROWS_JSON)
        out_printf(",\n\"%s\": ", section_name(which));
    if (status == PTL_OK && !rows_print(&r->q->style, &t, 0))
        status = error_nomem(err);
    report_dispose(&t);
    return status;
}

static ptl_status print_all_data(const stats_report *r, ptl_error *err)
{
    ptl_status status = PTL_OK;
    if (r->q->style.format == ROWS_JSON) {
        out_text("{\"sample\": ");
        stats_print_head_json(r);
    }
    for (int i = 0; i < SECTION_COUNT && status == PTL_OK; i++)
        if (r->q->sections[i])
            status = print_data(r, (section)i, err);
    if (r->q->style.format == ROWS_JSON)
        out_text("}\n");
    return status;
}

/* ---- for the eye ---- */

static ptl_status print_titled(const stats_report *r, const report_table *t, size_t skip,
                               ptl_error *err)
{
    if (t->title)
        out_printf("\n%s\n", t->title);
    if (report_rows(t) == 0)
        out_text("  none\n");
    else if (!rows_print(&r->q->style, t, skip))
        return error_nomem(err);
    return PTL_OK;
}

static ptl_status print_table(const stats_report *r, section which, ptl_error *err)
{
    report_table t;
    section_init(&t, which);
    ptl_status status = fill(&t, r, which, err);
    if (status == PTL_OK)
        status = print_titled(r, &t, 0, err);
    report_dispose(&t);
    return status;
}

/* Prints a section of one special, without the column that names it; nothing where it is
 * empty. */
static ptl_status print_detail(const stats_report *r, section which, size_t number,
                               ptl_error *err)
{
    report_table t;
    section_init(&t, which);
    ptl_status status = fill_detail(&t, r, which, number, 1, err);
    if (status == PTL_OK && report_rows(&t) > 0)
        status = print_titled(r, &t, 1, err);
    report_dispose(&t);
    return status;
}

static ptl_status print_one(const stats_report *r, size_t number, ptl_error *err)
{
    const ptl_special_facts *f = ptl_facts_find(r->facts, r->q->specials[number]);
    ptl_status status = PTL_OK;
    stats_print_special(r, f);
    for (int i = SECTION_HISTOGRAM; i < SECTION_COUNT && status == PTL_OK; i++)
        if (r->q->sections[i] && section_is_detail((section)i))
            status = print_detail(r, (section)i, number, err);
    if (status == PTL_OK)
        stats_print_hints(r, f);
    return status;
}

static bool any_detail(const stats_question *q)
{
    bool any = false;
    for (int i = 0; i < SECTION_COUNT; i++)
        any |= q->sections[i] && section_is_detail((section)i);
    return any;
}

static ptl_status print_tables(const stats_report *r, ptl_error *err)
{
    ptl_status status = PTL_OK;
    stats_print_head(r);
    for (int i = 0; i < SECTION_COUNT && status == PTL_OK; i++)
        if (r->q->sections[i] && !section_is_detail((section)i))
            status = print_table(r, (section)i, err);
    for (size_t i = 0; i < r->q->special_count && status == PTL_OK && any_detail(r->q); i++)
        status = print_one(r, i, err);
    return status;
}

ptl_status stats_print(const stats_report *r, ptl_error *err)
{
    return r->q->style.format == ROWS_TABLE ? print_tables(r, err) : print_all_data(r, err);
}
