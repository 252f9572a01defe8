/*
 * The tables that hold worlds. Each is described once, by its columns in the schema's order,
 * with their types and, where they can be listed, the values that they may have. These lists
 * yield the indices of columns, the names of columns in SQL, and the order in which a row's
 * checksum covers its columns (format.md, "Checksums"). They also say which columns verify
 * compares, and which values repair tries. tests/unit/store/test_row_tables.c compares the
 * lists with the schema.
 * A table is a macro X_ROW(FIRST, NEXT, a). It calls FIRST for the first column and NEXT for
 * each further column. Their arguments are `a`; the table's prefix; the column's name in upper
 * case; its name; its type; and SQL that lists the values that the column may have, or NULL.
 */
#pragma once

#include "portolan/settings.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The types of values; the numbers are those that format.md, "Checksums", uses as tags. */
typedef enum row_type { ROW_NULL, ROW_INTEGER, ROW_REAL, ROW_TEXT, ROW_BLOB } row_type;

enum { ROW_OR_NULL = 8 }; /* is added to the type of a column whose value may also be NULL */

/* ---- SQL for the values that a column may have ---- */

#define ROW_NUMBERS(from, to)                                                                  \
    "WITH RECURSIVE n(i) AS (SELECT " #from " UNION ALL SELECT i + 1 FROM n WHERE i < " #to    \
    ") SELECT i FROM n"
#define ROW_SWITCH   ROW_NUMBERS(0, 1)
#define ROW_CONTENTS "SELECT id FROM content"
#define ROW_WORLDS   "SELECT id FROM world"
#define ROW_RUNS     "SELECT id FROM run"

/* ---- the tables ---- */

#define OTER_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, OTER, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, OTER, NAME, name, ROW_TEXT, "SELECT id FROM concrete_terrain")                     \
    NEXT(a, OTER, CHECKSUM, checksum, ROW_INTEGER, NULL)

#define NAME_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, NAME, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, NAME, NAME, name, ROW_TEXT,                                                        \
         "SELECT id FROM overmap_special UNION SELECT piece FROM special_piece "               \
         "UNION SELECT \"join\" FROM special_join UNION SELECT spawn_group FROM "              \
         "overmap_special UNION SELECT name FROM kept_name")                                   \
    NEXT(a, NAME, CHECKSUM, checksum, ROW_INTEGER, NULL)

/* Each setting that a world or a sweep is made with becomes a column, named like the setting in
 * lower case. portolan/settings.h lists the settings as a macro that calls SETTING_COLUMN for
 * each, with the argument c that its caller gave. Here c is a group of three, (NEXT, a, t): the
 * macro to call for each column, the first argument for that macro, and the table's prefix. */
#define SETTING_TYPE_REGION ROW_TEXT
#define SETTING_TYPE_INT    ROW_INTEGER
#define SETTING_TYPE_REAL   ROW_REAL
#define SETTING_TYPE_SWITCH ROW_INTEGER
#define SETTING_TYPE_CHOICE ROW_TEXT

#define SETTING_VALUES_REGION(name, low, high, words) "SELECT id FROM region_settings"
#define SETTING_VALUES_INT(name, low, high, words)    ROW_NUMBERS(low, high)
#define SETTING_VALUES_REAL(name, low, high, words)                                            \
    "SELECT " #name " FROM world UNION SELECT " #name " FROM sweep UNION SELECT 1.0"
#define SETTING_VALUES_SWITCH(name, low, high, words) ROW_SWITCH
#define SETTING_VALUES_CHOICE(name, low, high, words)                                          \
    "WITH RECURSIVE w(word, rest) AS (SELECT NULL, '" words "|' UNION ALL SELECT "             \
    "substr(rest, 1, instr(rest, '|') - 1), substr(rest, instr(rest, '|') + 1) FROM w "        \
    "WHERE rest <> '') SELECT word FROM w WHERE word IS NOT NULL"

