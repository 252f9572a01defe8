/*
 * Compiles a catalogue and a world's options into the settings that generation uses, so that no
 * step has to look up a terrain or connection by its id.
 */
#include "gen/pipeline.h"

#include "core/error.h"
#include "gen/below/sublevels.h"
#include "gen/connect/connect.h"
#include "gen/sites/sites.h"
#include "gen/steps/steps.h"

#include <stdlib.h>
#include <string.h>

/* A terrain that this program names by its id: where the terrain's oter is to be stored, and
 * which step of generation needs it. */
typedef struct wanted {
    const char *id;
    ptl_oter *out;
    /* Name of the step of generation that puts the terrain on the map; NULL: with the world's
     * settings none does. */
    const char *step;
    bool optional; /* the content may lack the terrain */
    bool deep;     /* whether `step` puts the terrain on other levels than the ground, too */
} wanted;

enum { WANTED_MAX = 40 };

/* Lists the terrains that this program names by their ids. Returns their number. A terrain is
 * required only if the world's settings use the step that needs it. */
static size_t list_wanted(wanted out[WANTED_MAX], const gen_config *config)
{
    const cat_region *region = config->region;
    const bool levelled = region->levelled;
    const char *rivers = config->river_width > 0 ? "step rivers" : NULL;
    const char *lakes = region->lake_threshold < 1.0 ? "step lakes" : NULL;
    const char *oceans = config->ocean.settings ? "step oceans" : NULL;
    const char *shoals = config->shoals ? "the mapgen shoals of ocean_surface" : NULL;
    const char *ravines = region->ravine_count > 0 ? "step ravines" : NULL;
    gen_oters *o = config->oters;
    const wanted list[] = {
        {"open_air", &o->open_air, "filling the levels above", levelled, true},
        {"empty_rock", &o->empty_rock, "filling the levels below", levelled, true},
        {"forest", &o->forest, "step forests", false, false},
        {"forest_thick", &o->forest_thick, "step forests", false, false},
        {"forest_water", &o->forest_water, "step swamps", false, false},
        {"river_center", &o->river_center, rivers, false, false},
        {"river_north", &o->river_side[0], rivers, false, false},
        {"river_east", &o->river_side[1], rivers, false, false},
        {"river_south", &o->river_side[2], rivers, false, false},
        {"river_west", &o->river_side[3], rivers, false, false},
        {"river_ne", &o->river_corner[0], rivers, false, false},
        {"river_se", &o->river_corner[1], rivers, false, false},
        {"river_sw", &o->river_corner[2], rivers, false, false},
        {"river_nw", &o->river_corner[3], rivers, false, false},
        {"river_c_not_ne", &o->river_inner[0], rivers, false, false},
        {"river_c_not_se", &o->river_inner[1], rivers, false, false},
        {"river_c_not_sw", &o->river_inner[2], rivers, false, false},
        {"river_c_not_nw", &o->river_inner[3], rivers, false, false},
        {"lake_surface", &o->lake_surface, lakes, false, false},
        {"lake_shore", &o->lake_shore, lakes, false, false},
        {"lake_water_cube", &o->lake_water_cube, lakes, false, true},
        {"lake_bed", &o->lake_bed, lakes, false, true},
        {"lake_underwater_shore", &o->lake_underwater_shore, lakes, true, true},
        {"ocean_surface", &o->ocean_surface, oceans, false, false},
        {"ocean_shore", &o->ocean_shore, oceans, false, false},
        {"ocean_water_cube", &o->ocean_water_cube, oceans, false, true},
        {"ocean_bed", &o->ocean_bed, oceans, false, true},
        {"shoals_island", &o->shoals_island, shoals, false, false},
        {"shoals_beach", &o->shoals_beach, shoals, false, false},
        {"shoals_cliff", &o->shoals_cliff, shoals, false, false},
        {"ravine", &o->ravine, ravines, false, true},
        {"ravine_edge", &o->ravine_edge, ravines, false, true},
        {"ravine_floor", &o->ravine_floor, ravines, false, true},
        {"ravine_floor_edge", &o->ravine_floor_edge, ravines, false, true},
        {"road_nesw_manhole", &o->manhole, step_cities.info.name, true, false},
    };
    _Static_assert(sizeof list / sizeof *list <= WANTED_MAX, "the list fits");
    memcpy(out, list, sizeof list);
    return sizeof list / sizeof *list;
}

