/* Finders: collecting what a relation names from overmaps. */
#include "analysis/search/relation_impl.h"
#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>
#include <string.h>

bool span_add(span_list *list, span s)
{
    if (!ARRAY_ROOM(list->list, list->room, list->count + 1))
        return false;
    list->list[list->count++] = s;
    return true;
}

rel_item *rel_item_add(rel_set *set)
{
    if (!ARRAY_ROOM(set->items, set->room, set->count + 1))
        return NULL;
    set->any = true;
    return &set->items[set->count++];
}

finder *finder_new(const relation *r)
{
    finder *f = calloc(1, sizeof *f);
    if (f)
        f->relation = r;
    for (uint32_t i = 0; f && i < r->thing_count; i++)
        f->sets[i].thing = r->things[i];
    return f;
}

void finder_free(finder *f)
{
    if (!f)
        return;
    for (uint32_t i = 0; i < f->relation->thing_count; i++) {
        rel_set *set = &f->sets[i];
        for (size_t j = 0; j < set->plane_room; j++)
            free(set->planes[j]);
        free(set->planes);
        free(set->items);
        free(set->firsts);
    }
    for (size_t i = 0; i < f->spare_count; i++)
        free(f->spare[i]);
    free(f->spare);
    free(f->spans.list);
    free(f->chunks);
    free(f->matches);
    free(f);
}

/* ---- planes ---- */

/* Keeps a plane for the next overmap; frees it if the list of spare ones can't grow. */
static void give_plane(finder *f, plane *p)
{
    if (!p)
        return;
    if (!ARRAY_ROOM(f->spare, f->spare_room, f->spare_count + 1)) {
        free(p);
        return;
    }
    f->spare[f->spare_count++] = p;
}

static void fill_whole(plane *out)
{
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++)
            out->rows[y][x / 64] |= UINT64_C(1) << (x % 64);
}

static bool is_empty(const plane *p)
{
    uint64_t any = 0;
    for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
        any |= p->rows[y][0] | p->rows[y][1] | p->rows[y][2];
    return any == 0;
}

/* Collects the cells of a set from a chunk; empty levels get no plane. */
static bool collect_cells(finder *f, rel_set *set, const ptl_chunk *chunk)
{
    const int32_t levels = rel_levels(set->thing), first = rel_first_z(set->thing) - PTL_Z_MIN;
    const size_t wanted = f->chunk_count * (size_t)rel_levels(set->thing);
    if (!ARRAY_ROOM_ZEROED(set->planes, set->plane_room, wanted))
        return false;
    for (int32_t i = 0; i < levels; i++) {
        const level *l = &chunk->levels[first + i];
        if (!l->cells && !rel_bit(set->thing->ids, l->fill))
            continue;
        plane *p = f->spare_count > 0 ? f->spare[--f->spare_count] : malloc(sizeof *p);
        if (!p)
            return false;
        memset(p, 0, sizeof *p);
        if (l->cells) {
            const ptl_oter *cells = l->cells;
            const uint64_t *ids = set->thing->ids;
            for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
                for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++)
                    p->rows[y][x / 64] |= (uint64_t)rel_bit(ids, *cells++) << (x % 64);
        } else
            fill_whole(p);
        if (is_empty(p)) {
            give_plane(f, p);
            continue;
        }
        set->planes[(f->chunk_count - 1) * (size_t)levels + (size_t)i] = p;
        set->any = true;
    }
    return true;
}

/* ---- placements and cities ---- */

static bool add_tile(finder *f, rel_item *item, int32_t x, int32_t y, int32_t z)
{
    box *b = &item->box;
    b->x0 = x < b->x0 ? x : b->x0;
    b->y0 = y < b->y0 ? y : b->y0;
    b->x1 = x > b->x1 ? x : b->x1;
    b->y1 = y > b->y1 ? y : b->y1;
    item->count++;
    return span_add(&f->spans, (span){x, x, y, z});
}

