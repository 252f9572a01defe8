/* portolan import-save: a game's own overmaps as chunks of a world. */
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/session.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const option_spec options[] = {
    OPTION_WORLD,
    {"lenient", NULL, "an unknown terrain becomes its level's default", 0},
    {"force", NULL, "remove generated chunks beside; they are made anew when asked for", 0},
    {"accept-content", NULL, "go on although the world was made with other content", 0},
    OPTION_WAIT,
    {"quiet", NULL, "no progress, no summary", 'q'},
    OPTIONS_END,
};

static void remark(uint64_t count, const char *what)
{
    if (count > 0)
        out_printf("  %" PRIu64 " %s\n", count, what);
}

static void print_summary(const ptl_import_save_report *r)
{
    out_prose_begin(0);
    out_printf("%" PRIu64 " overmaps imported in %.2f s, with %" PRIu64 " edges: %" PRIu64
               " cities, %" PRIu64 " buildings and specials, %" PRIu64 " radios, %" PRIu64
               " monster groups\n",
               r->chunks, r->seconds, r->edges, r->cities, r->placements, r->radios, r->groups);
    remark(r->removed, "generated chunks beside them were removed");
    remark(r->unknown_terrains, "tiles of unknown terrain became their level's default");
    remark(r->points_left_out, "tiles of specials that can't be told apart: no placements");
    remark(r->groups_left_out, "monster groups outside their overmap were left out");
    remark(r->members_left_out, "monsters, people, vehicles, camps and scents were left out");
    out_prose_end();
}

static int import_save(session *s, const args *a)
{
    progress shown;
    ptl_import_save_report r;
    memset(&r, 0, sizeof r);
    ptl_import_save_options o = {.directory = a->operands[1],
                                 .lenient = args_has(a, "lenient"),
                                 .force = args_has(a, "force"),
                                 .on_progress = progress_show,
                                 .payload = &shown};
    progress_init(&shown, args_has(a, "quiet"));
    ptl_status status = ptl_import_save(s->world, &o, &r, &s->err);
    progress_end(&shown);
    if (status != PTL_OK) {
        session_failed(s);
        if (status == PTL_ERR_EXISTS && strstr(s->err.message, "generated"))
            tell("--force removes such chunks; they are made anew when asked for.\n");
        if (status == PTL_ERR_CONTENT && strstr(s->err.message, "has no terrain"))
            tell("--lenient puts the level's default there.\n");
        return EXIT_FAILED;
    }
    if (!args_has(a, "quiet"))
        print_summary(&r);
    return EXIT_DONE;
}

static int run(const args *a)
{
    session s;
    ptl_world_open_options open = {args_has(a, "accept-content")};
    int code = session_open(&s, a, PTL_OPEN_WRITE);
    if (code == EXIT_DONE)
        code = session_world(&s, &open);
    if (code == EXIT_DONE)
        code = import_save(&s, a);
    session_close(&s);
    return code;
}

const command import_save_command = {
    .name = "import-save",
    .group = GROUP_GAME,
    .operands = "FILE DIR",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Read a game's own overmaps into a world that goes on from them.",
    .details =
        "Every file o.X.Y of DIR (Cataclysm: DDA 0.F and its like) becomes a chunk, with its\n"
        "cities, radios, monster groups, buildings and specials. What crosses its borders is\n"
        "taken from its tiles; chunks that are generated beside it continue that. All of the\n"
        "directory, or, if anything is wrong, none of it:\n"
        "  FILE:LINE:COLUMN: what is wrong\n",
    .examples = "  portolan import-save w.db maps --world played\n",
    .options = options,
    .run = run,
    .stopped = "nothing was imported: the file is as it was",
};
