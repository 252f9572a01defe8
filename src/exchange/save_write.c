/* Writes the text of an overmap's file, with the order and line breaks of the game. Lists that
 * only play fills (vehicles, people and the like) are written empty. */
#include "core/array.h"
#include "exchange/exchange.h"
#include "model/predecessors.h"

#include <stdlib.h>

void save_put_string(bytes *out, const char *text)
{
    bytes_put_u8(out, '"');
    for (const char *at = text; *at;) {
        size_t plain = 0;
        while ((unsigned char)at[plain] >= 0x20 && at[plain] != '"' && at[plain] != '\\')
            plain++;
        bytes_put(out, at, plain);
        at += plain;
        if (*at == '"' || *at == '\\')
            bytes_printf(out, "\\%c", *at++);
        else if (*at)
            bytes_printf(out, "\\u%04x", (unsigned)(unsigned char)*at++);
    }
    bytes_put_u8(out, '"');
}

/* Prints a number. printf is too slow here, since nearly all of a file is small numbers. */
static void put_int(bytes *out, int64_t value)
{
    char digits[24];
    size_t at = sizeof digits;
    uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do
        digits[--at] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    if (value < 0)
        digits[--at] = '-';
    bytes_put(out, digits + at, sizeof digits - at);
}

static void put_text(bytes *out, const char *text)
{
    bytes_put(out, text, strlen(text));
}

static void put_place(bytes *out, save_spot at)
{
    put_text(out, "[");
    put_int(out, at.x);
    put_text(out, ",");
    put_int(out, at.y);
    put_text(out, ",");
    put_int(out, at.z);
    put_text(out, "]");
}

/* ---- layers ---- */

static void put_run(bytes *out, const catalogue *cat, ptl_oter oter, size_t count, bool first)
{
    put_text(out, first ? "[" : ",[");
    save_put_string(out, cat->oters[oter].id);
    put_text(out, ",");
    put_int(out, (int64_t)count);
    put_text(out, "]");
}

static void put_layer(bytes *out, const catalogue *cat, const level *l)
{
    put_text(out, "[");
    if (!l->cells) {
        put_run(out, cat, l->fill, PTL_LEVEL_CELLS, true);
    } else {
        for (size_t i = 0, start = 0; i <= PTL_LEVEL_CELLS; i++) {
            if (i < PTL_LEVEL_CELLS && l->cells[i] == l->cells[start])
                continue;
            put_run(out, cat, l->cells[start], i - start, start == 0);
            start = i;
        }
    }
    put_text(out, "]\n");
}

/* ---- features ---- */

static void put_groups(bytes *out, const save_source *s)
{
    const submap_groups *groups = s->groups;
    const save_version *version = save_version_of(s->version);
    /* 0.I has no diffuse monster groups (equally dense in their whole radius). Nothing is lost
     * without them, because each group that is written has only one submap. */
    const bool may_be_diffuse = version->diffuse;
    const int32_t x0 = version->absolute ? s->chunk->pos.x * SUBMAPS : 0;
    const int32_t y0 = version->absolute ? s->chunk->pos.y * SUBMAPS : 0;
    put_text(out, "\n,\"monster_groups\":[");
    for (size_t i = 0; i < groups->count; i++) {
        const gen_group *g = &groups->list[i];
        /* Monster groups that differ in nothing but their place are written as one JSON array:
         * their common values, then a list of the places. */
        if (i > 0 && strcmp(g[-1].type, g->type) == 0 && g[-1].population == g->population &&
            g[-1].horde == g->horde && g[-1].diffuse == g->diffuse) {
            put_text(out, ",");
        } else {
            put_text(out, i > 0 ? "]],[{\"type\":" : "[{\"type\":");
            save_put_string(out, g->type);
            if (g->population != 1) {
                put_text(out, ",\"population\":");
                put_int(out, g->population);
            }
            put_text(out, g->diffuse && may_be_diffuse ? ",\"diffuse\":true" : "");
            put_text(out, g->horde ? ",\"horde\":true" : "");
            put_text(out, "},[");
        }
        put_place(out, (save_spot){x0 + g->x, y0 + g->y, g->z});
    }
    put_text(out, groups->count ? "]]]" : "]");
}

