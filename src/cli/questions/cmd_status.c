/*
 * portolan status: what a file holds. All answers come from SQL over the documented tables, in
 * sections that are written once for all formats.
 */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/session/names.h"
#include "cli/session/result.h"
#include "core/bytes.h"
#include "core/suggest.h"
#include "os/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"world", "NAME", "only this world; fails if the file has none of this name", 0},
    {"runs", "N", "how many of the last runs to list (default: 5)", 0},
    {"stale", NULL, "list the stale chunks, too", 0},
    {"regions", NULL, "list the regions and dimensions that worlds can have, too", 0},
    {"issues", NULL, "list what the import remarked on, too", 0},
    {"unknown", NULL, "list keys that the import does not know, too", 0},
    {"section", "NAME", "this section alone; csv, jsonl and raw need it (named above)", 0},
    OPTIONS_ROWS,
    OPTIONS_END,
};

/* What every section begins with: the worlds that --world leaves, and what it is to know. */
static const char prefix_format[] =
    "WITH shown AS (SELECT * FROM world w WHERE %s), "
    "now AS (SELECT coalesce((SELECT id FROM content WHERE is_current = 1), 0) AS content, "
    "%d AS generator, %lld AS runs), "
    "stale AS (SELECT c.* FROM chunk c JOIN now WHERE c.origin = 'generated' "
    "AND (c.content_id <> now.content OR c.generator_version < now.generator)) ";

static const char content_sql[] =
    "SELECT digest, imported_at, CASE lenient WHEN 1 THEN 'yes' ELSE 'no' END AS lenient, "
    "g.game, g.version, coalesce(g.placement, 'quota') AS placement "
    "FROM content c LEFT JOIN content_game g ON g.content_id = c.id WHERE is_current = 1";

static const char regions_sql[] =
    "SELECT name, region, kind, CASE WHEN name = coalesce((SELECT value FROM external_option "
    "WHERE name = 'DEFAULT_REGION' AND value IN (SELECT id FROM region_settings)), 'default') "
    "THEN 'yes' END AS 'default' FROM (SELECT id AS name, id AS region, "
    "'region_settings' AS kind FROM region_settings UNION ALL SELECT id, region, kind FROM "
    "dimension WHERE id NOT IN (SELECT id FROM region_settings)) ORDER BY name";

static const char packs_sql[] =
    "SELECT p.position + 1 AS pack, p.id, p.name, p.directory, p.file_count AS files, "
    "p.object_count AS objects FROM content_pack p JOIN content c ON c.id = p.content_id "
    "WHERE c.is_current = 1 ORDER BY p.position";

static const char worlds_sql[] =
    "SELECT w.name AS world, printf('%llu', w.seed) AS seed, w.region, w.city_size, "
    "w.city_spacing, w.specials_density, w.specials_spacing, w.placement, "
    "CASE w.railroads WHEN 1 THEN 'yes' ELSE 'no' END AS railroads, "
    "CASE w.subways WHEN 1 THEN 'yes' ELSE 'no' END AS subways, "
    "CASE w.compat WHEN 1 THEN 'yes' ELSE 'no' END AS compat, "
    "CASE w.scale_unique WHEN 1 THEN 'yes' ELSE 'no' END AS scale_unique, w.unique_radius, "
    "w.generator_version AS generator, "
    "CASE WHEN w.content_id = now.content THEN 'current' "
    "ELSE substr((SELECT digest FROM content WHERE id = w.content_id), 1, 12) END AS content "
    "FROM shown w JOIN now ORDER BY w.name";

static const char chunks_sql[] =
    "SELECT w.name AS world, count(c.id) AS chunks, "
    "coalesce(sum(c.last_step <> ''), 0) AS unfinished, "
    "coalesce(sum(c.origin = 'imported'), 0) AS imported, "
    "(SELECT count(*) FROM stale s WHERE s.world_id = w.id) AS stale, "
    "min(c.x) AS west, min(c.y) AS north, max(c.x) AS east, max(c.y) AS south, "
    "(SELECT count(*) FROM edge e WHERE e.world_id = w.id) AS edges "
    "FROM shown w LEFT JOIN chunk c ON c.world_id = w.id GROUP BY w.id ORDER BY w.name";

