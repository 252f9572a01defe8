/*
 * ptl_save_import: makes chunks from the files of a save, in one transaction. Memory holds one
 * overmap, the borders of those that were read, and the monster groups that lie beyond
 * borders.
 */
#include "core/error.h"
#include "core/sized.h"
#include "exchange/exchange.h"
#include "model/direction.h"
#include "os/clock.h"
#include "world/bulk.h"
#include "world/world.h"

#include <stdlib.h>
#include <string.h>

typedef struct four_borders {
    save_border side[4]; /* north, east, south, west */
} four_borders;

typedef struct importer {
    ptl_world *world;
    const ptl_save_import_options *options;
    ptl_save_import_report report;
    double started;
    save_files *files; /* owned, as the next three */
    save_list list;
    four_borders *borders; /* owned; one for each overmap of the list */
    save_strays strays;
    int64_t run_id;
    int downhill[2]; /* direction in which rivers are taken to flow, by edge_side */
} importer;

/* Reads an overmap and finds its placements: first those that the file tells apart, then the
 * others by their terrain. */
static ptl_status read_overmap(save_overmap *out, importer *im, ptl_chunk_pos pos,
                               ptl_error *err)
{
    char *path, *text;
    size_t size = 0;
    memset(out, 0, sizeof *out);
    ptl_status status = save_files_read(&text, &size, &path, im->files, pos, err);
    if (status == PTL_OK) {
        const save_reader reader = {.cat = im->world->cat,
                                    .defaults = im->world->config->defaults,
                                    .lenient = im->options->lenient,
                                    .path = path,
                                    .on_unknown = im->options->on_unknown,
                                    .on_lack = im->options->on_lack,
                                    .payload = im->options->payload};
        status = save_read(out, &reader, pos, text, size, err);
    }
    THEN(status, save_place(out, im->world->cat, err));
    THEN(status, save_split(out, im->world->cat, err));
    THEN(status, save_strays_give(&im->strays, out, &im->report.groups_moved, err));
    free(text);
    free(path);
    return status;
}

/* ---- neighbours ---- */

static ptl_chunk_pos neighbour(ptl_chunk_pos pos, int direction)
{
    return (ptl_chunk_pos){pos.x + step_x(direction), pos.y + step_y(direction)};
}

/* Returns the index of a position in the list, which is sorted; -1 if it is not part of this
 * import. */
static ptrdiff_t index_of(const importer *im, ptl_chunk_pos pos)
{
    const ptl_chunk_pos *list = im->list.positions;
    const ptl_chunk_pos *found =
        bsearch(&pos, list, im->list.count, sizeof *list, save_place_order);
    return found ? found - list : -1;
}

/* ---- edges ---- */

/* Finds the border on the other side of the edge if an earlier import has left it. *found says
 * whether. */
static ptl_status saved_border(const importer *im, save_border *out, bool *found, const edge *e,
                               int side, ptl_error *err)
{
    edge saved = {0};
    bool there = false;
    *found = false;
    ptl_status status = store_edge_find(&saved, &there, im->world->store, im->world->row.id,
                                        e->x, e->y, e->side, im->world->cat, err);
    if (status == PTL_OK && there && saved.border[side]) {
        memcpy(out->cells, saved.border[side], sizeof out->cells);
        out->crossings = saved.crossings; /* moved from the edge */
        out->count = saved.count;
        saved.crossings = NULL;
        *found = true;
    }
    edge_dispose(&saved);
    return status;
}

/* Makes the edge of a chunk in one direction, from the sides that are known so far. If the
 * neighbour comes later in the list, it will write the edge again with both sides. */
static ptl_status make_edge(edge *out, const importer *im, size_t index, int direction,
                            ptl_error *err)
{
    ptl_chunk_pos pos = im->list.positions[index];
    const int own_side = direction == 1 || direction == 2 ? 0 : 1;
    const save_border *sides[2] = {NULL, NULL};
    save_border earlier = {.crossings = NULL};
    bool found = false;
    plan_edge_of_chunk(pos, direction, &out->x, &out->y, &out->side);
    ptrdiff_t other = index_of(im, neighbour(pos, direction));
    ptl_status status = PTL_OK;
    sides[own_side] = &im->borders[index].side[direction];
    if (other >= 0 && (size_t)other < index) {
        sides[1 - own_side] = &im->borders[other].side[opposite(direction)];
    } else if (other < 0) {
        status = saved_border(im, &earlier, &found, out, 1 - own_side, err);
        sides[1 - own_side] = found ? &earlier : NULL;
    }
    THEN(status, save_edge(out, sides[0], sides[1], err));
    free(earlier.crossings);
    return status;
}

