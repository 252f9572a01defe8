/* portolan dump: a level of a chunk as CSV of oter ids, or as text of symbols. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/session/coordinates.h"
#include "clients/cli/session/session.h"

#include <stdio.h>
#include <stdlib.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"chunk", "X,Y", "which chunk (required)", 0},
    {"level", "Z", "-10..10 (default: 0)", 0},
    {"symbols", NULL, "the terrains' symbols instead of their ids", 0},
    OPTIONS_END,
};

static bool to_stdout(void *payload, const void *data, size_t size)
{
    (void)payload;
    out_raw(data, size);
    return out_ok();
}

static ptl_status dump_symbols(session *s, ptl_chunk_pos pos, int32_t z)
{
    int64_t x = (int64_t)pos.x * PTL_CHUNK_SIZE, y = (int64_t)pos.y * PTL_CHUNK_SIZE;
    ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
    o.x0 = x;
    o.y0 = y;
    o.x1 = x + PTL_CHUNK_SIZE - 1;
    o.y1 = y + PTL_CHUNK_SIZE - 1;
    o.z_first = z;
    o.z_last = z;
    ptl_status status = ptl_render_text(s->world, &o, false, to_stdout, NULL, &s->err);
    return out_ok() ? status : PTL_OK; /* out_finish tells of a failed write */
}

static int dump(session *s, ptl_chunk_pos pos, int32_t z, bool symbols)
{
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    if (!cells)
        return session_no_memory(s);
    ptl_status status = ptl_level_load(s->world, pos, z, cells, &s->err);
    if (status == PTL_OK && symbols)
        status = dump_symbols(s, pos, z);
    else if (status == PTL_OK) {
        for (size_t i = 0; i < PTL_LEVEL_CELLS && out_ok(); i++) {
            out_csv_comma(i % PTL_CHUNK_SIZE == 0);
            out_csv_text(ptl_world_oter_name(s->world, cells[i]));
            if ((i + 1) % PTL_CHUNK_SIZE == 0)
                out_csv_end();
        }
    }
    free(cells);
    if (status == PTL_OK)
        return EXIT_DONE;
    session_failed(s);
    if (status == PTL_ERR_NOT_FOUND)
        tell("Make it: portolan generate '%s' --world '%s' --chunk %d,%d\n",
             s->args->operands[0], ptl_world_name(s->world), pos.x, pos.y);
    return EXIT_FAILED;
}

static int run(const args *a)
{
    session s;
    ptl_chunk_pos pos = {0, 0};
    bool given = false;
    int64_t z = 0;
    int code = chunk_from_args(a, "chunk", &given, &pos);
    if (code == EXIT_DONE)
        code = args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &z);
    if (code == EXIT_DONE && !given)
        code = usage_error(a, "say which chunk: --chunk X,Y");
    if (code != EXIT_DONE)
        return code;
    code = session_open_world(&s, a, PTL_OPEN_READ, NULL);
    if (code == EXIT_DONE)
        code = dump(&s, pos, (int32_t)z, args_has(a, "symbols"));
    session_close(&s);
    return code;
}

const command dump_command = {
    .name = "dump",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Print a level of a chunk: oter ids as CSV, or symbols as text.",
    .details = "180 lines from north to south, each from west to east.\n",
    .examples = "  portolan dump w.db --chunk 0,0 --symbols\n"
                "  portolan dump w.db --chunk 0,0 --level -1 > below.csv\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