static void put_cities(bytes *out, const save_source *s)
{
    const gen_features *f = s->features;
    const ptl_chunk_pos pos = s->chunk->pos;
    const bool of_0i = save_version_of(s->version)->of_0i;
    size_t known;
    const cat_city *cities = catalogue_cities(s->cat, pos, &known);
    put_text(out, "\n,\"cities\":[");
    for (size_t i = 0; i < f->city_count; i++) {
        const gen_city *c = &f->cities[i];
        put_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        save_put_string(out, c->name);
        if (!of_0i) {
            bytes_printf(out, ",\"x\":%d,\"y\":%d,\"size\":%d}", c->x, c->y, c->size);
            continue;
        }
        /* Looks the city up in the content, to write its id, database id and population. If the
         * content does not define the city, empty values are written, as the games do. */
        cat_city own = {.id = ""};
        for (size_t k = 0; k < known && own.id[0] == '\0'; k++)
            if (cities[k].x == c->planned_x && cities[k].y == c->planned_y &&
                strcmp(cities[k].name, c->name) == 0)
                own = cities[k];
        put_text(out, ",\"id\":");
        save_put_string(out, own.id);
        bytes_printf(out,
                     ",\"database_id\":%d,\"pos_om\":[%d,%d],\"pos\":[%d,%d],"
                     "\"population\":%d,\"size\":%d}",
                     own.database_id, pos.x, pos.y, c->x, c->y, own.population, c->size);
    }
    /* city_tiles and rivers are left empty: Portolan stores neither which OMTs belong to a
     * city nor the course of rivers. */
    put_text(out, of_0i ? "]\n,\"city_tiles\":[],\"rivers\":[]" : "]");
}

/* ---- connections ---- */

/* A place where a connection crosses the overmap's border. */
typedef struct outlet {
    const char *kind;
    int direction; /* 0..3 = N, E, S, W */
    int32_t z, position;
} outlet;

static int by_kind(const void *pa, const void *pb)
{
    const outlet *a = pa, *b = pb;
    return ORDER_BY(strcmp(a->kind, b->kind), 0, a->direction, b->direction, a->z, b->z,
                    a->position, b->position);
}

/* Writes the crossings at all four borders, grouped by connection, as the member
 * `connections_out`. As in the game's own files, rivers are left out. */
static void put_connections(bytes *out, const edge edges[4])
{
    outlet list[4 * EDGE_CROSSINGS_MAX];
    size_t count = 0;
    for (int d = 0; d < 4; d++)
        for (size_t i = 0; i < edges[d].count && i < EDGE_CROSSINGS_MAX; i++) {
            const crossing *c = &edges[d].crossings[i];
            if (strcmp(c->kind, CROSSING_RIVER) != 0)
                list[count++] = (outlet){c->kind, d, c->z, c->position};
        }
    if (count > 1)
        qsort(list, count, sizeof *list, by_kind);
    put_text(out, "\n,\"connections_out\":{");
    for (size_t i = 0; i < count; i++) {
        bool first = i == 0 || strcmp(list[i - 1].kind, list[i].kind) != 0;
        if (first) {
            put_text(out, i > 0 ? "]," : "");
            save_put_string(out, list[i].kind);
        }
        put_text(out, first ? ":[" : ",");
        const outlet *o = &list[i];
        const int32_t last = PTL_CHUNK_SIZE - 1, p = o->position;
        const int32_t x[4] = {p, last, p, 0}, y[4] = {0, p, last, p};
        put_place(out, (save_spot){x[o->direction], y[o->direction], o->z});
    }
    put_text(out, count ? "]}" : "}");
}

/* ---- placements ---- */

/* An OMT of a placement. */
typedef struct save_point {
    uint32_t cell; /* number of the cell, as save_cell_of gives it */
    int32_t special;
    uint32_t number; /* number of the placement to which the OMT belongs, among those that are
                        written */
    /* When this point was added to the list: 0 for the first point. Points of one placement are
     * added in the order that the special's definition gives to its OMTs. */
    uint32_t turn;
} save_point;

static int by_number(const void *pa, const void *pb)
{
    const save_point *a = pa, *b = pb;
    return ORDER_BY(a->number, b->number, a->turn, b->turn);
}

static int by_cell(const void *pa, const void *pb)
{
    const save_point *a = pa, *b = pb;
    return ORDER_BY(a->cell, b->cell, a->number, b->number, a->turn, b->turn);
}

static int by_special(const void *pa, const void *pb)
{
    const save_point *a = pa, *b = pb;
    return ORDER_BY(a->special, b->special, a->cell, b->cell);
}

