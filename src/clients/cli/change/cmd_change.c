/* The command `portolan change`: says what a change of content does. */
#include "clients/cli/change/change.h"

#include <math.h>

static const option_spec options[] = {
    {"before", "DIR...", "content before the change: a folder, a .json file, or a game", 0},
    {"after", "DIR...", "content after the change", 0},
    OPTIONS_CONTENT,
    {"max-change", "R", "a special fails that changed significantly by more than R times", 0},
    {"allow", "FILE", "ids whose findings are intended, one in each line", 0},
    {"overmaps", "N", "overmaps that are made of each content (default: 400)", 0},
    {"seed", "S", "the seed of the first overmap, and of the pictures (default: 1)", 0},
    {"level", "C", "confidence, 0.5..0.9999 (default: 0.95)", 0},
    {"without", "PART,...", "leave out: remarks, rates, coverage, loot, pictures, seams", 0},
    {"pictures", "N", "at most so many pairs of pictures (default: 200)", 0},
    {"html", "FILE", "write a report with pictures, one HTML file", 0},
    {"markdown", "FILE", "write a report for a comment, below 65,536 characters", 0},
    {"list", "PART", "print all rows of a part, in place of the summary", 0},
    OPTIONS_FINDINGS,
    OPTION_JOBS,
    OPTION_QUIET,
    OPTIONS_END,
};

/* ---- tables ---- */

/* The columns of each part's table, in the order of its cells. */
static const report_column definition_columns[] = {
    COLUMN(change),       COLUMN(kind),         COLUMN(id), COLUMN_RANK(file, 1),
    COLUMN_RANK(line, 1), COLUMN_RANK(note, 2), COLUMNS_END};
static const report_column remark_columns[] = {
    COLUMN(severity),     COLUMN(code),         COLUMN(id), COLUMN(message),
    COLUMN_RANK(file, 1), COLUMN_RANK(line, 1), COLUMNS_END};
static const report_column rate_columns[] = {
    COLUMN(special),
    COLUMN(change),
    COLUMN_DATA(significant),
    COLUMN_DATA(beyond),
    COLUMN_DATA(a_sum),
    COLUMN_DATA(b_sum),
    COLUMN_AS(a_mean, "before", 3, 0),
    COLUMN_AS(b_mean, "after", 3, 0),
    COLUMN_AS(ratio, "ratio", 2, 0),
    COLUMN_AS(interval, "interval", 0, REPORT_EYE_ONLY | REPORT_RANK(3)),
    COLUMN_DATA(ratio_low),
    COLUMN_DATA(ratio_high),
    COLUMN_RANK(test, 9),
    COLUMN_DATA(p),
    COLUMN_DATA(adjusted_p),
    COLUMN_AS(adjusted_text, "corrected p", 0, REPORT_EYE_ONLY | REPORT_RANK(4)),
    COLUMN_AS(visible_more, "seen if more by", 2, REPORT_RANK(5)),
    COLUMN_AS(visible_fewer, "or fewer by", 2, REPORT_RANK(5)),
    COLUMNS_END};
static const report_column coverage_columns[] = {
    COLUMN(kind),
    COLUMN(id),
    COLUMN_DATA(change),
    COLUMN(before),
    COLUMN(after),
    COLUMN_AS(before_share, "share before", 1, REPORT_PERCENT | REPORT_RANK(2)),
    COLUMN_AS(after_share, "after", 1, REPORT_PERCENT | REPORT_RANK(2)),
    COLUMN_WRAP(why),
    COLUMNS_END};
static const report_column loot_columns[] = {
    COLUMN(group),
    COLUMN(kind),
    COLUMN(id),
    COLUMN_AS(before, "before", 4, 0),
    COLUMN_AS(after, "after", 4, 0),
    COLUMN_AS(ratio, "ratio", 2, REPORT_RANK(2)),
    COLUMN_AS(before_chance, "chance before", 4, REPORT_RANK(3)),
    COLUMN_AS(after_chance, "after", 4, REPORT_RANK(3)),
    COLUMN_RANK(how, 4),
    COLUMN_RANK(through, 5),
    COLUMNS_END};
