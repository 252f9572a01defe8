/*
 * Stored local maps as virtual tables: one for the maps, one for their tiles, and one for each
 * kind of things on them. A query's conditions on world and place are passed down to the SQL
 * that reads table omt_map. A map that is not stored has no rows here, since these tables don't
 * make maps.
 */
#include "store/sqlite/query/vtab.h"

#include "codec/spills/spill_codec.h"
#include "core/error.h"
#include "store/sqlite/maps/map_rows.h"
#include "store/sqlite/rows/row_scratch.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* What a column of a virtual table over local maps shows. */
typedef enum cell_of {
    OF_MAP_OTER,
    OF_MAP_REVISION,
    OF_MAP_TURN,
    OF_MAP_EDITED,
    OF_MAP_FALLBACK,
    OF_TILE_X,
    OF_TILE_Y,
    OF_TILE_TERRAIN,
    OF_TILE_FURNITURE,
    OF_TILE_TRAP,
    OF_TILE_RADIATION,
    OF_TILE_TURN,
    OF_TILE_HEIGHT,
    OF_TILE_SPILL,
    OF_NUMBER, /* number of a thing (an item, a vehicle, ...) on its local map */
    OF_KIND,
    /* The next three values are for columns that show a member of local_entity: a coordinate,
     * an id, or another number. */
    OF_PLACE,
    OF_ID,
    OF_INT
} cell_of;

typedef struct local_cell {
    int table; /* number of the virtual table that has the column, VTAB_LOCAL_... */
    const char *declaration;
    cell_of of;
    size_t member; /* offset in local_entity of the member that the column shows, in bytes */
} local_cell;

/* LEAD: number of columns with which each of the tables of local maps begins. TILE_TURN: index
 * of the column `turn` of the table local_tile. */
enum { LEAD = 4, TILE_TURN = LEAD + 6 };

/* The virtual tables over local maps. Each has a row for each map, or for each tile, or for
 * each thing of some kinds. */
static const struct local_form {
    const char *name;
    size_t per_map; /* how many rows each map has in the table; 0: one row for each thing on the
                       map */
    uint32_t kinds; /* the kinds of things (local_kind: items, vehicles, ...) in the table, as
                       bits */
} forms[VTAB_LOCAL_FORMS] = {
#define BIT(kind) (UINT32_C(1) << (kind))
    [VTAB_LOCAL_MAP] = {"local_map", 1, 0},
    [VTAB_LOCAL_TILE] = {"local_tile", LOCAL_CELLS, 0},
    [VTAB_LOCAL_ITEM] = {"local_item", 0, BIT(LOCAL_ITEM) | BIT(LOCAL_ITEM_GROUP)},
    [VTAB_LOCAL_MONSTER] = {"local_monster", 0,
                            BIT(LOCAL_MONSTER) | BIT(LOCAL_MONSTER_GROUP) | BIT(LOCAL_CORPSE)},
    [VTAB_LOCAL_VEHICLE] = {"local_vehicle", 0, BIT(LOCAL_VEHICLE)},
    [VTAB_LOCAL_NPC] = {"local_npc", 0, BIT(LOCAL_NPC)},
    [VTAB_LOCAL_FIELD] = {"local_field", 0, BIT(LOCAL_FIELD)},
    [VTAB_LOCAL_TEXT] = {"local_text", 0,
                         BIT(LOCAL_SIGN) | BIT(LOCAL_GRAFFITI) | BIT(LOCAL_REMARK)},
    [VTAB_LOCAL_COMPUTER] = {"local_computer", 0, BIT(LOCAL_COMPUTER)},
    [VTAB_LOCAL_ZONE] = {"local_zone", 0, BIT(LOCAL_ZONE) | BIT(LOCAL_OWNER)},
};

#define MEMBER(name) offsetof(local_entity, name)
/* The columns of all tables that begin with the columns world, x, y and z; these four are not
 * listed. The columns of one table are together, in their order. */