static const char stale_sql[] =
    "SELECT w.name AS world, s.x, s.y, substr(t.digest, 1, 12) AS content, "
    "s.generator_version AS generator, s.origin "
    "FROM stale s JOIN shown w ON w.id = s.world_id JOIN content t ON t.id = s.content_id "
    "ORDER BY w.name, s.y, s.x";

static const char runs_sql[] =
    "SELECT r.id AS run, w.name AS world, r.command, r.started, "
    "coalesce(r.outcome, 'unfinished') AS outcome, r.chunks, round(r.seconds, 2) AS seconds "
    "FROM run r JOIN shown w ON w.id = r.world_id ORDER BY r.id DESC "
    "LIMIT (SELECT runs FROM now)";

/* Of no world, as what is set aside. Seeds are unsigned, but kept as signed numbers. */
static const char sweeps_sql[] =
    "SELECT s.name AS sweep, count(c.id) AS overmaps, count(DISTINCT c.seed) AS seeds, "
    "CASE WHEN count(c.id) > 0 THEN printf('%llu', "
    "coalesce(min(c.seed) FILTER (WHERE c.seed >= 0), min(c.seed))) END AS first, "
    "CASE WHEN count(c.id) > 0 THEN printf('%llu', "
    "coalesce(max(c.seed) FILTER (WHERE c.seed < 0), max(c.seed))) END AS last, "
    "s.region, s.city_size, s.city_spacing, s.specials_density, s.specials_spacing, "
    "s.placement, s.generator_version AS generator, "
    "CASE WHEN s.content_id = now.content THEN 'current' "
    "ELSE substr((SELECT digest FROM content WHERE id = s.content_id), 1, 12) END AS content, "
    "CASE WHEN s.content_id <> now.content OR s.generator_version < now.generator "
    "THEN 'yes' ELSE 'no' END AS stale "
    "FROM sweep s JOIN now LEFT JOIN sweep_chunk c ON c.sweep_id = s.id "
    "GROUP BY s.id ORDER BY s.name";

/* What belongs to no world is shown with every one. */
static const char set_aside_sql[] =
    "SELECT a.id AS number, a.found, a.source_table AS 'table', a.source_key AS 'key', "
    "a.world, "
    "a.x, a.y, a.reason FROM set_aside a "
    "WHERE a.world = '' OR a.world IN (SELECT name FROM shown) ORDER BY a.id";

/* One sentence once, with its first place; all of them are in content_issue. */
static const char issues_sql[] =
    "SELECT count(*) AS times, kind, file, line, message FROM (SELECT * FROM content_issue i "
    "JOIN content c ON c.id = i.content_id AND c.is_current = 1 ORDER BY i.id DESC) "
    "GROUP BY kind, message ORDER BY times DESC, kind, message";

static const char unknown_sql[] =
    "SELECT u.type, u.key, u.objects, u.file, u.line FROM content_unknown u "
    "JOIN content c ON c.id = u.content_id AND c.is_current = 1 "
    "ORDER BY u.objects DESC, u.type, u.key";

/* Only in a file that has the table: portolan index makes it. */
static const char index_sql[] =
    "SELECT w.name AS world, count(c.id) AS chunks, "
    "coalesce(sum(u.checksum = c.checksum), 0) AS indexed, "
    "coalesce(sum(u.checksum <> c.checksum), 0) AS changed, "
    "count(c.id) - count(u.chunk_id) AS missing FROM shown w "
    "LEFT JOIN chunk c ON c.world_id = w.id LEFT JOIN unpacked_chunk u ON u.chunk_id = c.id "
    "GROUP BY w.id ORDER BY w.name";
static const char no_index_sql[] = "SELECT NULL WHERE 0";

/* Columns that go first where the terminal has no room. */
static const char *const less_of_packs[] = {"directory", "pack", NULL};
static const char *const less_of_worlds[] = {
    "scale_unique",     "compat",    "unique_radius", "specials_spacing",
    "specials_density", "subways",   "railroads",     "city_spacing",
    "city_size",        "placement", "generator",     NULL};
