/* What a local map is made from besides its mapgen entries: the OMTs around it, the settings
 * of the region, and what the definitions of overmap terrains say about their maps. */
#include "world/local/kept_object.h"
#include "world/local/local.h"
#include <assert.h>

/* ---- the oters around an OMT ---- */

/* Returns whether the content gives the terrain this flag. All flags of the content count, also
 * those for which the catalogue has no bit. */
bool world_terrain_has(const cat_terrain *t, const char *flag)
{
    bool found = false;
    for (uint16_t i = 0; i < t->flag_count && !found; i++)
        found = strcmp(t->flag_names[i], flag) == 0;
    return found;
}

static uint32_t text_id(id_pool *pool, const char *text)
{
    return text ? id_pool_put(pool, text, strlen(text)) : ID_NONE;
}

/* The shape of a linear terrain (such as a road): the suffix of its mapgen keys, and its
 * rotation. The content has a drawing of each shape in one direction: an end to the south, a
 * straight line from north to south, a curve from east to south, a tee to all sides but
 * north. A line that leads nowhere has the drawing of one that leads to all sides. */
typedef struct line_shape {
    const char *suffix;
    int turns; /* by how many quarter turns, clockwise, the shape is rotated against its
                * drawing */
} line_shape;

static line_shape shape_of(uint8_t line)
{
    static const line_shape shapes[16] = {
        {"_four_way", 0}, {"_end", 2},      {"_end", 3},      {"_curved", 3},
        {"_end", 0},      {"_straight", 0}, {"_curved", 0},   {"_tee", 3},
        {"_end", 1},      {"_curved", 2},   {"_straight", 3}, {"_tee", 2},
        {"_curved", 1},   {"_tee", 1},      {"_tee", 0},      {"_four_way", 0}};
    return shapes[line & 15];
}

static uint32_t joined(id_pool *pool, const char *type, const char *suffix)
{
    bytes key;
    bytes_init(&key);
    bytes_put_text(&key, type);
    bytes_put_text(&key, suffix);
    uint32_t id = ID_NONE;
    if (key.failed)
        id_pool_fail(pool);
    else
        id = id_pool_put(pool, (const char *)key.data, key.size);
    bytes_dispose(&key);
    return id;
}

/* Returns the key under which the entries of mapgen for an oter are registered: the id of its
 * terrain. If the terrain is linear, a suffix for the shape is added. ID_NONE when memory is
 * out; the pool then counts as failed. */
static uint32_t world_key_of(id_pool *pool, const catalogue *cat, const cat_oter *oter)
{
    const cat_terrain *t = &cat->terrains[oter->terrain];
    return t->flags & CAT_FLAG_LINEAR ? joined(pool, t->id, shape_of(oter->line).suffix)
                                      : text_id(pool, t->id);
}

/* Finds the post-process generators of a terrain. */
static void find_processes(seen_oter *seen, const world_mapgen *m, const cat_terrain *t)
{
    const bool flag_alone = seen->riots && t->process_count == 0;
    const uint16_t count = flag_alone ? 1 : t->process_count;
    uint32_t *ids = seen->riots ? arena_calloc(m->memory, count, sizeof *ids) : NULL;
    if (seen->riots && !ids) {
        id_pool_fail(m->pool);
        return;
    }
    for (uint16_t i = 0; i < count && ids; i++)
        ids[i] = text_id(m->pool, flag_alone ? MAPGEN_RIOT_DAMAGE : t->processes[i]);
    seen->processes = ids;
    seen->process_count = count;
}

/* Returns what mapgen needs to know about an oter; the mapgen owns it. Returns an empty struct
 * if there is no oter with this number. */
