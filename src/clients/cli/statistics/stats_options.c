/* The command line of `portolan stats`: which sections, of what, and how. */
#include "clients/cli/line/output.h"
#include "clients/cli/statistics/stats.h"
#include "core/bytes.h"
#include "core/suggest.h"

#include <stdio.h>
#include <string.h>

/* What an option stands for, up to SECTION_COUNT. */
static const struct shorthand {
    const char *option;
    section sections[3];
} shorthands[] = {
    {"terrains", {SECTION_TERRAINS, SECTION_COUNT, SECTION_COUNT}},
    {"cities", {SECTION_CITIES, SECTION_CITIES_PER_OVERMAP, SECTION_COUNT}},
    {"buildings", {SECTION_BUILDINGS, SECTION_BUILDING_SIZES, SECTION_COUNT}},
    {"lines", {SECTION_LINES, SECTION_COUNT, SECTION_COUNT}},
    {"water", {SECTION_WATER, SECTION_COUNT, SECTION_COUNT}},
};

/* Returns the number of the text in a list; count if it is none. */
static size_t word_number(const char *text, const char *const *words, size_t count)
{
    size_t i = 0;
    while (i < count && strcmp(text, words[i]) != 0)
        i++;
    return i;
}

static int read_word(const args *a, const char *option, const char *const *words, size_t count,
                     size_t *out)
{
    const char *text = args_value(a, option);
    if (!text)
        return EXIT_DONE;
    *out = word_number(text, words, count);
    if (*out < count)
        return EXIT_DONE;
    char list[200] = "";
    for (size_t i = 0; i < count; i++)
        snprintf(list + strlen(list), sizeof list - strlen(list), "%s%s", i ? ", " : "",
                 words[i]);
    return usage_error(a, "--%s '%s' is none of %s", option, text, list);
}

static int unknown_section(const args *a, const char *text)
{
    const char *names[SECTION_COUNT + 1] = {NULL};
    for (int i = 0; i < SECTION_COUNT; i++)
        names[i] = section_name((section)i);
    const char *near = suggest_nearest(text, names);
    return usage_error(a, "there is no section '%s'%s%s", text, near ? "; did you mean " : "",
                       near ? near : "");
}

static int named_sections(stats_question *q, const args *a)
{
    size_t at = 0;
    const char *name;
    while ((name = args_next(a, "section", &at)) != NULL) {
        const section which = section_find(name);
        if (which == SECTION_COUNT)
            return unknown_section(a, name);
        q->sections[which] = true;
    }
    for (size_t i = 0; i < sizeof shorthands / sizeof shorthands[0]; i++)
        for (size_t k = 0; k < 3 && args_has(a, shorthands[i].option); k++)
            if (shorthands[i].sections[k] != SECTION_COUNT)
                q->sections[shorthands[i].sections[k]] = true;
    return EXIT_DONE;
}

static size_t count_sections(const stats_question *q)
{
    size_t count = 0;
    for (int i = 0; i < SECTION_COUNT; i++)
        count += q->sections[i];
    return count;
}

/* Of so many there are a thousand pairs, each with two histograms. */
enum { NEIGHBOURS_MAX = 32 };

static int read_sections(stats_question *q, const args *a)
{
    const bool several = q->special_count > 1 && q->special_count <= NEIGHBOURS_MAX;
    const bool all = args_has(a, "all"), named = q->special_count > 0;
    const int code = named_sections(q, a);
    bool detail = false;
    if (code != EXIT_DONE)
        return code;
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
    if (q->style.format != ROWS_TABLE && q->style.format != ROWS_JSON && count_sections(q) > 1)
        return usage_error(a, "--format %s has one section at a time: say --section NAME%s",
                           rows_format_name(q->style.format),
                           named ? ", for example --section special" : "");
    return EXIT_DONE;
}

static int read_charts(stats_question *q, const args *a)
{
    static const char *const formats[] = {"svg", "png"};
    size_t format = 0;
    q->charts = args_value(a, "charts");
    if (!q->charts && args_has(a, "chart-format"))
        return usage_error(a, "--chart-format needs --charts DIR");
    if (!q->charts && args_has(a, "log"))
        return usage_error(a, "--log is about charts: it needs --charts DIR");
    q->log_distances = args_has(a, "log");
    const int code = read_word(a, "chart-format", formats, 2, &format);
    q->png = format == 1;
    return code;
}

int stats_read_question(stats_question *out, const args *a)
{
    static const char *const orders[] = {"id", "placed", "missing", "ratio"};
    size_t order = PTL_FACTS_BY_ID;
    *out = (stats_question){.specials = a->operands + 1,
                            .special_count = a->operand_count - 1,
                            .lacking_only = args_has(a, "missing"),
                            .level = 0.95};
    if (args_value(a, "world") && args_value(a, "sweep"))
        return usage_error(a, "--world and --sweep exclude each other");
    int code = rows_style_from_args(&out->style, a, NULL);
    if (code == EXIT_DONE)
        code = read_word(a, "sort", orders, 4, &order);
    if (code == EXIT_DONE)
        code = args_double(a, "level", 0.5, 0.9999, &out->level);
    out->order = (ptl_facts_order)order;
    if (code == EXIT_DONE)
        code = read_charts(out, a);
    return code == EXIT_DONE ? read_sections(out, a) : code;
}

void stats_more_details(void (*put)(const char *lines))
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "\nSections of --section:");
    for (int i = 0; i < SECTION_COUNT; i++)
        bytes_printf(&text, "%s%s",
                     i == 0       ? " "
                     : i % 6 == 0 ? ",\n  "
                                  : ", ",
                     section_name((section)i));
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    put(lines ? lines : "");
    bytes_dispose(&text);
}

uint32_t stats_parts(const stats_question *q)
{
    const bool *s = q->sections;
    uint32_t parts = PTL_COUNT_SPECIALS;
    if (s[SECTION_LEVELS] || s[SECTION_ROTATIONS] || s[SECTION_AROUND] ||
        s[SECTION_DISTANCES] || s[SECTION_NEIGHBOURS] || s[SECTION_CLUSTERING])
        parts |= PTL_COUNT_PLACES;
    if (s[SECTION_DISTANCES] || s[SECTION_NEIGHBOURS] || s[SECTION_CLUSTERING])
        parts |= PTL_COUNT_BASELINE;
    if (s[SECTION_RATES])
        parts |= PTL_COUNT_CITIES | PTL_COUNT_WATERS;
    if (s[SECTION_TERRAINS])
        parts |= PTL_COUNT_TERRAINS;
    if (s[SECTION_CITIES] || s[SECTION_CITIES_PER_OVERMAP] || s[SECTION_BUILDINGS] ||
        s[SECTION_BUILDING_SIZES])
        parts |= PTL_COUNT_CITIES;
    if (s[SECTION_LINES])
        parts |= PTL_COUNT_LINES;
    if (s[SECTION_WATER])
        parts |= PTL_COUNT_WATERS;
    return parts;
}