/* ---- chunks ---- */

static ptl_status write_chunk(importer *im, const save_overmap *o, edge edges[4],
                              ptl_error *err)
{
    ptl_world *w = im->world;
    encoded_chunk encoded;
    encoded_features features = {0};
    bool written = false;
    memset(&encoded, 0, sizeof encoded);
    ptl_chunk_pos pos = ptl_chunk_position(o->chunk);
    ptl_status status =
        chunk_encode(&encoded, w->codec, o->chunk, w->config->defaults, w->cat, err);
    THEN(status, features_encode(&features, w->codec, pos, &o->features, w->cat, err));
    if (status == PTL_OK) {
        const chunk_write row = {.encoded = encoded,
                                 .generator_version = PTL_GENERATOR_VERSION,
                                 .content_id = w->cat->content_id,
                                 .imported = true,
                                 .features = &features,
                                 .edges = {&edges[0], &edges[1], &edges[2], &edges[3]}};
        status =
            store_chunk_write(w->store, w->row.id, im->run_id, &row, w->cat, &written, err);
    }
    encoded_features_dispose(&features);
    encoded_chunk_dispose(&encoded);
    return status;
}

static void count(ptl_save_import_report *r, const save_overmap *o)
{
    r->chunks++;
    r->cities += o->features.city_count;
    r->radios += o->features.radio_count;
    r->placements += o->features.placement_count;
    r->groups += o->features.group_count;
    r->unknown_terrains += o->counts.unknown_terrains;
    r->points_left_out += o->counts.points_left_out;
    r->groups_left_out += o->counts.groups_left_out;
    r->members_left_out += o->counts.members_left_out;
    r->details_left_out += o->counts.details_left_out;
    r->migrated_terrains += o->counts.migrated_terrains;
    r->migrated_points += o->counts.migrated_points;
    r->specials_gone += o->counts.specials_gone;
}

static ptl_status import_overmap(importer *im, size_t index, ptl_error *err)
{
    save_overmap o;
    edge edges[4];
    const ptl_chunk_pos pos = im->list.positions[index];
    memset(edges, 0, sizeof edges);
    ptl_status status = read_overmap(&o, im, pos, err);
    THEN(status,
         save_borders(im->borders[index].side, o.chunk, im->world->cat, im->downhill, err));
    for (int d = 0; d < 4 && status == PTL_OK; d++)
        status = make_edge(&edges[d], im, index, d, err);
    THEN(status, write_chunk(im, &o, edges, err));
    if (status == PTL_OK) {
        count(&im->report, &o);
        for (int d = 0; d < 4; d++) /* an edge between two imported chunks counts once */
            im->report.edges += d == 1 || d == 2 || index_of(im, neighbour(pos, d)) < 0;
        ptl_progress p = {.size = sizeof p, .done = im->report.chunks, .total = im->list.count};
        p.seconds = clock_seconds() - im->started;
        p.rate = p.seconds > 0 ? (double)p.done / p.seconds : 0;
        if (im->options->on_progress && !im->options->on_progress(im->options->payload, &p))
            status = error_set(err, PTL_ERR_CANCELLED, "stopped; nothing was imported");
    }
    for (int d = 0; d < 4; d++)
        edge_dispose(&edges[d]);
    save_overmap_dispose(&o);
    return status;
}

/* ---- what is there already ---- */

/* Deals with a generated chunk beside an imported one: its border does not match. Without
 * force that is an error; with force the chunk is deleted, together with its local maps. */
static ptl_status check_beside(importer *im, ptl_chunk_pos pos, ptl_chunk_pos beside,
                               ptl_error *err)
{
    chunk_info info;
    bool found = false;
    ptl_store *store = im->world->store;
    int64_t world_id = im->world->row.id;
    TRY(store_chunk_find(&info, &found, store, world_id, beside, err));
    if (!found || info.imported)
        return PTL_OK;
    if (!im->options->force)
        return error_set(err, PTL_ERR_EXISTS,
                         "chunk %d,%d is generated already, with other borders than its "
                         "neighbour o.%d.%d of the save has",
                         beside.x, beside.y, pos.x, pos.y);
    if (im->world->row.derive)
        return error_set(
            err, PTL_ERR_EXISTS,
            "chunk %d,%d is generated already, and the world derives its local maps "
            "from it: first keep those that were visited (generate --local --keep)",
            beside.x, beside.y);
    im->report.removed++;
    const map_area maps = world_maps_of(beside);
    uint64_t dropped;
    const map_area spills = world_spills_of(beside);
    TRY(store_map_drop(&dropped, store, world_id, &maps, err));
    TRY(store_spill_drop(store, world_id, &spills, err));
    return store_chunk_delete(&found, store, world_id, beside, err);
}