const seen_oter *world_seen_oter(const world_mapgen *m, const catalogue *cat, ptl_oter oter)
{
    static const seen_oter none = {.key = ID_NONE, .ground = {.id = "", .type = ""}};
    if (oter >= cat->oter_count)
        return &none;
    seen_oter *seen = &m->oters[oter];
    if (!seen->known) {
        const cat_oter *o = &cat->oters[oter];
        const cat_terrain *t = &cat->terrains[o->terrain];
        *seen = (seen_oter){.known = true,
                            .key = world_key_of(m->pool, cat, o),
                            .turns = o->line ? shape_of(o->line).turns : o->rotation,
                            .ground = {.id = o->id,
                                       .type = t->id,
                                       .line = o->line,
                                       .turns = o->rotation,
                                       .sidewalk = world_terrain_has(t, "SIDEWALK"),
                                       .road = (t->flags & CAT_FLAG_ROAD) != 0,
                                       .water = (t->flags & CAT_FLAGS_WATER) != 0,
                                       .way = (t->flags & WORLD_WAYS) != 0},
                            .palette = ID_NONE,
                            .type_hash = hash_string(t->id),
                            .extras = text_id(m->pool, t->extras),
                            .spawns = text_id(m->pool, t->spawn_group),
                            .riots = (t->flags & CAT_FLAG_RIOTS) != 0,
                            .unturned = world_terrain_has(t, "IGNORE_ROTATION_FOR_ADJACENCY"),
                            .answers = ground_answers(t->id)};
        find_processes(seen, m, t);
    }
    return seen;
}

/* Describes the place where ground is made: the OMT and its neighbours. The texts are borrowed
 * from the catalogue. */
ground_site world_site(const ptl_world *world, const world_mapgen *m, ptl_omt at,
                       const local_around *around)
{
    ground_site site = {.settings = &m->settings, .pool = m->pool, .x = at.x, .y = at.y};
    site.z = at.z;
    site.seed_key = hash_add((uint64_t)world->row.seed, hash_string("local ground"));
    for (int i = 0; i < GROUND_AROUND; i++)
        site.around[i] =
            world_seen_oter(m, world->cat, around->cells[around_place(i % 3 - 1, i / 3 - 1)])
                ->ground;
    site.above = world_seen_oter(m, world->cat, around->above)->ground;
    site.below = world_seen_oter(m, world->cat, around->below)->ground;
    site.shoals = m->shoals.type_count > 0 ? &m->shoals : NULL;
    return site;
}

/* ---- the region ---- */

/* The types of content objects that describe parts of regions; the list ends with NULL. */

const char *const world_region_types[] = {"region_terrain_furniture", "forest_biome_mapgen",
                                          "forest_biome_component", NULL};

typedef struct reading {
    world_mapgen *mapgen;
    json_reader *reader;
} reading;

static ptl_status on_part(void *payload, const kept_row *row, ptl_error *err)
{
    reading *r = payload;
    json_document document;
    TRY(kept_object(&document, r->reader, row, err));
    return ground_settings_add_part(&r->mapgen->settings, r->mapgen->pool, r->mapgen->memory,
                                    json_view_of(&document))
               ? PTL_OK
               : error_nomem(err);
}

/* Prepares the coast of a world whose sea has a terrain with the mapgen `shoals`, and lists all
 * terrains with that mapgen. */
static ptl_status read_shoals(world_mapgen *m, const ptl_world *world, const cat_region *region,
                              ptl_error *err)
{
    const catalogue *cat = world->cat;
    const uint64_t seed = (uint64_t)world->row.seed;
    const struct cat_shoals *shoals = catalogue_shoals(cat);
    if (!region || !shoals)
        return PTL_OK;
    ocean_plan_init(&m->ocean, seed, &region->ocean, noise_kernels_best());
    if (!m->ocean.settings)
        return PTL_OK;
    const char **types = arena_calloc(m->memory, cat->terrain_count, sizeof *types);
    if (!types)
        return error_nomem(err);
    m->plan = (coast_plan){seed, &m->ocean};
    m->shoals = (ground_shoals){.coast = coast_of_plan(&m->plan, shoals), .types = types};
    m->shoals.coast.memo = arena_calloc(m->memory, 1, sizeof(coast_memo));
    if (!m->shoals.coast.memo)
        return error_nomem(err);
    for (size_t i = 0; i < cat->terrain_count; i++)
        if (cat->terrains[i].shoals)
            types[m->shoals.type_count++] = cat->terrains[i].id;
    return PTL_OK;
}