static ptl_status resolve_all(gen_config *config, ptl_error *err)
{
    wanted list[WANTED_MAX];
    const size_t count = list_wanted(list, config);
    for (size_t i = 0; i < count; i++) {
        ptl_oter oter = catalogue_oter_or_first(config->cat, list[i].id);
        *list[i].out = oter;
        if (oter == CAT_NONE && list[i].step && !list[i].optional)
            return error_set(err, PTL_ERR_CONTENT,
                             "the content defines no overmap_terrain '%s', which %s needs",
                             list[i].id, list[i].step);
    }
    return PTL_OK;
}

void gen_own_visit(const gen_config *config, gen_own_oter *visit, void *payload)
{
    wanted list[WANTED_MAX];
    const size_t count = list_wanted(list, config);
    for (size_t i = 0; i < count; i++)
        if (list[i].step && *list[i].out != CAT_NONE)
            visit(payload, *list[i].out, list[i].deep);
    const cat_highway *h = config->highways.columns ? config->region->highway : NULL;
    if (h) {
        visit(payload, config->cat->terrains[h->reserved].first, true);
        visit(payload, config->cat->terrains[h->supports].first, true);
    }
}

static void add_network(gen_config *config, uint16_t index, gen_network network)
{
    if (index == CAT_NONE)
        return;
    for (size_t i = 0; config->region->closed && i < 3; i++)
        network.chances[i] = i == 0 ? 100 : 0;
    network.connection = index;
    network.kind = config->cat->connections[index].id;
    config->networks[config->network_count++] = network;
}

/*
 * Checks that the region's numbers are in the ranges that the steps rely on. The importer of
 * content checks these ranges too; but here the region was read from a world's file, which may
 * be damaged or forged.
 */
static ptl_status check_region(const cat_region *r, ptl_error *err)
{
    const bool *begins = r->ocean.begins;
    const bool ocean = begins[0] || begins[1] || begins[2] || begins[3];
    const struct {
        const char *name;
        double value, lo, hi;
    } ranges[] = {
        {"river_scale", r->river_scale, 0, 40},
        {"lake_size_min", r->lake_size_min, 1, LAKE_SIZE_LIMIT},
        {"lake_depth", r->lake_depth, PTL_Z_MIN, 0},
        {"river_floodplain_buffer_distance_min", r->floodplain_min, 0, REACH - 1},
        {"river_floodplain_buffer_distance_max", r->floodplain_max, 0, REACH - 1},
        {"ocean_size_min", ocean ? r->ocean.size_min : 1, 1, LAKE_SIZE_LIMIT},
        {"ocean_depth", ocean ? r->ocean.depth : 0, PTL_Z_MIN, 0},
        {"num_ravines", r->ravine_count, 0, 1000},
        {"ravine_range", r->ravine_range, 0, SIZE},
        {"ravine_width", r->ravine_width, 1, 20},
        {"ravine_depth", r->ravine_depth, PTL_Z_MIN, -1},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++)
        if (!(ranges[i].value >= ranges[i].lo && ranges[i].value <= ranges[i].hi))
            return error_set(err, PTL_ERR_CONTENT, "region '%s': %s is %g; it must be %g to %g",
                             r->id, ranges[i].name, ranges[i].value, ranges[i].lo,
                             ranges[i].hi);
    return PTL_OK;
}

/* Sets river_width and river_sparsity from the region's river scale (generation.md 4.1): the
 * width is max(1, trunc(scale)) OMTs, the sparsity max(1, trunc(1 / scale)) chunks. */
static void set_rivers(gen_config *config)
{
    double scale = config->region->river_scale;
    const double frequency = config->region->rivers.frequency;
    if (!(scale > 0))
        return;
    if (frequency > 0) {
        /* Curved rivers (generation.md 4.1): half of their width is 1 + max(1, trunc(scale))
         * OMTs, where `scale` is the region's river scale. */
        config->river_form = RIVERS_CURVED;
        config->river_width = 1 + (scale >= 1.0 ? (int32_t)scale : 1);
        config->river_sparsity = 1;
        config->river_crossings = plan_river_crossings(frequency);
        config->river_springs = plan_river_springs(config->river_crossings);
        return;
    }
    config->river_width = scale >= 1.0 ? (int32_t)scale : 1;
    double sparsity = 1.0 / scale;
    /* The greatest value of river_sparsity. Rivers are planned for square blocks whose side, in
     * chunks, is the sparsity. With this value one block is as large as the world. */
    const double most = 4 * PTL_CHUNK_COORD_MAX;
    config->river_sparsity = sparsity >= most ? (int32_t)most : (int32_t)sparsity;
    if (config->river_sparsity < 1)
        config->river_sparsity = 1;
}

