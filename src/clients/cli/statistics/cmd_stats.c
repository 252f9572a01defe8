/*
 * portolan stats: describes a world or a sweep by numbers, above all how its specials are
 * distributed. The sample is counted once into a tally, from which all sections and
 * charts are made.
 */
#include "clients/cli/pictures/chart.h"
#include "clients/cli/statistics/stats.h"
#include "core/error.h"
#include "core/settings.h"

#include <math.h>

/* ---- sentences: the sample, and one special ---- */

enum { WORDS_INDENT = 12 };

/* Prints the world's settings: switches that are on, and choices that differ from the default.
 */
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

/* Returns from how many blocks of neighbouring overmaps the intervals were computed. The number
 * is the same for all specials. */
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

/* Fills the table of a section. If the section is about single specials, the rows are about
 * `count` of the specials that the user named, from the one with the index `first` on. */
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

/* ---- sections for people ---- */

/* Prints a section. A section about single specials is printed for one special, without the
 * column that names the special, and is left out if it would be empty. */
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

/* ---- the whole report ---- */

/* Prints all chosen sections on standard output, but not the charts. */
static ptl_status stats_print(const stats_report *r, ptl_error *err)
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
            out_printf(",\n\"%s\": ", section_specs[i].name);
        if (status == PTL_OK && !rows_print(&r->s->style, &t, 0))
            status = error_nomem(err);
        report_dispose(&t);
    }
    out_text(json ? "}\n" : "");
    return status;
}

/* ---- the command line ---- */

enum { SPECIALS_MAX = 1000 };

static const option_spec options[] = {
    OPTION_WORLD,
    {"sweep", "NAME", "of a sweep, in place of a world", 0},
    {"sort", "ORDER", "of the specials: id (default), placed, missing or ratio", 0},
    {"missing", NULL, "only specials that are short, or never placed", 0},
    {"terrains", NULL, "cells of each terrain", 0},
    {"cities", NULL, "cities by size, and how many an overmap has", 0},
    {"buildings", NULL, "buildings of cities: how many, how far from the centre", 0},
    {"lines", NULL, "lengths of roads and other connections", 0},
    {"water", NULL, "sizes of lakes and rivers", 0},
    {"all", NULL, "every section", 0},
    {"section", "NAME...", "this section alone; may be repeated (named above)", 0},
    OPTIONS_ROWS,
    {"level", "SHARE", "confidence of intervals and tests (default 0.95)", 0},
    {"charts", "DIR", "draw charts into this directory, too; needs gnuplot", 0},
    {"chart-format", "FORMAT", "svg (default) or png", 0},
    {"log", NULL, "charts of distances with a logarithmic axis", 0},
    OPTION_NO_PROGRESS,
    OPTIONS_END,
};

static int read_tally(session *s, const stats_question *q, ptl_sample *from, ptl_tally *out)
{
    ptl_sample_options how = PTL_SAMPLE_OPTIONS_INIT;
    /* Terrains, cities and so on are counted only if a chosen section shows them. */
    how.parts = PTL_COUNT_SPECIALS;
    for (int i = 0; i < SECTION_COUNT; i++)
        how.parts |= q->sections[i] ? section_specs[i].parts : 0;
    how.special = q->special_count == 1 ? q->specials[0] : NULL;
    if (q->sections[SECTION_NEIGHBOURS]) {
        how.neighbours = q->specials;
        how.neighbour_count = q->special_count;
    }
    if (q->sections[SECTION_CLUSTERING]) {
        how.ripley = q->specials;
        how.ripley_count = q->special_count;
    }
    how.on_progress = progress_count;
    how.payload = &s->shown;
    progress_begin(&s->shown, "chunks");
    NEED(session_done(s, ptl_tally_add(out, from, &how, &s->err)));
    if (out->overmaps > 0)
        return EXIT_DONE;
    const ptl_sample_info *about = ptl_sample_about(from);
    const char *file = s->args->operands[0];
    tell("portolan stats: %s '%s' has no complete overmap to count",
         about->is_sweep ? "sweep" : "world", about->name);
    if (about->left_out > 0)
        tell(" (%ju are incomplete or imported)", about->left_out);
    if (!about->is_sweep)
        tell(".\nMake some: portolan generate '%s' --world '%s' --radius 2\n", file,
             about->name);
    else
        tell(".\nMake some: portolan sweep '%s' --seeds 1..100\n", file);
    return EXIT_FAILED;
}

