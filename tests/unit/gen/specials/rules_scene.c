#include "unit/gen/specials/rules_scene.h"
#include "gen/mutable/growth.h"
#include "gen/pipeline.h"
#include "gen/steps/steps.h"

#include <string.h>

void scene_setup(rules_scene *s, uint64_t seed, ptl_placement rule)
{
    const ptl_world_options defaults = PTL_WORLD_OPTIONS_INIT;
    memset(s, 0, sizeof *s);
    s->cat = *town_catalogue();
    s->region = *catalogue_region(town_catalogue(), "dry");
    memcpy(s->specials, s->cat.specials, s->cat.special_count * sizeof s->specials[0]);
    for (size_t i = 0; i < s->cat.special_count; i++)
        s->specials[i].occurrences_max = 0;
    s->first = (uint16_t)s->cat.special_count;
    s->options = defaults;
    s->options.seed = seed;
    s->options.placement = rule;
    s->options.city_size = 40; /* so few and large that none is planned */
    s->options.city_spacing = 16;
}

ptl_terrain_set scene_location(const rules_scene *s, const char *id)
{
    for (size_t i = 0; i < s->cat.location_count; i++)
        if (strcmp(s->cat.locations[i].id, id) == 0)
            return s->cat.locations[i].terrains;
    ck_abort_msg("no location %s", id);
}

cat_special *scene_special(rules_scene *s, const char *id, int32_t width, int32_t height,
                           int32_t min, int32_t max)
{
    ck_assert_uint_lt(s->cat.special_count, SCENE_SPECIALS);
    ck_assert_uint_le(s->omt_count + (size_t)(width * height), SCENE_OMTS);
    const ptl_oter park = catalogue_oter_or_first(&s->cat, "park");
    cat_omt *omts = &s->omts[s->omt_count];
    for (int32_t i = 0; i < width * height; i++)
        omts[i] = (cat_omt){.x = (int16_t)(i % width),
                            .y = (int16_t)(i / width),
                            .oters = {park, park, park, park},
                            .allows = scene_location(s, "field")};
    s->omt_count += (size_t)(width * height);
    cat_special *special = &s->specials[s->cat.special_count++];
    *special = (cat_special){.id = id,
                             .key = hash_string(id),
                             .rotate = true,
                             .omts = omts,
                             .omt_count = (size_t)(width * height),
                             .x1 = (int16_t)(width - 1),
                             .y1 = (int16_t)(height - 1),
                             .occurrences_min = min,
                             .occurrences_max = max,
                             .city_distance = {0, PTL_UNBOUNDED},
                             .city_sizes = {0, PTL_UNBOUNDED}};
    return special;
}

cat_special *scene_vine(rules_scene *s, const char *id, int32_t min, int32_t max)
{
    enum { STEM, STEM_BACK, BUD, BUD_BACK, NORTH = 0, SOUTH = 2 };
    cat_special *special = scene_special(s, id, 1, 1, min, max);
    const ptl_terrain_set field = scene_location(s, "field");
    s->joins[STEM] = (cat_join){"stem", STEM_BACK, field, true};
    s->joins[STEM_BACK] = (cat_join){"stem back", STEM, field, true};
    s->joins[BUD] = (cat_join){"bud", BUD_BACK, field, true};
    s->joins[BUD_BACK] = (cat_join){"bud back", BUD, field, true};
    s->check = (cat_check){.own = true, .allows = field};
    for (int p = 0; p < 3; p++) {
        s->pieces[p] = (cat_piece){.id = "piece", .allows = field};
        for (int i = 0; i < PTL_SIDES; i++) {
            s->pieces[p].sides[i].join = -1;
            s->pieces[p].connections[i] = CAT_NONE;
        }
        for (int r = 0; r < 4; r++)
            s->pieces[p].oters[r] = special->omts[0].oters[r];
    }
    s->pieces[0].sides[NORTH].join = STEM;
    s->pieces[1].sides[SOUTH].join = STEM_BACK;
    s->pieces[1].sides[NORTH].join = BUD;
    s->pieces[2].sides[SOUTH].join = BUD_BACK;
    for (uint16_t i = 0; i < 2; i++) {
        s->rule_pieces[i] = (cat_rule_piece){.piece = (uint16_t)(i + 1)};
        s->rules[i] = (cat_rule){.pieces = &s->rule_pieces[i],
                                 .piece_count = 1,
                                 .max = {.kind = PTL_AMOUNT_UNLIMITED},
                                 .weight = 1,
                                 .join = -1,
                                 .scale = -1,
                                 .rotate = true};
    }
    s->phase = (cat_phase){s->rules, 2};
    s->layout = (cat_mutable){.joins = s->joins,
                              .join_count = 4,
                              .pieces = s->pieces,
                              .piece_count = 3,
                              .phases = &s->phase,
                              .phase_count = 1};
    special->checks = &s->check;
    special->check_count = 1;
    special->layout = &s->layout;
    special->omt_count = 0;
    return special;
}

