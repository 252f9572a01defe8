/* portolan digest: one line that is the same for equal worlds. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/session.h"

static const option_spec options[] = {
    OPTION_WORLD,
    OPTIONS_END,
};

static int run(const args *a)
{
    session s;
    ptl_world_digest_result result;
    int code = session_open(&s, a, PTL_OPEN_READ);
    if (code == EXIT_DONE)
        code = session_world(&s, NULL);
    if (code == EXIT_DONE && ptl_world_digest(s.world, &result, &s.err) != PTL_OK)
        code = session_failed(&s);
    if (code == EXIT_DONE)
        out_printf("%s  %llu chunks, %llu edges\n", result.hex,
                   (unsigned long long)result.chunks, (unsigned long long)result.edges);
    session_close(&s);
    return code;
}

const command digest_command = {
    .name = "digest",
    .group = GROUP_SAFE,
    .operands = "FILE",
    .operands_min = 1,
    .operands_max = 1,
    .summary = "Print one digest over all tiles and edges of a world.",
    .details = "Equal worlds give equal lines, in whatever order, by however many threads or\n"
               "processes and on whatever machine they were generated.\n",
    .examples = "  portolan digest w.db\n",
    .options = options,
    .run = run,
};
