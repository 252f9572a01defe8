/* portolan dump: prints a level of a chunk as CSV of oter ids, or as text of symbols. */
#include "clients/cli/session/session.h"

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

static int run(session *s)
{
    const args *a = s->args;
    ptl_chunk_pos pos = {0, 0};
    bool given = false;
    int64_t z = 0;
    NEED(chunk_from_args(a, "chunk", &given, &pos));
    NEED(args_int(a, "level", PTL_Z_MIN, PTL_Z_MAX, &z));
    if (!given)
        return usage_error(a, "say which chunk: --chunk X,Y");
    NEED(session_open_world(s, PTL_OPEN_READ, NULL));
    ptl_oter *cells = malloc(PTL_LEVEL_CELLS * sizeof *cells);
    if (!cells)
        return session_no_memory(s);
    ptl_status status = ptl_level_load(cells, s->world, pos, (int32_t)z, &s->err);
    if (status == PTL_OK && args_has(a, "symbols")) {
        ptl_render_options o = PTL_RENDER_OPTIONS_INIT;
        o.x0 = (int64_t)pos.x * PTL_CHUNK_SIZE;
        o.y0 = (int64_t)pos.y * PTL_CHUNK_SIZE;
        o.x1 = o.x0 + PTL_CHUNK_SIZE - 1;
        o.y1 = o.y0 + PTL_CHUNK_SIZE - 1;
        o.z_first = o.z_last = (int32_t)z;
        status = ptl_render_text_write(s->world, &o, false, to_stdout, NULL, &s->err);
        status = out_ok() ? status : PTL_OK; /* out_finish prints why a write failed */
    } else
        for (size_t i = 0; i < PTL_LEVEL_CELLS && status == PTL_OK && out_ok(); i++) {
            out_raw(",", i % PTL_CHUNK_SIZE > 0);
            out_csv_text(ptl_world_oter_name(s->world, cells[i]));
            if ((i + 1) % PTL_CHUNK_SIZE == 0)
                out_raw("\r\n", 2);
        }
    free(cells);
    const int code = session_done(s, status);
    if (status == PTL_ERR_NOT_FOUND)
        tell("Make it: portolan generate '%s' --world '%s' --chunk %d,%d\n", a->operands[0],
             ptl_world_name(s->world), pos.x, pos.y);
    return code;
}

const command dump_command = {
    .name = "dump",
    .group = GROUP_LOOK,
    .operands = "FILE",
    .summary = "Print a level of a chunk: oter ids as CSV, or symbols as text.",
    .details = "180 lines from north to south, each from west to east.\n",
    .examples = "  portolan dump w.db --chunk 0,0 --symbols\n"
                "  portolan dump w.db --chunk 0,0 --level -1 > below.csv\n",
    .options = options,
    .run = run,
    .stopped = "what it printed is not all",
};
