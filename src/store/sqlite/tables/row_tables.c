#include "store/sqlite/tables/row_tables.h"

#include <string.h>

#define DESCRIBE(a, t, upper, name, type, values) {#name, type, values},
#define SELECT_ALL(t, table)                      "SELECT " ROW_LIST(t##_ROW) " FROM main." #table

#define TABLE_OF(t, table, key_count, checksum_column)                                         \
    .name = #table, .columns = (const row_column[]){t##_ROW(DESCRIBE, DESCRIBE, )},            \
    .count = t##_COLUMN_COUNT, .keys = (key_count), .checksum = (checksum_column),             \
    .insert = ROW_INSERT(t##_ROW, #table), .insert_many = ROW_INSERT_MANY(t##_ROW, #table),    \
    .next_id = "SELECT coalesce(max(id), 0) + 1 FROM main." #table

/* Sets the statements (members of row_table) of a table whose key is `id`. Tables with other
 * keys have their own below. Those compare keys by IS and not by =, since a damaged key may be
 * NULL, and = never finds NULL. */
#define BY_ID(t, table)                                                                        \
    .all = SELECT_ALL(t, table) " ORDER BY id", .one = SELECT_ALL(t, table) " WHERE id = ?1",  \
    .remove = "DELETE FROM " #table " WHERE id = ?1"
/* Describes (as a row_table) a table that has the key `id` and a checksum in each row. */
#define LONE(t, table) TABLE_OF(t, table, 1, t##_COLUMN_CHECKSUM), BY_ID(t, table)
/* Sets the two statements (members of row_table) that read and delete the rows of one chunk or
 * edge. */
#define OF_OWNER(t, table, condition, order)                                                   \
    .of_owner = SELECT_ALL(t, table) " WHERE " condition order,                                \
    .drop = "DELETE FROM main." #table " WHERE " condition
#define BY_NUMBER(t, table)                                                                    \
    .all = SELECT_ALL(t, table) " ORDER BY chunk_id, number",                                  \
    .one = SELECT_ALL(t, table) " WHERE chunk_id IS ?1 AND number IS ?2",                      \
    .remove = "DELETE FROM " #table " WHERE chunk_id IS ?1 AND number IS ?2",                  \
    OF_OWNER(t, table, "chunk_id = ?1", " ORDER BY number")
#define BY_PLACE(t, table)                                                                     \
    .all = SELECT_ALL(t, table) " ORDER BY edge_id, z, kind, position",                        \
    .one = SELECT_ALL(t, table) " WHERE edge_id IS ?1 AND z IS ?2 AND kind IS ?3 "             \
                                "AND position IS ?4",                                          \
    .remove = "DELETE FROM " #table " WHERE edge_id IS ?1 AND z IS ?2 AND kind IS ?3 "         \
              "AND position IS ?4",                                                            \
    OF_OWNER(t, table, "edge_id = ?1", " ORDER BY z, kind, position")
#define ITSELF(t, table) OF_OWNER(t, table, "id = ?1", "")
#define IN_SPAN(t, table, ids)                                                                 \
    OF_OWNER(t, table, "id BETWEEN ?1 * " ids " AND ?1 * " ids " + " ids " - 1", " ORDER BY id")

static const row_table tables[TABLE_COUNT] = {
    [TABLE_OTER] = {LONE(OTER, oter)},
    [TABLE_NAME] = {LONE(NAME, name)},
    [TABLE_WORLD] = {LONE(WORLD, world)},
    [TABLE_RUN] = {LONE(RUN, run)},
    [TABLE_CHUNK] = {LONE(CHUNK, chunk), ITSELF(CHUNK, chunk)},
    [TABLE_LEVEL] = {LONE(LEVEL, level), IN_SPAN(LEVEL, level, "32")},
    [TABLE_CITY] = {TABLE_OF(CITY, city, 2, -1), BY_NUMBER(CITY, city)},
    [TABLE_RADIO] = {TABLE_OF(RADIO, radio, 2, -1), BY_NUMBER(RADIO, radio)},
    [TABLE_SPECIAL] = {TABLE_OF(SPECIAL, special_placement, 1, -1),
                       BY_ID(SPECIAL, special_placement),
                       IN_SPAN(SPECIAL, special_placement, "65536")},
    [TABLE_PACK] = {LONE(PACK, pack), IN_SPAN(PACK, pack, "8")},
    [TABLE_EVENT] = {TABLE_OF(EVENT, event, 2, EVENT_COLUMN_CHECKSUM), BY_NUMBER(EVENT, event)},
    [TABLE_EDGE] = {LONE(EDGE, edge), ITSELF(EDGE, edge)},
    [TABLE_CROSSING] = {TABLE_OF(CROSSING, crossing, 4, -1), BY_PLACE(CROSSING, crossing)},
    [TABLE_ASIDE] = {LONE(ASIDE, set_aside)},
    [TABLE_SWEEP] = {LONE(SWEEP, sweep)},
    [TABLE_SWEEP_CHUNK] = {LONE(SWEEP_CHUNK, sweep_chunk)},
    [TABLE_PAST] = {LONE(PAST, content_past)},
    [TABLE_MAP] = {LONE(MAP, omt_map)},
    [TABLE_OVERVIEW] = {LONE(OVERVIEW, overview), ITSELF(OVERVIEW, overview)},
    [TABLE_SURGE] = {LONE(SURGE, surge)},
    [TABLE_SPILL] = {LONE(SPILL, omt_spill)},
    [TABLE_EDIT] = {LONE(EDIT, chunk_edit)},
    [TABLE_PLACED] = {LONE(PLACED, placed_special)},
    [TABLE_NOTE] = {LONE(NOTE, note)},
    [TABLE_MARK] = {LONE(MARK, mark)},
    [TABLE_FACT] = {LONE(FACT, fact)},
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
