/*
 * ptl_game_save_import: makes chunks from the files of a save, in one transaction. Memory holds
 * one overmap, the borders of all overmaps read so far, and the monster groups that lie beyond
 * borders.
 */
#include "core/array.h"
#include "core/sized.h"
#include "exchange/exchange.h"
#include "exchange/seen.h"
#include "model/bridge_parts.h"
#include "model/direction.h"
#include "os/clock.h"
#include "world/bulk.h"

#include <stdlib.h>

typedef struct four_borders {
    save_border side[4]; /* north, east, south, west */
} four_borders;

typedef struct importer {
    ptl_world *world;
    const ptl_game_save_import_options *options;
    ptl_game_save_import_report report;
    double started;
    save_files *files; /* owned, like the next three members */
    save_list list;
    four_borders *borders; /* owned; one for each overmap of the list */
    save_strays strays;
    int64_t run_id;
    seen_list *seen; /* owned; what characters have seen */
    /* The direction (crossing.direction) in which a river is assumed to flow over a chunk's
     * eastern edge (downhill[EDGE_EAST]) or southern edge (downhill[EDGE_SOUTH]), because the
     * file does not say it. */
    int downhill[2];
} importer;

/* Adds monster groups to the overmap `to`: those that lie in this overmap, but are listed in
 * the file of another overmap. *given grows by the number of these groups. */
static ptl_status save_strays_give(const save_strays *s, save_overmap *to, uint64_t *given,
                                   ptl_error *err)
{
    const ptl_chunk_pos pos = to->chunk->pos;
    gen_features *f = &to->features;
    const uint64_t before = *given;
    const save_stray *at =
        s->count ? bsearch(&pos, s->list, s->count, sizeof *s->list, save_place_order) : NULL;
    if (!at)
        return PTL_OK;
    while (at > s->list && save_place_order(&at[-1].to, &pos) == 0)
        at--;
    for (const save_stray *end = s->list + s->count;
         at < end && save_place_order(&at->to, &pos) == 0; at++) {
        if (f->group_count >= SAVE_GROUPS_MAX)
            break;
        gen_group *group = features_add_group(f);
        const char *type = features_text(f, at->group.type);
        if (!group || !type)
            return error_nomem(err);
        *group = at->group;
        group->type = type;
        ++*given;
    }
    /* Sorts all monster groups of the overmap as Portolan does when it writes them. So a file
     * that Portolan wrote is the same after it was read and written again. */
    if (*given > before)
        qsort(f->groups, f->group_count, sizeof *f->groups, save_group_order);
    return PTL_OK;
}

/* Reads an overmap and finds its placements of specials. Where the file gives an OMT the number
 * of its placement, that number is used. Then the other OMTs of specials are assigned to
 * placements by their terrain. */
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

/* Returns the index of an overmap in the sorted list of those that are imported; -1 if it is
 * not among them. */
static ptrdiff_t index_of(const importer *im, ptl_chunk_pos pos)
{
    const ptl_chunk_pos *list = im->list.positions;
    const ptl_chunk_pos *found =
        bsearch(&pos, list, im->list.count, sizeof *list, save_place_order);
    return found ? found - list : -1;
}

/* ---- edges ---- */

/* Makes the edge of a chunk in one direction from the borders that are known so far. If the
 * neighbour comes later in the list, the edge will be written a second time, with both borders,
 * when the neighbour is imported. If the neighbour is not in the list, an earlier import may
 * have stored its border in the world. */
static ptl_status make_edge(edge *out, const importer *im, size_t index, int direction,
                            ptl_error *err)
{
    ptl_chunk_pos pos = im->list.positions[index];
    const int own_side = direction == 1 || direction == 2 ? 0 : 1;
    const save_border *sides[2] = {NULL, NULL};
    save_border earlier;
    edge saved = {0};
    bool there = false;
    plan_edge_of_chunk(pos, direction, &out->x, &out->y, &out->side);
    ptrdiff_t other = index_of(im, neighbour(pos, direction));
    ptl_status status = PTL_OK;
    sides[own_side] = &im->borders[index].side[direction];
    if (other >= 0 && (size_t)other < index)
        sides[1 - own_side] = &im->borders[other].side[opposite(direction)];
    else if (other < 0)
        status =
            world_edge_find(&saved, &there, im->world, pos, direction, im->world->cat, err);
    if (status == PTL_OK && there && saved.border[1 - own_side]) {
        memcpy(earlier.cells, saved.border[1 - own_side], sizeof earlier.cells);
        earlier.crossings = saved.crossings;
        earlier.count = saved.count;
        sides[1 - own_side] = &earlier;
    }
    THEN(status, save_edge(out, sides[0], sides[1], err));
    edge_dispose(&saved);
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
        status = ops(w->store)->chunk->write(w->store, w->row.id, im->run_id, &row, w->cat,
                                             &written, err);
    }
    encoded_features_dispose(&features);
    encoded_chunk_dispose(&encoded);
    return status;
}

