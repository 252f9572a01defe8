/* ptl_game_save_write: writes chunks as files of a save, one chunk at a time, so that memory
 * does not grow with the world. */
#include "core/array.h"
#include "core/hash.h"
#include "exchange/into_impl.h"
#include "os/clock.h"
#include "os/folder.h"
#include "world/edits.h"
#include "world/entries.h"
#include "world/world.h"
#include "json/json_value.h"

#include <errno.h>
#include <stdlib.h>

typedef struct exporter {
    ptl_world *world;
    const ptl_game_save_write_options *options;
    const save_form *form;
    ptl_game_save_write_report report;
    ptl_progress progress;
    double started;
    file_id source; /* identity of the world file, which no overmap may replace */
    bool has_source;
    gen_features features;
    submap_groups groups;
    bytes text, packed;
    /* Borrowed: either `text` or `packed`; these bytes are written to the file. */
    const bytes *file;
    exported_visit *visit; /* may be NULL */
    void *payload;
} exporter;

/* ---- which chunks ---- */

static chunk_filter chosen(const exporter *x)
{
    const ptl_game_save_write_options *o = x->options;
    chunk_filter which = CHUNK_FILTER_ALL;
    if (o->has_rect) {
        which.x0 = o->x0;
        which.x1 = o->x1;
        which.y0 = o->y0;
        which.y1 = o->y1;
    }
    return which;
}

static ptl_status count_chunks(exporter *x, ptl_error *err)
{
    const chunk_filter which = chosen(x);
    ptl_status status =
        ops(x->world->store)
            ->chunk->count(&x->progress.total, x->world->store, x->world->row.id, &which, err);
    if (status == PTL_OK && x->progress.total == 0)
        status = error_set(err, PTL_ERR_NOT_FOUND, "world '%s' has no saved chunks%s",
                           x->world->row.name, x->options->has_rect ? " there" : "");
    return status;
}

/* ---- the directory ---- */

/* Makes the directory if it is missing. A directory that already holds overmaps is refused
 * unless the option force is set. */
static ptl_status check_directory(const ptl_game_save_write_options *o, ptl_error *err)
{
    file_facts facts;
    if (!folder_make(o->directory) && errno != EEXIST)
        return error_system(err, errno == ENOENT ? PTL_ERR_NOT_FOUND : PTL_ERR_IO, errno, "%s",
                            o->directory);
    if (!file_look(&facts, o->directory) || facts.kind != FILE_FOLDER)
        return error_set(err, PTL_ERR_ARGUMENT, "%s is no folder", o->directory);
    save_list list;
    ptl_status status = save_list_read(&list, o->directory, err);
    if (status == PTL_OK && list.count > 0 && !o->force)
        status =
            error_set(err, PTL_ERR_EXISTS, "%s holds overmaps already (o.%d.%d and others)",
                      o->directory, list.positions[0].x, list.positions[0].y);
    save_list_dispose(&list);
    return status;
}

/* Writes the file of one overmap: into the save's database, if it has one, or else into the
 * directory. There the file is complete and synced before it gets its name. The directory,
 * which holds the names, is synced once, after all files. */
static ptl_status write_file(const exporter *x, ptl_chunk_pos pos, ptl_error *err)
{
    const new_file_options options = {.rule = x->options->force ? NEW_FILE_REPLACE
                                                                : NEW_FILE_ABSENT,
                                      .inputs = &x->source,
                                      .input_count = x->has_source};
    new_file file;
    if (x->form->database) {
        char name[SAVE_NAME_SIZE];
        save_form_name(name, x->form, pos);
        return save_database_put(x->form->database, name, x->file->data, x->file->size, err);
    }
    char *path =
        save_path(x->options->directory, pos, "", x->form->packer ? SAVE_PACKED_SUFFIX : "");
    ptl_status status = path ? new_file_open(&file, path, &options, err) : error_nomem(err);
    if (status == PTL_OK) {
        status = new_file_write(&file, x->file->data, x->file->size, err);
        THEN(status, new_file_sync(&file, err));
        THEN(status, new_file_rename(&file, err));
        new_file_close(&file);
    }
    free(path);
    return status;
}

