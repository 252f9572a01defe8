/*
 * ptl_arrow_table_stream: the table of tables. A line for each column says its type, which must
 * hold all values that schema/tables.md allows, and what it means.
 */
#include "columns/rows.h"
#include "core/bytes.h"
#include "core/sized.h"
#include "store/store.h"

#include <string.h>

/* How a table's rows are chosen by chunks. */
typedef enum table_place {
    BY_CHUNK, /* columns chunk_x and chunk_y */
    BY_OMT    /* columns x and y, absolute OMTs */
} table_place;

typedef struct table {
    const char *name;
    const char *of; /* the column with the world's or sweep's name */
    table_place place;
    bool has_z;
    const column_spec *columns;
    size_t count;
} table;

#define TEXT(name, meaning)                                                                    \
    {                                                                                          \
        name, COLUMN_TEXT, false, meaning, NULL                                                \
    }
#define TEXT_OR_NULL(name, meaning)                                                            \
    {                                                                                          \
        name, COLUMN_TEXT, true, meaning, NULL                                                 \
    }
#define COUNT(name, meaning)                                                                   \
    {                                                                                          \
        name, COLUMN_INT64, false, meaning, NULL                                               \
    }
#define OMTS(name, meaning)                                                                    \
    {                                                                                          \
        name, COLUMN_INT32, false, meaning, "OMT"                                              \
    }
#define OMTS_OR_NULL(name, meaning)                                                            \
    {                                                                                          \
        name, COLUMN_INT32, true, meaning, "OMT"                                               \
    }
#define AREA(name, meaning)                                                                    \
    {                                                                                          \
        name, COLUMN_INT32, false, meaning, "OMT^2"                                            \
    }
#define NUMBER                                                                                 \
    {                                                                                          \
        "number", COLUMN_INT32, false, "number in its chunk, counted from 0", NULL             \
    }
#define CHUNK                                                                                  \
    {"chunk_x", COLUMN_INT32, false, "x of the chunk, to the east", "chunk"},                  \
    {                                                                                          \
        "chunk_y", COLUMN_INT32, false, "y of the chunk, to the south", "chunk"                \
    }
#define LEVEL                                                                                  \
    {                                                                                          \
        "z", COLUMN_INT8, false, "level, -10..10", "level"                                     \
    }
#define ROTATION                                                                               \
    {                                                                                          \
        "rotation", COLUMN_INT8, false,                                                        \
            "where the north side of the definition lies: 0 north, 1 east, 2 south, 3 west",   \
            "quarter turn"                                                                     \
    }
#define PLACE(what)                                                                            \
    OMTS("x", "absolute OMT of " what ", to the east"), OMTS("y", "to the south")
#define OF_WORLD TEXT("world", "name of the world"), CHUNK
#define OF_SWEEP                                                                               \
    TEXT("sweep", "name of the sweep"),                                                        \
        {"seed", COLUMN_UINT64, false, "seed of the overmap", NULL}, CHUNK, NUMBER
#define TESTS                                                                                  \
    COUNT("asked", "how many the rule of placement asked for"),                                \
        COUNT("ground", "origins on terrain of the special's locations"),                      \
        COUNT("linked", "of these: those with the connections that the special needs"),        \
        COUNT("city", "of these: those with a nearest city that suits the special"),           \
        COUNT("room", "of these: those with room beside other specials"),                      \
        COUNT("failed", "growths that were undone"), COUNT("placed", "how many were placed")

static const column_spec v_city[] = {
    OF_WORLD,
    NUMBER,
    TEXT("name", "the city's name; '' if the content has none"),
    PLACE("its centre"),
    OMTS("size", "nominal radius"),
    OMTS("planned_x", "where the plan has the city's centre"),
    OMTS("planned_y", "to the south"),
};

static const column_spec v_special[] = {
    OF_WORLD,
    NUMBER,
    TEXT("special", "its id"),
    PLACE("the special's origin"),
    LEVEL,
    ROTATION,
    TEXT_OR_NULL("city", "name of the city to which the special belongs; NULL: none"),
    {"city_number", COLUMN_INT32, true, "v_city.number of that city", NULL},
    {"draw", COLUMN_INT32, true, "of a mutable special: the growth that succeeded", NULL},
    AREA("omts", "how many OMTs it has"),
};

static const column_spec building[] = {
    OF_WORLD,
    NUMBER,
    TEXT("id", "id of the special or city building, or that of a terrain"),
    PLACE("its origin"),
    LEVEL,
    ROTATION,
    {"city", COLUMN_INT32, true, "v_city.number of its city", NULL},
};

