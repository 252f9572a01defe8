/* The settings of worlds as options of the command line, for portolan new and for commands that
 * try many seeds. */
#pragma once

#include "clients/cli/line/options.h"
#include "portolan/world.h"

/* OPTIONS_SETTINGS are rows for an option_spec table, one for each setting of worlds but the
 * seed; OPTIONS_SWEEP_SETTINGS leaves out the settings of local maps. The lists of settings in
 * portolan/settings.h are macros that call another macro for each setting. Here that macro is
 * OPTION_OF_SETTING, which makes a row of the setting's option, value and meaning. */
#define OPTION_OF_SETTING(c, kind, type, name, option, otherwise, low, high, value, meaning)   \
    {option, value, meaning, 0},
#define OPTIONS_SETTINGS       PTL_WORLD_SETTINGS(OPTION_OF_SETTING, )
#define OPTIONS_SWEEP_SETTINGS PTL_SWEEP_SETTINGS(OPTION_OF_SETTING, )
/* clang-format off */
#define OPTION_SETTINGS_OF \
    {"world", "NAME", "take this world's settings; those given beside it replace them", 0}
/* clang-format on */

/* Replaces settings in *out by the options that are given. The caller must have set *out to
 * PTL_WORLD_OPTIONS_INIT or another world's settings. region is borrowed from the command line.
 * Returns EXIT_DONE, or EXIT_USAGE after a message. */
int settings_from_args(const args *a, ptl_world_options *out);
/* Is an option of OPTIONS_SETTINGS on the command line? */
bool settings_given(const args *a);
