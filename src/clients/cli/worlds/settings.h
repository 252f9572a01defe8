/* The settings of worlds as options: of `new`, and of commands that try many seeds. */
#ifndef CLI_WORLDS_SETTINGS_H
#define CLI_WORLDS_SETTINGS_H

#include "clients/cli/line/options.h"
#include "portolan/world.h"

/* Rows of an option_spec table, from those of portolan/settings.h; the seed is not among them.
 * Of a sweep there are none for local maps. */
#define OPTION_OF_SETTING(c, kind, type, name, option, otherwise, low, high, value, meaning)   \
    {option, value, meaning, 0},
#define OPTIONS_SETTINGS       PTL_WORLD_SETTINGS(OPTION_OF_SETTING, )
#define OPTIONS_SWEEP_SETTINGS PTL_SWEEP_SETTINGS(OPTION_OF_SETTING, )
/* clang-format off */
#define OPTION_SETTINGS_OF \
    {"world", "NAME", "take this world's settings; those given beside it replace them", 0}
/* clang-format on */

/* Options that are given replace what is in *out (PTL_WORLD_OPTIONS_INIT, or another world's);
 * region is borrowed from the command line. EXIT_DONE, or EXIT_USAGE with a message. */
int settings_from_args(const args *a, ptl_world_options *out);
/* Is any of them given? */
bool settings_given(const args *a);

#endif