static const char *const less_of_chunks[] = {"edges", "imported", NULL};
static const char *const less_of_sweeps[] = {
    "specials_spacing", "specials_density", "city_spacing", "city_size", "region",
    "generator",        "placement",        "stale",        "content",   NULL};
static const char *const less_of_set_aside[] = {"key", "found", "table", NULL};
static const char *const less_of_issues[] = {"kind", "line", NULL};
static const char *const less_of_unknown[] = {"line", "file", NULL};

typedef struct section {
    const char *key, *title; /* in JSON, and above the table */
    const char *sql;
    const char *option; /* shown with this option alone, or by its name; NULL: always */
    const char *table;  /* that the file must have, else it has no rows; NULL: none */
    const char *const *less_needed;
    bool only_with_rows; /* the table is left out where there are none */
    bool wrap_last;
} section;

static const section sections[] = {
    {"content", "Content", content_sql, NULL, NULL, NULL, true, false},
    {"packs", "Packs", packs_sql, NULL, NULL, less_of_packs, true, false},
    {"worlds", "Worlds", worlds_sql, NULL, NULL, less_of_worlds, true, false},
    {"chunks", "Chunks", chunks_sql, NULL, NULL, less_of_chunks, true, false},
    {"regions", "Regions: what --region of a new world can name", regions_sql, "regions", NULL,
     NULL, false, false},
    {"stale", "Stale chunks", stale_sql, "stale", NULL, NULL, false, false},
    {"issues", "Issues: what the import remarked on", issues_sql, "issues", NULL,
     less_of_issues, false, true},
    {"unknown", "Unknown: keys that the import does not know, and the first place of each",
     unknown_sql, "unknown", NULL, less_of_unknown, false, false},
    {"sweeps", "Sweeps", sweeps_sql, NULL, NULL, less_of_sweeps, true, false},
    {"index", "Index: chunks that portolan index unpacked", index_sql, NULL, "unpacked_chunk",
     NULL, true, false},
    {"runs", "Last runs", runs_sql, NULL, NULL, NULL, true, false},
    {"set_aside", "Set aside: what repair could not bring back", set_aside_sql, NULL, NULL,
     less_of_set_aside, true, true},
};
enum { SECTION_COUNT = sizeof sections / sizeof sections[0] };

typedef struct report {
    session s;
    rows_style style;
    bool chosen[SECTION_COUNT];
    char *prefix; /* owned; NULL before make_prefix */
} report;

static bool count_row(void *payload, size_t columns, const char *const *names,
                      const ptl_value *values)
{
    (void)columns;
    (void)names;
    (void)values;
    *(bool *)payload = true;
    return false;
}

static int has_rows(report *r, const char *sql, bool *any)
{
    ptl_query_options query = {.size = sizeof query, .on_row = count_row, .payload = any};
    *any = false;
    ptl_status status = ptl_query(r->s.store, sql, &query, &r->s.err);
    return status == PTL_OK || (status == PTL_ERR_CANCELLED && *any) ? EXIT_DONE
                                                                     : session_failed(&r->s);
}

/* The section's rows, below what announces them. first: of an object. */
static int print_rows_of(report *r, const section *part, const char *sql, bool first)
{
    const result_limits limits = {.less_needed = part->less_needed,
                                  .wrap_last = part->wrap_last};
    bool any = true;
    const bool eye = r->style.format == ROWS_TABLE;
    if (eye && part->only_with_rows && has_rows(r, sql, &any) != EXIT_DONE)
        return EXIT_FAILED;
    if (!any)
        return EXIT_DONE;
    if (eye && !first)
        out_text("\n");
    if (eye)
        out_printf("%s\n", part->title);
    else if (r->style.format == ROWS_JSON)
        out_printf(first ? "\"%s\": " : ",\n\"%s\": ", part->key);
    return result_print(&r->s, sql, &r->style, &limits);
}

