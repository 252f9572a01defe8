/* portolan index: unpacks what chunks hold packed into plain tables with indexes, or removes
 * those. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/line/progress.h"
#include "clients/cli/line/rows.h"
#include "clients/cli/session/session.h"
#include "portolan/index.h"

#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    {"tables", "LIST", "only these, with commas between them (default: what the file has)", 0},
    {"drop", NULL, "remove the tables and indexes instead; with --tables only these", 0},
    OPTIONS_ROWS,
    OPTION_WAIT,
    OPTION_SHARED,
    OPTION_QUIET,
    OPTIONS_END,
};

/* The part of the name that begins at `name`; -1: none. */
static int part_of(const char *name, size_t size)
{
    for (int i = 0; i < PTL_INDEX_PARTS; i++)
        if (strlen(ptl_index_part_name(i)) == size &&
            memcmp(ptl_index_part_name(i), name, size) == 0)
            return i;
    return -1;
}

static void list_parts(void)
{
    tell("There are:");
    for (int i = 0; i < PTL_INDEX_PARTS; i++)
        tell(" %s", ptl_index_part_name(i));
    tell("\n");
}

/* Gives --tables as bits; 0 if it was not given. */
static int parse_parts(const args *a, uint32_t *parts)
{
    const char *list = args_value(a, "tables");
    *parts = 0;
    for (const char *at = list; at;) {
        const size_t size = strcspn(at, ",");
        const int part = part_of(at, size);
        if (part < 0) {
            usage_error(a, "--tables: there is no table '%.*s'", (int)size, at);
            list_parts();
            return EXIT_USAGE;
        }
        *parts |= UINT32_C(1) << part;
        at = at[size] ? at + size + 1 : NULL;
    }
    return EXIT_DONE;
}

static int drop(session *s, uint32_t parts)
{
    int found = 0;
    if (ptl_index_drop(s->store, parts, &found, &s->err) != PTL_OK)
        return session_failed(s);
    if (!args_has(s->args, "quiet"))
        out_printf(found ? "removed %d of the index's tables and indexes\n"
                         : "there was nothing to remove\n",
                   found);
    return EXIT_DONE;
}

static const report_column columns[] = {
    {"chunks", "chunks", 0, 0},   {"added", "added", 0, 0}, {"renewed", "renewed", 0, 0},
    {"removed", "removed", 0, 0}, {"rows", "rows", 0, 0},   {"seconds", "seconds", 2, 0},
    {NULL, NULL, 0, 0},
};

static bool print_row(const ptl_index_report *n, const rows_style *style)
{
    row_printer *r = rows_new(style, columns, true);
    const bool good = r && rows_uint(r, n->chunks) && rows_uint(r, n->added) &&
                      rows_uint(r, n->renewed) && rows_uint(r, n->removed) &&
                      rows_uint(r, n->rows) && rows_real(r, n->seconds);
    rows_finish(r);
    return good || !out_ok();
}

static void print_words(const ptl_index_report *r)
{
    const uint64_t done = r->added + r->renewed;
    out_prose_begin(0);
    out_printf("%llu chunks: %llu added, %llu renewed, %llu removed; %llu rows in %.2f s",
               (unsigned long long)r->chunks, (unsigned long long)r->added,
               (unsigned long long)r->renewed, (unsigned long long)r->removed,
               (unsigned long long)r->rows, r->seconds);
    if (done > 0 && r->seconds > 0)
        out_printf(" (%.0f chunks/s)", (double)done / r->seconds);
    out_text("\n");
    out_prose_end();
}

static int print_summary(session *s, const ptl_index_report *r, const rows_style *style)
{
    if (style->format == ROWS_TABLE) {
        if (!args_has(s->args, "quiet"))
            print_words(r);
        return EXIT_DONE;
    }
    if (print_row(r, style))
        return EXIT_DONE;
    return session_no_memory(s);
}

static int update(session *s, uint32_t parts, const rows_style *style)
{
    progress shown;
    ptl_index_report report = PTL_INDEX_REPORT_INIT;
    const ptl_index_options o = {
        .size = sizeof o, .on_progress = progress_show, .payload = &shown, .parts = parts};
    progress_init(&shown, args_has(s->args, "quiet"));
    const ptl_status status = ptl_index_update(s->store, &o, &report, &s->err);
    progress_end(&shown);
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (status != PTL_OK && !stopped)
        return session_failed(s);
    const int code = print_summary(s, &report, style);
    return stopped ? stop_tell() : code;
}

static int run(const args *a)
{
    session s;
    uint32_t parts;
    rows_style style;
    int code = parse_parts(a, &parts);
    if (code == EXIT_DONE)
        code = rows_style_from_args(&style, a, NULL);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_WRITE);
    if (code == EXIT_DONE)
        code = args_has(a, "drop") ? drop(&s, parts) : update(&s, parts, &style);
    session_close(&s);
    return code;
}

static void list_part_names(value_sink sink, void *payload)
{
    for (int i = 0; i < PTL_INDEX_PARTS; i++)
        if (!sink(payload, ptl_index_part_name(i), ""))
            return;
}

static const value_type values[] = {
    {"tables", VALUE_PARTS, NULL, list_part_names},
    VALUES_END,
};

const command index_command = {
    .name = "index",
    .group = GROUP_ASK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Unpack what chunks hold packed into plain tables with indexes.",
    .details =
        "For programs without Portolan's virtual tables, and for queries over thousands of\n"
        "chunks. Tables unpacked_building, unpacked_monster_group, unpacked_attempt,\n"
        "unpacked_piece and unpacked_piece_join have the columns of the virtual tables of\n"
        "these names, unpacked_terrain_count those of terrain_count; but chunk_id (of table\n"
        "chunk) stands for world and chunk, and ids are numbers of table name (oter: of table\n"
        "oter). special_placement is an index over that table, by special.\n"
        "\n"
        "Views over them have names, worlds and places for the numbers: v_building,\n"
        "v_monster_group, v_attempt, v_piece, v_piece_join, v_terrain_count. v_unpacked says "
        "of\n"
        "each chunk whether it is indexed, has changed since, or is missing.\n"
        "\n"
        "Chunks that are made or changed afterwards are not in: the same command adds and\n"
        "renews them, and only them; 'portolan status' tells how many there are. Stopped, it\n"
        "goes on where it stopped. Tables: building monster_group attempt piece piece_join\n"
        "terrain_count special_placement\n",
    .examples = "  portolan index w.db\n"
                "  portolan index w.db --tables building,attempt\n"
                "  portolan index w.db --drop\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was committed stays: the same command again goes on from there",
};