/* Sets up the grid of highways (generation.md 4.6). Each node of the grid, where two highways
 * meet, is moved at random by at most `variance` overmaps along x and y. The region's variance
 * is lowered, if needed, so that any two nodes stay at least two overmaps apart along each
 * axis. */
static ptl_status set_highways(gen_config *config, ptl_error *err)
{
    const cat_region *r = config->region;
    const cat_highway *h = r->highway;
    const bool on = config->makes_highways;
    if (on && !h && !r->highways)
        return error_set(err, PTL_ERR_CONTENT, "region '%s' does not say how highways are made",
                         r->id);
    if (!on || !h)
        return PTL_OK;
    const uint16_t needed[] = {h->reserved,         h->supports,    h->flat,     h->ramp,
                               h->bridge,           h->road_bridge, h->onramp,   h->clockwise,
                               h->counterclockwise, h->bend,        h->four_way, h->three_way};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (needed[i] == CAT_NONE)
            return error_set(err, PTL_ERR_CONTENT,
                             "the highways of region '%s' name a special or terrain that the "
                             "content does not define",
                             r->id);
    const int32_t least =
        r->highway_columns < r->highway_rows ? r->highway_columns : r->highway_rows;
    const int32_t most = (least - 2) / 2;
    if (most < 1 || r->highway_variance < 1)
        return error_set(
            err, PTL_ERR_CONTENT,
            "region '%s': the grid of highways must be 4 x 4 overmaps at least, and "
            "its variance 1",
            r->id);
    config->highways =
        (highway_grid){.columns = r->highway_columns,
                       .rows = r->highway_rows,
                       .variance = r->highway_variance < most ? r->highway_variance : most,
                       .straightness = (uint32_t)(h->straightness * HIGHWAY_CERTAIN),
                       .memo = highway_memo_new(config->seed)};
    if (!config->highways.memo)
        return error_nomem(err);
    return PTL_OK;
}

static void set_seed(gen_config *config, uint64_t seed)
{
    const cat_region *region = config->region;
    config->seed = config->options.seed = seed;
    noise_land_init(&config->noise, seed, region->lake_threshold, region->forest_threshold,
                    region->forest_thick_threshold);
    ocean_plan_init(&config->ocean, seed, &region->ocean, config->kernels);
    noise_land_set_ramp(&config->noise, region->forest_increase,
                        region->forest_limit - region->forest_threshold);
}

ptl_status gen_config_for_seed(gen_config *out, const gen_config *from, uint64_t seed,
                               ptl_error *err)
{
    *out = *from;
    out->highways.memo = NULL;
    set_seed(out, seed);
    if (from->highways.memo)
        out->highways.memo = highway_memo_new(seed);
    return from->highways.memo && !out->highways.memo ? error_nomem(err) : PTL_OK;
}

void gen_config_dispose_seed(gen_config *config)
{
    highway_memo_free(config->highways.memo);
    config->highways.memo = NULL;
}

/* Compiles those settings that follow from the catalogue and the region and do not depend on
 * the seed. */
static ptl_status compile(gen_config *config, ptl_error *err)
{
    const cat_region *region = config->region;
    config->shoals = config->ocean.settings ? catalogue_shoals(config->cat) : NULL;
    ptl_status status = resolve_all(config, err);
    config->connections =
        connect_compile(config->memory, config->cat, config->options.roads == PTL_ROADS_EXACT);
    config->cell_kinds = cell_kinds_compile(config->cat);
    config->sub_content = sub_content_new(config->memory, config->cat);
    if (status == PTL_OK &&
        (!config->connections || !config->cell_kinds || !config->sub_content))
        status = error_nomem(err);
    if (status == PTL_OK && region->default_ter == CAT_NONE)
        status = error_set(err, PTL_ERR_CONTENT, "region '%s' has no usable default_oter",
                           region->id);
    if (status != PTL_OK)
        return status;
    for (int32_t z = PTL_Z_MIN; z <= PTL_Z_MAX; z++)
        config->defaults[z - PTL_Z_MIN] = region->levelled ? region->levels[z - PTL_Z_MIN]
                                          : z > 0          ? config->oters->open_air
                                          : z < 0          ? config->oters->empty_rock
                                                           : region->default_ter;
    config->sites = site_tables_new(config);
    return config->sites ? PTL_OK : error_nomem(err);
}