static int print_section(report *r, const section *part, bool first)
{
    bytes sql;
    int64_t there = 1;
    if (part->table &&
        ask_int(&r->s, &there, "SELECT count(*) FROM sqlite_schema WHERE name = '%s'",
                part->table) != PTL_OK)
        return session_failed(&r->s);
    bytes_init(&sql);
    bytes_put_text(&sql, r->prefix);
    bytes_put_text(&sql, there ? part->sql : no_index_sql);
    const char *text = bytes_text(&sql);
    const int code = text ? print_rows_of(r, part, text, first) : session_no_memory(&r->s);
    bytes_dispose(&sql);
    return code;
}

/* ---- heads ---- */

static bool print_line(void *payload, size_t columns, const char *const *names,
                       const ptl_value *values)
{
    (void)payload;
    (void)names;
    for (size_t i = 0; i < columns && values[i].type == PTL_VALUE_TEXT; i++) {
        out_visible(values[i].text, values[i].size);
        out_text("\n");
    }
    return true;
}

static void print_size(const char *path)
{
    file_facts facts;
    char size[32];
    if (file_look(&facts, path)) {
        format_size(facts.size, size);
        out_printf("%s: %s\n", path, size);
    } else {
        out_printf("%s\n", path);
    }
}

static int print_heads(report *r, int64_t contents, int64_t worlds)
{
    const char *path = r->s.args->operands[0];
    print_size(path);
    if (contents == 0)
        out_printf("content: none yet; portolan import '%s' --builtin\n", path);
    ptl_query_options o = {.size = sizeof o, .on_row = print_line};
    const char *sql = "SELECT 'content: ' || digest, 'imported: ' || imported_at || "
                      "CASE lenient WHEN 1 THEN ' (lenient)' ELSE '' END "
                      "FROM content WHERE is_current = 1";
    const char *game_sql =
        "SELECT 'game: ' || CASE game WHEN 'dda' THEN 'Dark Days Ahead' ELSE 'Bright Nights' "
        "END "
        "|| CASE version WHEN '' THEN '' ELSE ', ' || version END || '; new worlds place "
        "specials "
        "by ' || placement FROM content_game WHERE content_id = (SELECT id FROM content WHERE "
        "is_current = 1)";
    if (ptl_query(r->s.store, sql, &o, &r->s.err) != PTL_OK)
        return session_failed(&r->s);
    if (ptl_query(r->s.store, game_sql, &o, &r->s.err) != PTL_OK)
        return session_failed(&r->s);
    if (worlds == 0)
        out_printf("worlds: none yet; portolan new '%s' NAME --seed N\n", path);
    return session_tell_journal(&r->s);
}

static void print_json_heads(const report *r)
{
    file_facts facts;
    const char *path = r->s.args->operands[0];
    out_text("\"file\": ");
    out_json_text(path);
    if (file_look(&facts, path))
        out_printf(",\n\"bytes\": %" PRId64, (int64_t)facts.size);
}

/* ---- all of it ---- */

static int no_world(report *r, const char *name)
{
    tell("portolan status: %s has no world '%s'\n", r->s.args->operands[0], name);
    names_suggest_world(&r->s, name);
    return EXIT_FAILED;
}

static int print_all(report *r)
{
    int64_t contents = 0, worlds = 0;
    const args *a = r->s.args;
    const bool json = r->style.format == ROWS_JSON, alone = args_has(a, "section");
    const char *name = args_value(a, "world");
    int code = EXIT_DONE;
    if (ask_int(&r->s, &contents, "SELECT count(*) FROM content WHERE is_current = 1") !=
            PTL_OK ||
        ask_int(&r->s, &worlds, "%s SELECT count(*) FROM shown", r->prefix) != PTL_OK)
        return session_failed(&r->s);
    if (worlds == 0 && name)
        return no_world(r, name);
    out_text(json ? "{" : "");
    if (json && !alone)
        print_json_heads(r);
    else if (!alone)
        code = print_heads(r, contents, worlds);
    bool first = alone;
    for (size_t i = 0; i < SECTION_COUNT && code == EXIT_DONE; i++) {
        if (!r->chosen[i])
            continue;
        code = print_section(r, &sections[i], first);
        first = false;
    }
    if (json)
        out_text("}\n");
    return code;
}

/* ---- the command line ---- */

