/*
 * The text of an overmap's file, in the order and with the line breaks that the game writes.
 * What belongs to play is written empty.
 */
#include "exchange/exchange.h"

#include <stdlib.h>
#include <string.h>

static void put_string(bytes *out, const char *text)
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

/* Nearly all of a file is small numbers, for which printf is too slow. */
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

static void put_place(bytes *out, int32_t x, int32_t y, int32_t z)
{
    put_text(out, "[");
    put_int(out, x);
    put_text(out, ",");
    put_int(out, y);
    put_text(out, ",");
    put_int(out, z);
    put_text(out, "]");
}

/* ---- layers ---- */

static void put_run(bytes *out, const catalogue *cat, ptl_oter oter, size_t count, bool first)
{
    put_text(out, first ? "[" : ",[");
    put_string(out, cat->oters[oter].id);
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

static void put_layers(bytes *out, const save_source *s)
{
    put_text(out, "{\"layers\":[");
    for (int i = 0; i < PTL_LEVELS; i++) {
        put_text(out, i > 0 ? "," : "");
        put_layer(out, s->cat, &s->chunk->levels[i]);
    }
    put_text(out, "],\"region_id\":");
    put_string(out, s->region);
}

/* ---- features ---- */

/* Groups that differ only in their place share one entry. */
static bool same_group(const submap_group *a, const submap_group *b)
{
    return strcmp(a->type, b->type) == 0 && a->population == b->population &&
           a->horde == b->horde && a->diffuse == b->diffuse;
}

static void put_groups(bytes *out, const submap_groups *groups)
{
    put_text(out, "\n,\"monster_groups\":[");
    for (size_t i = 0; i < groups->count; i++) {
        const submap_group *g = &groups->list[i];
        if (i > 0 && same_group(g - 1, g)) {
            put_text(out, ",");
        } else {
            put_text(out, i > 0 ? "]],[{\"type\":" : "[{\"type\":");
            put_string(out, g->type);
            if (g->population != 1) {
                put_text(out, ",\"population\":");
                put_int(out, g->population);
            }
            put_text(out, g->diffuse ? ",\"diffuse\":true" : "");
            put_text(out, g->horde ? ",\"horde\":true" : "");
            put_text(out, "},[");
        }
        put_place(out, g->x, g->y, g->z);
    }
    put_text(out, groups->count ? "]]]" : "]");
}

static void put_cities(bytes *out, const gen_features *f)
{
    put_text(out, "\n,\"cities\":[");
    for (size_t i = 0; i < f->city_count; i++) {
        put_text(out, i > 0 ? ",{\"name\":" : "{\"name\":");
        put_string(out, f->cities[i].name);
        bytes_printf(out, ",\"x\":%d,\"y\":%d,\"size\":%d}", f->cities[i].x, f->cities[i].y,
                     f->cities[i].size);
    }
    put_text(out, "]");
}

static void put_radios(bytes *out, const gen_features *f)
{
    put_text(out, "\n,\"radios\":[");
    for (size_t i = 0; i < f->radio_count; i++) {
        const gen_radio *r = &f->radios[i];
        bytes_printf(out, "%s{\"x\":%d,\"y\":%d,\"strength\":%d,\"type\":\"%s\",\"message\":",
                     i > 0 ? "," : "", r->x, r->y, r->strength,
                     r->weather ? "weather" : "broadcast");
        put_string(out, r->message);
        put_text(out, "}");
    }
    put_text(out, "]");
}

/* ---- connections ---- */

typedef struct outlet {
    const char *kind;
    int direction; /* 0..3 = N, E, S, W */
    int32_t z, position;
} outlet;

static int by_kind(const void *pa, const void *pb)
{
    const outlet *a = pa, *b = pb;
    int kinds = strcmp(a->kind, b->kind);
    if (kinds != 0)
        return kinds;
    if (a->direction != b->direction)
        return a->direction - b->direction;
    return a->z != b->z ? a->z - b->z : a->position - b->position;
}

static void put_outlet(bytes *out, const outlet *o)
{
    const int32_t last = PTL_CHUNK_SIZE - 1, p = o->position;
    const int32_t x[4] = {p, last, p, 0}, y[4] = {0, p, last, p};
    put_place(out, x[o->direction], y[o->direction], o->z);
}

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
            put_string(out, list[i].kind);
        }
        put_text(out, first ? ":[" : ",");
        put_outlet(out, &list[i]);
    }
    put_text(out, count ? "]}" : "}");
}

/* ---- placements ---- */

static int by_point(const void *pa, const void *pb)
{
    const uint64_t *a = pa, *b = pb;
    return *a < *b ? -1 : *a > *b;
}

/* Points as numbers that sort by special, z, y, x. */
static size_t list_points(uint64_t *list, const save_source *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->features->placement_count; i++) {
        const gen_placement *p = &s->features->placements[i];
        const cat_special *special = &s->cat->specials[p->special];
        for (size_t k = 0; k < special->tile_count; k++, count++) {
            const cat_tile *t = &special->tiles[k];
            int32_t x, y;
            feature_turn(t->x, t->y, p->rotation, &x, &y);
            x += p->x;
            y += p->y;
            uint32_t z = (uint32_t)(p->z + t->z - PTL_Z_MIN);
            if (list)
                list[count] = (uint64_t)p->special << 32 |
                              (z * PTL_LEVEL_CELLS + (uint32_t)(y * PTL_CHUNK_SIZE + x));
        }
    }
    return count;
}

static void put_point(bytes *out, uint64_t point)
{
    int32_t cell = (int32_t)(uint32_t)point, rest = cell % PTL_LEVEL_CELLS;
    put_text(out, "{\"p\":");
    put_place(out, rest % PTL_CHUNK_SIZE, rest / PTL_CHUNK_SIZE,
              cell / PTL_LEVEL_CELLS + PTL_Z_MIN);
    put_text(out, "}");
}

/* All points of one special are in one list, as the game has it. */
static void put_placements(bytes *out, const save_source *s)
{
    size_t count = list_points(NULL, s);
    uint64_t *list = malloc((count ? count : 1) * sizeof *list);
    if (!list) {
        out->failed = true;
        return;
    }
    list_points(list, s);
    qsort(list, count, sizeof *list, by_point);
    put_text(out, "\n,\"overmap_special_placements\":[");
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || list[i - 1] >> 32 != list[i] >> 32) {
            put_text(out, i > 0 ? "]}]},{\"special\":" : "{\"special\":");
            put_string(out, s->cat->specials[list[i] >> 32].id);
            put_text(out, ",\"placements\":[{\"points\":[");
        } else {
            put_text(out, ",");
        }
        put_point(out, list[i]);
    }
    put_text(out, count ? "]}]}]" : "]");
    free(list);
}

void save_write(bytes *out, const save_source *s)
{
    bytes_printf(out, "# version %d\n", SAVE_VERSION);
    put_layers(out, s);
    put_groups(out, s->groups);
    put_cities(out, s->features);
    put_connections(out, s->edges);
    put_radios(out, s->features);
    put_text(out, "\n,\"monster_map\":[]\n,\"tracked_vehicles\":[]\n,\"scent_traces\":[]"
                  "\n,\"npcs\":[]\n,\"camps\":[]");
    put_placements(out, s);
    put_text(out, "\n}\n");
}