/* ---- what was asked about ---- */

static int check_specials(const stats_question *q, const ptl_sample *from,
                          const ptl_facts *facts)
{
    for (size_t i = 0; i < q->special_count; i++) {
        const char *id = q->specials[i];
        if (ptl_facts_find(facts, id))
            continue;
        const ptl_sample_special *defined = ptl_sample_find(from, id);
        const char **names = calloc(facts->count + 1, sizeof *names);
        for (size_t k = 0; k < facts->count && names; k++)
            names[k] = facts->items[k]->id;
        const char *near = names ? suggest_nearest(id, names) : NULL;
        free(names);
        if (defined && defined->is_building)
            tell("portolan stats: '%s' is a building of cities: --buildings counts those\n",
                 id);
        else if (defined)
            tell("portolan stats: no rule asks for '%s', and no overmap has it\n", id);
        else
            tell(
                "portolan stats: neither the content nor an overmap has a special '%s'%s%s%s\n",
                id, near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
        return EXIT_FAILED;
    }
    return EXIT_DONE;
}

static int report(session *s, const stats_question *q, const ptl_sample *from,
                  const ptl_tally *t)
{
    ptl_facts *facts;
    NEED(session_done(s, ptl_facts_new(&facts, from, t, q->level, &s->err)));
    int code = check_specials(q, from, facts);
    ptl_facts_sort(facts, q->order);
    const stats_report r = {q, s, ptl_sample_about(from), t, facts};
    if (code == EXIT_DONE)
        code = session_done(s, stats_print(&r, &s->err));
    if (code == EXIT_DONE && q->charts)
        code = stats_draw(&r);
    ptl_facts_free(facts);
    return code;
}

/* Reads an option's value, which must be one of `words`, as the number of that word. */
static int read_word(const args *a, const char *option, const char *const *words, size_t count,
                     size_t *out)
{
    const char *text = args_value(a, option);
    char list[200] = "";
    for (size_t i = 0; text && i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            *out = i;
            return EXIT_DONE;
        }
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                 words[i]);
    }
    return text ? usage_error(a, "--%s '%s' is none of %s", option, text, list) : EXIT_DONE;
}

/* Collects the sections of --section, and those of options that stand for sections. */
static int named_sections(stats_question *q, const args *a)
{
    const char *name, *names[SECTION_COUNT + 1] = {NULL};
    for (int i = 0; i < SECTION_COUNT; i++) {
        const char *option = section_specs[i].option;
        names[i] = section_specs[i].name;
        q->sections[i] = option && args_has(a, option);
    }
    for (size_t at = 0; (name = args_next(a, "section", &at)) != NULL;) {
        const section which = section_find(name);
        if (which == SECTION_COUNT)
            return usage_unknown(a, "section", name, names);
        q->sections[which] = true;
    }
    return EXIT_DONE;
}

static size_t count_sections(const stats_question *q)
{
    size_t count = 0;
    for (int i = 0; i < SECTION_COUNT; i++)
        count += q->sections[i];
    return count;
}

/* The most specials for SECTION_NEIGHBOURS. So many specials have a thousand pairs, and each
 * pair has two histograms. */
enum { NEIGHBOURS_MAX = 32 };

/* Chooses the sections to print. If the user named no section, these are all sections about
 * single specials, for the specials that he named. If he named no special either, it is the
 * table of all specials. CSV, JSON lines and raw rows can have only one section. */
