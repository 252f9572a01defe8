/*
 * Footprints: a bitmap of the cells that a chunk's placements cover, and a sorted list of the
 * OMTs that their definitions state, by which a building's own arms are recognised. A mutable
 * special covers the cells of its pieces. The cells that a BLOB spread to are recognised by
 * their OMTs.
 */
#include "core/array.h"
#include "gen/seams/dead_ends_impl.h"

#include <stdlib.h>
#include <string.h>

/*
 * Connections that share terrain are counted as one group, because an OMT does not say which
 * of them drew it. A group is named by the ids of all of its connections.
 */

static const char BETWEEN[] = " + ";

static bool share_terrain(const catalogue *cat, size_t a, size_t b)
{
    const size_t words = (cat->terrain_count + 63) / 64;
    for (size_t i = 0; i < words; i++)
        if (cat->connections[a].terrains[i] & cat->connections[b].terrains[i])
            return true;
    return false;
}

/* Merges two groups into the one that begins first. */
static void merge(dead_ends *d, size_t a, size_t b)
{
    const uint16_t first = d->group[a] < d->group[b] ? d->group[a] : d->group[b];
    const uint16_t second = d->group[a] < d->group[b] ? d->group[b] : d->group[a];
    for (size_t i = 0; i < d->cat->connection_count; i++)
        if (d->group[i] == second)
            d->group[i] = first;
}

/* Returns the ids of the group's connections, with " + " between them. New; NULL when memory
 * is out. */
static char *common_name(const dead_ends *d, size_t group)
{
    const catalogue *cat = d->cat;
    size_t room = 1;
    for (size_t i = group; i < cat->connection_count; i++)
        if (d->group[i] == group)
            room += strlen(cat->connections[i].id) + sizeof BETWEEN;
    char *name = malloc(room), *at = name;
    for (size_t i = group; name && i < cat->connection_count; i++) {
        if (d->group[i] != group)
            continue;
        const char *parts[2] = {i > group ? BETWEEN : "", cat->connections[i].id};
        for (int k = 0; k < 2; k++) {
            const size_t length = strlen(parts[k]);
            memcpy(at, parts[k], length + 1);
            at += length;
        }
    }
    return name;
}

bool dead_ends_find_groups(dead_ends *d)
{
    const size_t count = d->cat->connection_count;
    d->group = malloc((count + 1) * sizeof *d->group);
    d->names = calloc(count + 1, sizeof *d->names);
    d->name_count = count;
    if (!d->group || !d->names)
        return false;
    for (size_t i = 0; i <= count; i++)
        d->group[i] = (uint16_t)i;
    for (size_t i = 1; i < count; i++)
        for (size_t k = 0; k < i; k++)
            if (d->group[i] != d->group[k] && share_terrain(d->cat, i, k))
                merge(d, i, k);
    for (size_t i = 0; i < count; i++) {
        const size_t group = d->group[i];
        if (group != i && !d->names[group] && !(d->names[group] = common_name(d, group)))
            return false;
    }
    return true;
}

void dead_ends_free_groups(dead_ends *d)
{
    for (size_t i = 0; d->names && i < d->name_count; i++)
        free(d->names[i]);
    free(d->names);
    free(d->group);
}

size_t dead_ends_group(const dead_ends *d, size_t connection)
{
    return d->group[connection];
}

const char *dead_ends_kind(const dead_ends *d, size_t connection)
{
    const char *common = d->names[d->group[connection]];
    if (connection == d->cat->connection_count)
        return "";
    return common ? common : d->cat->connections[connection].id;
}

/* A placement while its covered cells are noted. */
typedef struct footprint {
    dead_ends *d;
    int view;
} footprint;

static bool cover_cell(const footprint *f, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    if (x < 0 || x >= SIDE || y < 0 || y >= SIDE || z < PTL_Z_MIN || z > PTL_Z_MAX)
        return true;
    const int32_t cell = (z - PTL_Z_MIN) * CELLS + y * SIDE + x;
    f->d->covered[f->view][cell / 64] |= UINT64_C(1) << (cell % 64);
    if (f->view != HERE)
        return true;
    if (!ARRAY_ROOM(f->d->stated, f->d->stated_room, f->d->stated_count + 1))
        return false;
    f->d->stated[f->d->stated_count++] = (stated){cell, oter};
    return true;
}

/* Covers a cell with the same OMT near an OMT of a blob: it is taken for one that the blob
 * spread to. */