static const report_column picture_columns[] = {
    COLUMN(kind),
    COLUMN(id),
    COLUMN_AS(entry_before, "entry before", 0, REPORT_RANK(2)),
    COLUMN_AS(entry_after, "after", 0, REPORT_RANK(2)),
    COLUMN_AS(tiles, "tiles that differ", 0, 0),
    COLUMN_RANK(place, 2),
    COLUMN_RANK(through, 3),
    COLUMN_RANK(what, 1),
    COLUMN_RANK(note, 4),
    COLUMNS_END};
static const report_column seam_columns[] = {COLUMN(side), COLUMN(where), COLUMN_WRAP(problem),
                                             COLUMNS_END};

static const struct {
    const char *name, *title;
    const report_column *columns;
} parts[PART_COUNT] = {
    [PART_DEFINITIONS] = {"definitions", "Definitions", definition_columns},
    [PART_REMARKS] = {"remarks", "Remarks of the import that are new", remark_columns},
    [PART_RATES] = {"rates", "Specials per overmap", rate_columns},
    [PART_COVERAGE] = {"coverage", "Coverage of what is touched", coverage_columns},
    [PART_LOOT] = {"loot", "Draws from groups that are touched", loot_columns},
    [PART_PICTURES] = {"pictures", "Local maps", picture_columns},
    [PART_SEAMS] = {"seams", "Seams", seam_columns},
};

/* ---- the command line ---- */

/* Returns the part of the comparison whose name is the first `size` bytes of the text;
 * PART_COUNT: no part has this name. */
static int part_of(const char *text, size_t size)
{
    int part = 0;
    while (part < PART_COUNT &&
           (strlen(parts[part].name) != size || strncmp(parts[part].name, text, size) != 0))
        part++;
    return part;
}

static int read_parts(change *c)
{
    const args *a = c->s->args;
    const char *text = args_value(a, "without"), *list = args_value(a, "list");
    for (; text && *text; text += strspn(text, ",")) {
        const size_t size = strcspn(text, ",");
        const int part = part_of(text, size);
        if (part == PART_COUNT || part == PART_DEFINITIONS)
            return usage_error(a,
                               "--without '%.*s' is none of remarks, rates, coverage, loot, "
                               "pictures and seams",
                               (int)size, text);
        c->without[part] = true;
        text += size;
    }
    c->listed = list ? part_of(list, strlen(list)) : PART_COUNT;
    if (list && (c->listed == PART_COUNT || c->without[c->listed]))
        return usage_error(a,
                           "--list '%s' is none of the parts that are made: definitions, "
                           "remarks, rates, coverage, loot, pictures, seams",
                           list);
    return EXIT_DONE;
}

static int read_options(change *c)
{
    const args *a = c->s->args;
    int64_t overmaps = 400, pictures = 200;
    c->seed = 1;
    c->jobs = 1;
    c->rates = (ptl_comparison_options)PTL_COMPARISON_OPTIONS_INIT;
    c->rates.level = 0.95;
    c->rates.visible = true;
    NEED(read_parts(c));
    NEED(args_int(a, "overmaps", 2, PTL_SWEEP_SEEDS_MAX, &overmaps));
    NEED(args_int(a, "pictures", 0, 100000, &pictures));
    NEED(args_u64(a, "seed", &c->seed));
    NEED(args_int32(a, "jobs", 1, 64, &c->jobs));
    NEED(args_double(a, "level", 0.5, 0.9999, &c->rates.level));
    NEED(args_double(a, "max-change", 1, 1e9, &c->rates.max_change));
    if (args_has(a, "max-change") && !(c->rates.max_change > 1))
        return usage_error(a, "--max-change is a factor above 1, such as 1.5");
    if (args_has(a, "max-change") && c->without[PART_RATES])
        return usage_error(a, "--max-change is about the rates, which --without leaves out");
    if (c->seed > UINT64_MAX - (uint64_t)overmaps)
        return usage_error(a, "--seed is too large for %lld overmaps", (long long)overmaps);
    c->overmaps = (uint64_t)overmaps;
    c->picture_most = (size_t)pictures;
    return change_allow_read(c);
}

/* ---- all parts ---- */