static int read_sections(stats_question *q, const args *a, rows_format format)
{
    const bool several = q->special_count > 1 && q->special_count <= NEIGHBOURS_MAX;
    const bool all = args_has(a, "all"), named = q->special_count > 0;
    bool detail = false;
    NEED(named_sections(q, a));
    for (int i = 0; i < SECTION_COUNT; i++)
        detail |= q->sections[i] && section_is_detail((section)i);
    if (detail && !named)
        return usage_error(a, "that section is of one special: name it");
    if (q->sections[SECTION_NEIGHBOURS] && !several)
        return usage_error(a, "section neighbours is of 2 to %d specials: name them",
                           NEIGHBOURS_MAX);
    const bool none = count_sections(q) == 0;
    for (int i = 0; i < SECTION_COUNT; i++) {
        const bool own = section_is_detail((section)i);
        if (i == SECTION_NEIGHBOURS && !several)
            continue;
        if (own ? named && (none || all || (!detail && !args_has(a, "section")))
                : all || (none && !named && i == SECTION_SPECIALS))
            q->sections[i] = true;
    }
    if (format != ROWS_TABLE && format != ROWS_JSON && count_sections(q) > 1)
        return usage_error(a, "--format %s has one section at a time: say --section NAME%s",
                           rows_format_name(format),
                           named ? ", for example --section special" : "");
    return EXIT_DONE;
}

/* Reads the question from the command line. out->specials are the operands, borrowed. Returns
 * EXIT_DONE, or EXIT_USAGE after a message. */
static int stats_read_question(stats_question *out, session *s)
{
    static const char *const orders[] = {"id", "placed", "missing", "ratio"};
    const args *a = s->args;
    size_t order = PTL_FACTS_BY_ID;
    *out = (stats_question){.specials = a->operands + 1,
                            .special_count = a->operand_count - 1,
                            .lacking_only = args_has(a, "missing"),
                            .level = 0.95};
    if (args_value(a, "world") && args_value(a, "sweep"))
        return usage_error(a, "--world and --sweep exclude each other");
    NEED(rows_style_from_args(&s->style, a, NULL));
    NEED(read_word(a, "sort", orders, 4, &order));
    NEED(args_double(a, "level", 0.5, 0.9999, &out->level));
    out->order = (ptl_facts_order)order;
    static const char *const formats[] = {"svg", "png"};
    size_t format = 0;
    out->charts = args_value(a, "charts");
    if (!out->charts && args_has(a, "chart-format"))
        return usage_error(a, "--chart-format needs --charts DIR");
    if (!out->charts && args_has(a, "log"))
        return usage_error(a, "--log is about charts: it needs --charts DIR");
    out->log_distances = args_has(a, "log");
    NEED(read_word(a, "chart-format", formats, 2, &format));
    out->png = format == 1;
    return read_sections(out, a, s->style.format);
}

static int run(session *s)
{
    const args *a = s->args;
    ptl_sample *from = NULL;
    stats_question q;
    if (a->operand_count > 1 + SPECIALS_MAX)
        return usage_error(a, "'%s' is one word too many", a->operands[1 + SPECIALS_MAX]);
    NEED(stats_read_question(&q, s));
    if (q.charts && !chart_can_draw("stats"))
        return EXIT_FAILED;
    NEED(session_open(s, PTL_OPEN_READ));
    const char *world = args_value(a, "world"), *sweep = args_value(a, "sweep");
    bytes name = {.size = 0};
    bytes_printf(&name, "%s%s", world ? "world:" : "sweep:",
                 world   ? world
                 : sweep ? sweep
                         : "");
    const char *text = bytes_text(&name);
    int code = text ? session_done(s, ptl_sample_open(&from, s->store,
                                                      world || sweep ? text : NULL, &s->err))
                    : session_no_memory(s);
    bytes_dispose(&name);
    ptl_tally *t = ptl_tally_new();
    if (!t)
        code = session_no_memory(s);
    else if (code == EXIT_DONE)
        code = read_tally(s, &q, from, t);
    if (t && code == EXIT_DONE)
        code = report(s, &q, from, t);
    ptl_tally_free(t);
    ptl_sample_close(from);
    return code;
}