typedef struct point_list {
    save_point *points; /* owned */
    /* Owned; for each placement, its number among the placements that are written. */
    uint32_t *numbers;
    size_t count, placements;
} point_list;

static void add_point(point_list *l, uint16_t special, size_t placement, save_spot at)
{
    const int32_t cell = save_cell_of(at);
    if (cell < 0)
        return;
    l->points[l->count] = (save_point){.cell = (uint32_t)cell,
                                       .special = special,
                                       .number = l->numbers[placement],
                                       .turn = (uint32_t)l->count};
    l->count++;
}

/* Returns the special of the placement. NULL if the world file no longer has the content that
 * defines it; then it is not known which OMTs the special has. */
static const cat_special *special_of(const save_source *s, size_t placement)
{
    const uint16_t special = s->features->placements[placement].special;
    return special == CAT_NONE ? NULL : &s->cat->specials[special];
}

/* Writes a list for each special. As in the game's own files, it has all OMTs of all placements
 * of the special. */
static void put_points(bytes *out, const save_source *s, point_list *l)
{
    qsort(l->points, l->count, sizeof *l->points, by_special);
    put_text(out, "\n,\"overmap_special_placements\":[");
    for (size_t i = 0; i < l->count; i++) {
        const save_point *p = &l->points[i];
        if (i == 0 || p[-1].special != p->special) {
            put_text(out, i > 0 ? "]}]},{\"special\":" : "{\"special\":");
            save_put_string(out, s->cat->specials[p->special].id);
            put_text(out, ",\"placements\":[{\"points\":[");
        } else {
            put_text(out, ",");
        }
        put_text(out, "{\"p\":");
        put_place(out, save_spot_of((int32_t)p->cell));
        put_text(out, "}");
    }
    put_text(out, l->count ? "]}]}]" : "]");
}

/*
 * Writes a list with the arguments of mapgen of each placement, and for each point (OMT of a
 * special) the number of its placement in that list, since the game needs both. The game
 * chooses the arguments when it makes the first local map of a placement; before that they are
 * null. The order of the list has no meaning for the game; here it is the order of placing.
 */
static void put_arguments(bytes *out, point_list *l)
{
    put_text(out, "\n,\"mapgen_arg_storage\":[");
    for (size_t i = 0; i < l->placements; i++)
        put_text(out, i > 0 ? ",null" : "null");
    qsort(l->points, l->count, sizeof *l->points, by_number);
    put_text(out, "]\n,\"mapgen_arg_index\":[");
    for (size_t i = 0; i < l->count; i++) {
        put_text(out, i > 0 ? ",[" : "[");
        put_place(out, save_spot_of((int32_t)l->points[i].cell));
        put_text(out, ",");
        put_int(out, l->points[i].number);
        put_text(out, "]");
    }
    put_text(out, "]");
}

/* Writes the joins of mutable specials that were used, with the side of the piece. The games
 * number sides as Portolan does: 4 is above, 5 below. Bright Nights also has a list of tiles at
 * which joins meet, which its games fill when they make local maps. */
static void put_joins(bytes *out, const save_source *s)
{
    const gen_features *f = s->features;
    bool first = true;
    put_text(out, "\n,\"joins_used\":[");
    for (size_t i = 0; i < f->join_count; i++) {
        const gen_join *j = &f->joins[i];
        const cat_special *special = special_of(s, (size_t)j->placement);
        if (!special || !special->layout || j->join == CAT_NONE)
            continue;
        put_text(out, first ? "[[" : ",[[");
        put_place(out, (save_spot){j->x, j->y, j->z});
        put_text(out, ",");
        put_int(out, j->side);
        put_text(out, "],");
        save_put_string(out, special->layout->joins[j->join].id);
        put_text(out, "]");
        first = false;
    }
    put_text(out, save_version_of(s->version)->of_0i ? "]" : "],\"join_points\":[]");
}

