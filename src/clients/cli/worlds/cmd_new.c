/* portolan new: adds a world to a file that has content. */
#include "clients/cli/session/session.h"
#include "clients/cli/worlds/settings.h"

static const option_spec options[] = {
    {"seed", "N", "0..18446744073709551615, or hexadecimal after 0x (required)", 0},
    OPTIONS_SETTINGS OPTION_WAIT,
    OPTIONS_END,
};

/* What is printed about a new world: some of its settings, and whether the game for which its
 * content is made has the same rule of placement. */
typedef struct choice {
    const char *name;
    char region[256];
    ptl_placement placement;
    bool derives; /* the world makes local maps anew each time instead of storing them */
    bool as_game; /* the world places specials as the content's game does */
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

static bool keep_content(void *payload, const ptl_content_info *content)
{
    choice *c = payload;
    if (content->is_current)
        c->as_game = content->game[0] && content->placement == c->placement;
    return true;
}

static int run(session *s)
{
    const char *path = s->args->operands[0], *seed = args_value(s->args, "seed");
    ptl_world_options settings = PTL_WORLD_OPTIONS_INIT;
    choice c = {.name = s->args->operands[1]};
    if (!seed)
        return usage_error(s->args, "a world needs a seed: --seed N");
    NEED(args_u64(s->args, "seed", &settings.seed));
    NEED(settings_from_args(s->args, &settings));
    NEED(session_open(s, PTL_OPEN_WRITE));
    const ptl_status status = ptl_world_create(s->store, c.name, &settings, &s->err);
    if (status == PTL_OK) {
        out_say("world '%s' with seed %ju is in %s; go on with\n"
                "  portolan generate '%s' --world '%s' --radius 2\n",
                c.name, settings.seed, path, path, c.name);
        /* Prints the world's region and rule of placement, and whether that rule is the one of
         * its content's game. */
        ptl_status listed = ptl_world_list(s->store, keep_world, &c, &s->err);
        if (listed == PTL_OK || listed == PTL_ERR_CANCELLED)
            listed = ptl_content_list(s->store, keep_content, &c, &s->err);
        NEED(session_done(s, listed));
        out_say("Its region is %s, and specials are placed by %s%s.", c.region,
                placement_name(c.placement), c.as_game ? ", as in the content's game" : "");
        if (c.derives)
            out_say(" It derives its local maps: only those that are changed will be stored.");
        out_say("\n");
        return EXIT_DONE;
    }
    session_content_failed(s);
    if (status == PTL_ERR_NOT_FOUND)
        tell("Regions: portolan status '%s' --regions\n", path);
    return EXIT_FAILED;
}

const command new_command = {
    .name = "new",
    .group = GROUP_MAKE,
    .operands = "FILE NAME",
    .summary = "Add a world to a file, with a seed and settings of its own.",
    .operand_help = "NAME  What the new world is called.\n",
    .details =
        "The file must hold content (see 'portolan import'). Nothing is generated yet. Seed "
        "and settings are fixed from then on. --region names a region or a dimension "
        "('portolan status FILE --regions' lists them); specials are placed as the content's "
        "game does, unless --placement says how. With --derive the file has no local maps but "
        "those that a game has changed; no other content can be imported then until 'generate "
        "--local --keep' has stored what was visited.\n",
    .examples = "  portolan new w.db island --seed 42\n"
                "  portolan new w.db wild --seed 0xC0FFEE --city-size 0\n"
                "  portolan new w.db rails --seed 7 --city-spacing 3 --railroads\n",
    .options = options,
    .run = run,
    .stopped = "no world was added",
};