static const column_spec v_edge[] = {
    OF_WORLD,
    TEXT("side", "which border of the chunk the edge is: E or S"),
    TEXT("origin", "planned, or foreign: taken from a chunk of a game's save"),
    PLACE("its first cell"),
    COUNT("crossings", "how many rivers, roads and other lines cross it"),
};

static const column_spec v_border[] = {
    OF_WORLD,
    TEXT("side", "which border of the chunk the edge is: E or S"),
    TEXT("origin", "planned, or foreign: taken from a chunk of a game's save"),
    {"z", COLUMN_INT8, true, "level, -10..10; NULL in all of these columns: nothing crosses",
     "level"},
    TEXT_OR_NULL("kind", "what crosses: river, highway, or the id of a connection"),
    OMTS_OR_NULL("position", "0..179, counted from the edge's north or west end"),
    OMTS_OR_NULL("width", "half of the crossing's width"),
    {"direction", COLUMN_INT8, true,
     "of a river: 1 to the east or south, -1 to the west or north", NULL},
    OMTS_OR_NULL("x", "absolute OMT of the crossing's middle, to the east"),
    OMTS_OR_NULL("y", "to the south"),
};

static const column_spec attempt[] = {OF_WORLD, NUMBER, TEXT("special", "its id"), TESTS};

static const column_spec local_tile[] = {
    TEXT("world", "name of the world"),
    PLACE("the local map"),
    LEVEL,
    {"tile_x", COLUMN_INT8, false, "0..23, to the east", "tile"},
    {"tile_y", COLUMN_INT8, false, "0..23, to the south", "tile"},
    TEXT("terrain", "id of its terrain"),
    TEXT_OR_NULL("furniture", "id of its furniture; NULL: none"),
    TEXT_OR_NULL("trap", "id of its trap; NULL: none"),
    {"radiation", COLUMN_INT16, false, "0..255", NULL},
};

static const column_spec sweep_special[] = {
    OF_SWEEP, TEXT("special", "its id"), TESTS,
    COUNT("others", "how many stand there because another special or step placed them")};

static const column_spec sweep_place[] = {
    OF_SWEEP,
    TEXT("special", "its id"),
    PLACE("its origin"),
    LEVEL,
    ROTATION,
    OMTS_OR_NULL("city_distance", "from the edge of the nearest city; NULL: no city"),
    OMTS_OR_NULL("road_distance", "to the nearest road; NULL: no road"),
    OMTS_OR_NULL("same_distance", "to the nearest other special of this id; NULL: no other"),
    TEXT_OR_NULL("around", "the terrain of most cells beside the special"),
};

static const column_spec sweep_terrain[] = {OF_SWEEP, TEXT("terrain", "id of the terrain"),
                                            LEVEL, AREA("omts", "how many OMTs of it")};

static const column_spec sweep_city[] = {OF_SWEEP, PLACE("its centre"),
                                         OMTS("size", "nominal radius"),
                                         COUNT("buildings", "how many")};

static const column_spec sweep_building[] = {
    OF_SWEEP,
    TEXT("id", "id of the building"),
    OMTS("city_size", "nominal radius of the cities"),
    COUNT("count", "how many"),
    {"distance_sum", COLUMN_INT64, false, "sum of the distances from the cities' centres",
     "OMT"},
    OMTS("distance_min", "the least"),
    OMTS("distance_max", "the most"),
};

static const column_spec sweep_line[] = {OF_SWEEP, TEXT("connection", "id of the connection"),
                                         AREA("omts", "how many OMTs of it")};

static const column_spec sweep_water[] = {OF_SWEEP, TEXT("kind", "lake or river"),
                                          AREA("omts", "how many OMTs of the overmap it has")};

#define COLUMNS(list) list, sizeof(list) / sizeof((list)[0])

static const table tables[] = {
    {"v_special", "world", BY_CHUNK, true, COLUMNS(v_special)},
    {"v_city", "world", BY_CHUNK, false, COLUMNS(v_city)},
    {"building", "world", BY_CHUNK, true, COLUMNS(building)},
    {"v_edge", "world", BY_CHUNK, false, COLUMNS(v_edge)},
    {"v_border", "world", BY_CHUNK, true, COLUMNS(v_border)},
    {"attempt", "world", BY_CHUNK, false, COLUMNS(attempt)},
    {"local_tile", "world", BY_OMT, true, COLUMNS(local_tile)},
    {"sweep_special", "sweep", BY_CHUNK, false, COLUMNS(sweep_special)},
    {"sweep_place", "sweep", BY_CHUNK, true, COLUMNS(sweep_place)},
    {"sweep_terrain", "sweep", BY_CHUNK, true, COLUMNS(sweep_terrain)},
    {"sweep_city", "sweep", BY_CHUNK, false, COLUMNS(sweep_city)},
    {"sweep_building", "sweep", BY_CHUNK, false, COLUMNS(sweep_building)},
    {"sweep_line", "sweep", BY_CHUNK, false, COLUMNS(sweep_line)},
    {"sweep_water", "sweep", BY_CHUNK, false, COLUMNS(sweep_water)},
};