cat_special *scene_mutable(rules_scene *s, const char *id, int32_t min, int32_t max)
{
    cat_special *special = scene_vine(s, id, min, max);
    s->pieces[2].allows = s->joins[2].into = scene_location(s, "wood");
    return special;
}

void scene_far_wood(rules_scene *s)
{
    scene_fill(s, "forest", 0, 0, 0, 0);
}

void scene_open(rules_scene *s)
{
    ptl_error err = {0};
    s->options.region = s->region.id;
    s->region.default_ter = catalogue_oter_or_first(&s->cat, "field");
    s->cat.regions = &s->region;
    s->cat.region_count = 1;
    s->cat.specials = s->specials;
    ck_assert_msg(gen_config_new(&s->config, &s->cat, &s->options, &err) == PTL_OK, "%s",
                  err.message);
    s->gen = generator_new(s->config);
    ck_assert_ptr_nonnull(s->gen);
}

void scene_close(rules_scene *s)
{
    ptl_chunk_free(s->chunk);
    generator_free(s->gen);
    gen_config_free(s->config);
}

static const step_info *specials_step(void)
{
    for (size_t i = 0; i < pipeline_step_count(&overmap_pipeline); i++)
        if (strcmp(pipeline_step(&overmap_pipeline, i)->name, "specials") == 0)
            return pipeline_step(&overmap_pipeline, i);
    ck_abort_msg("no step specials");
}

void scene_chunk(rules_scene *s, int32_t x, int32_t y)
{
    generator *g = s->gen;
    ptl_chunk_free(s->chunk);
    s->chunk = chunk_new((ptl_chunk_pos){x, y});
    ck_assert_ptr_nonnull(s->chunk);
    g->chunk = s->chunk;
    for (int i = 0; i < PTL_LEVELS; i++)
        level_fill(&s->chunk->levels[i], s->config->defaults[i]);
    g->ground = cells_at(g, 0);
    g->running = specials_step();
    g->event_count = 0;
    g->deep_link_count = 0;
    g->failed = false;
    features_reset(&g->features);
    growth_part.reset(g);
    memset(g->safe, 0, SIZE * SIZE * sizeof *g->safe);
    memset(g->reserved, 0, SIZE * SIZE);
}

void scene_fill(rules_scene *s, const char *type, int32_t x0, int32_t y0, int32_t x1,
                int32_t y1)
{
    const ptl_oter oter = catalogue_oter_or_first(&s->cat, type);
    ck_assert_uint_ne(oter, CAT_NONE);
    for (int32_t y = y0; y <= y1; y++)
        for (int32_t x = x0; x <= x1; x++)
            s->gen->ground[y * SIZE + x] = oter;
}

void scene_city(rules_scene *s, int32_t x, int32_t y, int32_t size)
{
    gen_city *city = features_add_city(&s->gen->features);
    ck_assert_ptr_nonnull(city);
    *city = (gen_city){.name = "town",
                       .x = (int16_t)x,
                       .y = (int16_t)y,
                       .size = (int16_t)size,
                       .planned_x = (int16_t)x,
                       .planned_y = (int16_t)y};
}

void scene_run(rules_scene *s)
{
    step_specials.run(s->gen);
    ck_assert(!s->gen->failed);
}

int32_t scene_placed(const rules_scene *s, const cat_special *special)
{
    const gen_features *f = &s->gen->features;
    int32_t count = 0;
    for (size_t i = 0; i < f->placement_count; i++)
        count += f->placements[i].special == special - s->specials;
    return count;
}

const gen_attempt *scene_attempt(const rules_scene *s, const cat_special *special)
{
    const gen_features *f = &s->gen->features;
    for (size_t i = 0; i < f->attempt_count; i++)
        if (f->attempts[i].special == special - s->specials)
            return &f->attempts[i];
    return NULL;
}

size_t scene_events(const rules_scene *s, const char *kind)
{
    size_t count, found = 0;
    const gen_event *events = generator_events(s->gen, &count);
    for (size_t i = 0; i < count; i++)
        found += strcmp(events[i].kind, kind) == 0;
    return found;
}