static int unknown_section(const args *a, const char *name)
{
    const char *names[SECTION_COUNT + 1] = {NULL};
    for (size_t i = 0; i < SECTION_COUNT; i++)
        names[i] = sections[i].key;
    const char *near = suggest_nearest(name, names);
    return usage_error(a, "there is no section '%s'%s%s", name, near ? "; did you mean " : "",
                       near ? near : "");
}

static int read_sections(report *r, const args *a)
{
    const char *name;
    size_t at = 0, count = 0;
    while ((name = args_next(a, "section", &at)) != NULL) {
        size_t i = 0;
        while (i < SECTION_COUNT && strcmp(sections[i].key, name) != 0)
            i++;
        if (i == SECTION_COUNT)
            return unknown_section(a, name);
        r->chosen[i] = true;
    }
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const section *part = &sections[i];
        const bool usual = !args_has(a, "section") && !part->option &&
                           (i > 0 || r->style.format != ROWS_TABLE); /* it is in the head */
        r->chosen[i] |= usual || (part->option && args_has(a, part->option));
        count += r->chosen[i];
    }
    if (r->style.format != ROWS_TABLE && r->style.format != ROWS_JSON && count > 1)
        return usage_error(a, "--format %s has one section at a time: say --section NAME",
                           rows_format_name(r->style.format));
    return EXIT_DONE;
}

static void list_sections(void (*put)(const char *lines))
{
    bytes text;
    bytes_init(&text);
    bytes_put_text(&text, "\nSections of --section:");
    for (size_t i = 0; i < SECTION_COUNT; i++)
        bytes_printf(&text, "%s %s", i ? "," : "", sections[i].key);
    bytes_put_text(&text, "\n");
    const char *lines = bytes_text(&text);
    put(lines ? lines : "");
    bytes_dispose(&text);
}

/* The condition of --world, with what else sections are to know. */
static bool make_prefix(report *r, const args *a, int64_t runs)
{
    const char *name = args_value(a, "world");
    char *quoted = sql_quote(name ? name : "");
    bytes condition, sql;
    bytes_init(&condition);
    bytes_init(&sql);
    bytes_printf(&condition, name ? "w.name = %s" : "1", quoted ? quoted : "''");
    const char *where = bytes_text(&condition);
    bytes_printf(&sql, prefix_format, where ? where : "0", (int)PTL_GENERATOR_VERSION,
                 (long long)runs);
    const char *text = bytes_text(&sql);
    if (quoted && where && text)
        r->prefix = strdup(text);
    bytes_dispose(&condition);
    bytes_dispose(&sql);
    free(quoted);
    return r->prefix != NULL;
}

static int run(const args *a)
{
    report r = {.prefix = NULL};
    int64_t runs = 5;
    int code = args_int(a, "runs", 0, 1000000, &runs);
    if (code == EXIT_DONE)
        code = rows_style_from_args(&r.style, a, NULL);
    if (code == EXIT_DONE)
        code = read_sections(&r, a);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&r.s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE && !make_prefix(&r, a, runs))
        code = session_no_memory(&r.s);
    if (code == EXIT_DONE)
        code = print_all(&r);
    session_close(&r.s);
    free(r.prefix);
    return code;
}

static void list_section_names(value_sink sink, void *payload)
{
    for (size_t i = 0; i < SECTION_COUNT; i++)
        if (!sink(payload, sections[i].key, ""))
            return;
}

static const value_type values[] = {
    {"section", VALUE_LISTED, NULL, list_section_names},
    VALUES_END,
};

const command status_command = {
    .name = "status",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Say what a file holds: content, worlds, chunks, sweeps, runs.",
    .details =
        "A chunk is unfinished if it was made with --stop-after; generate completes it. An\n"
        "imported one comes from a game's save (import-save) and is never generated. A stale "
        "one\n"
        "was generated with other content than the file holds now, or by an older generator;\n"
        "'portolan regenerate FILE --stale' makes it anew. What repair could not bring back "
        "is\n"
        "listed as set aside. A stale sweep was made with other content or by an older "
        "generator.\n",
    .examples = "  portolan status w.db\n"
                "  portolan status w.db --world home --runs 20\n"
                "  portolan status w.db --stale\n",
    .more_details = list_sections,
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what it printed is not all",
};