static const local_cell cells[] = {
    {VTAB_LOCAL_MAP, "oter TEXT", OF_MAP_OTER, 0},
    {VTAB_LOCAL_MAP, "revision INTEGER", OF_MAP_REVISION, 0},
    {VTAB_LOCAL_MAP, "turn INTEGER", OF_MAP_TURN, 0},
    {VTAB_LOCAL_MAP, "edited INTEGER", OF_MAP_EDITED, 0},
    {VTAB_LOCAL_MAP, "fallback INTEGER", OF_MAP_FALLBACK, 0},
    {VTAB_LOCAL_TILE, "tile_x INTEGER", OF_TILE_X, 0},
    {VTAB_LOCAL_TILE, "tile_y INTEGER", OF_TILE_Y, 0},
    {VTAB_LOCAL_TILE, "terrain TEXT", OF_TILE_TERRAIN, 0},
    {VTAB_LOCAL_TILE, "furniture TEXT", OF_TILE_FURNITURE, 0},
    {VTAB_LOCAL_TILE, "trap TEXT", OF_TILE_TRAP, 0},
    {VTAB_LOCAL_TILE, "radiation INTEGER", OF_TILE_RADIATION, 0},
    {VTAB_LOCAL_TILE, "turn INTEGER HIDDEN", OF_TILE_TURN, 0},
    {VTAB_LOCAL_TILE, "height INTEGER", OF_TILE_HEIGHT, 0},
    {VTAB_LOCAL_TILE, "spill INTEGER", OF_TILE_SPILL, 0},
    {VTAB_LOCAL_ITEM, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_ITEM, "kind TEXT", OF_KIND, 0},
    {VTAB_LOCAL_ITEM, "id TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_ITEM, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_ITEM, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_ITEM, "count INTEGER", OF_INT, MEMBER(count)},
    {VTAB_LOCAL_ITEM, "charges INTEGER", OF_INT, MEMBER(charges)},
    {VTAB_LOCAL_ITEM, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_ITEM, "depth INTEGER", OF_INT, MEMBER(status)},
    {VTAB_LOCAL_ITEM, "details TEXT", OF_ID, MEMBER(text)},
    {VTAB_LOCAL_MONSTER, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_MONSTER, "kind TEXT", OF_KIND, 0},
    {VTAB_LOCAL_MONSTER, "id TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_MONSTER, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_MONSTER, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_MONSTER, "tile_x2 INTEGER", OF_PLACE, MEMBER(x2)},
    {VTAB_LOCAL_MONSTER, "tile_y2 INTEGER", OF_PLACE, MEMBER(y2)},
    {VTAB_LOCAL_MONSTER, "count INTEGER", OF_INT, MEMBER(count)},
    {VTAB_LOCAL_MONSTER, "packs INTEGER", OF_INT, MEMBER(charges)},
    {VTAB_LOCAL_MONSTER, "name TEXT", OF_ID, MEMBER(text)},
    {VTAB_LOCAL_MONSTER, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_MONSTER, "details TEXT", OF_ID, MEMBER(with)},
    {VTAB_LOCAL_MONSTER, "friendly INTEGER", OF_INT, MEMBER(status)},
    {VTAB_LOCAL_VEHICLE, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_VEHICLE, "id TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_VEHICLE, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_VEHICLE, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_VEHICLE, "facing INTEGER", OF_INT, MEMBER(count)},
    {VTAB_LOCAL_VEHICLE, "fuel INTEGER", OF_INT, MEMBER(charges)},
    {VTAB_LOCAL_VEHICLE, "status INTEGER", OF_INT, MEMBER(status)},
    {VTAB_LOCAL_VEHICLE, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_NPC, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_NPC, "id TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_NPC, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_NPC, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_NPC, "name TEXT", OF_ID, MEMBER(text)},
    {VTAB_LOCAL_NPC, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_FIELD, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_FIELD, "id TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_FIELD, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_FIELD, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_FIELD, "intensity INTEGER", OF_INT, MEMBER(count)},
    {VTAB_LOCAL_FIELD, "age INTEGER", OF_INT, MEMBER(charges)},
    {VTAB_LOCAL_FIELD, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_TEXT, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_TEXT, "kind TEXT", OF_KIND, 0},
    {VTAB_LOCAL_TEXT, "category TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_TEXT, "text TEXT", OF_ID, MEMBER(text)},
    {VTAB_LOCAL_TEXT, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_TEXT, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_TEXT, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_COMPUTER, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_COMPUTER, "name TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_COMPUTER, "definition TEXT", OF_ID, MEMBER(text)},
    {VTAB_LOCAL_COMPUTER, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_COMPUTER, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_COMPUTER, "security INTEGER", OF_INT, MEMBER(count)},
    {VTAB_LOCAL_COMPUTER, "own TEXT", OF_ID, MEMBER(own)},
    {VTAB_LOCAL_ZONE, "number INTEGER", OF_NUMBER, 0},
    {VTAB_LOCAL_ZONE, "kind TEXT", OF_KIND, 0},
    {VTAB_LOCAL_ZONE, "id TEXT", OF_ID, MEMBER(id)},
    {VTAB_LOCAL_ZONE, "faction TEXT", OF_ID, MEMBER(with)},
    {VTAB_LOCAL_ZONE, "tile_x INTEGER", OF_PLACE, MEMBER(x)},
    {VTAB_LOCAL_ZONE, "tile_y INTEGER", OF_PLACE, MEMBER(y)},
    {VTAB_LOCAL_ZONE, "tile_x2 INTEGER", OF_PLACE, MEMBER(x2)},
    {VTAB_LOCAL_ZONE, "tile_y2 INTEGER", OF_PLACE, MEMBER(y2)},
    {VTAB_LOCAL_ZONE, "own TEXT", OF_ID, MEMBER(own)},
};

/* Returns the first column of a table. For a number after the last table it returns the end of
 * the array. */
static const local_cell *cells_of(int table)
{
    const local_cell *cell = cells;
    while (cell < cells + sizeof cells / sizeof cells[0] && cell->table < table)
        cell++;
    return cell;
}

/* The columns whose conditions are passed down: world and place in all tables, and the column
 * `turn` of local_tile. */
static const condition_column lead[TILE_TURN + 1] = {
    {CONDITION_TEXT, "w.name", 0, 0, 0.1},
    {CONDITION_NUMBER, "m.x", 0, 0, 0.01},
    {CONDITION_NUMBER, "m.y", 0, 0, 0.01},
    {CONDITION_NUMBER, "m.z", 0, 0, 0.2},
    [TILE_TURN] = {CONDITION_OWN, NULL, 0, 0, 1}};

#define MAP_COLUMNS_OF_M ROW_LIST_OF(MAP_ROW, "m.")

static const char MAPS_SQL[] = "SELECT " MAP_COLUMNS_OF_M ", w.name FROM main.world w "
                               "CROSS JOIN main.omt_map m ON m.world_id = w.id WHERE 1";
enum { MAPS_WORLD = MAP_COLUMN_COUNT };

static const condition_select maps = {MAPS_SQL, " ORDER BY w.id, m.x, m.y, m.z", lead,
                                      TILE_TURN + 1};

typedef struct local_cursor {
    vtab_cursor base;
    condition_rows from; /* the rows of the maps that the query wants, as MAPS_SQL gives them */
    /* Describes the columns of the cursor's table, the first one first. */
    const local_cell *cells;
    stored_map map;
    size_t entry;
    local_spills *spills; /* owned; NULL if the map has none, or if they were not read yet */
    bool asked; /* true: the map's spills were looked for, so `spills` is NULL only if the map
                 * has none */
    bool tide;  /* the query gives a turn, so tiles are shown as they are at the tide of that
                 * turn */
    int64_t turn;
} local_cursor;

static int table_of(const local_cursor *c)
{
    return ((const vtab_table *)(const void *)c->base.base.pVtab)->which;
}

static ptl_store *store_of(const local_cursor *c)
{
    return vtab_source_of(&c->base)->store;
}

/* ---- declaring the tables ---- */

static void local_declare(bytes *sql, void *table)
{
    const int which = ((const vtab_table *)table)->which;
    bytes_printf(sql, "CREATE TABLE %s (world TEXT, x INTEGER, y INTEGER, z INTEGER",
                 forms[which].name);
    for (const local_cell *cell = cells_of(which); cell < cells_of(which + 1); cell++)
        bytes_printf(sql, ", %s", cell->declaration);
    bytes_put_text(sql, ")");
}

static int local_best_index(sqlite3_vtab *base, sqlite3_index_info *info)
{
    const int which = ((const vtab_table *)(const void *)base)->which;
    const size_t per_map = forms[which].per_map;
    const int count = which == VTAB_LOCAL_TILE ? TILE_TURN + 1 : LEAD;
    /* If SQLite would not know the turn yet when it calls the filter, this plan of the query is
     * refused, since the filter would find nothing. */
    for (int i = 0; i < info->nConstraint; i++)
        if (which == VTAB_LOCAL_TILE && info->aConstraint[i].iColumn == TILE_TURN &&
            info->aConstraint[i].op == SQLITE_INDEX_CONSTRAINT_EQ &&
            !info->aConstraint[i].usable)
            return SQLITE_CONSTRAINT;
    return conditions_plan(info, lead, count, per_map ? 1e5 * (double)per_map : 1e6);
}

/* ---- cursors ---- */

static void local_dispose(void *cursor)
{
    local_cursor *c = cursor;
    condition_rows_dispose(&c->from);
    stored_map_dispose(&c->map);
    free(c->spills);
}

static ptl_status next_map(local_cursor *c, ptl_error *err)
{
    stored_map_dispose(&c->map);
    free(c->spills);
    c->spills = NULL;
    c->asked = false;
    c->entry = 0;
    TRY(stmt_step(c->from.s, &c->base.row, err));
    if (!c->base.row)
        return PTL_OK;
    ptl_status status = row_verify(c->from.s, TABLE_MAP, err);
    THEN(status, map_row_parse(&c->map, store_of(c), c->from.s, err));
    if (status == PTL_OK && c->tide)
        status = store_of(c)->head.operations->sql->flood(
            vtab_source_of(&c->base), stmt_text(c->from.s, MAPS_WORLD), &c->map, c->turn, err);
    if (status == PTL_OK)
        return PTL_OK;
    return error_prefix(err, status, "map %lld,%lld,%lld",
                        (long long)stmt_int(c->from.s, MAP_COLUMN_X),
                        (long long)stmt_int(c->from.s, MAP_COLUMN_Y),
                        (long long)stmt_int(c->from.s, MAP_COLUMN_Z));
}

/* Moves the cursor to the next tile or thing of the map that the cursor's table shows,
 * beginning with the present one; false if the map has no more of them. */
static bool entry_here(local_cursor *c)
{
    const struct local_form *form = &forms[table_of(c)];
    if (form->per_map)
        return c->entry < form->per_map;
    while (c->entry < c->map.map.count &&
           !(form->kinds & BIT(c->map.map.entities[c->entry].kind)))
        c->entry++;
    return c->entry < c->map.map.count;
}

static ptl_status seek(local_cursor *c, ptl_error *err)
{
    while (c->base.row && !entry_here(c))
        TRY(next_map(c, err));
    return PTL_OK;
}

static ptl_status local_filter(void *cursor, const vtab_call *call, ptl_error *err)
{
    local_cursor *c = cursor;
    place_range ranges[TILE_TURN + 1]; /* conditions_start fills these; they are not used, as no
                                          condition here gives a range */
    c->cells = cells_of(table_of(c));
    /* If the turn is NULL, SQLite itself leaves out all rows, since NULL equals nothing. */
    sqlite3_value *value = conditions_own(call, TILE_TURN);
    const int type = value ? sqlite3_value_numeric_type(value) : SQLITE_NULL;
    c->tide = type != SQLITE_NULL;
    c->turn = c->tide ? sqlite3_value_int64(value) : 0;
    if (c->tide && type != SQLITE_INTEGER)
        return error_set(err, PTL_ERR_ARGUMENT, "local_tile: the turn is not an integer");
    TRY(conditions_start(&c->from, store_of(c), &maps, call, ranges, err));
    TRY(next_map(c, err));
    return seek(c, err);
}

static ptl_status local_next(void *cursor, ptl_error *err)
{
    local_cursor *c = cursor;
    c->entry++;
    return seek(c, err);
}

/* ---- values of columns ---- */

/* Sets the column's value to an id; it stays NULL if there is no id. */
static void put_id(const local_cursor *c, sqlite3_context *context, uint32_t id)
{
    if (id != ID_NONE)
        sqlite3_result_text(context, id_pool_text(c->map.pool, id), -1, SQLITE_TRANSIENT);
}

static void put_of_map(const local_cursor *c, sqlite3_context *context, cell_of of)
{
    const map_info *info = &c->map.info;
    if (of == OF_MAP_OTER)
        sqlite3_result_text(context, info->oter, -1, SQLITE_TRANSIENT);
    else
        sqlite3_result_int64(context, of == OF_MAP_REVISION ? info->revision
                                      : of == OF_MAP_TURN   ? info->turn
                                      : of == OF_MAP_EDITED ? info->edited
                                                            : info->fallback);
}

/* Sets the column's value to the height or spill of a tile. The value stays NULL if no spills
 * are stored for the map. As in ptl_local_water, INT32_MIN stands for the sea itself, and
 * INT32_MAX for a tile that the sea never reaches. */
static ptl_status put_of_ground(local_cursor *c, sqlite3_context *context, cell_of of,
                                ptl_error *err)
{
    if (!c->asked) {
        bytes blob = {0};
        bool found = false;
        ptl_status status = ops(store_of(c))
                                ->map->spill_read(&blob, &found, store_of(c),
                                                  stmt_int(c->from.s, MAP_COLUMN_WORLD_ID),
                                                  c->map.info.at, err);
        if (status == PTL_OK && found) {
            c->spills = malloc(sizeof *c->spills);
            status = c->spills ? spills_decode(c->spills, blob.data, blob.size, err)
                               : error_nomem(err);
        }
        bytes_dispose(&blob);
        c->asked = status == PTL_OK;
        TRY(status);
    }
    if (!c->spills)
        return PTL_OK;
    const int16_t spill = c->spills->within[SPILL_STEPS][c->entry];
    sqlite3_result_int64(context, of == OF_TILE_HEIGHT   ? c->spills->heights[c->entry]
                                  : spill == SPILL_SEA   ? INT32_MIN
                                  : spill == SPILL_NEVER ? INT32_MAX
                                                         : spill);
    return PTL_OK;
}

static void put_of_tile(const local_cursor *c, sqlite3_context *context, cell_of of)
{
    const local_map *map = &c->map.map;
    const size_t cell = c->entry;
    if (of == OF_TILE_X || of == OF_TILE_Y)
        sqlite3_result_int64(
            context, (sqlite3_int64)(of == OF_TILE_X ? cell % LOCAL_SIDE : cell / LOCAL_SIDE));
    else if (of == OF_TILE_RADIATION)
        sqlite3_result_int64(context, map->radiation[cell]);
    else if (of == OF_TILE_TURN && c->tide)
        sqlite3_result_int64(context, c->turn);
    else if (of != OF_TILE_TURN)
        put_id(c, context,
               of == OF_TILE_TERRAIN     ? map->terrain[cell]
               : of == OF_TILE_FURNITURE ? map->furniture[cell]
                                         : map->trap[cell]);
}

static void put_of_thing(const local_cursor *c, sqlite3_context *context,
                         const local_cell *cell)
{
    const local_entity *e = &c->map.map.entities[c->entry];
    const unsigned char *member = (const unsigned char *)e + cell->member;
    if (cell->of == OF_KIND)
        sqlite3_result_text(context, local_kind_name(e->kind), -1, SQLITE_STATIC);
    else if (cell->of == OF_NUMBER)
        sqlite3_result_int64(context, (sqlite3_int64)c->entry);
    else if (cell->of == OF_PLACE)
        sqlite3_result_int(context, *member);
    else if (cell->of == OF_ID)
        put_id(c, context, *(const uint32_t *)(const void *)member);
    else
        sqlite3_result_int(context, *(const int32_t *)(const void *)member);
}

static ptl_status local_column(void *cursor, sqlite3_context *context, int column,
                               ptl_error *err)
{
    local_cursor *c = cursor;
    const ptl_omt *at = &c->map.info.at;
    if (column == 0) {
        sqlite3_result_text(context, stmt_text(c->from.s, MAPS_WORLD), -1, SQLITE_TRANSIENT);
        return PTL_OK;
    }
    if (column < LEAD) {
        sqlite3_result_int64(context, column == 1 ? at->x : column == 2 ? at->y : at->z);
        return PTL_OK;
    }
    const local_cell *cell = &c->cells[column - LEAD];
    const cell_of of = cell->of;
    if (of < OF_TILE_X)
        put_of_map(c, context, of);
    else if (of == OF_TILE_HEIGHT || of == OF_TILE_SPILL)
        return put_of_ground(c, context, of, err);
    else if (of < OF_NUMBER)
        put_of_tile(c, context, of);
    else
        put_of_thing(c, context, cell);
    return PTL_OK;
}

static int64_t local_rowid(const void *cursor)
{
    const local_cursor *c = cursor;
    return (int64_t)((uint64_t)stmt_int(c->from.s, MAP_COLUMN_ID) * PACK_COUNT_MAX + c->entry);
}

const vtab_form vtab_local = {.cursor_size = sizeof(local_cursor),
                              .declare = local_declare,
                              .best_index = local_best_index,
                              .dispose = local_dispose,
                              .filter = local_filter,
                              .next = local_next,
                              .column = local_column,
                              .rowid = local_rowid};