/* ---- a chunk ---- */

static ptl_status read_chunk(exporter *x, ptl_chunk_pos pos, ptl_chunk **chunk, edge edges[4],
                             ptl_error *err)
{
    TRY(ops(x->world->store)->transaction->begin_read(x->world->store, err));
    /* All rows of the chunk are read in this single transaction, so they belong together. */
    ptl_world *world = x->world;
    chunk_info info;
    bool found = false;
    ptl_status status = world_chunk_read(chunk, world, pos, world->cat, &info, err);
    if (status == PTL_OK && *chunk)
        status = world_features_read(&x->features, &found, world, pos, world->cat, err);
    for (int d = 0; d < 4 && status == PTL_OK && *chunk; d++) {
        int32_t ex, ey;
        edge_side side;
        plan_edge_of_chunk(pos, d, &ex, &ey, &side);
        status = ops(world->store)
                     ->chunk->edge_find(&edges[d], &found, world->store, world->row.id, ex, ey,
                                        side, NULL, err);
    }
    ops(x->world->store)->transaction->rollback(x->world->store);
    return status;
}

static void count_features(exporter *x)
{
    x->report.cities += x->features.city_count;
    x->report.radios += x->features.radio_count;
    for (size_t i = 0; i < x->features.placement_count; i++)
        if (x->features.placements[i].special == CAT_NONE)
            x->report.placements_left_out++;
        else
            x->report.placements++;
    x->report.groups += x->groups.count;
    x->report.bytes += x->file->size;
    x->report.chunks++;
}

/* Makes the file's bytes: the text, compressed if the save's files are compressed
 * (x->form->packer). */
static ptl_status make_file(exporter *x, ptl_chunk_pos pos, const save_source *source,
                            ptl_error *err)
{
    const save_form plain = {.packer = NULL};
    char entry[SAVE_NAME_SIZE];
    bytes_clear(&x->text);
    save_write(&x->text, source);
    x->file = &x->text;
    if (x->text.failed)
        return error_nomem(err);
    if (!x->form->packer)
        return PTL_OK;
    bytes_clear(&x->packed);
    x->file = &x->packed;
    save_form_name(entry, &plain, pos);
    return zzip_write(x->form->packer, &x->packed, entry, x->text.data, x->text.size, err);
}

/* Exports one chunk. Does nothing if the chunk was deleted since the list of chunks was read.
 */
static ptl_status export_chunk(exporter *x, ptl_chunk_pos pos, ptl_error *err)
{
    ptl_chunk *chunk = NULL;
    edge edges[4];
    memset(edges, 0, sizeof edges);
    ptl_status status = read_chunk(x, pos, &chunk, edges, err);
    if (status == PTL_OK && chunk)
        status = groups_spread(&x->groups, &x->features, x->world->row.seed, pos, err);
    if (save_version_of(x->form->version)->absolute)
        groups_keep_home(&x->groups, pos);
    if (status == PTL_OK && chunk) {
        const cat_region *region = gen_region(x->world->cat, x->world->row.region);
        const save_source source = {.cat = x->world->cat,
                                    .chunk = chunk,
                                    .features = &x->features,
                                    .edges = edges,
                                    .region = region ? region->id : x->world->row.region,
                                    .groups = &x->groups,
                                    .version = x->form->version};
        status = make_file(x, pos, &source, err);
    }
    if (status == PTL_OK && chunk)
        status = write_file(x, pos, err);
    if (status == PTL_OK && chunk) {
        char name[SAVE_NAME_SIZE];
        save_form_name(name, x->form, pos);
        const exported_file file = {name, x->file->data, x->file->size, chunk, &x->features};
        status = x->visit ? x->visit(x->payload, &file, err) : PTL_OK;
    }
    if (status == PTL_OK && chunk)
        count_features(x);
    for (int d = 0; d < 4; d++)
        edge_dispose(&edges[d]);
    ptl_chunk_free(chunk);
    return status;
}