static bool cover_blob(const footprint *f, int32_t x, int32_t y, int32_t z, ptl_oter oter)
{
    enum { RADIUS = 2 };
    const ptl_chunk *chunk = f->d->views[f->view].chunk;
    for (int32_t ny = y - RADIUS; ny <= y + RADIUS; ny++)
        for (int32_t nx = x - RADIUS; nx <= x + RADIUS; nx++) {
            const bool inside = nx >= 0 && nx < SIDE && ny >= 0 && ny < SIDE &&
                                z >= PTL_Z_MIN && z <= PTL_Z_MAX;
            if (inside && ptl_chunk_oter(chunk, nx, ny, z) == oter &&
                !cover_cell(f, nx, ny, z, oter))
                return false;
        }
    return true;
}

/* Covers the OMTs of a fixed special. False when memory is out. */
static bool cover_placement(const footprint *f, const gen_placement *p)
{
    if (p->special >= f->d->cat->special_count)
        return true;
    const cat_special *special = &f->d->cat->specials[p->special];
    const bool blob = special->flags & PTL_SPECIAL_BLOB;
    for (size_t i = 0; i < special->omt_count; i++) {
        const cat_omt *omt = &special->omts[i];
        const ptl_oter oter = omt->oters[p->rotation & 3];
        const int32_t z = p->z + omt->z;
        int32_t x, y;
        feature_rotate(omt->x, omt->y, p->rotation & 3, &x, &y);
        x += p->x;
        y += p->y;
        if (!cover_cell(f, x, y, z, oter) || (blob && !cover_blob(f, x, y, z, oter)))
            return false;
    }
    return true;
}

/* Orders by cell, then by oter, so that only equal entries compare equal. */
static int compare_stated(const void *a, const void *b)
{
    const stated *l = a, *r = b;
    if (l->cell != r->cell)
        return l->cell < r->cell ? -1 : 1;
    return (l->oter > r->oter) - (l->oter < r->oter);
}

bool dead_ends_cover(dead_ends *d, int view)
{
    const bool there = d->views[view].chunk && d->views[view].features;
    const gen_features *features = d->views[view].features;
    const footprint f = {d, view};
    memset(d->covered[view], 0, WORDS * sizeof **d->covered);
    for (size_t i = 0; there && i < features->placement_count; i++)
        if (!cover_placement(&f, &features->placements[i]))
            return false;
    for (size_t i = 0; there && i < features->piece_count; i++) {
        const gen_piece *piece = &features->pieces[i];
        if (piece->placement < 0 || (size_t)piece->placement >= features->placement_count)
            continue;
        const uint16_t index = features->placements[piece->placement].special;
        const cat_mutable *layout =
            index < d->cat->special_count ? d->cat->specials[index].layout : NULL;
        if (layout && piece->piece < layout->piece_count &&
            !cover_cell(&f, piece->x, piece->y, piece->z,
                        layout->pieces[piece->piece].oters[piece->rotation & 3]))
            return false;
    }
    if (view == HERE && d->stated_count > 1)
        qsort(d->stated, d->stated_count, sizeof *d->stated, compare_stated);
    return true;
}

bool dead_ends_own(const dead_ends *d, int32_t x, int32_t y, int32_t z, int direction)
{
    int32_t cell = (z - PTL_Z_MIN) * CELLS + y * SIDE + x;
    if (!(d->covered[HERE][cell / 64] >> (cell % 64) & 1))
        return false;
    size_t low = 0, high = d->stated_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->stated[middle].cell < cell)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < d->stated_count && d->stated[low].cell == cell; low++) {
        ptl_oter oter = d->stated[low].oter;
        if (oter < catalogue_all_oters(d->cat) && d->cat->oters[oter].line >> direction & 1)
            return true;
    }
    return false;
}

ptl_oter dead_ends_oter(const dead_ends *d, int32_t x, int32_t y, int32_t z, bool *building)
{
    /* Find the view that holds the cell, at most one chunk away, and the cell's coordinates in
     * it. */
    int view = y < 0 ? 0 : x >= SIDE ? 1 : y >= SIDE ? 2 : x < 0 ? 3 : HERE;
    if (view != HERE) {
        x -= step_x(view) * SIDE;
        y -= step_y(view) * SIDE;
    }

    *building = false;
    if (!d->views[view].chunk)
        return CAT_NONE;
    int32_t cell = (z - PTL_Z_MIN) * CELLS + y * SIDE + x;
    *building = d->covered[view][cell / 64] >> (cell % 64) & 1;
    ptl_oter oter = ptl_chunk_oter(d->views[view].chunk, x, y, z);
    return oter < catalogue_all_oters(d->cat) ? oter : CAT_NONE;
}
