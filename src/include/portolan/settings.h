/*
 * The settings of worlds, each defined once as a row of a list. From a row follow:
 * - the member of ptl_world_options and its default
 * - the range that ptl_world_create and the command line enforce
 * - the option of the command `new` and of commands that try seeds
 * - the columns of the tables `world` and `sweep` and of the SQL views v_world and v_sweep,
 *   with their checks and checksums
 * - a line in the output of the command `status`
 * - what a comparison of two samples says about the setting.
 */
#ifndef PORTOLAN_SETTINGS_H
#define PORTOLAN_SETTINGS_H

/*
 * The list is a macro that calls another macro X, which its user defines, once for each
 * setting. A row is X(c, KIND, type, name, option, default, low, high, value, meaning). c is
 * chosen by the user of the list and only passed on to X. name is the name of the member and of
 * the column. value is what --help calls the option's value (NULL: the option takes none); for
 * a CHOICE it is the list of words, separated by |, of which the first one has the number low.
 *
 * INT and REAL are numbers from low to high; SWITCH is off or on. REGION is the id of a
 * region_settings object, or of a dimension with a single region, which is stored as the id of
 * that region. A default outside of low..high means "as the content says"; creating a world
 * replaces it by a value in the range.
 *
 * Each row must be a single line, since src/store/sqlite/schema/embed_schema.cmake reads the
 * rows, too.
 */
/* clang-format off */
#define PTL_SWEEP_SETTINGS(X, c)                                                               \
    X(c, REGION, const char *, region, "region", NULL, 0, 0, "ID", "id of a region, or of a dimension with one region (default: the content's DEFAULT_REGION, or the region default)") \
    X(c, INT, int32_t, city_size, "city-size", 8, 0, 16, "N", "0..16; 0: no cities (default: 8)") \
    X(c, INT, int32_t, city_spacing, "city-spacing", 4, 0, 8, "N", "0..8; the density of cities is 2 to the power -N, where N is this number (default: 4)") \
    X(c, REAL, double, specials_density, "specials-density", 1, 0.01, 10, "F", "0.01..10 (default: 1)") \
    X(c, INT, int32_t, specials_spacing, "specials-spacing", 6, -1, 72, "N", "-1..72 OMTs between specials (default: 6)") \
    X(c, CHOICE, ptl_placement, placement, "placement", PTL_PLACEMENT_OF_CONTENT, 0, 1, "quota|sectors", "the rule of placement of specials (default: the rule of the game that the content comes from)") \
    X(c, SWITCH, bool, railroads, "railroads", false, 0, 1, NULL, "1: railroads cross the borders of overmaps and link cities, if the content has railroads") \
    X(c, SWITCH, bool, subways, "subways", false, 0, 1, NULL, "1: subway tunnels cross the borders of overmaps, if the content has subways") \
    X(c, SWITCH, bool, compat, "compat", false, 0, 1, NULL, "1: specials and roads are made as the games make them, also where the games' documents say otherwise") \
    X(c, SWITCH, bool, scale_unique, "scale-unique", false, 0, 1, NULL, "1: the option --specials-density also changes the chance of UNIQUE specials") \
    X(c, INT, int32_t, unique_radius, "unique-radius", 5, 0, 1000, "N", "0..1000; GLOBALLY_UNIQUE specials lie at most so many chunks away from chunk 0,0 (default: 5)") \
    X(c, CHOICE, ptl_highways, highways, "highways", PTL_HIGHWAYS_OF_REGION, 0, 2, "region|on|off", "whether highways are made; region: as the game does that the region comes from (default: region)") \
    X(c, CHOICE, ptl_roads, roads, "roads", PTL_ROADS_WANDERING, 0, 1, "wandering|exact", "how the ways of roads are searched; exact roads are straight and have few bridges (default: wandering)")
/* The settings of a world: all settings of a sweep, and the settings of local maps. (A sweep
 * makes no local maps.) */
#define PTL_WORLD_SETTINGS(X, c)                                                               \
    PTL_SWEEP_SETTINGS(X, c)                                                                   \
    X(c, SWITCH, bool, derive, "derive", false, 0, 1, NULL, "1: only local maps that were changed are stored; the others are made again at each reading") \
    X(c, CHOICE, ptl_riot_damage, riot_damage, "riot-damage", PTL_RIOT_DAMAGE_OF_CONTENT, 0, 1, "off|on", "whether riots and fires have damaged the buildings on local maps (default: as the content asks)")
/* clang-format on */

/* The two macros that follow are passed as X to a list of settings. PTL_SETTING_MEMBER turns
 * the list into members of a struct, PTL_SETTING_DEFAULT into the default values of these
 * members. */
#define PTL_SETTING_MEMBER(c, kind, type, name, option, otherwise, low, high, value, meaning)  \
    type name;
#define PTL_SETTING_DEFAULT(c, kind, type, name, option, otherwise, low, high, value, meaning) \
    otherwise,

#endif