static ptl_status tell(exporter *x, ptl_error *err)
{
    ptl_progress *p = &x->progress;
    p->done = x->report.chunks;
    p->seconds = clock_seconds() - x->started;
    p->rate = p->seconds > 0 ? (double)p->done / p->seconds : 0;
    if (x->options->on_progress && !x->options->on_progress(x->options->payload, p))
        return error_set(err, PTL_ERR_CANCELLED, "stopped; the files that are there stay");
    return PTL_OK;
}

ptl_status export_overmaps(ptl_world *world, const ptl_game_save_write_options *options,
                           const save_form *form, ptl_game_save_write_report *report,
                           exported_visit *visit, void *payload, ptl_error *err)
{
    if (!options->directory || !options->directory[0])
        return error_set(err, PTL_ERR_ARGUMENT, "no directory to export into");
    exporter x = {.world = world,
                  .options = options,
                  .form = form,
                  .progress = {.size = sizeof(ptl_progress)},
                  .started = clock_seconds(),
                  .visit = visit,
                  .payload = payload};
    bytes_init(&x.packed);
    x.has_source = file_id_of_path(&x.source, ptl_store_path(world->store));
    ptl_status status = count_chunks(&x, err);
    THEN(status, check_directory(x.options, err));
    const chunk_filter which = chosen(&x);
    ptl_chunk_pos pos = {INT32_MIN, INT32_MIN};
    for (bool found = true; status == PTL_OK && found;) {
        status = ops(x.world->store)
                     ->chunk->next(&pos, &found, x.world->store, x.world->row.id, &which, err);
        if (status == PTL_OK && found)
            status = export_chunk(&x, pos, err);
        if (status == PTL_OK && found)
            status = tell(&x, err);
    }
    /* Syncs the folder also after an error, since the report counts the files written so far.
     */
    if (x.report.chunks > 0) {
        const ptl_status synced =
            folder_sync(options->directory, status == PTL_OK ? err : NULL);
        status = status == PTL_OK ? synced : status;
    }
    x.report.seconds = clock_seconds() - x.started;
    *report = x.report;
    features_dispose(&x.features);
    free(x.groups.list);
    bytes_dispose(&x.text);
    bytes_dispose(&x.packed);
    return status;
}

static ptl_status note_usage(void *payload, const exported_file *file, ptl_error *err)
{
    (void)err;
    save_fit_note(payload, file->chunk, file->features);
    return PTL_OK;
}

ptl_status ptl_game_save_write(ptl_game_save_write_report *report, ptl_world *world,
                               const ptl_game_save_write_options *options, ptl_error *err)
{
    ptl_game_save_write_options o = PTL_GAME_SAVE_WRITE_OPTIONS_INIT;
    ptl_game_save_write_report r = PTL_GAME_SAVE_WRITE_REPORT_INIT;
    error_clear(err);
    TRY(SIZED_TAKE(ptl_game_save_write_options, &o, options, err));
    TRY(SIZED_CHECK(ptl_game_save_write_report, report, err));
    const save_form form = {.version = o.version ? o.version : SAVE_VERSION};
    if (!save_version_of(form.version))
        return error_set(err, PTL_ERR_ARGUMENT, "saves of version %d are not written",
                         form.version);
    ptl_status status = o.fit ? save_fit_new(o.fit, world->cat, err) : PTL_OK;
    THEN(status, export_overmaps(world, &o, &form, &r, o.fit ? note_usage : NULL,
                                 o.fit ? *o.fit : NULL, err));
    /* Compares the content that the overmaps need with the packs that the save lists. */
    if (status == PTL_OK && o.fit)
        status = save_fit_find(*o.fit, world, err);
    SIZED_FILL(ptl_game_save_write_report, report, &r);
    return status;
}