static void list_section_names(value_sink sink, void *payload)
{
    for (int i = 0; i < SECTION_COUNT; i++)
        if (!sink(payload, section_specs[i].name, ""))
            return;
}

static const value_type values[] = {{"section", VALUE_LISTED, NULL, list_section_names}, {0}};

/* Passes the list of sections to the function `put`, which prints it as a part of --help. */
static void stats_more_details(void (*put)(const char *lines))
{
    bytes text = {.size = 0};
    bytes_put_text(&text, "\nSections of --section:");
    for (int i = 0; i < SECTION_COUNT; i++)
        bytes_printf(&text, "%s%s",
                     i == 0       ? " "
                     : i % 6 == 0 ? ",\n  "
                                  : ", ",
                     section_specs[i].name);
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    put(lines ? lines : "");
    bytes_dispose(&text);
}

const command stats_command = {
    .name = "stats",
    .group = GROUP_ASK,
    .operands = "FILE [SPECIAL...]",
    .summary = "Count what a world has: specials, terrains, cities, water.",
    .operand_help =
        "SPECIAL  Ids of specials: all about each of them, in place of a table of all.\n",
    .details =
        "Without more, a table of all specials. Per overmap:\n"
        "  expected   UNIQUE ones: their chance, x in y. Others under placement quota:\n"
        "             what the rule asked for, on average. Under sectors: the bounds,\n"
        "             from the least to the most that it may place\n"
        "  placed     mean of what the rule placed, and its ratio to what is expected\n"
        "  present    mean of all that stand, by others too (other specials, steps), with\n"
        "             its interval (Student's t; Wilson's of UNIQUE ones; a Poisson\n"
        "             count's where others had one at most). Intervals are each for\n"
        "             itself, p is corrected for all. Neighbours share lakes, so in one\n"
        "             world intervals are made of 4 x 4 overmaps each, from 8 such on\n"
        "  dispersion variance of present over its mean: 1 as if each stood at random,\n"
        "             more in clusters of overmaps, less where all have about as many\n"
        "  none in    share of overmaps without any, with Wilson's interval\n"
        "  verdict    UNIQUE ones: whether the rate departs from the chance, by an exact\n"
        "             binomial test (of blocks by Student's t) with Holm's correction\n"
        "             for all that are tested. Under sectors others are within bounds\n"
        "             if no overmap has fewer than the least\n"
        "  short      overmaps that have fewer than were asked for (sectors: fewer than\n"
        "             the least), and the main reason: the first test that left no place\n\n"
        "With SPECIALs, all about each: how many are in an overmap, levels, rotations, "
        "terrain around, and distances to a city, a road and the next one of its kind beside "
        "those of points at random. Distances are Euclidean, in OMTs, inside the overmap; "
        "points are of all land, for its own kind as many as it has, anywhere. Of 2 to 32 "
        "SPECIALs also the nearest of each other kind, beside the land of the overmaps where "
        "they stand (of a sweep, which keeps no OMTs: any cell). Clustering is Ripley's K "
        "beside 199 patterns of points on that land; rates are by region, by whether an "
        "overmap has a lake or sea, and by the size of its largest city.\n",
    .more_details = stats_more_details,
    .examples = "  portolan stats w.db\n"
                "  portolan stats w.db anthill\n"
                "  portolan stats w.db anthill abbey --section neighbours\n"
                "  portolan stats w.db anthill --section clustering --section rates\n"
                "  portolan stats w.db --missing --sort missing\n"
                "  portolan stats w.db --section terrains --format csv > terrains.csv\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "nothing was counted to its end: the same command begins again",
};