const cat_region *gen_region(const catalogue *cat, const char *id)
{
    const cat_region *found = NULL;
    if (!id && cat->default_region)
        found = catalogue_region(cat, cat->default_region);
    if (!found)
        found = catalogue_region(cat, id ? id : "default");
    if (found || !id)
        return found;
    const uint16_t at =
        catalogue_find_id(cat->dimensions, cat->dimension_count, sizeof(cat_dimension), id);
    return at != CAT_NONE && cat->dimensions[at].region
               ? catalogue_region(cat, cat->dimensions[at].region)
               : NULL;
}

/* Sets the options of the world in the config. Where an option leaves a choice to the content
 * or the region, that choice is filled in. */
static void set_options(gen_config *config, const ptl_world_options *options)
{
    const cat_region *region = config->region;
    config->makes_highways = options->highways == PTL_HIGHWAYS_OF_REGION
                                 ? region->highways
                                 : options->highways == PTL_HIGHWAYS_ON;
    config->options = *options;
    config->options.region = region->id;
    if (config->makes_highways == region->highways || !region->highway)
        config->options.highways = PTL_HIGHWAYS_OF_REGION;
    config->options.railroads = options->railroads || config->region->railroads;
    if (options->placement == PTL_PLACEMENT_OF_CONTENT)
        config->options.placement = config->cat->placement;
    if (options->riot_damage == PTL_RIOT_DAMAGE_OF_CONTENT)
        config->options.riot_damage =
            catalogue_has_riots(config->cat) ? PTL_RIOT_DAMAGE_ON : PTL_RIOT_DAMAGE_OFF;
    const cat_city_settings *city = &region->city;
    config->city_size = city->size >= 0 ? city->size : options->city_size;
    config->city_spacing = city->spacing >= 0 ? city->spacing : options->city_spacing;
}

static ptl_status no_region(const ptl_world_options *options, ptl_error *err)
{
    return error_set(err, PTL_ERR_NOT_FOUND, "the content has no region_settings '%s'",
                     options->region ? options->region : "default");
}

ptl_status gen_config_new(gen_config **out, const catalogue *cat,
                          const ptl_world_options *options, ptl_error *err)
{
    *out = NULL;
    const cat_region *region = gen_region(cat, options->region);
    if (!region)
        return no_region(options, err);
    if (check_region(region, err) != PTL_OK)
        return PTL_ERR_CONTENT;
    gen_config *config = calloc(1, sizeof *config);
    if (config && (config->memory = arena_new()))
        config->oters = arena_alloc(config->memory, sizeof *config->oters);
    ptl_status status = config && config->oters ? PTL_OK : error_nomem(err);
    if (status == PTL_OK) {
        config->cat = cat;
        config->pipeline = &overmap_pipeline;
        config->region = region;
        set_options(config, options);
        config->kernels = noise_kernels_best();
        set_rivers(config);
        /* Sets up the connections that steps use, and those that cross the chunk's borders at
         * planned places (gen_network). Each of these has the chances, in percent, of 0, 1 and
         * 2 crossings per edge. The games have 1.12 roads per edge. */
        config->road = catalogue_connection(cat, "local_road");
        config->trail = catalogue_connection(cat, "forest_trail");
        config->sewer = catalogue_connection(cat, "sewer_tunnel");
        if (!config->region->no_roads)
            add_network(config, config->road,
                        (gen_network){.z = 0, .chances = {10, 68, 22}, .cities = true});
        if (config->options.railroads)
            add_network(config, catalogue_connection(cat, "local_railroad"),
                        (gen_network){.z = 0, .chances = {40, 60, 0}, .cities = true});
        if (config->options.subways)
            add_network(config, catalogue_connection(cat, "subway_tunnel"),
                        (gen_network){.z = -2, .chances = {40, 60, 0}, .cities = true});
        set_seed(config, options->seed);
        status = set_highways(config, err);
    }
    THEN(status, compile(config, err));
    if (status == PTL_OK)
        *out = config;
    else
        gen_config_free(config);
    return status;
}

ptl_status gen_config_for_towns(gen_config **out, const catalogue *cat,
                                const ptl_world_options *options, ptl_error *err)
{
    const cat_region *region = gen_region(cat, options->region);
    *out = region ? calloc(1, sizeof **out) : NULL;
    if (!region)
        return no_region(options, err);
    if (!*out)
        return error_nomem(err);
    (*out)->cat = cat;
    (*out)->region = region;
    set_options(*out, options);
    (*out)->kernels = noise_kernels_best();
    set_seed(*out, options->seed);
    return PTL_OK;
}

void gen_config_free(gen_config *config)
{
    if (!config)
        return;
    free(config->cell_kinds);
    highway_memo_free(config->highways.memo);
    arena_free(config->memory);
    free(config);
}