static void count(ptl_game_save_import_report *r, const save_overmap *o)
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
        /* An edge between two imported chunks must be counted only once, so only the eastern
         * and southern edges of a chunk count, and those beside which no imported chunk lies.
         */
        for (int d = 0; d < 4; d++)
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

/* ---- chunks that the world has already ---- */

/* Looks for a generated chunk at `beside`, next to a chunk that is imported. Its border would
 * not match. Without the option `force` this is an error; with `force` the generated chunk is
 * deleted, together with its local maps. */
static ptl_status check_beside(importer *im, ptl_chunk_pos pos, ptl_chunk_pos beside,
                               ptl_error *err)
{
    chunk_info info;
    bool found = false;
    ptl_store *store = im->world->store;
    int64_t world_id = im->world->row.id;
    TRY(ops(store)->chunk->find(&info, &found, store, world_id, beside, err));
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
    TRY(ops(store)->map->drop(&dropped, store, world_id, &maps, err));
    TRY(ops(store)->map->spill_drop(store, world_id, &spills, err));
    return ops(store)->chunk->delete (&found, store, world_id, beside, err);
}

/* ---- the whole import ---- */

/* Orders monster groups that lie beyond their overmap's border (save_stray): by the overmap in
 * which they lie, then in the order of the files that list them. */
static int by_target(const void *pa, const void *pb)
{
    const save_stray *a = pa, *b = pb;
    const int order = save_place_order(&a->to, &b->to);
    return order ? order : a->turn < b->turn ? -1 : a->turn > b->turn;
}

/* Collects, from all files of the list, the monster groups that lie beyond the border of their
 * overmap. The games spread a group over the border, and leave all parts of the group in the
 * file of the overmap where the spreading began. A part beyond the border belongs to the
 * neighbouring overmap, if that is imported, too. So all files must be searched for such parts
 * first. Mistakes in a file are ignored here: they are reported when the file is read as a
 * whole. */
static ptl_status find_strays(importer *im, stop_hook stop, ptl_error *err)
{
    save_strays *s = &im->strays;
    ptl_status status = PTL_OK;
    for (size_t i = 0; i < im->list.count && status == PTL_OK; i++) {
        char *path, *text;
        size_t size = 0;
        save_overmap o = {.chunk = NULL};
        TRY(stop_check(&stop, err));
        status = save_files_read(&text, &size, &path, im->files, im->list.positions[i], err);
        const save_reader reader = {.path = path, .strays = s};
        THEN(status, save_read(&o, &reader, im->list.positions[i], text, size, err));
        if (status == PTL_ERR_CONTENT) {
            error_clear(err);
            status = PTL_OK;
        }
        save_overmap_dispose(&o);
        free(text);
        free(path);
    }
    if (s->count > 1)
        qsort(s->list, s->count, sizeof *s->list, by_target);
    return status;
}

static ptl_status import_all(importer *im, ptl_error *err)
{
    ptl_store *store = im->world->store;
    ptl_status status =
        ops(store)->run->begin(&im->run_id, store, im->world->row.id, "import-save", err);
    /* Check that no chunk of the list is saved already. A chunk beside a chunk of the list must
     * not be a generated one, either, because its border would not fit that of the imported
     * chunk. With the option `force` such chunks are deleted. */
    for (size_t i = 0; i < im->list.count && status == PTL_OK; i++) {
        ptl_chunk_pos pos = im->list.positions[i];
        chunk_info info;
        bool found = false;
        status = ops(store)->chunk->find(&info, &found, store, im->world->row.id, pos, err);
        if (status == PTL_OK && found)
            status =
                error_set(err, PTL_ERR_EXISTS, "chunk %d,%d is saved already", pos.x, pos.y);
        for (int d = 0; d < 4 && status == PTL_OK; d++)
            if (index_of(im, neighbour(pos, d)) < 0)
                status = check_beside(im, pos, neighbour(pos, d), err);
    }
    THEN(status, find_strays(im, ops(store)->transaction->stop_hook(store), err));
    for (size_t i = 0; i < im->list.count && status == PTL_OK; i++)
        status = import_overmap(im, i, err);
    /* When a file lists a monster group of a neighbouring overmap, reading it counts the group
     * as left out. Groups that were then moved to that overmap are taken off again. */
    im->report.groups_left_out -= im->report.groups_moved;
    THEN(status, ops(store)->run->end(store, im->run_id, im->report.chunks,
                                      clock_seconds() - im->started, "done", err));
    return status;
}

