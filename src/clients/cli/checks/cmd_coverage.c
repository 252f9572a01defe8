/* portolan coverage: says which definitions of content come into worlds, and why others do not.
 */
#include "clients/cli/checks/findings.h"
#include "core/error.h"
#include "portolan/coverage.h"

static const option_spec options[] = {
    OPTIONS_CONTENT,
    {"kind", "KIND,...", "only these: terrain, special, building, mapgen, extra", 0},
    {"verdict", "VERDICT,...", "only these: comes, rare, not-seen, never", 0},
    {"whitelist", "FILE", "ids that need not come: a JSON array, or the games' own list", 0},
    {"overmaps", "N", "overmaps of each region at first (default: 200)", 0},
    {"until", "M", "overmaps of each region at most, for what was not seen (default: 2 N)", 0},
    {"seed", "S", "the seed of the first overmap (default: 1)", 0},
    OPTIONS_FINDINGS,
    OPTION_JOBS,
    OPTION_QUIET,
    OPTIONS_END,
};

static const finding_kind kinds[] = {
    {"COV001", PTL_ERROR, "Nothing can bring it into a world"},
    {"COV002", PTL_WARNING, "It was not seen in any overmap"},
    {"COV003", PTL_WARNING, "It should not come, and comes"},
};
enum { NEVER, NOT_SEEN, UNWANTED, FINDING_KINDS };

typedef struct covering {
    session *s;
    content content;
    findings findings;
    ptl_coverage *coverage;
    ptl_coverage_options options;
    uint32_t kinds, verdicts; /* a bit for each word of --kind and of --verdict */
} covering;

/* ---- the command line ---- */

static const char *kind_word(int i)
{
    return ptl_coverage_kind_name((ptl_coverage_kind)i);
}

static const char *verdict_word(int i)
{
    return ptl_coverage_verdict_name((ptl_coverage_verdict)i);
}

/* Reads an option's value, words with commas between them: sets the bit i for the word that
 * word(i) returns. If the option is missing, sets all bits. */
static int read_words(uint32_t *out, const args *a, const char *option,
                      const char *(*word)(int number))
{
    const char *text = args_value(a, option);
    *out = text ? 0 : UINT32_MAX;
    for (; text && *text; text += strspn(text, ",")) {
        const size_t size = strcspn(text, ",");
        int i = 0;
        while (*word(i) && (strlen(word(i)) != size || strncmp(word(i), text, size) != 0))
            i++;
        if (!*word(i))
            return usage_error(a, "--%s '%.*s' is none of %s, %s, ...", option, (int)size, text,
                               word(0), word(1));
        *out |= UINT32_C(1) << i;
        text += size;
    }
    return *out ? EXIT_DONE : usage_error(a, "--%s names nothing", option);
}

static int read_options(covering *c)
{
    const args *a = c->s->args;
    int64_t overmaps = (int64_t)c->options.overmaps, until = -1;
    NEED(read_words(&c->kinds, a, "kind", kind_word));
    NEED(read_words(&c->verdicts, a, "verdict", verdict_word));
    NEED(args_int(a, "overmaps", 1, PTL_COVERAGE_OVERMAPS_MAX, &overmaps));
    NEED(args_int(a, "until", 1, PTL_COVERAGE_OVERMAPS_MAX, &until));
    NEED(args_u64(a, "seed", &c->options.seed));
    NEED(args_int32(a, "jobs", 1, PTL_COVERAGE_JOBS_MAX, &c->options.jobs));
    if (until >= 0 && until < overmaps)
        return usage_error(a, "--until %lld is less than --overmaps %lld", (long long)until,
                           (long long)overmaps);
    c->options.overmaps = (uint64_t)overmaps;
    c->options.until = until >= 0 ? (uint64_t)until : (uint64_t)(2 * overmaps);
    return EXIT_DONE;
}

/* ---- what matters ---- */

/* Returns whether the command is about the pack. With --pack it is about that pack alone;
 * otherwise about all packs but those that were imported only because others build on them. */
static bool is_asked(const content *c, const char *pack)
{
    if (c->pack)
        return strcmp(c->pack, pack) == 0;
    for (size_t i = 0; i < c->pack_count; i++)
        if (strcmp(c->packs[i].id, pack) == 0)
            return !c->packs[i].is_base;
    return true;
}

static bool wanted(void *payload, ptl_coverage_kind kind, const char *id, const char *pack)
{
    const covering *c = payload;
    (void)id;
    return c->kinds >> kind & 1 && is_asked(&c->content, pack);
}

