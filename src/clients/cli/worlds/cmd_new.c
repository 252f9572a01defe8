/* portolan new: adds a world to a file that has content. */
#include "clients/cli/line/commands.h"
#include "clients/cli/line/output.h"
#include "clients/cli/session/session.h"
#include "clients/cli/worlds/settings.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option_spec options[] = {
    {"seed", "N", "0..18446744073709551615, or hexadecimal after 0x (required)", 0},
    OPTIONS_SETTINGS OPTION_WAIT,
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

/* What a new world has got, and what its content says. */
typedef struct choice {
    const char *name;
    char region[256];
    ptl_placement placement;
    bool derives; /* its local maps */
    bool as_game; /* the content's game places specials so */
} choice;

static bool keep_world(void *payload, const ptl_world_info *world)
{
    choice *c = payload;
    if (strcmp(world->name, c->name) != 0)
        return true;
    snprintf(c->region, sizeof c->region, "%s", world->options->region);
    c->placement = world->options->placement;
    c->derives = world->options->derive;
    return false;
}

static bool keep_game(void *payload, const ptl_content_info *content)
{
    choice *c = payload;
    if (content->is_current)
        c->as_game = content->game[0] && content->placement == c->placement;
    return true;
}

/* What the world has, and whether that is what its content's game does. */
static int tell_choice(session *s, const char *name)
{
    choice c = {.name = name};
    ptl_status status = ptl_world_list(s->store, keep_world, &c, &s->err);
    if (status == PTL_OK || status == PTL_ERR_CANCELLED)
        status = ptl_content_list(s->store, keep_game, &c, &s->err);
    if (status != PTL_OK)
        return session_failed(s);
    out_printf("Its region is %s, and specials are placed by %s%s.", c.region,
               placement_name(c.placement), c.as_game ? ", as in the content's game" : "");
    if (c.derives)
        out_text(" It derives its local maps: only those that are changed will be stored.");
    out_text("\n");
    return EXIT_DONE;
}

static bool see_content(void *payload, const ptl_content_info *content)
{
    bool *seen = payload;
    *seen = *seen || content->is_current;
    return true;
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
    bool content = false;
    session_failed(s);
    if (status == PTL_ERR_CONTENT)
        (void)ptl_content_list(s->store, see_content, &content, NULL);
    if (status == PTL_ERR_CONTENT && !content)
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
    .details =
        "The file must hold content (see 'portolan import'). Nothing is generated yet. "
        "Seed and "
        "settings are fixed from then on. --region names a region or a dimension "
        "('portolan status FILE "
        "--regions' lists them); specials are placed as the content's game does, unless "
        "--placement says how. With --derive the file has no local maps but those that a "
        "game has changed; no other content can be imported then until 'generate --local "
        "--keep' has stored what was visited.\n",
    .examples = "  portolan new w.db island --seed 42\n"
                "  portolan new w.db wild --seed 0xC0FFEE --city-size 0\n"
                "  portolan new w.db rails --seed 7 --city-spacing 3 --railroads\n",
    .options = options,
    .run = run,
    .stopped = "no world was added",
};