/* Reads the names of the overmaps, and prepares what reading them needs. */
static ptl_status prepare_overmaps(importer *im, ptl_error *err)
{
    ptl_store *store = im->world->store;
    TRY(world_prepare(im->world, err));
    TRY(save_files_open(&im->files, im->options->directory, ptl_store_path(store),
                        ops(store)->transaction->stop_hook(store), err));
    TRY(save_files_list(&im->list, im->files, err));
    if (im->list.count == 0)
        return error_set(err, PTL_ERR_NOT_FOUND,
                         "%s holds no overmaps (files o.X.Y or o.X.Y%s)",
                         save_files_place(im->files), SAVE_PACKED_SUFFIX);
    im->downhill[EDGE_EAST] = plan_river_downhill(im->world->config, EDGE_EAST);
    im->downhill[EDGE_SOUTH] = plan_river_downhill(im->world->config, EDGE_SOUTH);
    im->borders = calloc(im->list.count + 1, sizeof *im->borders);
    return im->borders ? PTL_OK : error_nomem(err);
}

static ptl_status import_in_transaction(importer *im, ptl_error *err)
{
    const transaction_operations *t = ops(im->world->store)->transaction;
    ptl_status status = t->begin(im->world->store, err);
    if (status == PTL_OK && !im->options->only_seen)
        status = import_all(im, err);
    THEN(status, seen_import(im->seen, im->world, im->options->directory, &im->report, err));
    THEN(status, t->commit(im->world->store, err));
    if (status != PTL_OK)
        t->rollback(im->world->store);
    return status;
}

ptl_status ptl_game_save_import(ptl_game_save_import_report *report, ptl_world *world,
                                const ptl_game_save_import_options *options, ptl_error *err)
{
    ptl_game_save_import_options o = PTL_GAME_SAVE_IMPORT_OPTIONS_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_game_save_import_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_game_save_import_report, report, err));
    if (!o.directory || !o.directory[0])
        return error_set(err, PTL_ERR_ARGUMENT, "no directory to import from");
    importer im = {.world = world, .options = &o, .started = clock_seconds()};
    ptl_status status = o.only_seen ? PTL_OK : prepare_overmaps(&im, err);
    THEN(status, seen_list_read(&im.seen, &o, err));
    if (status == PTL_OK && o.only_seen && seen_list_count(im.seen) == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND,
                           "%s holds no files of what characters have seen", o.directory);
    THEN(status, import_in_transaction(&im, err));
    im.report.seconds = clock_seconds() - im.started;
    if (status == PTL_OK)
        SIZED_FILL(ptl_game_save_import_report, report, &im.report);
    for (size_t i = 0; im.borders && i < im.list.count; i++)
        save_borders_dispose(im.borders[i].side);
    free(im.borders);
    free(im.strays.list);
    features_dispose(&im.strays.texts);
    save_list_dispose(&im.list);
    save_files_close(im.files);
    seen_list_free(im.seen);
    return status;
}

/*
 * Finds the connections and rivers that cross the borders of an overmap that Portolan did not
 * make. It looks at the terrain along the borders. The save's own list of connections is not
 * used, since it misses some crossings and has others that no terrain confirms.
 */

/* Which part of a bridge over water a terrain is: no part, a part of the span, or a foot (an
 * end of the bridge). */
enum { NO_BRIDGE = 0, SPAN, FOOT };

/* Says for each terrain to which connection it belongs, and which part of a bridge it is, if
 * any. */
typedef struct owners {
    const catalogue *cat;
    uint16_t *of; /* owned; for each terrain the index of its connection; CAT_NONE: it belongs
                     to no connection */
    uint8_t *bridge; /* owned; for each terrain, NO_BRIDGE, SPAN or FOOT */
} owners;

/* Returns the subtype that draws the lines of a connection, with curves and crossings: the
 * first one with a linear terrain. NULL: there is none. */
static const cat_subtype *first_linear(const cat_connection *c)
{
    for (size_t i = 0; i < c->subtype_count; i++)
        if (c->subtypes[i].shape == PTL_TERRAIN_LINE)
            return &c->subtypes[i];
    return NULL;
}

