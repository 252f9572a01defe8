/*
 * Prints the comparison as a JUnit report, for the continuous integration of a mod. Each
 * special is a test case, which fails if it changed by more than --max-change. Elements and
 * attributes are those that the common schemas (Jenkins, Maven's Surefire, Ant) agree on.
 */
#include "clients/cli/statistics/compare.h"
#include "os/clock.h"

static void property(const char *name, const char *text)
{
    out_text("      <property name=\"");
    out_xml_text(name);
    out_text("\" value=\"");
    out_xml_text(text);
    out_text("\"/>\n");
}

static void side_properties(const compare_side *s)
{
    char name[20], text[40];
    snprintf(name, sizeof name, "%c.file", s->letter);
    property(name, s->path);
    snprintf(name, sizeof name, "%c.%s", s->letter, s->about->is_sweep ? "sweep" : "world");
    property(name, s->about->name);
    snprintf(name, sizeof name, "%c.content", s->letter);
    property(name, s->about->content);
    snprintf(name, sizeof name, "%c.overmaps", s->letter);
    snprintf(text, sizeof text, "%" PRIu64, s->tally->overmaps);
    property(name, text);
}

/* A special without a test is skipped; one with a change beyond the limit fails. */
static void test_case(const compare_report *r, const ptl_comparison_row *row)
{
    const uint64_t na = r->a->tally->overmaps, nb = r->b->tally->overmaps;
    const uint64_t have = na < nb ? na : nb;
    char text[400];
    compare_words(r, row, text, sizeof text);
    out_text("    <testcase classname=\"portolan.compare\" name=\"");
    out_xml_text(row->id);
    out_text("\" time=\"0\"");
    if (row->test.kind == PTL_TEST_NONE) {
        out_text(">\n      <skipped/>\n    </testcase>\n");
    } else if (row->beyond) {
        out_text(">\n      <failure type=\"change\" message=\"");
        out_xml_text(text);
        out_text("\">");
        out_xml_text(row->id);
        out_text(" ");
        out_xml_text(text);
        out_printf("; at most %g times is allowed</failure>\n    </testcase>\n",
                   r->options.max_change);
    } else if (row->needed <= have) {
        out_text("/>\n");
    } else { /* the samples are too small to show a change: passing proves nothing */
        out_printf(">\n      <system-out>%" PRIu64
                   " overmaps on each side are too few to see a change of %g times: ",
                   have, r->options.notable);
        if (row->needed == UINT64_MAX)
            out_text("no number is enough");
        else
            out_printf("%" PRIu64 " are needed", row->needed);
        out_text("</system-out>\n    </testcase>\n");
    }
}

void compare_print_junit(const compare_report *r)
{
    const ptl_comparison_family *c = &r->rows->specials;
    char when[32];
    clock_now(when);
    when[strcspn(when, "Z")] = '\0'; /* the format has no time zone; the time is UTC */
    out_text("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    out_printf(
        "  <testsuite name=\"portolan compare\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" "
        "skipped=\"%zu\" time=\"0\" timestamp=\"%s\" hostname=\"localhost\">\n",
        c->rows, c->beyond, c->rows - c->tested, when);
    char text[240];
    out_text("    <properties>\n");
    side_properties(r->a);
    side_properties(r->b);
    for (size_t i = 0; i < r->difference_count; i++) {
        const ptl_comparison_difference *d = &r->differences[i];
        if (strcmp(d->what, "content") == 0)
            continue;
        snprintf(text, sizeof text, "%s in A, %s in B", d->a, d->b);
        property(d->what, text);
    }
    out_text("    </properties>\n");
    for (size_t i = 0; i < r->rows->count && out_ok(); i++)
        if (r->rows->rows[i]->kind == PTL_COMPARE_SPECIAL)
            test_case(r, r->rows->rows[i]);
    out_text("  </testsuite>\n</testsuites>\n");
}