/*
 * Spreads monster groups (schema/generation.md 11). A stored group has a radius; the games'
 * files have, instead of it, many groups of one submap each. Only whole numbers are used, so
 * that every machine writes the same files.
 */

enum {
    RADIUS_MAX = SUBMAPS,
    RESOLUTION = 10000,
    /* To spread the monster groups of one overmap, at most so many submaps may be visited. */
    WORK_MAX = 1 << 25
};

static gen_group *add(submap_groups *g, ptl_error *err, ptl_status *status)
{
    if (g->count >= SAVE_GROUPS_MAX) {
        *status = error_set(err, PTL_ERR_LIMIT, "more than %d monster groups in one overmap",
                            SAVE_GROUPS_MAX);
        return NULL;
    }
    if (!ARRAY_ROOM(g->list, g->capacity, g->count + 1)) {
        *status = error_nomem(err);
        return NULL;
    }
    return &g->list[g->count++];
}

/* Returns how many monsters of a group a submap gets that lies d submaps from the group's
 * middle, in units of 1 / RESOLUTION monster. The density falls evenly from the middle to 0 at
 * the radius, like the height of a cone; a diffuse group has the same density everywhere.
 * 355/113 is pi to seven digits. */
static int64_t share(const gen_group *g, int32_t radius, int32_t d)
{
    const int64_t population = g->population > 0 ? g->population : 0, r = radius;
    if (radius == 0)
        return population * RESOLUTION;
    if (g->diffuse)
        return population * RESOLUTION / ((r + 1) * (r + 1));
    return population * RESOLUTION * (r - d) / r * 113 / (355 * r * r + 113);
}

/* Returns the square root of n, rounded down. It is searched step by step from `guess` on, so a
 * close guess makes this fast. */
static int32_t root_near(int32_t guess, int32_t n)
{
    while (guess * guess > n)
        guess--;
    while ((guess + 1) * (guess + 1) <= n)
        guess++;
    return guess;
}

static ptl_status spread_one(submap_groups *out, const gen_group *g, rng *r, ptl_error *err)
{
    ptl_status status = PTL_OK;
    const int32_t radius = g->radius > RADIUS_MAX ? RADIUS_MAX : g->radius;
    int32_t near = radius;
    for (int32_t dx = -radius; dx <= radius; dx++)
        for (int32_t dy = -radius; dy <= radius; dy++) {
            int32_t ax = abs(dx), ay = abs(dy);
            near = root_near(near, dx * dx + dy * dy);
            int32_t d = g->diffuse ? (ax > ay ? ax : ay) : near;
            if (d > radius)
                continue;
            int64_t parts = share(g, radius, d), count = parts / RESOLUTION;
            count += (int64_t)rng_below(r, RESOLUTION) < parts % RESOLUTION;
            if (count == 0)
                continue;
            gen_group *one = add(out, err, &status);
            if (!one)
                return status;
            *one = *g;
            one->radius = 1;
            one->population = (int32_t)count;
            one->x = (int16_t)(g->x + dx);
            one->y = (int16_t)(g->y + dy);
        }
    return PTL_OK;
}

int save_group_order(const void *pa, const void *pb)
{
    const gen_group *a = pa, *b = pb;
    return ORDER_BY(strcmp(a->type, b->type), 0, a->horde, b->horde, a->diffuse, b->diffuse,
                    b->population, a->population, a->x, b->x, a->y, b->y, a->z, b->z, a->radius,
                    b->radius);
}

