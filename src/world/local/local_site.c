/* What a local map is made of beside its mapgen entries: what is seen of the OMTs around, and
 * what the content says about the region. */
#include "gen/pipeline.h"
#include "world/local/kept_object.h"
#include "world/local/local.h"
#include "world/local/local_terrains.h"
#include "json/reader.h"

bool world_terrain_has(const cat_terrain *t, const char *flag)
{
    bool found = false;
    for (uint16_t i = 0; i < t->flag_count && !found; i++)
        found = strcmp(t->flag_names[i], flag) == 0;
    return found;
}

/* ---- what is seen of an OMT ---- */

static uint32_t text_id(id_pool *pool, const char *text)
{
    return text ? id_pool_put(pool, text, strlen(text)) : ID_NONE;
}

static ground_omt ground_of(const catalogue *cat, const cat_oter *o)
{
    const cat_terrain *t = &cat->terrains[o->terrain];
    return (ground_omt){.id = o->id,
                        .type = t->id,
                        .line = o->line,
                        .turns = o->rotation,
                        .sidewalk = world_terrain_has(t, "SIDEWALK"),
                        .road = (t->flags & CAT_FLAG_ROAD) != 0,
                        .water = (t->flags & CAT_FLAGS_WATER) != 0,
                        .way = (t->flags & WORLD_WAYS) != 0};
}

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
                            .turns = world_turns_of(o),
                            .ground = ground_of(cat, o),
                            .type_hash = hash_string(t->id),
                            .extras = text_id(m->pool, t->extras),
                            .spawns = text_id(m->pool, t->spawn_group),
                            .unturned = world_terrain_has(t, "IGNORE_ROTATION_FOR_ADJACENCY"),
                            .answers = ground_answers(t->id)};
    }
    return seen;
}

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

/* ---- content ---- */

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

static ptl_status read_region(reading *r, const cat_region *region, ptl_error *err)
{
    for (size_t i = 0; region && i < region->block_count; i++) {
        const cat_block *b = &region->blocks[i];
        const kept_row row = {.text = b->json, .size = strlen(b->json), .path = b->name};
        json_document document;
        const ptl_status status = kept_object(&document, r->reader, &row, err);
        if (status != PTL_OK)
            return error_prefix(err, status, "region %s: ", region->id);
        if (!ground_settings_read(&r->mapgen->settings, r->mapgen->pool, r->mapgen->memory,
                                  b->name, json_view_of(&document)))
            return error_nomem(err);
    }
    return PTL_OK;
}

/* Prepares the coast of a world whose sea has a terrain with the mapgen `shoals`, and lists
 * all terrains that have it. */
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
    reading r = {mapgen, json_reader_new(store_stop_hook(world->store))};
    ptl_status status = r.reader ? PTL_OK : error_nomem(err);
    if (status == PTL_OK && parts) {
        /* Since 2026 the blocks of DDA's regions name objects of their own, which are read
         * first. */
        const kept_text_query query = {.types = world_region_types};
        status = store_kept_find(world->store, &query, on_part, &r, err);
    }
    THEN(status, read_region(&r, region, err));
    THEN(status, read_shoals(mapgen, world, region, err));
    json_reader_free(r.reader);
    return status;
}