ptl_status world_mapgen_region(world_mapgen *mapgen, const ptl_world *world, bool parts,
                               ptl_error *err)
{
    const cat_region *region = gen_region(world->cat, world->row.region);
    reading r = {mapgen,
                 json_reader_new(ops(world->store)->transaction->stop_hook(world->store))};
    ptl_status status = r.reader ? PTL_OK : error_nomem(err);
    if (status == PTL_OK && parts) {
        /* Since 2026 (DDA), regions refer to objects of the types in world_region_types by
         * their ids. So these objects are read before the regions. */
        const kept_text_query query = {.types = world_region_types};
        status = ops(world->store)->content->kept_visit(world->store, &query, on_part, &r, err);
    }
    for (size_t i = 0; region && i < region->block_count && status == PTL_OK; i++) {
        const cat_block *b = &region->blocks[i];
        const kept_row row = {.text = b->json, .size = strlen(b->json), .path = b->name};
        json_document document;
        status = kept_object(&document, r.reader, &row, err);
        if (status != PTL_OK)
            error_prefix(err, status, "region %s: ", region->id);
        else if (!ground_settings_read(&mapgen->settings, mapgen->pool, mapgen->memory, b->name,
                                       json_view_of(&document)))
            status = error_nomem(err);
    }
    THEN(status, read_shoals(mapgen, world, region, err));
    json_reader_free(r.reader);
    return status;
}

/* ---- what the definitions of terrains say about their maps ---- */

bool world_mapgen_terrains(mapgen_library *library, id_pool *pool, const catalogue *cat)
{
    bool good = true;
    for (size_t i = 0; i < cat->terrain_count && good; i++) {
        const cat_terrain *t = &cat->terrains[i];
        const char *type = ground_type_of(t->id, t->builtin);
        const bool is_uniform = t->uniform && t->uniform[0];
        const uint32_t uniform = is_uniform ? text_id(pool, t->uniform) : ID_NONE;
        for (uint16_t k = 0; k < t->count && good && is_uniform; k++) {
            const uint32_t key = world_key_of(pool, cat, &cat->oters[t->first + k]);
            good = key != ID_NONE && mapgen_library_set_uniform(library, key, uniform);
        }
        if (good && strcmp(type, t->id) != 0)
            good =
                mapgen_library_set_ground(library, text_id(pool, t->id), text_id(pool, type));
    }
    return good && !id_pool_failed(pool);
}

bool world_terrain_is_made(mapgen_library *library, id_pool *pool, const catalogue *cat,
                           const cat_oter *oter)
{
    const cat_terrain *t = &cat->terrains[oter->terrain];
    const uint32_t key = world_key_of(pool, cat, oter);
    const mapgen_candidate *c = mapgen_library_first(library, MAPGEN_OM_TERRAIN, key);
    for (; c; c = c->next)
        if (c->entry->json || c->entry->script != ID_NONE)
            return true;
    return mapgen_library_uniform(library, key) != ID_NONE ||
           (t->shoals && catalogue_shoals(cat)) || ground_is_lab(t->id) ||
           ground_is_made(ground_type_of(t->id, t->builtin));
}

enum { TERRAIN, LIST, JSON };

const content_query world_embedded_query = {CONTENT_TERRAIN_MAPGEN, "terrain, list, json",
                                            "terrain, list, position"};

const char *world_embedded_text(const content_value *row)
{
    const char *text = value_text(row, JSON);
    return strstr(text, "\"object\"") || strstr(text, "\"script\"") ? text : NULL;
}

/* Returns the key of an entry that is written inside a terrain. An entry of the terrain's
 * member `mapgen_tee` is registered under the terrain's id with the suffix `_tee`. */
uint32_t world_embedded_key(id_pool *pool, const content_value *row)
{
    static const char list[] = "mapgen";
    return joined(pool, value_text(row, TERRAIN), value_text(row, LIST) + strlen(list));
}
