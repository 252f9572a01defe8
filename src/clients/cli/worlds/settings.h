/* The settings of worlds as options: of `new`, and of commands that try many seeds. */
#ifndef CLI_WORLDS_SETTINGS_H
#define CLI_WORLDS_SETTINGS_H

#include "clients/cli/line/options.h"
#include "portolan/world.h"

/* Rows of an option_spec table; the seed is not among them. */
/* clang-format off */
#define OPTIONS_SETTINGS                                                                       \
    {"region", "ID", "a region or dimension of the content (default: its own choice)", 0},            \
    {"city-size", "N", "0..16; 0: no cities (default: 8)", 0},                                 \
    {"city-spacing", "N", "0..8; city density is 2^-N (default: 4)", 0},                       \
    {"specials-density", "F", "0.01..10 (default: 1)", 0},                                     \
    {"specials-spacing", "N", "-1..72 OMTs (default: 6)", 0},                                  \
    {"placement", "MODE", "quota or sectors (default: as the content's game)", 0},                                    \
    {"railroads", NULL, "railroads cross borders and link cities, if the content has them",    \
     0},                                                                                       \
    {"highways", "on|off", "default: on in regions of DDA since 2026, off in 0.I's", 0},       \
    {"roads", "MODE", "wandering or exact: straight, few bridges (default: wandering)", 0},    \
    {"subways", NULL, "subway tunnels cross borders, if the content has them", 0},             \
    {"compat", NULL, "place specials as the games do, against their documents", 0},            \
    {"scale-unique", NULL, "--specials-density scales the chance of UNIQUE specials, too", 0}, \
    {"unique-radius", "N",                                                                     \
     "0..1000; GLOBALLY_UNIQUE specials lie this near chunk 0,0 (default: 5)", 0}
#define OPTION_SETTINGS_OF                                                                     \
    {"world", "NAME", "take this world's settings; those given beside it replace them", 0}
/* clang-format on */

/* Options that are given replace what is in *out (PTL_WORLD_OPTIONS_INIT, or another world's);
 * region is borrowed from the command line. EXIT_DONE, or EXIT_USAGE with a message. */
int settings_from_args(const args *a, ptl_world_options *out);
/* Is any of them given? */
bool settings_given(const args *a);

#endif