/* Records for a terrain to which connection it belongs, and which part of a bridge it is. Each
 * of the two stays as it is if an earlier call has recorded it. */
static void own(owners *o, uint16_t terrain, size_t connection, int bridge)
{
    if (o->of[terrain] == CAT_NONE)
        o->of[terrain] = (uint16_t)connection;
    if (o->bridge[terrain] == NO_BRIDGE)
        o->bridge[terrain] = (uint8_t)bridge;
}

/* Assigns the terrain of a subtype to its connection. The terrains of a raised bridge that
 * stand on the ground are no subtypes of the connection, so they are assigned to it here. */
static void own_subtype(owners *o, const cat_subtype *s, size_t connection)
{
    const bool water = bridge_spans_water(o->cat, s);
    own(o, s->terrain, connection, water ? SPAN : NO_BRIDGE);
    for (int n = 0; s->shape == PTL_TERRAIN_ROTATABLE && n < BRIDGE_PARTS; n++) {
        const uint16_t part = bridge_part_of(o->cat, s->terrain, (bridge_part)n);
        if (part != CAT_NONE)
            own(o, part, connection, !water ? NO_BRIDGE : n == BRIDGE_FOOT ? FOOT : SPAN);
    }
}

/* Finds the connection of each terrain. A terrain that several connections use belongs to the
 * connection that draws it as its main line (first pass) or, if there is none, to the first of
 * them by id (second pass). */
static ptl_status owners_init(owners *o, const catalogue *cat, ptl_error *err)
{
    *o = (owners){.cat = cat};
    o->of = malloc((cat->terrain_count + 1) * sizeof *o->of);
    o->bridge = calloc(cat->terrain_count + 1, sizeof *o->bridge);
    if (!o->of || !o->bridge)
        return error_nomem(err);
    for (size_t t = 0; t < cat->terrain_count; t++)
        o->of[t] = CAT_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < cat->connection_count; k++) {
            const cat_connection *c = &cat->connections[k];
            for (size_t i = 0; i < c->subtype_count; i++) {
                const cat_subtype *s = &c->subtypes[i];
                const bool main_line = s == first_linear(c);
                if (s->terrain != CAT_NONE && (pass == 1 || main_line))
                    own_subtype(o, s, k);
            }
        }
    return PTL_OK;
}

static ptl_oter border_oter(const ptl_chunk *chunk, int32_t z, int direction, int32_t position)
{
    const int32_t last = PTL_CHUNK_SIZE - 1;
    const int32_t x[4] = {position, last, position, 0}, y[4] = {0, position, last, position};
    const level *l = &chunk->levels[z - PTL_Z_MIN];
    return level_oter(l, y[direction] * PTL_CHUNK_SIZE + x[direction]);
}

static ptl_status add(save_border *b, const char *kind, int32_t position, int32_t z,
                      ptl_error *err)
{
    crossing *grown = realloc(b->crossings, (b->count + 1) * sizeof *grown);
    if (!grown)
        return error_nomem(err);
    b->crossings = grown;
    b->crossings[b->count++] =
        (crossing){.kind = kind, .position = (int16_t)position, .z = (int8_t)z};
    return PTL_OK;
}

static ptl_status find_connections(save_border *out, const owners *o, const ptl_chunk *chunk,
                                   int direction, ptl_error *err)
{
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        for (int32_t p = 0; p < PTL_CHUNK_SIZE; p++) {
            ptl_oter oter = border_oter(chunk, z, direction, p);
            /* Skips the OMT unless its terrain continues over the border: a line does if it
             * connects to the side `direction`, a rotatable terrain if its axis points there.
             */
            const cat_oter *t = &o->cat->oters[oter];
            uint16_t count = o->cat->terrains[t->terrain].count;
            if (o->of[t->terrain] == CAT_NONE ||
                !(count == 16 ? t->line >> direction & 1
                              : count == 4 && t->rotation % 2 == direction % 2))
                continue;
            uint16_t k = o->of[o->cat->oters[oter].terrain];
            TRY(add(out, o->cat->connections[k].id, p, z, err));
        }
    return PTL_OK;
}

/* Returns whether the OMT is part of a bridge that runs along the border. Water flows under it,
 * and so over the border. */
static bool spans_border(const owners *o, ptl_oter oter, int direction)
{
    const cat_oter *t = &o->cat->oters[oter];
    return o->bridge[t->terrain] != NO_BRIDGE && t->rotation % 2 != direction % 2;
}

