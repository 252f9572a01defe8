#include "store/sqlite/tables/row_tables.h"

#include <string.h>

#define DESCRIBE(a, t, upper, name, type, values) {#name, type, values},
#define SELECT_ALL(t, table)                      "SELECT " ROW_LIST(t##_ROW) " FROM " #table

#define TABLE_OF(t, table, key_count, checksum_column)                                         \
    .name = #table, .columns = (const row_column[]){t##_ROW(DESCRIBE, DESCRIBE, )},            \
    .count = t##_COLUMN_COUNT, .keys = (key_count), .checksum = (checksum_column),             \
    .insert = ROW_INSERT(t##_ROW, #table)

/* Keys are compared with IS, since a damaged key may have any type or be NULL, and IS finds
 * NULL, too. */
#define BY_ID(t, table)                                                                        \
    .all = SELECT_ALL(t, table) " ORDER BY id", .one = SELECT_ALL(t, table) " WHERE id = ?1",  \
    .remove = "DELETE FROM " #table " WHERE id = ?1"
#define BY_NUMBER(t, table)                                                                    \
    .all = SELECT_ALL(t, table) " ORDER BY chunk_id, number",                                  \
    .of_owner = SELECT_ALL(t, table) " WHERE chunk_id = ?1 ORDER BY number",                   \
    .one = SELECT_ALL(t, table) " WHERE chunk_id IS ?1 AND number IS ?2",                      \
    .remove = "DELETE FROM " #table " WHERE chunk_id IS ?1 AND number IS ?2"
#define BY_PLACE(t, table)                                                                     \
    .all = SELECT_ALL(t, table) " ORDER BY edge_id, z, kind, position",                        \
    .of_owner = SELECT_ALL(t, table) " WHERE edge_id = ?1 ORDER BY z, kind, position",         \
    .one = SELECT_ALL(t, table) " WHERE edge_id IS ?1 AND z IS ?2 AND kind IS ?3 "             \
                                "AND position IS ?4",                                          \
    .remove = "DELETE FROM " #table " WHERE edge_id IS ?1 AND z IS ?2 AND kind IS ?3 "         \
              "AND position IS ?4"
#define ITSELF(t, table) .of_owner = SELECT_ALL(t, table) " WHERE id = ?1"
#define IN_SPAN(t, table, ids)                                                                 \
    .of_owner = SELECT_ALL(t, table) " WHERE id BETWEEN ?1 * " ids " AND ?1 * " ids " + " ids  \
                                     " - 1 ORDER BY id"

static const row_table tables[TABLE_COUNT] = {
    [TABLE_OTER] = {TABLE_OF(OTER, oter, 1, OTER_COLUMN_CHECKSUM), BY_ID(OTER, oter)},
    [TABLE_NAME] = {TABLE_OF(NAME, name, 1, NAME_COLUMN_CHECKSUM), BY_ID(NAME, name)},
    [TABLE_WORLD] = {TABLE_OF(WORLD, world, 1, WORLD_COLUMN_CHECKSUM), BY_ID(WORLD, world)},
    [TABLE_RUN] = {TABLE_OF(RUN, run, 1, RUN_COLUMN_CHECKSUM), BY_ID(RUN, run)},
    [TABLE_CHUNK] = {TABLE_OF(CHUNK, chunk, 1, CHUNK_COLUMN_CHECKSUM), BY_ID(CHUNK, chunk),
                     ITSELF(CHUNK, chunk)},
    [TABLE_LEVEL] = {TABLE_OF(LEVEL, level, 1, LEVEL_COLUMN_CHECKSUM), BY_ID(LEVEL, level),
                     IN_SPAN(LEVEL, level, "32")},
    [TABLE_CITY] = {TABLE_OF(CITY, city, 2, -1), BY_NUMBER(CITY, city)},
    [TABLE_RADIO] = {TABLE_OF(RADIO, radio, 2, -1), BY_NUMBER(RADIO, radio)},
    [TABLE_SPECIAL] = {TABLE_OF(SPECIAL, special_placement, 1, -1),
                       BY_ID(SPECIAL, special_placement),
                       IN_SPAN(SPECIAL, special_placement, "65536")},
    [TABLE_PACK] = {TABLE_OF(PACK, pack, 1, PACK_COLUMN_CHECKSUM), BY_ID(PACK, pack),
                    IN_SPAN(PACK, pack, "8")},
    [TABLE_EVENT] = {TABLE_OF(EVENT, event, 2, EVENT_COLUMN_CHECKSUM), BY_NUMBER(EVENT, event)},
    [TABLE_EDGE] = {TABLE_OF(EDGE, edge, 1, EDGE_COLUMN_CHECKSUM), BY_ID(EDGE, edge),
                    ITSELF(EDGE, edge)},
    [TABLE_CROSSING] = {TABLE_OF(CROSSING, crossing, 4, -1), BY_PLACE(CROSSING, crossing)},
    [TABLE_ASIDE] = {TABLE_OF(ASIDE, set_aside, 1, ASIDE_COLUMN_CHECKSUM),
                     BY_ID(ASIDE, set_aside)},
    [TABLE_SWEEP] = {TABLE_OF(SWEEP, sweep, 1, SWEEP_COLUMN_CHECKSUM), BY_ID(SWEEP, sweep)},
    [TABLE_SWEEP_CHUNK] = {TABLE_OF(SWEEP_CHUNK, sweep_chunk, 1, SWEEP_CHUNK_COLUMN_CHECKSUM),
                           BY_ID(SWEEP_CHUNK, sweep_chunk)},
    [TABLE_PAST] = {TABLE_OF(PAST, content_past, 1, PAST_COLUMN_CHECKSUM),
                    BY_ID(PAST, content_past)},
    [TABLE_MAP] = {TABLE_OF(MAP, omt_map, 1, MAP_COLUMN_CHECKSUM), BY_ID(MAP, omt_map)},
    [TABLE_OVERVIEW] = {TABLE_OF(OVERVIEW, overview, 1, OVERVIEW_COLUMN_CHECKSUM),
                        BY_ID(OVERVIEW, overview), ITSELF(OVERVIEW, overview)},
    [TABLE_SURGE] = {TABLE_OF(SURGE, surge, 1, SURGE_COLUMN_CHECKSUM), BY_ID(SURGE, surge)},
    [TABLE_SPILL] = {TABLE_OF(SPILL, omt_spill, 1, SPILL_COLUMN_CHECKSUM),
                     BY_ID(SPILL, omt_spill)},
};

const row_table *row_table_of(row_table_id id)
{
    return &tables[id];
}

const row_table *row_table_named(const char *name)
{
    for (int id = 0; id < TABLE_COUNT; id++)
        if (strcmp(tables[id].name, name) == 0)
            return &tables[id];
    return NULL;
}
