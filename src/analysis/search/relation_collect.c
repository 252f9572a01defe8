/* Collects from overmaps the things that a relation names. */
#include "analysis/search/relation_impl.h"
#include "core/array.h"
#include "core/error.h"

#include <stdlib.h>

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
    free(f->spans.list);
    free(f->chunks);
    free(f->matches);
    free(f);
}

/* ---- cells as bits ---- */

/* Collects the cells of a set from a chunk, as one plane of bits for each level. Levels without
 * such cells get no plane. */
static bool collect_cells(finder *f, rel_set *set, const ptl_chunk *chunk)
{
    const size_t levels = (size_t)rel_levels(set->thing), wanted = f->chunk_count * levels;
    if (!ARRAY_ROOM_ZEROED(set->planes, set->plane_room, wanted))
        return false;
    for (size_t i = 0; i < levels; i++) {
        const level *l = &chunk->levels[rel_first_z(set->thing) - PTL_Z_MIN + (int32_t)i];
        uint64_t any = 0;
        if (!l->cells && !rel_bit(set->thing->ids, l->fill))
            continue;
        plane *p = calloc(1, sizeof *p);
        if (!p)
            return false;
        for (int32_t y = 0; y < PTL_CHUNK_SIZE; y++)
            for (int32_t x = 0; x < PTL_CHUNK_SIZE; x++) {
                const ptl_oter oter = level_oter(l, y * PTL_CHUNK_SIZE + x);
                const uint64_t bit = rel_bit(set->thing->ids, oter);
                p->rows[y][x / 64] |= bit << (x % 64);
                any |= bit;
            }
        set->planes[wanted - levels + i] = any ? p : NULL;
        set->any = set->any || any;
        if (!any)
            free(p);
    }
    return true;
}

/* ---- placements and cities ---- */

static bool add_omt(finder *f, rel_item *item, int32_t x, int32_t y, int32_t z)
{
    box *b = &item->box;
    b->x0 = x < b->x0 ? x : b->x0;
    b->y0 = y < b->y0 ? y : b->y0;
    b->x1 = x > b->x1 ? x : b->x1;
    b->y1 = y > b->y1 ? y : b->y1;
    item->count++;
    return span_add(&f->spans, (span){x, x, y, z});
}

/* Adds the OMTs of a placement, which only conditions with "beside" need. Pieces are sorted by
 * their placements, so the caller goes through the placements in order, and *piece moves
 * forward through the pieces. */
static bool add_omts(finder *f, rel_item *item, ptl_chunk_pos pos, const gen_features *g,
                     size_t number, size_t *piece)
{
    const gen_placement *p = &g->placements[number];
    const cat_special *s = &f->relation->cat->specials[p->special];
    const int32_t west = pos.x * PTL_CHUNK_SIZE, north = pos.y * PTL_CHUNK_SIZE;
    bool good = true;
    for (size_t i = 0; i < s->omt_count && good; i++) {
        int32_t x, y;
        feature_rotate(s->omts[i].x, s->omts[i].y, p->rotation, &x, &y);
        good = add_omt(f, item, item->x + x, item->y + y, item->z + s->omts[i].z);
    }
    while (*piece < g->piece_count && (size_t)g->pieces[*piece].placement < number)
        (*piece)++;
    for (; *piece < g->piece_count && (size_t)g->pieces[*piece].placement == number && good;
         (*piece)++)
        good = add_omt(f, item, west + g->pieces[*piece].x, north + g->pieces[*piece].y,
                       g->pieces[*piece].z);
    return good;
}

static bool collect_placements(finder *f, rel_set *set, ptl_chunk_pos pos,
                               const gen_features *g)
{
    const cat_special *specials = f->relation->cat->specials;
    const bool buildings = set->thing->kind == REL_BUILDING;
    size_t piece = 0;
    for (size_t i = 0; i < g->placement_count; i++) {
        const gen_placement *p = &g->placements[i];
        /* A placement may have the special CAT_NONE, which means that the catalogue lacks it:
         * the chunk was made with other content. */
        if (p->special == CAT_NONE || specials[p->special].building != buildings ||
            !rel_bit(set->thing->ids, p->special))
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
        if (f->relation->bodies && !add_omts(f, item, pos, g, i, &piece))
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
        if (!add_omt(f, item, item->x, item->y, 0))
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
                free(set->planes[j]);
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