static bool on_progress(void *payload, const ptl_progress *now)
{
    covering *c = payload;
    return progress_show(&c->s->shown, now);
}

/* Returns whether the entry is to be printed and counted. An entry is a definition of the
 * content, with a verdict: whether it came into the overmaps, and if not, whether that is
 * explained. */
static bool is_shown(const covering *c, const ptl_coverage_entry *e)
{
    return c->kinds >> e->kind & 1 && is_asked(&c->content, e->pack);
}

/* Returns whether it is all right if what the entry defines never comes into a world, because
 * the content says so or the author has allowed it. */
static bool is_allowed(const ptl_coverage_entry *e)
{
    return e->unwanted || e->allowed;
}

/* ---- words ---- */

/* Appends why what the entry defines was in no overmap; nothing if it was in one. */
static void put_why(bytes *out, const ptl_coverage_entry *e)
{
    const char *because = ptl_coverage_reason_text(e->because);
    bytes_put_text(out, ptl_coverage_reason_text(e->reason));
    if (*e->by)
        bytes_printf(out, ": %s", e->by);
    if (*e->by && *because)
        bytes_printf(out, " (%s)", because);
}

/* Appends why no overmap has what the entry defines, as put_why does. If no overmap had a place
 * that fits, adds in how many overmaps the special was asked for, and in how many some origin
 * passed the test of the ground, of the connections and of the city. */
static void put_why_counted(bytes *out, const ptl_coverage_entry *e)
{
    put_why(out, e);
    if (e->reason == PTL_COVERAGE_FITS_NOWHERE)
        bytes_printf(out,
                     " (asked for in %ju overmaps; some origin passed the ground in %ju, the "
                     "ways in %ju, the city in %ju)",
                     (uintmax_t)e->tried, (uintmax_t)e->ground, (uintmax_t)e->linked,
                     (uintmax_t)e->city);
}

/* Writes the message of a finding. It has no counts, because a baseline compares messages, and
 * counts differ between runs. */
static void put_message(bytes *out, const ptl_coverage_entry *e, int kind)
{
    static const char *const texts[FINDING_KINDS] = {[NEVER] = "never comes",
                                                     [NOT_SEEN] = "was not seen",
                                                     [UNWANTED] = "should not come, and comes"};
    bytes_clear(out);
    bytes_printf(out, "this %s %s%s", ptl_coverage_kind_name(e->kind), texts[kind],
                 kind == UNWANTED ? "" : ": ");
    if (kind != UNWANTED)
        put_why(out, e);
}

/* Returns the kind of finding that this entry of the coverage (a definition of the content)
 * gives rise to; FINDING_KINDS: none. */
static int finding_of(const ptl_coverage_entry *e)
{
    if (e->verdict == PTL_COVERAGE_COMES)
        return is_allowed(e) ? UNWANTED : FINDING_KINDS;
    if (e->verdict == PTL_COVERAGE_RARE || is_allowed(e))
        return FINDING_KINDS;
    return e->verdict == PTL_COVERAGE_NEVER ? NEVER : NOT_SEEN;
}

static void add_findings(covering *c)
{
    bytes message = {.size = 0};
    for (size_t i = 0; i < ptl_coverage_count(c->coverage); i++) {
        const ptl_coverage_entry *e = ptl_coverage_entry_at(c->coverage, i);
        const int kind = finding_of(e);
        if (!is_shown(c, e) || kind == FINDING_KINDS || !(c->verdicts >> e->verdict & 1))
            continue;
        put_message(&message, e, kind);
        const char *text = bytes_text(&message);
        c->findings.list.failed = c->findings.list.failed || !text;
        findings_add(&c->findings, &(ptl_diagnostic){.size = sizeof(ptl_diagnostic),
                                                     .severity = kinds[kind].severity,
                                                     .file = e->file,
                                                     .line = e->line,
                                                     .id = e->id,
                                                     .message = text ? text : "",
                                                     .code = kinds[kind].code,
                                                     .pack = e->pack});
    }
    bytes_dispose(&message);
}

/* ---- tables ---- */

/* Prints a table: for each kind of definitions, how many came into the overmaps, how many are
 * rare, were not seen or can never come, and how many need not come. */
