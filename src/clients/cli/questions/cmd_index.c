/* portolan index: copies the contents of the packed chunks into plain tables with indexes, or
 * removes those tables again. */
#include "clients/cli/session/session.h"

static const option_spec options[] = {
    {"tables", "LIST", "only these, with commas between them (default: what the file has)", 0},
    {"drop", NULL, "remove the tables and indexes instead; with --tables only these", 0},
    OPTIONS_ROWS,
    OPTION_WAIT,
    OPTION_SHARED,
    OPTION_QUIET,
    OPTIONS_END,
};

/* Reads --tables into *parts: sets one bit for each group of tables that the option names.
 * *parts is 0 if the option is not given. */
static int parse_parts(const args *a, uint32_t *parts)
{
    *parts = 0;
    for (const char *at = args_value(a, "tables"); at;) {
        const size_t size = strcspn(at, ",");
        int part = 0;
        while (part < PTL_INDEX_PARTS && (strlen(ptl_index_part_name(part)) != size ||
                                          memcmp(ptl_index_part_name(part), at, size) != 0))
            part++;
        if (part == PTL_INDEX_PARTS) {
            usage_error(a, "--tables: there is no table '%.*s'", (int)size, at);
            tell("There are:");
            for (int i = 0; i < PTL_INDEX_PARTS; i++)
                tell(" %s", ptl_index_part_name(i));
            tell("\n");
            return EXIT_USAGE;
        }
        *parts |= UINT32_C(1) << part;
        at = at[size] ? at + size + 1 : NULL;
    }
    return EXIT_DONE;
}

static int run(session *s)
{
    static const report_column columns[] = {COLUMN(chunks),  COLUMN(added), COLUMN(renewed),
                                            COLUMN(removed), COLUMN(rows),  COLUMN(seconds),
                                            COLUMNS_END};
    ptl_index_report r = PTL_INDEX_REPORT_INIT;
    ptl_index_options o = {
        .size = sizeof o, .on_progress = progress_show, .payload = &s->shown};
    NEED(parse_parts(s->args, &o.parts));
    NEED(rows_style_from_args(&s->style, s->args, NULL));
    NEED(session_open(s, PTL_OPEN_WRITE));
    if (args_has(s->args, "drop")) {
        int found = 0;
        NEED(session_done(s, ptl_index_remove(&found, s->store, o.parts, &s->err)));
        if (!s->shown.quiet)
            out_printf(found ? "removed %d of the index's tables and indexes\n"
                             : "there was nothing to remove\n",
                       found);
        return EXIT_DONE;
    }
    const ptl_status status = ptl_index_update(&r, s->store, &o, &s->err);
    progress_end(&s->shown);
    const bool stopped = status == PTL_ERR_CANCELLED && stop_wanted();
    if (!stopped)
        NEED(session_done(s, status));
    const uint64_t done = r.added + r.renewed;
    int code = EXIT_DONE;
    if (s->style.format != ROWS_TABLE) {
        code =
            session_printed(s, rows_print_one(&s->style, columns,
                                              CELLS(cell_uint(r.chunks), cell_uint(r.added),
                                                    cell_uint(r.renewed), cell_uint(r.removed),
                                                    cell_uint(r.rows), cell_real(r.seconds))));
    } else if (!s->shown.quiet) {
        out_say("%ju chunks: %ju added, %ju renewed, %ju removed; %ju rows in %.2f s", r.chunks,
                r.added, r.renewed, r.removed, r.rows, r.seconds);
        if (done > 0 && r.seconds > 0)
            out_say(" (%.0f chunks/s)", (double)done / r.seconds);
        out_say("\n");
    }
    return stopped ? stop_tell() : code;
}

static void list_part_names(value_sink sink, void *payload)
{
    for (int i = 0; i < PTL_INDEX_PARTS; i++)
        if (!sink(payload, ptl_index_part_name(i), ""))
            return;
}

static const value_type values[] = {{"tables", VALUE_PARTS, NULL, list_part_names}, {0}};

const command index_command = {
    .name = "index",
    .group = GROUP_ASK,
    .operands = "FILE",
    .summary = "Unpack what chunks hold packed into plain tables with indexes.",
    .details =
        "For programs without Portolan's virtual tables, and for queries over thousands of "
        "chunks. Tables unpacked_building, unpacked_monster_group, unpacked_attempt, "
        "unpacked_piece and unpacked_piece_join have the columns of the virtual tables of "
        "these names, unpacked_terrain_count those of terrain_count; but chunk_id (of table "
        "chunk) stands for world and chunk, and ids are numbers of table name (oter: of table "
        "oter). special_placement is an index over that table, by special.\n\n"
        "Views over them have names, worlds and places for the numbers: v_building, "
        "v_monster_group, v_attempt, v_piece, v_piece_join, v_terrain_count. v_unpacked says "
        "of each chunk whether it is indexed, has changed since, or is missing.\n\n"
        "Chunks that are made or changed afterwards are not in: the same command adds and "
        "renews them, and only them; 'portolan status' tells how many there are. Stopped, it "
        "goes on where it stopped. Tables: building monster_group attempt piece piece_join "
        "terrain_count special_placement\n",
    .examples = "  portolan index w.db\n"
                "  portolan index w.db --tables building,attempt\n"
                "  portolan index w.db --drop\n",
    .options = options,
    .values = values,
    .run = run,
    .stopped = "what was committed stays: the same command again goes on from there",
};