enum { TABLES = sizeof tables / sizeof tables[0] };

const char *ptl_arrow_table_name(size_t number)
{
    return number < TABLES ? tables[number].name : NULL;
}

static const table *find_table(const char *name)
{
    for (size_t i = 0; i < TABLES; i++)
        if (strcmp(tables[i].name, name) == 0)
            return &tables[i];
    return NULL;
}

/* Adds the range of a column, unless it has all values that the column may have. */
static void add_range(query_selection *s, const char *column, int64_t low, int64_t high,
                      int64_t limit)
{
    if (low > -limit || high < limit)
        s->ranges[s->range_count++] = (struct query_range){column, low, high};
}

/* Appends the SQL that reads the rows which the options leave in. */
static void put_sql(bytes *sql, ptl_store *store, const table *t, const char *of,
                    const ptl_arrow_options *o)
{
    const bool omts = t->place == BY_OMT;
    const int64_t scale = omts ? PTL_CHUNK_SIZE : 1, limit = PTL_CHUNK_COORD_MAX * scale;
    query_selection s = {.table = t->name, .owner = of ? t->of : NULL};
    bytes names;
    bytes_init(&names);
    for (size_t i = 0; i < t->count; i++)
        bytes_printf(&names, "%s%s", i > 0 ? ", " : "", t->columns[i].name);
    s.columns = bytes_text(&names);
    add_range(&s, omts ? "x" : "chunk_x", o->first.x * scale, (o->last.x + 1) * scale - 1,
              limit);
    add_range(&s, omts ? "y" : "chunk_y", o->first.y * scale, (o->last.y + 1) * scale - 1,
              limit);
    if (t->has_z)
        add_range(&s, "z", o->z_min, o->z_max, PTL_Z_MAX);
    if (s.columns)
        ops(store)->query->select(sql, &s);
    else
        sql->failed = true;
    bytes_dispose(&names);
}

/* Gets the digest of the content of the world or sweep. PTL_ERR_NOT_FOUND if there is none of
 * this name. */
static ptl_status find_content(char content[65], ptl_store *store, const table *t,
                               const char *of, ptl_error *err)
{
    int64_t id = 0;
    if (strcmp(t->of, "world") == 0) {
        world_row row;
        TRY(ops(store)->world->find(&row, store, of, err));
        id = row.content_id;
        world_row_dispose(&row);
    } else {
        sweep_row row;
        TRY(ops(store)->sweep->find(&row, store, of, err));
        id = row.settings.content_id;
        sweep_row_dispose(&row);
    }
    return ops(store)->content->digest(content, store, id, err);
}

ptl_status ptl_arrow_table_stream(struct ArrowArrayStream *out, ptl_store *store,
                                  const char *name, const char *of,
                                  const ptl_arrow_options *options, ptl_error *err)
{
    char content[65] = "";
    ptl_arrow_options o = PTL_ARROW_OPTIONS_INIT;
    ptl_query_options query = PTL_QUERY_OPTIONS_INIT;
    const ptl_query_parameter parameter = {
        "1", {.type = PTL_VALUE_TEXT, .text = of, .size = of ? strlen(of) : 0}};
    out->release = NULL;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_arrow_options, &o, options, err));
    TRY(stream_check_options(&o, err));
    const table *t = find_table(name);
    if (!t)
        return error_set(err, PTL_ERR_NOT_FOUND, "there are no columns of a table '%s'", name);
    TRY(rows_expect_sql(store, err));
    if (of)
        TRY(find_content(content, store, t, of, err));
    query.parameters = &parameter;
    query.parameter_count = of ? 1 : 0;
    bytes sql;
    bytes_init(&sql);
    put_sql(&sql, store, t, of, &o);
    const schema_note notes[STREAM_NOTES] = {{"portolan", ptl_version()},
                                             {"table", t->name},
                                             {t->of, of},
                                             {"content", of ? content : NULL}};
    const char *text = bytes_text(&sql);
    const ptl_status status =
        text ? rows_open(out, store, text, &query, t->columns, t->count, notes, &o, err)
             : error_nomem(err);
    bytes_dispose(&sql);
    return status;
}