static int run_parts(change *c)
{
    NEED(change_definitions(c));
    NEED(change_touch(c));
    if (!c->without[PART_RATES])
        NEED(change_rates(c));
    if (!c->without[PART_COVERAGE])
        NEED(change_coverage(c));
    for (int i = 0; i < SIDES; i++)
        NEED(content_world(&c->sides[i].content));
    if (!c->without[PART_LOOT])
        NEED(change_loot(c));
    if (!c->without[PART_SEAMS])
        NEED(change_seams(c));
    if (!c->without[PART_PICTURES])
        NEED(change_pictures(c));
    return c->failed ? session_no_memory(c->s) : EXIT_DONE;
}

static int report(change *c)
{
    const args *a = c->s->args;
    change_allow_end(c);
    NEED(findings_settle(&c->findings));
    if (args_has(a, "html"))
        NEED(change_html(c, args_value(a, "html")));
    if (args_has(a, "markdown"))
        NEED(change_markdown(c, args_value(a, "markdown")));
    NEED(change_print(c));
    return findings_end(&c->findings);
}

static int compare(change *c)
{
    NEED(findings_begin(&c->findings, c->s, &c->sides[AFTER].content, change_kinds,
                        FOUND_KINDS));
    NEED(read_options(c));
    NEED(change_sides_open(c));
    NEED(run_parts(c));
    return report(c);
}

static void close(change *c)
{
    ptl_comparison_free(c->comparison);
    change_pictures_free(c);
    change_sides_close(c);
    findings_dispose(&c->findings);
    for (int i = 0; i < PART_COUNT; i++)
        report_dispose(&c->tables[i]);
    strmap_dispose(&c->names_at);
    free(c->names);
    free(c->allowed);
    arena_free(c->memory);
}

static int run(session *s)
{
    change c = {.s = s, .memory = arena_new()};
    c.findings.session = s;
    strmap_init(&c.names_at);
    for (int i = 0; i < PART_COUNT; i++)
        report_init(&c.tables[i], parts[i].name, parts[i].title, parts[i].columns);
    for (int i = 0; i < SIDES; i++) {
        import_issues_init(&c.sides[i].issues);
        strmap_init(&c.sides[i].objects_at);
    }
    const int code = c.memory ? compare(&c) : args_no_memory(s->args);
    close(&c);
    return code;
}

static void list_parts(value_sink sink, void *payload)
{
    for (int i = 0; i < PART_COUNT; i++)
        if (!sink(payload, parts[i].name, parts[i].title))
            return;
}

static const value_type values[] = {{"format", VALUE_WORDS, FINDINGS_FORMATS, NULL},
                                    {"PART", VALUE_LISTED, NULL, list_parts},
                                    {"without", VALUE_PARTS, NULL, list_parts},
                                    {"DIR", VALUE_FILE, NULL, NULL},
                                    {0}};

const command change_command = {
    .name = "change",
    .group = GROUP_ASK,
    .operands = "[DIR...]",
    .operands_vary = true,
    .summary = "Say what a change of content does to worlds, and show it.",
    .operand_help = "DIR  Folders of content, or .json files, that both sides have, the base "
                    "first.\n",
    .details =
        "Both contents are imported and compared: which definitions are new, gone or changed, "
        "and what uses them; how many of each special overmaps have; whether what is touched "
        "still comes; what touched groups give; pictures of touched entries of mapgen and of "
        "specials, before and after; and whether lines still meet. What --builtin, --game and "
        "DIR name belongs to both sides. If --before and --after are games, each side has its "
        "own.\n\n"
        "The exit code is 1 if an id is gone that saved worlds may have, if a special changed "
        "by more than --max-change, if something never comes any more, if an import finds a "
        "new error, or if lines lead nowhere. --allow FILE lists ids for which that is "
        "intended. In JUnit each special is a test case, and one that could not have failed "
        "with so few overmaps is skipped.\n",
    .examples =
        "  portolan change --builtin --before old/mine --after mods/mine --jobs 2\n"
        "  portolan change --builtin --before old/mine --after mods/mine --format junit\n"
        "  portolan change --before old/cataclysm --after cataclysm --html report.html\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "nothing can be said",
};