static void put_placements(bytes *out, const save_source *s)
{
    const gen_features *f = s->features;
    point_list l = {.numbers = malloc((f->placement_count + 1) * sizeof *l.numbers)};
    size_t most = f->piece_count, kept = 0;
    for (size_t i = 0; l.numbers && i < f->placement_count; i++) {
        const cat_special *special = special_of(s, i);
        most += special ? special->omt_count : 0;
        l.numbers[i] = (uint32_t)l.placements;
        l.placements += special != NULL;
    }
    l.points = malloc((most + 1) * sizeof *l.points);
    if (!l.numbers || !l.points) {
        out->failed = true;
        free(l.points);
        free(l.numbers);
        return;
    }
    /* Adds to the list of points the OMTs of buildings and fixed specials, and the pieces of
     * mutable specials. */
    for (size_t i = 0; i < f->placement_count; i++) {
        const gen_placement *p = &f->placements[i];
        const cat_special *special = special_of(s, i);
        for (size_t k = 0; special && k < special->omt_count; k++)
            add_point(&l, p->special, i, save_omt_spot(&special->omts[k], p));
    }
    for (size_t i = 0; i < f->piece_count; i++) {
        const gen_piece *p = &f->pieces[i];
        const size_t of = (size_t)p->placement;
        if (special_of(s, of))
            add_point(&l, f->placements[of].special, of, (save_spot){p->x, p->y, p->z});
    }
    /* If several specials have an OMT in one cell, only that of the special that was placed
     * last is kept, because it is the one that the map shows. */
    qsort(l.points, l.count, sizeof *l.points, by_cell);
    for (size_t i = 0; i < l.count; i++)
        if (i + 1 == l.count || l.points[i].cell != l.points[i + 1].cell)
            l.points[kept++] = l.points[i];
    l.count = kept;
    const save_version *version = save_version_of(s->version);
    put_points(out, s, &l);
    if (version->absolute)
        put_text(out, "\n,\"electric_grid_connections\":[],\"fluid_grid_connections\":[]"
                      ",\"fluid_grid_storage\":[]");
    if (version->absolute)
        put_joins(out, s);
    if (version->numbered)
        put_arguments(out, &l);
    free(l.points);
    free(l.numbers);
}

/* ---- members that only 0.I has ---- */

/* Writes the earlier terrains of OMTs. A terrain that the content lacks is left out. */
static void put_predecessors(bytes *out, const save_source *s)
{
    predecessor_cell *cells;
    size_t count;
    int32_t open = -1;
    out->failed = !predecessors_spread(&cells, &count, s->features) || out->failed;
    put_text(out, "\n,\"predecessors\":[");
    for (size_t i = 0; i < count; i++) {
        const int32_t cell = cells[i].cell;
        const ptl_oter oter = s->features->predecessors[cells[i].run].oter;
        if (oter == CAT_NONE)
            continue;
        if (cell == open) {
            put_text(out, ",");
        } else {
            put_text(out, open < 0 ? "[" : "]],[");
            put_place(out, save_spot_of(cell));
            put_text(out, ",[");
            open = cell;
        }
        save_put_string(out, s->cat->oters[oter].id);
    }
    put_text(out, open < 0 ? "]" : "]]]");
    free(cells);
}

static void put_0i(bytes *out, const save_source *s)
{
    put_text(out, "\n,\"omt_stack_arguments_map\":[]");
    put_joins(out, s);
    put_predecessors(out, s);
}

void save_write(bytes *out, const save_source *s)
{
    const save_version *version = save_version_of(s->version);
    bytes_printf(out, "# version %d\n", s->version);
    put_text(out, "{\"layers\":[");
    for (int i = 0; i < PTL_LEVELS; i++) {
        put_text(out, i > 0 ? "," : "");
        put_layer(out, s->cat, &s->chunk->levels[i]);
    }
    put_text(out, "],\"region_id\":");
    save_put_string(out, s->region);
    put_groups(out, s);
    put_cities(out, s);
    put_connections(out, s->edges);
    const gen_features *f = s->features;
    put_text(out, "\n,\"radios\":[");
    for (size_t i = 0; i < f->radio_count; i++) {
        const gen_radio *r = &f->radios[i];
        bytes_printf(out, "%s{\"x\":%d,\"y\":%d,\"strength\":%d,\"type\":\"%s\",\"message\":",
                     i > 0 ? "," : "", r->x, r->y, r->strength,
                     r->weather ? "weather" : "broadcast");
        save_put_string(out, r->message);
        if (version->frequencies)
            bytes_printf(out, ",\"frequency\":%d", r->frequency);
        put_text(out, "}");
    }
    put_text(out, "]");
    put_text(out, "\n,\"monster_map\":[]\n,\"tracked_vehicles\":[]\n,\"scent_traces\":[]"
                  "\n,\"npcs\":[]");
    put_text(out, version->camps ? "\n,\"camps\":[]" : "");
    put_placements(out, s);
    if (version->of_0i)
        put_0i(out, s);
    put_text(out, "\n}\n");
}