ptl_status groups_spread(submap_groups *out, const gen_features *features, uint64_t seed,
                         ptl_chunk_pos pos, ptl_error *err)
{
    uint64_t key = hash_add(seed, hash_string("monster group spread"));
    key = hash_add(hash_add(key, (uint32_t)pos.x), (uint32_t)pos.y);
    ptl_status status = PTL_OK;
    int64_t work = 0;
    out->count = 0;
    for (size_t i = 0; i < features->group_count && status == PTL_OK; i++) {
        const gen_group *g = &features->groups[i];
        rng r = rng_from_key(hash_add(key, i));
        if (g->radius != 1) {
            int64_t radius = g->radius > RADIUS_MAX ? RADIUS_MAX : g->radius;
            work += (2 * radius + 1) * (2 * radius + 1);
            if (work > WORK_MAX)
                return error_set(err, PTL_ERR_LIMIT, "the monster groups are too large");
            status = spread_one(out, g, &r, err);
            continue;
        }
        gen_group *one = add(out, err, &status);
        if (one)
            *one = *g;
    }
    if (status == PTL_OK && out->list && out->count > 1)
        qsort(out->list, out->count, sizeof *out->list, save_group_order);
    return status;
}

/* Moves a coordinate, in submaps, into the overmap. If it lies beyond the overmap's border, it
 * becomes that of the submap at the border. */
static int16_t nearest(int16_t v)
{
    return (int16_t)(v < 0 ? 0 : v >= SUBMAPS ? SUBMAPS - 1 : v);
}

void groups_keep_home(submap_groups *groups, ptl_chunk_pos pos)
{
    bool moved = false;
    for (size_t i = 0; i < groups->count; i++) {
        gen_group *g = &groups->list[i];
        const int16_t x = nearest(g->x), y = nearest(g->y);
        const int64_t far_x = (int64_t)pos.x * SUBMAPS + g->x;
        const int64_t far_y = (int64_t)pos.y * SUBMAPS + g->y;
        if ((x == g->x && y == g->y) || far_x < 0 || far_x >= SUBMAPS || far_y < 0 ||
            far_y >= SUBMAPS)
            continue;
        g->x = x;
        g->y = y;
        moved = true;
    }
    if (moved)
        qsort(groups->list, groups->count, sizeof *groups->list, save_group_order);
}

/* ---- ptl_game_save_fit: does the save list all content that the overmaps use? ---- */

enum { MODS_SIZE_MAX = 1 << 20, PACKS_MAX = 10000 };

ptl_status save_fit_new(ptl_game_save_fit **out, const catalogue *cat, ptl_error *err)
{
    ptl_game_save_fit *fit = *out = calloc(1, sizeof *fit);
    if (!fit)
        return error_nomem(err);
    fit->cat = cat;
    fit->texts = arena_new();
    fit->has_terrain = calloc(cat->terrain_count + 1, sizeof *fit->has_terrain);
    fit->has_special = calloc(cat->special_count + 1, sizeof *fit->has_special);
    return fit->texts && fit->has_terrain && fit->has_special ? PTL_OK : error_nomem(err);
}

void ptl_game_save_fit_free(ptl_game_save_fit *fit)
{
    if (!fit)
        return;
    arena_free(fit->texts);
    free(fit->mods);
    free(fit->packs);
    free(fit->lacking);
    free(fit->has_terrain);
    free(fit->has_special);
    free(fit);
}

static void note_oter(ptl_game_save_fit *fit, ptl_oter oter)
{
    if (oter < fit->cat->oter_count)
        fit->has_terrain[fit->cat->oters[oter].terrain] = true;
}

void save_fit_note(ptl_game_save_fit *fit, const ptl_chunk *chunk, const gen_features *features)
{
    for (int z = 0; z < PTL_LEVELS; z++) {
        const level *l = &chunk->levels[z];
        if (!l->cells)
            note_oter(fit, l->fill);
        for (int i = 0; l->cells && i < PTL_LEVEL_CELLS; i++)
            note_oter(fit, l->cells[i]);
    }
    for (size_t i = 0; i < features->placement_count; i++)
        if (features->placements[i].special < fit->cat->special_count)
            fit->has_special[features->placements[i].special] = true;
}

