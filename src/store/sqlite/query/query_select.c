/*
 * The SQL that reads a part of a table.
 */
#include "store/sqlite/query/query_select.h"

#include "core/bytes.h"

#include <inttypes.h>

void query_select(bytes *sql, const query_selection *selection)
{
    const char *word = "WHERE";
    bytes_printf(sql, "SELECT %s FROM %s", selection->columns, selection->table);
    if (selection->owner) {
        bytes_printf(sql, " WHERE %s = ?1", selection->owner);
        word = "AND";
    }
    for (size_t i = 0; i < selection->range_count; i++) {
        const struct query_range *r = &selection->ranges[i];
        bytes_printf(sql, " %s %s BETWEEN %" PRId64 " AND %" PRId64, word, r->column, r->low,
                     r->high);
        word = "AND";
    }
}