/* Returns the first piece of a placement. Pieces are sorted by placement. */
static size_t first_piece(const gen_features *g, size_t placement)
{
    size_t low = 0, high = g->piece_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((size_t)g->pieces[middle].placement < placement)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Adds the OMTs of a placement, which only "beside" asks about. */
static bool add_tiles(finder *f, rel_item *item, ptl_chunk_pos pos, const gen_features *g,
                      size_t number)
{
    const gen_placement *p = &g->placements[number];
    const cat_special *s = &f->relation->cat->specials[p->special];
    const int32_t west = pos.x * PTL_CHUNK_SIZE, north = pos.y * PTL_CHUNK_SIZE;
    bool good = true;
    for (size_t i = 0; i < s->omt_count && good; i++) {
        int32_t x, y;
        feature_rotate(s->tiles[i].x, s->tiles[i].y, p->rotation, &x, &y);
        good = add_tile(f, item, item->x + x, item->y + y, item->z + s->tiles[i].z);
    }
    for (size_t i = first_piece(g, number);
         i < g->piece_count && (size_t)g->pieces[i].placement == number && good; i++)
        good = add_tile(f, item, west + g->pieces[i].x, north + g->pieces[i].y, g->pieces[i].z);
    return good;
}

static bool collect_placements(finder *f, rel_set *set, ptl_chunk_pos pos,
                               const gen_features *g)
{
    const cat_special *specials = f->relation->cat->specials;
    const bool buildings = set->thing->kind == REL_BUILDING;
    for (size_t i = 0; i < g->placement_count; i++) {
        const gen_placement *p = &g->placements[i];
        if (p->special == CAT_NONE || /* of a content that is gone */
            specials[p->special].building != buildings || !rel_bit(set->thing->ids, p->special))
            continue;
        rel_item *item = rel_item_add(set);
        if (!item)
            return false;
        *item = (rel_item){.key = (int64_t)((f->chunk_count << 24) + i),
                           .x = pos.x * PTL_CHUNK_SIZE + p->x,
                           .y = pos.y * PTL_CHUNK_SIZE + p->y,
                           .z = p->z,
                           .first = f->spans.count,
                           .what = specials[p->special].id};
        item->box = (box){item->x, item->y, item->x, item->y};
        if (f->relation->bodies && !add_tiles(f, item, pos, g, i))
            return false;
    }
    return true;
}

static bool collect_cities(finder *f, rel_set *set, ptl_chunk_pos pos, const gen_features *g)
{
    for (size_t i = 0; i < g->city_count; i++) {
        const gen_city *c = &g->cities[i];
        if (c->size < set->thing->size_min || c->size > set->thing->size_max)
            continue;
        rel_item *item = rel_item_add(set);
        if (!item)
            return false;
        *item =
            (rel_item){.key = ((int64_t)REL_CITY << 56) + (int64_t)((f->chunk_count << 24) + i),
                       .x = pos.x * PTL_CHUNK_SIZE + c->x,
                       .y = pos.y * PTL_CHUNK_SIZE + c->y,
                       .radius = c->size,
                       .first = f->spans.count,
                       .what = "city"};
        item->box = (box){item->x, item->y, item->x, item->y};
        set->radius = c->size > set->radius ? c->size : set->radius;
        if (!add_tile(f, item, item->x, item->y, 0))
            return false;
    }
    return true;
}

/* ---- overmaps ---- */

static bool note_firsts(rel_set *set, size_t chunk)
{
    if (!ARRAY_ROOM(set->firsts, set->first_room, chunk + 2))
        return false;
    set->firsts[chunk] = chunk == 0 ? 0 : set->firsts[chunk];
    set->firsts[chunk + 1] = set->count;
    return true;
}

static bool collect(finder *f, rel_set *set, const ptl_chunk *chunk, const gen_features *g)
{
    switch (set->thing->kind) {
    case REL_SPECIAL:
    case REL_BUILDING:
        return collect_placements(f, set, chunk->pos, g) &&
               note_firsts(set, f->chunk_count - 1);
    case REL_CITY:
        return collect_cities(f, set, chunk->pos, g) && note_firsts(set, f->chunk_count - 1);
    default:
        return collect_cells(f, set, chunk);
    }
}

ptl_status finder_add(finder *f, const ptl_chunk *chunk, const gen_features *features,
                      ptl_error *err)
{
    if (f->found) {
        for (uint32_t i = 0; i < f->relation->thing_count; i++) {
            rel_set *set = &f->sets[i];
            for (size_t j = 0; j < set->plane_room; j++) {
                give_plane(f, set->planes[j]);
                set->planes[j] = NULL;
            }
            set->count = 0;
            set->radius = 0;
            set->any = set->ready = false;
        }
        f->chunk_count = f->spans.count = f->match_count = 0;
        f->found = false;
    }
    bool good = ARRAY_ROOM(f->chunks, f->chunk_room, f->chunk_count + 1);
    if (good)
        f->chunks[f->chunk_count++] = chunk->pos;
    for (uint32_t i = 0; i < f->relation->thing_count && good; i++)
        good = collect(f, &f->sets[i], chunk, features);
    return good ? PTL_OK : error_nomem(err);
}