/* Replaces *text by a copy that belongs to `fit`. */
static ptl_status keep_text(const char **text, ptl_game_save_fit *fit, ptl_error *err)
{
    *text = arena_strdup(fit->texts, *text);
    return *text ? PTL_OK : error_nomem(err);
}

ptl_status save_fit_mods(ptl_game_save_fit *fit, int folder, const char *where, ptl_error *err)
{
    size_t size = 0;
    char *text = into_read(folder, "mods.json", MODS_SIZE_MAX, &size);
    if (!text && (errno == EINVAL || errno == EFBIG))
        return error_set(err, PTL_ERR_ARGUMENT, "%s/mods.json is no list of mods", where);
    if (!text && errno != ENOMEM)
        return error_system(err, PTL_ERR_IO, errno, "%s/mods.json", where);
    json_reader *reader = text ? json_reader_new((stop_hook){NULL, NULL}) : NULL;
    json_fault fault = {.kind = JSON_NO_MEMORY};
    json_t *list = reader ? json_value_read(reader, text, size, &fault) : NULL;
    const size_t count = json_array_size(list);
    bool wrong = !json_is_array(list);
    if (!wrong)
        fit->mods = calloc(count + 1, sizeof *fit->mods);
    ptl_status status =
        fit->mods || (wrong && fault.kind != JSON_NO_MEMORY) ? PTL_OK : error_nomem(err);
    for (size_t i = 0; i < count && status == PTL_OK && !wrong; i++) {
        fit->mods[i] = json_string_value(json_array_get(list, i));
        wrong = !fit->mods[i];
        if (!wrong)
            status = keep_text(&fit->mods[fit->mod_count++], fit, err);
    }
    if (status == PTL_OK && wrong)
        status = error_set(err, PTL_ERR_ARGUMENT, "%s/mods.json is no list of mods", where);
    json_decref(list);
    json_reader_free(reader);
    free(text);
    return status;
}

/* Adds a pack of the world's content. The first pack is taken for the core of the game. If the
 * core's directory is called "core", the directories "json" and "names" beside it belong to the
 * game, too. */
static ptl_status add_pack(void *payload, const pack_row *row, ptl_error *err)
{
    static const char core[] = "/core";
    ptl_game_save_fit *fit = payload;
    ptl_game_save_pack p = {.id = row->id, .own = row->own};
    if (fit->pack_count == PACKS_MAX)
        return error_set(err, PTL_ERR_LIMIT, "more than %d packs", PACKS_MAX);
    if (!ARRAY_ROOM(fit->packs, fit->pack_room, fit->pack_count + 1))
        return error_nomem(err);
    const size_t size = strlen(row->directory), tail = sizeof core - 1;
    p.game = !row->own && fit->pack_count == 0;
    if (p.game && size > tail && strcmp(row->directory + size - tail, core) == 0) {
        fit->data = arena_strndup(fit->texts, row->directory, size - tail + 1);
        if (!fit->data)
            return error_nomem(err);
    }
    const size_t data = fit->data ? strlen(fit->data) : 0;
    if (data > 0 && strncmp(row->directory, fit->data, data) == 0)
        p.game = p.game || strcmp(row->directory + data, "json") == 0 ||
                 strncmp(row->directory + data, "names/", 6) == 0 ||
                 strcmp(row->directory + data, "names") == 0;
    for (size_t i = 0; i < fit->mod_count && !p.listed; i++)
        p.listed = strcmp(fit->mods[i], p.id) == 0;
    TRY(keep_text(&p.id, fit, err));
    fit->packs[fit->pack_count++] = p;
    return PTL_OK;
}

/* The payload of on_definition, while ids that the game may lack are searched. */
typedef struct id_search {
    ptl_game_save_fit *fit;
    const ptl_world *world;
} id_search;

/* Counts a definition of the content if an overmap uses it. If the save does not list the pack
 * of such a definition, and the pack is not the game's own, the definition's id is added to
 * fit->lacking. */