#define SETTING_TAKE_CONTEXT(...) __VA_ARGS__
#define SETTING_GIVE(...)         SETTING_GIVE_COLUMN(__VA_ARGS__)
#define SETTING_GIVE_COLUMN(NEXT, a, t, kind, name, low, high, words)                          \
    NEXT(a, t, name, name, SETTING_TYPE_##kind, SETTING_VALUES_##kind(name, low, high, words))
#define SETTING_COLUMN(c, kind, type, name, option, otherwise, low, high, value, meaning)      \
    SETTING_GIVE(SETTING_TAKE_CONTEXT c, kind, name, low, high, value)

/* Calls NEXT for each of the columns that follow the settings in tables world and sweep; t is
 * the table's prefix. */
#define MADE_COLUMNS(NEXT, a, t)                                                               \
    NEXT(a, t, GENERATOR_VERSION, generator_version, ROW_INTEGER, ROW_NUMBERS(1, 100))         \
    NEXT(a, t, CONTENT_ID, content_id, ROW_INTEGER, ROW_CONTENTS)                              \
    NEXT(a, t, CREATED_AT, created_at, ROW_TEXT, NULL)                                         \
    NEXT(a, t, CHECKSUM, checksum, ROW_INTEGER, NULL)

#define WORLD_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, WORLD, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, WORLD, NAME, name, ROW_TEXT, NULL)                                                 \
    NEXT(a, WORLD, SEED, seed, ROW_INTEGER, NULL)                                              \
    PTL_WORLD_SETTINGS(SETTING_COLUMN, (NEXT, a, WORLD))                                       \
    MADE_COLUMNS(NEXT, a, WORLD)

#define RUN_ROW(FIRST, NEXT, a)                                                                \
    FIRST(a, RUN, ID, id, ROW_INTEGER, NULL)                                                   \
    NEXT(a, RUN, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                  \
    NEXT(a, RUN, COMMAND, command, ROW_TEXT,                                                   \
         "SELECT DISTINCT command FROM run UNION SELECT 'generate' UNION SELECT 'chunk_get'")  \
    NEXT(a, RUN, STARTED, started, ROW_TEXT, NULL)                                             \
    NEXT(a, RUN, ENDED, ended, ROW_TEXT | ROW_OR_NULL, "SELECT NULL")                          \
    NEXT(a, RUN, CHUNKS, chunks, ROW_INTEGER | ROW_OR_NULL,                                    \
         "SELECT count(*) FROM chunk GROUP BY run_id UNION SELECT 0 UNION SELECT NULL")        \
    NEXT(a, RUN, SECONDS, seconds, ROW_REAL | ROW_OR_NULL, "SELECT NULL")                      \
    NEXT(a, RUN, OUTCOME, outcome, ROW_TEXT | ROW_OR_NULL,                                     \
         "SELECT 'done' UNION SELECT 'cancelled' UNION SELECT 'failed' UNION SELECT NULL")     \
    NEXT(a, RUN, GENERATOR_VERSION, generator_version, ROW_INTEGER, ROW_NUMBERS(1, 100))       \
    NEXT(a, RUN, CONTENT_DIGEST, content_digest, ROW_TEXT,                                     \
         "SELECT digest FROM content UNION SELECT ''")                                         \
    NEXT(a, RUN, PORTOLAN_VERSION, portolan_version, ROW_TEXT,                                 \
         "SELECT DISTINCT portolan_version FROM run UNION "                                    \
         "SELECT portolan_version FROM content")                                               \
    NEXT(a, RUN, CHECKSUM, checksum, ROW_INTEGER, NULL)

/* For columns whose last argument is NULL, repair has no list of values to try: it derives
 * these values from the chunk's other rows. */
#define CHUNK_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, CHUNK, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, CHUNK, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                \
    NEXT(a, CHUNK, X, x, ROW_INTEGER, "SELECT DISTINCT x FROM edge")                           \
    NEXT(a, CHUNK, Y, y, ROW_INTEGER, "SELECT DISTINCT y FROM edge")                           \
    NEXT(a, CHUNK, LEVEL_MASK, level_mask, ROW_INTEGER, NULL)                                  \
    NEXT(a, CHUNK, FILL, fill, ROW_BLOB, "SELECT DISTINCT fill FROM chunk")                    \
    NEXT(a, CHUNK, GENERATOR_VERSION, generator_version, ROW_INTEGER,                          \
         "SELECT DISTINCT generator_version FROM chunk UNION "                                 \
         "SELECT generator_version FROM world")                                                \
    NEXT(a, CHUNK, CONTENT_ID, content_id, ROW_INTEGER, ROW_CONTENTS)                          \
    NEXT(a, CHUNK, LAST_STEP, last_step, ROW_TEXT,                                             \
         "SELECT '' UNION SELECT DISTINCT last_step FROM chunk")                               \
    NEXT(a, CHUNK, RUN_ID, run_id, ROW_INTEGER, ROW_RUNS)                                      \
    NEXT(a, CHUNK, OMT_DIGEST, omt_digest, ROW_BLOB, NULL)                                     \
    NEXT(a, CHUNK, LEVELS_CHECKSUM, levels_checksum, ROW_INTEGER, NULL)                        \
    NEXT(a, CHUNK, ORIGIN, origin, ROW_TEXT, "SELECT 'generated' UNION ALL SELECT 'imported'") \
    NEXT(a, CHUNK, FEATURE_DIGEST, feature_digest, ROW_BLOB, NULL)                             \
    NEXT(a, CHUNK, FEATURES_CHECKSUM, features_checksum, ROW_INTEGER, NULL)                    \
    NEXT(a, CHUNK, CHECKSUM, checksum, ROW_INTEGER, NULL)

#define LEVEL_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, LEVEL, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, LEVEL, CHECKSUM, checksum, ROW_INTEGER, NULL)                                      \
    NEXT(a, LEVEL, OMTS, omts, ROW_BLOB, NULL)

/* Rows of city, radio and special_placement have no checksum of their own: features_checksum in
 * table chunk covers all such rows of a chunk. */
#define CITY_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, CITY, CHUNK_ID, chunk_id, ROW_INTEGER, NULL)                                      \
    NEXT(a, CITY, NUMBER, number, ROW_INTEGER, NULL)                                           \
    NEXT(a, CITY, NAME, name, ROW_TEXT, NULL)                                                  \
    NEXT(a, CITY, X, x, ROW_INTEGER, NULL)                                                     \
    NEXT(a, CITY, Y, y, ROW_INTEGER, NULL)                                                     \
    NEXT(a, CITY, SIZE, size, ROW_INTEGER, NULL)                                               \
    NEXT(a, CITY, PLANNED_X, planned_x, ROW_INTEGER, NULL)                                     \
    NEXT(a, CITY, PLANNED_Y, planned_y, ROW_INTEGER, NULL)

#define RADIO_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, RADIO, CHUNK_ID, chunk_id, ROW_INTEGER, NULL)                                     \
    NEXT(a, RADIO, NUMBER, number, ROW_INTEGER, NULL)                                          \
    NEXT(a, RADIO, X, x, ROW_INTEGER, NULL)                                                    \
    NEXT(a, RADIO, Y, y, ROW_INTEGER, NULL)                                                    \
    NEXT(a, RADIO, STRENGTH, strength, ROW_INTEGER, NULL)                                      \
    NEXT(a, RADIO, WEATHER, weather, ROW_INTEGER, NULL)                                        \
    NEXT(a, RADIO, FREQUENCY, frequency, ROW_INTEGER, NULL)                                    \
    NEXT(a, RADIO, MESSAGE, message, ROW_INTEGER | ROW_OR_NULL, NULL)                          \
    NEXT(a, RADIO, PLACED, placed, ROW_INTEGER, NULL)

#define SPECIAL_ROW(FIRST, NEXT, a)                                                            \
    FIRST(a, SPECIAL, ID, id, ROW_INTEGER, NULL)                                               \
    NEXT(a, SPECIAL, SPECIAL, special, ROW_INTEGER, NULL)                                      \
    NEXT(a, SPECIAL, X, x, ROW_INTEGER, NULL)                                                  \
    NEXT(a, SPECIAL, Y, y, ROW_INTEGER, NULL)                                                  \
    NEXT(a, SPECIAL, Z, z, ROW_INTEGER, NULL)                                                  \
    NEXT(a, SPECIAL, ROTATION, rotation, ROW_INTEGER, NULL)                                    \
    NEXT(a, SPECIAL, CITY, city, ROW_INTEGER | ROW_OR_NULL, NULL)                              \
    NEXT(a, SPECIAL, DRAW, draw, ROW_INTEGER, NULL)                                            \
    NEXT(a, SPECIAL, OMTS, omts, ROW_INTEGER, NULL)

#define PACK_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, PACK, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, PACK, CHECKSUM, checksum, ROW_INTEGER, NULL)                                       \
    NEXT(a, PACK, DATA, data, ROW_BLOB, NULL)

#define EVENT_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, EVENT, CHUNK_ID, chunk_id, ROW_INTEGER, NULL)                                     \
    NEXT(a, EVENT, NUMBER, number, ROW_INTEGER, NULL)                                          \
    NEXT(a, EVENT, STEP, step, ROW_TEXT, NULL)                                                 \
    NEXT(a, EVENT, KIND, kind, ROW_TEXT, NULL)                                                 \
    NEXT(a, EVENT, X, x, ROW_INTEGER, NULL)                                                    \
    NEXT(a, EVENT, Y, y, ROW_INTEGER, NULL)                                                    \
    NEXT(a, EVENT, Z, z, ROW_INTEGER, NULL)                                                    \
    NEXT(a, EVENT, DETAIL, detail, ROW_TEXT, NULL)                                             \
    NEXT(a, EVENT, CHECKSUM, checksum, ROW_INTEGER, NULL)

/* The edge's checksum covers this row and the edge's rows in table crossing. */
#define EDGE_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, EDGE, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, EDGE, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                 \
    NEXT(a, EDGE, X, x, ROW_INTEGER,                                                           \
         "SELECT DISTINCT x FROM chunk UNION SELECT min(x) - 1 FROM chunk")                    \
    NEXT(a, EDGE, Y, y, ROW_INTEGER,                                                           \
         "SELECT DISTINCT y FROM chunk UNION SELECT min(y) - 1 FROM chunk")                    \
    NEXT(a, EDGE, SIDE, side, ROW_TEXT, "SELECT 'E' UNION ALL SELECT 'S'")                     \
    NEXT(a, EDGE, ORIGIN, origin, ROW_TEXT, "SELECT 'planned' UNION ALL SELECT 'foreign'")     \
    NEXT(a, EDGE, GENERATOR_VERSION, generator_version, ROW_INTEGER,                           \
         "SELECT DISTINCT generator_version FROM edge UNION "                                  \
         "SELECT generator_version FROM world")                                                \
    NEXT(a, EDGE, CONTENT_ID, content_id, ROW_INTEGER, ROW_CONTENTS)                           \
    NEXT(a, EDGE, RUN_ID, run_id, ROW_INTEGER, ROW_RUNS)                                       \
    NEXT(a, EDGE, CELLS, cells, ROW_BLOB | ROW_OR_NULL, "SELECT NULL")                         \
    NEXT(a, EDGE, CHECKSUM, checksum, ROW_INTEGER, NULL)

/* The checksum in table edge covers all columns of the edge's crossings except edge_id. */
#define CROSSING_ROW(FIRST, NEXT, a)                                                           \
    FIRST(a, CROSSING, EDGE_ID, edge_id, ROW_INTEGER, NULL)                                    \
    NEXT(a, CROSSING, Z, z, ROW_INTEGER, NULL)                                                 \
    NEXT(a, CROSSING, KIND, kind, ROW_TEXT, NULL)                                              \
    NEXT(a, CROSSING, POSITION, position, ROW_INTEGER, NULL)                                   \
    NEXT(a, CROSSING, WIDTH, width, ROW_INTEGER, NULL)                                         \
    NEXT(a, CROSSING, DIRECTION, direction, ROW_INTEGER, NULL)

#define ASIDE_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, ASIDE, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, ASIDE, FOUND, found, ROW_TEXT, NULL)                                               \
    NEXT(a, ASIDE, SOURCE_TABLE, source_table, ROW_TEXT, NULL)                                 \
    NEXT(a, ASIDE, SOURCE_KEY, source_key, ROW_TEXT, NULL)                                     \
    NEXT(a, ASIDE, WORLD, world, ROW_TEXT, NULL)                                               \
    NEXT(a, ASIDE, X, x, ROW_INTEGER | ROW_OR_NULL, NULL)                                      \
    NEXT(a, ASIDE, Y, y, ROW_INTEGER | ROW_OR_NULL, NULL)                                      \
    NEXT(a, ASIDE, REASON, reason, ROW_TEXT, NULL)                                             \
    NEXT(a, ASIDE, DATA, data, ROW_BLOB, NULL)                                                 \
    NEXT(a, ASIDE, CHECKSUM, checksum, ROW_INTEGER, NULL)

#define SWEEP_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, SWEEP, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, SWEEP, NAME, name, ROW_TEXT, NULL)                                                 \
    PTL_SWEEP_SETTINGS(SETTING_COLUMN, (NEXT, a, SWEEP))                                       \
    MADE_COLUMNS(NEXT, a, SWEEP)

/* Each column from `specials` on holds a pack: a blob with the values of all specials, places
 * and so on in the overmap. The columns are in the order of the values of pack_kind. */
#define SWEEP_CHUNK_ROW(FIRST, NEXT, a)                                                        \
    FIRST(a, SWEEP_CHUNK, ID, id, ROW_INTEGER, NULL)                                           \
    NEXT(a, SWEEP_CHUNK, SWEEP_ID, sweep_id, ROW_INTEGER, "SELECT id FROM sweep")              \
    NEXT(a, SWEEP_CHUNK, SEED, seed, ROW_INTEGER, NULL)                                        \
    NEXT(a, SWEEP_CHUNK, X, x, ROW_INTEGER, NULL)                                              \
    NEXT(a, SWEEP_CHUNK, Y, y, ROW_INTEGER, NULL)                                              \
    NEXT(a, SWEEP_CHUNK, CHECKSUM, checksum, ROW_INTEGER, NULL)                                \
    NEXT(a, SWEEP_CHUNK, SPECIALS, specials, ROW_BLOB, NULL)                                   \
    NEXT(a, SWEEP_CHUNK, PLACES, places, ROW_BLOB, NULL)                                       \
    NEXT(a, SWEEP_CHUNK, TERRAINS, terrains, ROW_BLOB, NULL)                                   \
    NEXT(a, SWEEP_CHUNK, CITIES, cities, ROW_BLOB, NULL)                                       \
    NEXT(a, SWEEP_CHUNK, BUILDINGS, buildings, ROW_BLOB, NULL)                                 \
    NEXT(a, SWEEP_CHUNK, LINES, lines, ROW_BLOB, NULL)                                         \
    NEXT(a, SWEEP_CHUNK, WATERS, waters, ROW_BLOB, NULL)                                       \
    NEXT(a, SWEEP_CHUNK, BASELINE, baseline, ROW_BLOB, NULL)

#define PAST_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, PAST, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, PAST, CONTENT_ID, content_id, ROW_INTEGER, NULL)                                   \
    NEXT(a, PAST, NAME, name, ROW_TEXT, NULL)                                                  \
    NEXT(a, PAST, ROW_COUNT, row_count, ROW_INTEGER, NULL)                                     \
    NEXT(a, PAST, SIZE, size, ROW_INTEGER, NULL)                                               \
    NEXT(a, PAST, CHECKSUM, checksum, ROW_INTEGER, NULL)                                       \
    NEXT(a, PAST, DATA, data, ROW_BLOB, NULL)

/* The last argument of a column is SQL that lists values which repair may try for it. NULL:
 * there is no such list, because nothing else in the file tells what the value was. */
#define MAP_ROW(FIRST, NEXT, a)                                                                \
    FIRST(a, MAP, ID, id, ROW_INTEGER, NULL)                                                   \
    NEXT(a, MAP, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                  \
    NEXT(a, MAP, X, x, ROW_INTEGER, NULL)                                                      \
    NEXT(a, MAP, Y, y, ROW_INTEGER, NULL)                                                      \
    NEXT(a, MAP, Z, z, ROW_INTEGER, ROW_NUMBERS(-10, 10))                                      \
    NEXT(a, MAP, REVISION, revision, ROW_INTEGER, ROW_NUMBERS(1, 100))                         \
    NEXT(a, MAP, TURN, turn, ROW_INTEGER, "SELECT 0")                                          \
    NEXT(a, MAP, EDITED, edited, ROW_INTEGER, ROW_SWITCH)                                      \
    NEXT(a, MAP, FALLBACK, fallback, ROW_INTEGER, ROW_SWITCH)                                  \
    NEXT(a, MAP, OTER, oter, ROW_INTEGER, NULL)                                                \
    NEXT(a, MAP, GENERATOR_VERSION, generator_version, ROW_INTEGER, ROW_NUMBERS(1, 100))       \
    NEXT(a, MAP, CONTENT_ID, content_id, ROW_INTEGER, ROW_CONTENTS)                            \
    NEXT(a, MAP, CHECKSUM, checksum, ROW_INTEGER, NULL)                                        \
    NEXT(a, MAP, TILES, tiles, ROW_BLOB, NULL)                                                 \
    NEXT(a, MAP, THINGS, things, ROW_BLOB, NULL)                                               \
    NEXT(a, MAP, TEXTS, texts, ROW_BLOB, NULL)

/* The last argument of each column is NULL: repair tries no values for a damaged overview,
 * since it makes the overview anew from the chunk's levels. */
#define OVERVIEW_ROW(FIRST, NEXT, a)                                                           \
    FIRST(a, OVERVIEW, ID, id, ROW_INTEGER, NULL)                                              \
    NEXT(a, OVERVIEW, CHECKSUM, checksum, ROW_INTEGER, NULL)                                   \
    NEXT(a, OVERVIEW, CELLS, cells, ROW_BLOB, NULL)

/* Columns whose last argument is NULL have no list of values that repair may try, because
 * nothing else in the file tells what their values were. */
#define SURGE_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, SURGE, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, SURGE, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                \
    NEXT(a, SURGE, X, x, ROW_INTEGER, NULL)                                                    \
    NEXT(a, SURGE, Y, y, ROW_INTEGER, NULL)                                                    \
    NEXT(a, SURGE, BEGINS, begins, ROW_INTEGER, NULL)                                          \
    NEXT(a, SURGE, ENDS, ends, ROW_INTEGER, NULL)                                              \
    NEXT(a, SURGE, CHECKSUM, checksum, ROW_INTEGER, NULL)

/* Nothing else in the file tells what the values of an edit were. */
#define EDIT_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, EDIT, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, EDIT, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                 \
    NEXT(a, EDIT, X, x, ROW_INTEGER, NULL)                                                     \
    NEXT(a, EDIT, Y, y, ROW_INTEGER, NULL)                                                     \
    NEXT(a, EDIT, NUMBER, number, ROW_INTEGER, NULL)                                           \
    NEXT(a, EDIT, AUTHOR, author, ROW_TEXT, NULL)                                              \
    NEXT(a, EDIT, TURN, turn, ROW_INTEGER, NULL)                                               \
    NEXT(a, EDIT, TEXT, text, ROW_TEXT, NULL)                                                  \
    NEXT(a, EDIT, UNDOES, undoes, ROW_INTEGER | ROW_OR_NULL, NULL)                             \
    NEXT(a, EDIT, LEVELS, levels, ROW_INTEGER, NULL)                                           \
    NEXT(a, EDIT, CHECKSUM, checksum, ROW_INTEGER, NULL)                                       \
    NEXT(a, EDIT, CELLS, cells, ROW_BLOB, NULL)

#define PLACED_ROW(FIRST, NEXT, a)                                                             \
    FIRST(a, PLACED, ID, id, ROW_INTEGER, NULL)                                                \
    NEXT(a, PLACED, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                               \
    NEXT(a, PLACED, X, x, ROW_INTEGER, NULL)                                                   \
    NEXT(a, PLACED, Y, y, ROW_INTEGER, NULL)                                                   \
    NEXT(a, PLACED, NUMBER, number, ROW_INTEGER, NULL)                                         \
    NEXT(a, PLACED, PART, part, ROW_INTEGER, NULL)                                             \
    NEXT(a, PLACED, SPECIAL, special, ROW_TEXT, NULL)                                          \
    NEXT(a, PLACED, ORIGIN_X, origin_x, ROW_INTEGER, NULL)                                     \
    NEXT(a, PLACED, ORIGIN_Y, origin_y, ROW_INTEGER, NULL)                                     \
    NEXT(a, PLACED, ORIGIN_Z, origin_z, ROW_INTEGER, NULL)                                     \
    NEXT(a, PLACED, ROTATION, rotation, ROW_INTEGER, ROW_NUMBERS(0, 3))                        \
    NEXT(a, PLACED, OMTS, omts, ROW_INTEGER, NULL)                                             \
    NEXT(a, PLACED, CHECKSUM, checksum, ROW_INTEGER, NULL)                                     \
    NEXT(a, PLACED, PARTS, parts, ROW_BLOB, NULL)

/* What a game saves is known from nothing else, too. */
#define NOTE_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, NOTE, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, NOTE, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                 \
    NEXT(a, NOTE, VIEWER, viewer, ROW_TEXT, NULL)                                              \
    NEXT(a, NOTE, X, x, ROW_INTEGER, NULL)                                                     \
    NEXT(a, NOTE, Y, y, ROW_INTEGER, NULL)                                                     \
    NEXT(a, NOTE, Z, z, ROW_INTEGER, NULL)                                                     \
    NEXT(a, NOTE, REVISION, revision, ROW_INTEGER, NULL)                                       \
    NEXT(a, NOTE, TEXT, text, ROW_TEXT, NULL)                                                  \
    NEXT(a, NOTE, SYMBOL, symbol, ROW_TEXT, NULL)                                              \
    NEXT(a, NOTE, COLOUR, colour, ROW_TEXT, NULL)                                              \
    NEXT(a, NOTE, RADIUS, radius, ROW_INTEGER, NULL)                                           \
    NEXT(a, NOTE, DANGEROUS, dangerous, ROW_INTEGER, ROW_SWITCH)                               \
    NEXT(a, NOTE, CHECKSUM, checksum, ROW_INTEGER, NULL)

#define MARK_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, MARK, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, MARK, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                 \
    NEXT(a, MARK, VIEWER, viewer, ROW_TEXT, NULL)                                              \
    NEXT(a, MARK, KIND, kind, ROW_INTEGER, NULL)                                               \
    NEXT(a, MARK, X, x, ROW_INTEGER, NULL)                                                     \
    NEXT(a, MARK, Y, y, ROW_INTEGER, NULL)                                                     \
    NEXT(a, MARK, Z, z, ROW_INTEGER, NULL)                                                     \
    NEXT(a, MARK, REVISION, revision, ROW_INTEGER, NULL)                                       \
    NEXT(a, MARK, CELLS, cells, ROW_INTEGER, NULL)                                             \
    NEXT(a, MARK, CHECKSUM, checksum, ROW_INTEGER, NULL)                                       \
    NEXT(a, MARK, BITS, bits, ROW_BLOB, NULL)

#define FACT_ROW(FIRST, NEXT, a)                                                               \
    FIRST(a, FACT, ID, id, ROW_INTEGER, NULL)                                                  \
    NEXT(a, FACT, WORLD_ID, world_id, ROW_INTEGER, ROW_WORLDS)                                 \
    NEXT(a, FACT, SPACE, space, ROW_TEXT, NULL)                                                \
    NEXT(a, FACT, SCOPE, scope, ROW_INTEGER, ROW_NUMBERS(0, 3))                                \
    NEXT(a, FACT, VIEWER, viewer, ROW_TEXT, NULL)                                              \
    NEXT(a, FACT, X, x, ROW_INTEGER, NULL)                                                     \
    NEXT(a, FACT, Y, y, ROW_INTEGER, NULL)                                                     \
    NEXT(a, FACT, Z, z, ROW_INTEGER, NULL)                                                     \
    NEXT(a, FACT, NAME, name, ROW_TEXT, NULL)                                                  \
    NEXT(a, FACT, REVISION, revision, ROW_INTEGER, NULL)                                       \
    NEXT(a, FACT, SIZE, size, ROW_INTEGER, NULL)                                               \
    NEXT(a, FACT, CHECKSUM, checksum, ROW_INTEGER, NULL)                                       \
    NEXT(a, FACT, VALUE, value, ROW_BLOB | ROW_OR_NULL, NULL)

/* Repair does not try other values for this table: damaged spills are computed anew from their
 * local map and its neighbours. */
#define SPILL_ROW(FIRST, NEXT, a)                                                              \
    FIRST(a, SPILL, ID, id, ROW_INTEGER, NULL)                                                 \
    NEXT(a, SPILL, CHECKSUM, checksum, ROW_INTEGER, NULL)                                      \
    NEXT(a, SPILL, SPILLS, spills, ROW_BLOB, NULL)

/* A list of all tables, as a macro: it calls TABLE for each, with the table's prefix and its
 * name in the schema. */
#define ROW_TABLES(TABLE)                                                                      \
    TABLE(OTER, oter)                                                                          \
    TABLE(NAME, name)                                                                          \
    TABLE(WORLD, world)                                                                        \
    TABLE(RUN, run)                                                                            \
    TABLE(CHUNK, chunk)                                                                        \
    TABLE(LEVEL, level)                                                                        \
    TABLE(CITY, city)                                                                          \
    TABLE(RADIO, radio)                                                                        \
    TABLE(SPECIAL, special_placement)                                                          \
    TABLE(PACK, pack)                                                                          \
    TABLE(EVENT, event)                                                                        \
    TABLE(EDGE, edge)                                                                          \
    TABLE(CROSSING, crossing)                                                                  \
    TABLE(ASIDE, set_aside)                                                                    \
    TABLE(SWEEP, sweep)                                                                        \
    TABLE(SWEEP_CHUNK, sweep_chunk)                                                            \
    TABLE(PAST, content_past)                                                                  \
    TABLE(MAP, omt_map)                                                                        \
    TABLE(OVERVIEW, overview)                                                                  \
    TABLE(SURGE, surge)                                                                        \
    TABLE(SPILL, omt_spill)                                                                    \
    TABLE(EDIT, chunk_edit)                                                                    \
    TABLE(PLACED, placed_special)                                                              \
    TABLE(NOTE, note)                                                                          \
    TABLE(MARK, mark)                                                                          \
    TABLE(FACT, fact)

/* ---- enums and SQL that are made from the lists ---- */

/* The indices of all tables: TABLE_OTER, ..., TABLE_COUNT. */
#define ROW_TABLE_ID(t, table) TABLE_##t,
typedef enum row_table_id { ROW_TABLES(ROW_TABLE_ID) TABLE_COUNT } row_table_id;

/* The indices of the columns in each table: OTER_COLUMN_ID, ..., OTER_COLUMN_COUNT. */
#define ROW_COLUMN_ID(a, t, upper, name, type, values) t##_COLUMN_##upper,
#define ROW_COLUMN_IDS(t, table)                                                               \
    enum { t##_ROW(ROW_COLUMN_ID, ROW_COLUMN_ID, ) t##_COLUMN_COUNT };
ROW_TABLES(ROW_COLUMN_IDS)

/* ROW_COLUMNS_MAX is the largest number of columns in any table. It is found as the size of a
 * union that has for each table an array with one byte for each column, since a union is as
 * large as its largest member. */
#define ROW_COLUMN_SPACE(t, table) char in_##table[t##_COLUMN_COUNT];
typedef union row_column_space {
    ROW_TABLES(ROW_COLUMN_SPACE)
} row_column_space;
enum { ROW_COLUMNS_MAX = sizeof(row_column_space) };

/* ROW_LIST gives the columns of a table as a text "id, name, ..." for SELECT and INSERT;
 * ROW_LIST_OF gives them with an alias, as in "c.id, c.x, ...". */
#define ROW_NAME_FIRST(alias, t, upper, name, type, values) alias #name
#define ROW_NAME_NEXT(alias, t, upper, name, type, values)  ", " alias #name
#define ROW_LIST(row)                                       row(ROW_NAME_FIRST, ROW_NAME_NEXT, "")
#define ROW_LIST_OF(row, alias)                             row(ROW_NAME_FIRST, ROW_NAME_NEXT, alias)

/* The columns of each table as a text. Those of chunk have the alias c, since chunk is joined
 * with other tables. */
#define OTER_COLUMNS        ROW_LIST(OTER_ROW)
#define NAME_COLUMNS        ROW_LIST(NAME_ROW)
#define WORLD_COLUMNS       ROW_LIST(WORLD_ROW)
#define RUN_COLUMNS         ROW_LIST(RUN_ROW)
#define CHUNK_COLUMNS       ROW_LIST_OF(CHUNK_ROW, "c.")
#define LEVEL_COLUMNS       ROW_LIST(LEVEL_ROW)
#define PACK_COLUMNS        ROW_LIST(PACK_ROW)
#define EDGE_COLUMNS        ROW_LIST(EDGE_ROW)
#define ASIDE_COLUMNS       ROW_LIST(ASIDE_ROW)
#define SWEEP_COLUMNS       ROW_LIST(SWEEP_ROW)
#define SWEEP_CHUNK_COLUMNS ROW_LIST(SWEEP_CHUNK_ROW)
#define PAST_COLUMNS        ROW_LIST(PAST_ROW)
#define MAP_COLUMNS         ROW_LIST(MAP_ROW)
#define SURGE_COLUMNS       ROW_LIST(SURGE_ROW)
#define SPILL_COLUMNS       ROW_LIST(SPILL_ROW)
#define EDIT_COLUMNS        ROW_LIST(EDIT_ROW)
#define PLACED_COLUMNS      ROW_LIST(PLACED_ROW)
#define NOTE_COLUMNS        ROW_LIST(NOTE_ROW)
#define MARK_COLUMNS        ROW_LIST(MARK_ROW)
#define FACT_COLUMNS        ROW_LIST(FACT_ROW)

/* ROW_MARKS gives SQL with one "?" for each column of a table, as in "(?, ?, ...)". */
#define ROW_MARK_FIRST(a, t, upper, name, type, values) "?"
#define ROW_MARK_NEXT(a, t, upper, name, type, values)  ", ?"
#define ROW_MARKS(row)                                  "(" row(ROW_MARK_FIRST, ROW_MARK_NEXT, ) ")"

#define ROW_INSERT_INTO(row, table) "INSERT INTO " table " (" ROW_LIST(row) ") VALUES "
#define ROW_INSERT(row, table)      ROW_INSERT_INTO(row, table) ROW_MARKS(row)
/* ROW_INSERT_MANY gives an INSERT with ROWS_AT_ONCE rows of "?". Inserting many rows by one
 * statement is faster, since each run of a statement costs time beside that of its rows. */
#define ROW_MARKS_4(row)                                                                       \
    ROW_MARKS(row) ", " ROW_MARKS(row) ", " ROW_MARKS(row) ", " ROW_MARKS(row)
#define ROW_INSERT_MANY(row, table)                                                            \
    ROW_INSERT_INTO(row, table)                                                                \
    ROW_MARKS_4(row) ", " ROW_MARKS_4(row) ", " ROW_MARKS_4(row) ", " ROW_MARKS_4(row)
enum { ROWS_AT_ONCE = 16 };

/* ---- descriptions of tables at run time ---- */

typedef struct row_column {
    const char *name;
    unsigned type; /* a row_type; ROW_OR_NULL is added if the value may be NULL */
    /* SQL that lists, in its first column, the values that repair may try for this column;
     * NULL: there is no such list. */
    const char *values;
} row_column;

typedef struct row_table {
    const char *name;
    const row_column *columns; /* in the order of the schema */
    int count;                 /* number of columns */
    int keys;                  /* number of columns, from the first on, that are the primary
                                * key */
    int checksum;              /* index of the column that holds the checksum; -1: there is
                                * none */
    const char *all;           /* SQL that gives every row, in the order of the keys */
    const char *one;           /* SQL that gives the row with key ?1, ?2, ... */
    /* SQL that gives the rows of the chunk (or edge) ?1, in the order of their keys; NULL: the
     * rows of the table belong to no chunk or edge. */
    const char *of_owner;
    const char *drop; /* SQL that deletes the rows that of_owner gives */
    /* Three SQL statements: one inserts a row, the next inserts ROWS_AT_ONCE rows, and the last
     * removes the row with the key ?1, ?2, ... */
    const char *insert, *insert_many, *remove;
    const char *next_id; /* SQL that gives an unused id for a new row */
} row_table;

/* Returns the description of a table; never NULL. */
const row_table *row_table_of(row_table_id id);
/* Returns the table with this name; NULL if there is none. */
const row_table *row_table_named(const char *name);
