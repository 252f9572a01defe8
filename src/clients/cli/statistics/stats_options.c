/* Reads the command line of portolan stats: which sections, about what, and in which form. */
#include "clients/cli/statistics/stats.h"

/* Options that stand for one or two sections. SECTION_COUNT fills the second place if
 * there is only one. */
static const struct shorthand {
    const char *option;
    section sections[2];
} shorthands[] = {
    {"terrains", {SECTION_TERRAINS, SECTION_COUNT}},
    {"cities", {SECTION_CITIES, SECTION_CITIES_PER_OVERMAP}},
    {"buildings", {SECTION_BUILDINGS, SECTION_BUILDING_SIZES}},
    {"lines", {SECTION_LINES, SECTION_COUNT}},
    {"water", {SECTION_WATER, SECTION_COUNT}},
};

/* Reads an option's value, one of the words, as that word's number. */
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

/* Collects the sections of --section, and of the options that are short for sections. */
static int named_sections(stats_question *q, const args *a)
{
    const char *name, *names[SECTION_COUNT + 1] = {NULL};
    for (int i = 0; i < SECTION_COUNT; i++)
        names[i] = section_name((section)i);
    for (size_t at = 0; (name = args_next(a, "section", &at)) != NULL;) {
        const section which = section_find(name);
        if (which == SECTION_COUNT)
            return usage_unknown(a, "section", name, names);
        q->sections[which] = true;
    }
    for (size_t i = 0; i < sizeof shorthands / sizeof shorthands[0]; i++)
        for (size_t k = 0; k < 2 && args_has(a, shorthands[i].option); k++)
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

/* Most specials for SECTION_NEIGHBOURS: so many have a thousand pairs, each
 * with two histograms. */
enum { NEIGHBOURS_MAX = 32 };

/* Chooses the sections. Without a choice it is the table of specials, or all details of the
 * specials that are named. CSV and the like can hold one section only. */
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

int stats_read_question(stats_question *out, session *s)
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

void stats_more_details(void (*put)(const char *lines))
{
    bytes text = {.size = 0};
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

/* Specials are always counted; the other parts only if a chosen section shows them. */
uint32_t stats_parts(const stats_question *q)
{
    static const uint32_t places = PTL_COUNT_PLACES,
                          distances = PTL_COUNT_PLACES | PTL_COUNT_BASELINE;
    const uint32_t of_sections[SECTION_COUNT] = {
        [SECTION_LEVELS] = places,
        [SECTION_ROTATIONS] = places,
        [SECTION_AROUND] = places,
        [SECTION_DISTANCES] = distances,
        [SECTION_NEIGHBOURS] = distances,
        [SECTION_CLUSTERING] = distances,
        [SECTION_RATES] = PTL_COUNT_CITIES | PTL_COUNT_WATERS,
        [SECTION_TERRAINS] = PTL_COUNT_TERRAINS,
        [SECTION_CITIES] = PTL_COUNT_CITIES,
        [SECTION_CITIES_PER_OVERMAP] = PTL_COUNT_CITIES,
        [SECTION_BUILDINGS] = PTL_COUNT_CITIES,
        [SECTION_BUILDING_SIZES] = PTL_COUNT_CITIES,
        [SECTION_LINES] = PTL_COUNT_LINES,
        [SECTION_WATER] = PTL_COUNT_WATERS};
    uint32_t parts = PTL_COUNT_SPECIALS;
    for (int i = 0; i < SECTION_COUNT; i++)
        parts |= q->sections[i] ? of_sections[i] : 0;
    return parts;
}