/* ---- the whole import ---- */

static ptl_status import_all(importer *im, ptl_error *err)
{
    ptl_store *store = im->world->store;
    ptl_status status =
        store_run_begin(&im->run_id, store, im->world->row.id, "import-save", err);
    if (status == PTL_OK) {
        /* Checks that no chunk of the list is saved already, and deals with generated
         * neighbours. */
        for (size_t i = 0; i < im->list.count && status == PTL_OK; i++) {
            ptl_chunk_pos pos = im->list.positions[i];
            chunk_info info;
            bool found = false;
            status =
                store_chunk_find(&info, &found, im->world->store, im->world->row.id, pos, err);
            if (status == PTL_OK && found)
                status = error_set(err, PTL_ERR_EXISTS, "chunk %d,%d is saved already", pos.x,
                                   pos.y);
            for (int d = 0; d < 4 && status == PTL_OK; d++)
                if (index_of(im, neighbour(pos, d)) < 0)
                    status = check_beside(im, pos, neighbour(pos, d), err);
        }
    }
    THEN(status,
         save_strays_read(&im->strays, im->files, &im->list, store_stop_hook(store), err));
    for (size_t i = 0; i < im->list.count && status == PTL_OK; i++)
        status = import_overmap(im, i, err);
    /* They were counted as left out where they were read. */
    im->report.groups_left_out -= im->report.groups_moved;
    THEN(status, store_run_end(store, im->run_id, im->report.chunks,
                               clock_seconds() - im->started, "done", err));
    return status;
}

ptl_status ptl_save_import(ptl_save_import_report *report, ptl_world *world,
                           const ptl_save_import_options *options, ptl_error *err)
{
    ptl_save_import_options o = PTL_SAVE_IMPORT_OPTIONS_INIT;
    error_clear(err);
    ptl_status status = SIZED_TAKE(ptl_save_import_options, &o, options, err);
    THEN(status, SIZED_CHECK(ptl_save_import_report, report, err));
    if (status == PTL_OK && (!o.directory || !o.directory[0]))
        status = error_set(err, PTL_ERR_ARGUMENT, "no directory to import from");
    if (status != PTL_OK)
        return status;
    importer im = {.world = world, .options = &o, .started = clock_seconds()};
    status = world_prepare(im.world, err);
    THEN(status, save_files_open(&im.files, im.options->directory,
                                 ptl_store_path(im.world->store), err));
    THEN(status, save_list_read(&im.list, save_files_folder(im.files), err));
    if (status == PTL_OK && im.list.count == 0)
        status =
            error_set(err, PTL_ERR_NOT_FOUND, "%s holds no overmaps (files o.X.Y or o.X.Y%s)",
                      save_files_folder(im.files), SAVE_PACKED_SUFFIX);
    if (status == PTL_OK) {
        im.downhill[EDGE_EAST] = plan_river_downhill(im.world->config, EDGE_EAST);
        im.downhill[EDGE_SOUTH] = plan_river_downhill(im.world->config, EDGE_SOUTH);
        im.borders = calloc(im.list.count + 1, sizeof *im.borders);
        status = im.borders ? PTL_OK : error_nomem(err);
    }
    if (status == PTL_OK) {
        status = store_begin(world->store, err);
        THEN(status, import_all(&im, err));
        THEN(status, store_commit(world->store, err));
        if (status != PTL_OK)
            store_rollback(world->store);
    }
    im.report.seconds = clock_seconds() - im.started;
    if (status == PTL_OK)
        SIZED_FILL(ptl_save_import_report, report, &im.report);
    for (size_t i = 0; im.borders && i < im.list.count; i++)
        save_borders_dispose(im.borders[i].side);
    free(im.borders);
    save_strays_dispose(&im.strays);
    save_list_dispose(&im.list);
    save_files_close(im.files);
    return status;
}