static bool print_summary(const covering *c)
{
    static const report_column columns[] = {
        COLUMN(kind),  COLUMN(comes),
        COLUMN(rare),  COLUMN_AS(not_seen, "not seen", 0, 0),
        COLUMN(never), COLUMN_AS(whitelisted, "need not come", 0, 0),
        COLUMNS_END};
    uint64_t counts[PTL_COVERAGE_KINDS][PTL_COVERAGE_VERDICTS + 1] = {{0}};
    for (size_t i = 0; i < ptl_coverage_count(c->coverage); i++) {
        const ptl_coverage_entry *e = ptl_coverage_entry_at(c->coverage, i);
        if (!is_shown(c, e))
            continue;
        counts[e->kind][e->verdict]++;
        counts[e->kind][PTL_COVERAGE_VERDICTS] += is_allowed(e);
    }
    report_table t;
    report_init(&t, "coverage", NULL, columns);
    for (int kind = 0; kind < PTL_COVERAGE_KINDS; kind++)
        if (c->kinds >> kind & 1)
            report_put(&t, CELLS(cell_text(kind_word(kind)),
                                 cell_uint(counts[kind][PTL_COVERAGE_COMES]),
                                 cell_uint(counts[kind][PTL_COVERAGE_RARE]),
                                 cell_uint(counts[kind][PTL_COVERAGE_NOT_SEEN]),
                                 cell_uint(counts[kind][PTL_COVERAGE_NEVER]),
                                 cell_uint(counts[kind][PTL_COVERAGE_VERDICTS])));
    const bool good = rows_print(&c->s->style, &t, 0);
    report_dispose(&t);
    return good;
}

/* Returns a cell with the number; an empty cell if it is below 0, which means unknown. */
static report_cell known(double value)
{
    return value < 0 ? cell_none() : cell_real(value);
}

/* Returns a cell with a chance. Nobody can tell a chance under 1e-9 from none, so it is told as
 * 0, and not with hundreds of decimals. */
static report_cell chance(double value)
{
    static const double LEAST = 1e-9;
    return known(value >= 0 && value < LEAST ? 0 : value);
}

static void put_entry(report_table *t, const ptl_coverage_entry *e)
{
    bytes place = {.size = 0}, reason = {.size = 0};
    bytes_printf(&place, "%s:%d", e->file, e->line);
    put_why_counted(&reason, e);
    const char *where = bytes_text(&place), *why = bytes_text(&reason);
    t->failed = t->failed || !where || !why;
    report_put(t, CELLS(cell_text(ptl_coverage_verdict_name(e->verdict)),
                        cell_text(ptl_coverage_kind_name(e->kind)), cell_text(e->id),
                        cell_text(ptl_coverage_reason_name(e->reason)), cell_text(e->by),
                        cell_text(ptl_coverage_reason_name(e->because)), cell_text(e->region),
                        cell_uint(e->overmaps), cell_uint(e->with), cell_uint(e->count),
                        cell_real(e->low), cell_real(e->high), known(e->expected),
                        chance(e->unseen), cell_uint(e->forced), cell_uint(e->stood),
                        cell_uint(e->tried), cell_uint(e->ground), cell_uint(e->linked),
                        cell_uint(e->city), cell_uint(e->room), cell_uint(is_allowed(e)),
                        cell_text(e->pack), cell_text(where), cell_text(why)));
    bytes_dispose(&place);
    bytes_dispose(&reason);
}

/* Prints a row for each entry that has a verdict named by --verdict. Without --verdict, a table
 * has only those entries that are findings, and other formats have all entries. */
static bool print_entries(const covering *c)
{
    static const report_column columns[] = {COLUMN(verdict),
                                            COLUMN(kind),
                                            COLUMN(id),
                                            COLUMN_DATA(reason),
                                            COLUMN_DATA(by),
                                            COLUMN_DATA(because),
                                            COLUMN_RANK(region, 3),
                                            COLUMN_RANK(overmaps, 2),
                                            COLUMN_RANK(with, 2),
                                            COLUMN_DATA(count),
                                            COLUMN_DATA(low),
                                            COLUMN_DATA(high),
                                            COLUMN_DATA(expected),
                                            COLUMN_DATA(unseen),
                                            COLUMN_DATA(forced),
                                            COLUMN_DATA(stood),
                                            COLUMN_DATA(tried),
                                            COLUMN_DATA(ground),
                                            COLUMN_DATA(linked),
                                            COLUMN_DATA(city),
                                            COLUMN_DATA(room),
                                            COLUMN_DATA(whitelisted),
                                            COLUMN_DATA(pack),
                                            COLUMN_RANK(place, 1),
                                            COLUMN_WRAP(why),
                                            COLUMNS_END};
    const bool all = c->s->style.format != ROWS_TABLE || args_has(c->s->args, "verdict");
    report_table t;
    report_init(&t, "entries", NULL, columns);
    for (size_t i = 0; i < ptl_coverage_count(c->coverage); i++) {
        const ptl_coverage_entry *e = ptl_coverage_entry_at(c->coverage, i);
        const bool counts = all || finding_of(e) != FINDING_KINDS;
        if (is_shown(c, e) && counts && c->verdicts >> e->verdict & 1)
            put_entry(&t, e);
    }
    const bool table = c->s->style.format == ROWS_TABLE;
    if (table && report_rows(&t) > 0)
        out_say("\n");
    const bool good = (table && report_rows(&t) == 0) || rows_print(&c->s->style, &t, 0);
    report_dispose(&t);
    return good;
}