/*
 * Finds the runs of river cells on the border at z = 0. A bridge along the border always counts
 * as river, as do its two ends (feet), even if no other water is seen. A bridge that crosses
 * the border counts only beside river cells: alone it may lead over a lake.
 */
static ptl_status find_rivers(save_border *out, const owners *o, int direction, int flow,
                              ptl_error *err)
{
    for (int32_t p = 0, start = 0; p < PTL_CHUNK_SIZE; start = ++p) {
        bool water = false;
        for (; p < PTL_CHUNK_SIZE; p++) {
            const cat_oter *t = &o->cat->oters[out->cells[p]];
            const bool spanned = spans_border(o, out->cells[p], direction);
            if (!(t->flags & CAT_FLAG_RIVER) && !spanned)
                break;
            water |= spanned || o->of[t->terrain] == CAT_NONE;
        }
        if (!water)
            continue;
        int32_t middle = (start + p - 1) / 2;
        TRY(add(out, CROSSING_RIVER, middle, 0, err));
        out->crossings[out->count - 1].width = (uint8_t)(p - 1 - middle);
        out->crossings[out->count - 1].direction = (int8_t)flow;
    }
    return PTL_OK;
}

/* Orders crossings as an edge stores them: by z, kind, position. */
static int by_key(const void *pa, const void *pb)
{
    const crossing *a = pa, *b = pb;
    return ORDER_BY(a->z, b->z, strcmp(a->kind, b->kind), 0, a->position, b->position);
}

ptl_status save_borders(save_border out[4], const ptl_chunk *chunk, const catalogue *cat,
                        const int downhill[2], ptl_error *err)
{
    owners o;
    memset(out, 0, 4 * sizeof *out);
    ptl_status status = owners_init(&o, cat, err);
    for (int d = 0; d < 4 && status == PTL_OK; d++) {
        save_border *b = &out[d];
        for (int32_t p = 0; p < PTL_CHUNK_SIZE; p++)
            b->cells[p] = border_oter(chunk, 0, d, p);
        status = find_connections(b, &o, chunk, d, err);
        THEN(status, find_rivers(b, &o, d, downhill[d % 2 ? EDGE_EAST : EDGE_SOUTH], err));
        if (b->count > 1)
            qsort(b->crossings, b->count, sizeof *b->crossings, by_key);
    }
    free(o.of);
    free(o.bridge);
    return status;
}

void save_borders_dispose(save_border borders[4])
{
    for (int d = 0; d < 4; d++) {
        free(borders[d].crossings);
        borders[d].crossings = NULL;
        borders[d].count = 0;
    }
}

static ptl_status copy_cells(ptl_oter **out, const save_border *b, ptl_error *err)
{
    if (!b)
        return PTL_OK;
    *out = malloc(sizeof b->cells);
    if (!*out)
        return error_nomem(err);
    memcpy(*out, b->cells, sizeof b->cells);
    return PTL_OK;
}

ptl_status save_edge(edge *out, const save_border *own, const save_border *other,
                     ptl_error *err)
{
    const size_t na = own ? own->count : 0, nb = other ? other->count : 0;
    out->origin = EDGE_FOREIGN;
    out->count = 0;
    out->crossings = malloc((na + nb + 1) * sizeof *out->crossings);
    if (!out->crossings)
        return error_nomem(err);
    /* Both overmaps beside the edge have a sorted list of crossings at their border. The edge
     * gets all crossings that one of them has. If both have a river at the same position, it
     * gets the wider one. */
    for (size_t i = 0, k = 0; i < na || k < nb;) {
        const crossing *a = i < na ? &own->crossings[i] : NULL;
        const crossing *b = k < nb ? &other->crossings[k] : NULL;
        const int order = i == na ? 1 : k == nb ? -1 : by_key(a, b);
        const bool wider = order == 0 && b->width > a->width;
        out->crossings[out->count++] = order > 0 || wider ? *b : *a;
        i += order <= 0;
        k += order >= 0;
    }
    TRY(copy_cells(&out->border[0], own, err));
    TRY(copy_cells(&out->border[1], other, err));
    if (out->count > EDGE_CROSSINGS_MAX)
        return error_set(err, PTL_ERR_LIMIT, "edge %d,%d %s has %zu crossings; at most %d",
                         out->x, out->y, out->side == EDGE_EAST ? "E" : "S", out->count,
                         EDGE_CROSSINGS_MAX);
    return PTL_OK;
}
