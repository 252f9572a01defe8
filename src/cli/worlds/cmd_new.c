/* portolan new: adds a world to a file that has content. */
#include "cli/line/commands.h"
#include "cli/line/output.h"
#include "cli/session/session.h"
#include "cli/worlds/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"seed", "N", "0..18446744073709551615, or hexadecimal after 0x (required)", 0},
    OPTIONS_SETTINGS,
    OPTION_WAIT,
    OPTIONS_END,
};

static int read_settings(const args *a, ptl_world_options *out)
{
    const char *seed = args_value(a, "seed");
    if (!seed)
        return usage_error(a, "a world needs a seed: --seed N");
    if (!parse_u64(seed, &out->seed))
        return usage_error(a, "--seed '%s' is not a whole number in 0..18446744073709551615",
                           seed);
    return settings_from_args(a, out);
}

static bool print_choice(void *payload, size_t columns, const char *const *names,
                         const ptl_value *values)
{
    (void)payload;
    (void)columns;
    (void)names;
    out_printf("Its region is %.*s, and specials are placed by %.*s%s.\n", (int)values[0].size,
               values[0].text, (int)values[1].size, values[1].text,
               values[2].size == 0 ? "" : ", as in the content's game");
    return true;
}

/* What the world has, and whether that is what its content's game does. */
static int tell_choice(session *s, const char *name)
{
    ptl_query_options query = {.size = sizeof query, .on_row = print_choice};
    char *quoted = sql_quote(name), sql[1000];
    if (!quoted)
        return session_no_memory(s);
    snprintf(sql, sizeof sql,
             "SELECT w.region, w.placement, coalesce((SELECT game FROM content_game g WHERE "
             "g.content_id = w.content_id AND g.placement = w.placement), '') FROM world w "
             "WHERE w.name = %s",
             quoted);
    free(quoted);
    return ptl_query(s->store, sql, &query, &s->err) == PTL_OK ? EXIT_DONE : session_failed(s);
}

static int create(session *s, const ptl_world_options *settings)
{
    const char *path = s->args->operands[0], *name = s->args->operands[1];
    ptl_status status = ptl_world_create(s->store, name, settings, &s->err);
    if (status == PTL_OK) {
        out_prose_begin(0);
        out_printf("world '%s' with seed %" PRIu64 " is in %s; go on with\n"
                   "  portolan generate '%s' --world '%s' --radius 2\n",
                   name, settings->seed, path, path, name);
        const int code = tell_choice(s, name);
        out_prose_end();
        return code;
    }
    session_failed(s);
    if (status == PTL_ERR_CONTENT)
        tell("Import content first: portolan import '%s' --builtin\n", path);
    if (status == PTL_ERR_NOT_FOUND)
        tell("Regions: portolan status '%s' --regions\n", path);
    return EXIT_FAILED;
}

static int run(const args *a)
{
    session s;
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    int code = read_settings(a, &settings);
    if (code != EXIT_DONE)
        return code;
    code = session_open(&s, a, PTL_OPEN_WRITE);
    if (code == EXIT_DONE)
        code = create(&s, &settings);
    session_close(&s);
    return code;
}

const command new_command = {
    .name = "new",
    .group = GROUP_MAKE,
    .operands = "FILE NAME",
    .operands_min = 2,
    .operands_max = 2,
    .summary = "Add a world to a file, with a seed and settings of its own.",
    .operand_help = "NAME  What the new world is called.\n",
    .details = "The file must hold content (see 'portolan import'). Nothing is generated yet. "
               "Seed and "
               "settings are fixed from then on. --region names a region or a dimension "
               "('portolan status FILE "
               "--regions' lists them); specials are placed as the content's game does, unless "
               "--placement says how.\n",
    .examples = "  portolan new w.db island --seed 42\n"
                "  portolan new w.db wild --seed 0xC0FFEE --city-size 0\n"
                "  portolan new w.db rails --seed 7 --city-spacing 3 --railroads\n",
    .options = options,
    .run = run,
    .stopped = "no world was added",
};