static ptl_status print_rows(void *payload, ptl_error *err)
{
    const covering *c = payload;
    bool good = c->s->style.format != ROWS_TABLE || print_summary(c);
    good = good && print_entries(c);
    return good || !out_ok() ? PTL_OK : error_nomem(err);
}

static int print(covering *c)
{
    session *s = c->s;
    const char *const inputs[] = {c->content.is_file ? s->args->operands[0] : ""};
    if (s->style.format == ROWS_OTHER)
        return findings_print(&c->findings);
    return out_file_print(s, inputs, c->content.is_file, print_rows, c);
}

/* ---- running ---- */

static int make(covering *c)
{
    session *s = c->s;
    c->options.whitelist = args_value(s->args, "whitelist");
    c->options.wanted = wanted;
    c->options.on_progress = on_progress;
    c->options.payload = c;
    progress_begin(&s->shown, "overmaps");
    const ptl_status status = ptl_coverage_run(&c->coverage, s->store, &c->options, &s->err);
    progress_end(&s->shown);
    if (status == PTL_ERR_CANCELLED && stop_wanted())
        return stop_tell();
    return session_done(s, status);
}

/* Returns the exit code of the command. A definition that was not seen (NOT_SEEN) is only a
 * warning. But such a warning makes the command fail as an error does, unless the baseline has
 * it. */
static int judge(const covering *c)
{
    const int code = findings_end(&c->findings);
    for (size_t i = 0; i < c->findings.list.count && code == EXIT_DONE; i++)
        if (strcmp(c->findings.list.items[i].what.code, kinds[NOT_SEEN].code) == 0)
            return EXIT_FAILED;
    return code;
}

static int cover(covering *c)
{
    NEED(findings_begin(&c->findings, c->s, &c->content, kinds, FINDING_KINDS));
    NEED(read_options(c));
    NEED(content_open(&c->content, c->s, CONTENT_QUICK));
    NEED(make(c));
    add_findings(c);
    NEED(findings_settle(&c->findings));
    NEED(print(c));
    return judge(c);
}

static int run(session *s)
{
    covering c = {.s = s, .options = PTL_COVERAGE_OPTIONS_INIT};
    c.content.session = s;
    c.findings.session = s;
    const int code = cover(&c);
    ptl_coverage_free(c.coverage);
    findings_dispose(&c.findings);
    content_close(&c.content);
    return code;
}

static const value_type values[] = {
    {"format", VALUE_WORDS, FINDINGS_FORMATS, NULL}, {"DIR", VALUE_FILE, NULL, NULL}, {0}};

const command coverage_command = {
    .name = "coverage",
    .group = GROUP_ASK,
    .operands = "[FILE] [DIR...]",
    .operands_vary = true,
    .summary = "Say what of content comes into worlds, and why the rest doesn't.",
    .operand_help = CONTENT_OPERAND_HELP,
    .details =
        "Overmaps of many seeds are made in memory, in each region of the content, and "
        "counted.\nEvery terrain, special, building, entry of mapgen and map extra gets a "
        "verdict: comes;\nrare (its stated chance explains that it did not come); not-seen; or "
        "never, with the\nproof that it can't come. What was not seen is looked for in more "
        "overmaps, and in\novermaps that ask for it whatever its chance. Ids of --whitelist, "
        "and terrains with the\nflag SHOULD_NOT_SPAWN, need not come. Without --whitelist the "
        "games' own list is read,\nif their mod TEST_DATA lies beside the content. The exit "
        "code is 1 if anything else was\nnot seen or never comes.\n",
    .examples = "  portolan coverage --builtin mods/mine --jobs 2\n",
    .options = options,
    .values = values,
    .large_pages = true,
    .run = run,
    .stopped = "nothing can be said",
};
