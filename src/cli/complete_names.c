/*
 * Names out of a world file, for somebody who waits at the prompt. A file that would have to be
 * rolled back or migrated first has none to offer: completing a line changes nothing.
 */
#include "cli/complete.h"

#include "core/utf8.h"
#include "core/visible.h"
#include "portolan/query.h"

enum { BUSY_MS = 100, NAMES_MAX = 2000 };
static const double SECONDS_MAX = 0.5;

static const char *const sql[] = {
    [VALUE_WORLDS] = "SELECT name, 'world, seed ' || printf('%llu', seed) FROM world "
                     "ORDER BY name",
    [VALUE_SWEEPS] = "SELECT name, 'sweep' FROM sweep ORDER BY name",
    [VALUE_SPECIALS] = "SELECT id, subtype || ' special' FROM overmap_special "
                       "WHERE kind = 'special' ORDER BY id",
    [VALUE_REGIONS] = "SELECT id, 'region' FROM region_settings UNION SELECT id, kind "
                      "FROM dimension WHERE region IS NOT NULL AND id NOT IN "
                      "(SELECT id FROM region_settings) ORDER BY id",
    [VALUE_CITIES] = "SELECT name, 'city of size ' || max(size) FROM city WHERE name <> '' "
                     "GROUP BY name ORDER BY name",
    [VALUE_PLACEMENTS] =
        "SELECT s.chunk_x || ',' || s.chunk_y || ':' || s.number, s.special FROM v_special s "
        "JOIN overmap_special o ON o.id = s.special AND o.subtype = 'mutable' "
        "ORDER BY s.chunk_y, s.chunk_x, s.number",
};

typedef struct listener {
    value_sink sink;
    void *payload;
} listener;

/* A name that can't be printed as it is can't be typed either. */
static bool is_plain(const char *text, size_t size)
{
    for (size_t at = 0; at < size;) {
        uint32_t c;
        at += utf8_decode(text + at, size - at, &c);
        if (visible_unsafe(c))
            return false;
    }
    return true;
}

static bool on_row(void *payload, size_t columns, const char *const *names,
                   const ptl_value *values)
{
    const listener *l = payload;
    (void)names;
    for (size_t i = 0; i < columns; i++)
        if (values[i].type != PTL_VALUE_TEXT || !is_plain(values[i].text, values[i].size))
            return true;
    return l->sink(l->payload, values[0].text, values[1].text);
}

void complete_from_file(const char *path, value_kind which, value_sink sink, void *payload)
{
    const ptl_open_options open = {
        .size = sizeof open, .mode = PTL_OPEN_READ, .busy_timeout_ms = BUSY_MS};
    listener l = {sink, payload};
    const ptl_query_options ask = {.size = sizeof ask,
                                   .row_limit = NAMES_MAX,
                                   .time_limit = SECONDS_MAX,
                                   .on_row = on_row,
                                   .payload = &l,
                                   .reading = PTL_QUERY_DIRECT};
    ptl_store *store = NULL;
    if (!ptl_store_is_ready(path) || ptl_store_open(&store, path, &open, NULL) != PTL_OK)
        return;
    (void)ptl_query(store, sql[which], &ask, NULL);
    ptl_store_close(store);
}
