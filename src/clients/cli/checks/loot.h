/* What the commands about loot share: the options that say for which thing (an item, a monster,
 * ...) and for which terrain figures are wanted. */
#pragma once

#include "clients/cli/session/session.h"
#include "portolan/loot.h"

/* The options about loot, for a command's table of options (option_spec). `what` is the
 * beginning of the help of four of them. */
/* clang-format off */
#define OPTIONS_LOOT(what)                                                                     \
    {"item", "ID", what "how many of this item, for each terrain", 0},                         \
    {"monster", "ID", what "how many of this monster", 0},                                     \
    {"vehicle", "ID", what "how many of this vehicle", 0},                                     \
    {"group", "ID", what "how often something is drawn from this group", 0},                   \
    {"in", "OTER", what "on maps of this overmap terrain alone", 0},                           \
    {"samples", "N",                                                                           \
     "maps made of a terrain where figures are not exact (default: 1000, of all: 100)", 0},    \
    {"jobs", "N", "threads, 1..64 (default: 1)", 'j'}
/* clang-format on */

/* Reads the options of this file's macro. Returns EXIT_DONE, or EXIT_USAGE after a message. */
int loot_options_read(ptl_loot_options *out, const args *a);