static ptl_status on_definition(void *payload, const definition_row *row, ptl_error *err)
{
    const id_search *s = payload;
    ptl_game_save_fit *fit = s->fit;
    const catalogue *cat = s->world->cat;
    const char *own = s->world->row.region;
    bool used = false;
    if (row->kind == PTL_CONTENT_TERRAIN) {
        const uint16_t terrain = catalogue_terrain(cat, row->id);
        used = terrain != CAT_NONE && fit->has_terrain[terrain];
        fit->terrains += used;
    } else if (row->kind == PTL_CONTENT_SPECIAL) {
        const uint16_t special = catalogue_special(cat, row->id);
        used = special != CAT_NONE && fit->has_special[special];
        fit->specials += used;
    } else if (row->kind == PTL_CONTENT_REGION) {
        const cat_region *region = gen_region(cat, own);
        used = strcmp(region ? region->id : own, row->id) == 0;
    }
    const bool known = row->pack >= 0 && (size_t)row->pack < fit->pack_count;
    if (!used || !known || fit->packs[row->pack].listed || fit->packs[row->pack].game)
        return PTL_OK;
    ptl_game_save_id id = {.kind = row->kind, .id = row->id, .pack = (size_t)row->pack};
    TRY(keep_text(&id.id, fit, err));
    if (!ARRAY_ROOM(fit->lacking, fit->room, fit->lacking_count + 1))
        return error_nomem(err);
    fit->lacking[fit->lacking_count++] = id;
    fit->packs[row->pack].lacked++;
    return PTL_OK;
}

/* Orders ids (ptl_game_save_id) by pack, then by kind (regions, specials, terrains), then by
 * id. */
static int by_pack(const void *a, const void *b)
{
    const ptl_game_save_id *x = a, *y = b;
    return ORDER_BY((int64_t)x->pack, (int64_t)y->pack, y->kind, x->kind, strcmp(x->id, y->id),
                    0);
}

ptl_status save_fit_find(ptl_game_save_fit *fit, ptl_world *world, ptl_error *err)
{
    const int64_t content = world->cat->content_id;
    id_search search = {fit, world};
    ptl_status status =
        ops(world->store)->content->pack_visit(world->store, content, add_pack, fit, err);
    THEN(status,
         ops(world->store)
             ->content->definition_visit(world->store, content, on_definition, &search, err));
    if (status == PTL_OK && fit->lacking_count > 1)
        qsort(fit->lacking, fit->lacking_count, sizeof *fit->lacking, by_pack);
    return status;
}

/* ---- what clients see ---- */

ptl_status ptl_game_save_fit_describe(ptl_game_save_fit_info *out, const ptl_game_save_fit *fit)
{
    const ptl_game_save_fit_info local = {.terrains = fit->terrains,
                                          .specials = fit->specials,
                                          .pack_count = fit->pack_count,
                                          .lacking_count = fit->lacking_count,
                                          .mod_count =
                                              fit->mods ? (int64_t)fit->mod_count : -1};
    return ENTRY_GIVE(ptl_game_save_fit_info, out, &local);
}

const char *ptl_game_save_fit_mod(const ptl_game_save_fit *fit, size_t number)
{
    return number < fit->mod_count ? fit->mods[number] : NULL;
}

ptl_status ptl_game_save_fit_pack(ptl_game_save_pack *out, const ptl_game_save_fit *fit,
                                  size_t number)
{
    if (number >= fit->pack_count)
        return ENTRY_NONE(ptl_game_save_pack, out, .id = "");
    return ENTRY_GIVE(ptl_game_save_pack, out, &fit->packs[number]);
}

ptl_status ptl_game_save_fit_lacking(ptl_game_save_id *out, const ptl_game_save_fit *fit,
                                     size_t number)
{
    if (number >= fit->lacking_count)
        return ENTRY_NONE(ptl_game_save_id, out, .id = "");
    return ENTRY_GIVE(ptl_game_save_id, out, &fit->lacking[number]);
}
