/* Fault scenes of portolan/catalogue.h and features.h: a catalogue that is loaded and a chunk's
 * features, and all that they have. */
#include "support/fault/fault_loop.h"
#include "support/fault/fault_stop.h"

#include <stdio.h>
#include <string.h>

static void mix_terrains(fault_place *p, const ptl_catalogue *cat)
{
    ptl_terrain t = PTL_TERRAIN_INIT;
    ptl_terrain_type type = PTL_TERRAIN_TYPE_INIT;
    ptl_location l = PTL_LOCATION_INIT;
    for (size_t i = 0; i < ptl_catalogue_count(cat, PTL_CONTENT_OTER); i += 7) {
        fault_mix_number(p, ptl_catalogue_oter(&t, cat, i));
        fault_mix_text(p, t.id);
        fault_mix_text(p, t.type);
        fault_mix_text(p, t.name);
        fault_mix_text(p, t.color);
        fault_mix_number(p, t.symbol + (uint32_t)t.rotation + t.arms);
        for (size_t k = 0; k < t.flag_count; k++)
            fault_mix_text(p, t.flags[k]);
        fault_mix_number(p, ptl_terrain_has_flag(&t, "RIVER"));
        fault_mix_number(p, ptl_catalogue_terrain(&type, cat, t.type_number));
        fault_mix_text(p, type.id);
    }
    for (size_t i = 0; ptl_catalogue_location(&l, cat, i) == PTL_OK; i++)
        fault_mix_number(p, ptl_catalogue_set_has(cat, l.terrains, i));
}

static void mix_connections(fault_place *p, const ptl_catalogue *cat)
{
    ptl_connection c = PTL_CONNECTION_INIT;
    ptl_connection_subtype s = PTL_CONNECTION_SUBTYPE_INIT;
    for (size_t i = 0; ptl_catalogue_connection(&c, cat, i) == PTL_OK; i++)
        for (size_t k = 0; ptl_catalogue_connection_subtype(&s, cat, i, k) == PTL_OK; k++) {
            fault_mix_text(p, c.id);
            fault_mix_number(p, (int64_t)s.terrain + s.basic_cost);
        }
}

static void mix_growth(fault_place *p, const ptl_catalogue *cat, size_t number)
{
    ptl_special_phase phase = PTL_SPECIAL_PHASE_INIT;
    ptl_special_rule rule = PTL_SPECIAL_RULE_INIT;
    ptl_special_rule_piece piece = PTL_SPECIAL_RULE_PIECE_INIT;
    ptl_special_shared shared = PTL_SPECIAL_SHARED_INIT;
    for (size_t i = 0; ptl_catalogue_special_phase(&phase, cat, number, i) == PTL_OK; i++)
        for (size_t k = 0; ptl_catalogue_special_rule(&rule, cat, number, i, k) == PTL_OK;
             k++) {
            fault_mix_text(p, rule.name);
            for (size_t m = 0;
                 ptl_catalogue_special_rule_piece(&piece, cat, number, i, k, m) == PTL_OK; m++)
                fault_mix_number(p, (int64_t)piece.piece + piece.rotation);
        }
    for (size_t i = 0; ptl_catalogue_special_shared(&shared, cat, number, i) == PTL_OK; i++)
        fault_mix_number(p, shared.amount.high);
}

static void mix_special(fault_place *p, const ptl_catalogue *cat, size_t number)
{
    ptl_special_omt tile = PTL_SPECIAL_OMT_INIT;
    ptl_special_link link = PTL_SPECIAL_LINK_INIT;
    ptl_special_nested nested = PTL_SPECIAL_NESTED_INIT;
    ptl_special_piece piece = PTL_SPECIAL_PIECE_INIT;
    ptl_special_join join = PTL_SPECIAL_JOIN_INIT;
    ptl_special_check check = PTL_SPECIAL_CHECK_INIT;
    for (size_t i = 0; ptl_catalogue_special_omt(&tile, cat, number, i) == PTL_OK; i++)
        fault_mix_number(p, tile.x + tile.y + tile.z + tile.oters[1]);
    for (size_t i = 0; ptl_catalogue_special_link(&link, cat, number, i) == PTL_OK; i++)
        fault_mix_number(p, link.x + link.y + link.z + link.direction);
    for (size_t i = 0; ptl_catalogue_special_nested(&nested, cat, number, i) == PTL_OK; i++)
        fault_mix_number(p, (int64_t)nested.special);
    for (size_t i = 0; ptl_catalogue_special_piece(&piece, cat, number, i) == PTL_OK; i++)
        fault_mix_text(p, piece.id);
    for (size_t i = 0; ptl_catalogue_special_join(&join, cat, number, i) == PTL_OK; i++)
        fault_mix_text(p, join.id);
    for (size_t i = 0; ptl_catalogue_special_check(&check, cat, number, i) == PTL_OK; i++)
        fault_mix_number(p, check.x0 + check.y1 + check.z0);
    mix_growth(p, cat, number);
}

static void mix_regions(fault_place *p, const ptl_catalogue *cat)
{
    ptl_region r = PTL_REGION_INIT;
    ptl_region_choice c = PTL_REGION_CHOICE_INIT;
    for (size_t i = 0; ptl_catalogue_region(&r, cat, i) == PTL_OK; i++) {
        fault_mix_text(p, r.id);
        for (size_t k = 0; ptl_catalogue_region_choice(&c, cat, i, PTL_BIN_HOUSES, k) == PTL_OK;
             k++)
            fault_mix_number(p, (int64_t)(c.special + c.weight));
        fault_mix_number(p, ptl_catalogue_special_is_excluded(cat, i, 0));
    }
}

static void mix_catalogue(fault_place *p, const ptl_catalogue *cat)
{
    ptl_special s = PTL_SPECIAL_INIT;
    size_t number;
    fault_mix_text(p, ptl_catalogue_digest(cat));
    mix_terrains(p, cat);
    mix_connections(p, cat);
    for (size_t i = 0; ptl_catalogue_special(&s, cat, i) == PTL_OK; i++) {
        fault_mix_text(p, s.id);
        mix_special(p, cat, i);
    }
    mix_regions(p, cat);
    fault_mix_number(p, ptl_catalogue_find(&number, cat, PTL_CONTENT_OTER, "field"));
    fault_mix_number(p, (int64_t)number);
}

static ptl_status catalogue_of_file(fault_place *p, ptl_error *err)
{
    ptl_catalogue *cat;
    ptl_status status = ptl_catalogue_load(&cat, p->store, err);
    if (status == PTL_OK)
        mix_catalogue(p, cat);
    ptl_catalogue_free(cat);
    return status;
}

static ptl_status catalogue_of_world(fault_place *p, ptl_error *err)
{
    ptl_world *world;
    ptl_status status = ptl_world_open(&world, p->store, "w", NULL, err);
    if (status == PTL_OK)
        mix_catalogue(p, ptl_world_catalogue(world));
    ptl_world_close(world);
    return status;
}

static void mix_packed(fault_place *p, const ptl_features *f)
{
    ptl_building b = PTL_BUILDING_INIT;
    ptl_placed_piece piece = PTL_PLACED_PIECE_INIT;
    ptl_placed_join join = PTL_PLACED_JOIN_INIT;
    ptl_monster_group group = PTL_MONSTER_GROUP_INIT;
    ptl_attempt attempt = PTL_ATTEMPT_INIT;
    ptl_predecessor before = PTL_PREDECESSOR_INIT;
    for (size_t i = 0; ptl_features_building(&b, f, i) == PTL_OK; i++)
        fault_mix_text(p, b.id);
    for (size_t i = 0; ptl_features_piece(&piece, f, i) == PTL_OK; i++)
        fault_mix_text(p, piece.id);
    for (size_t i = 0; ptl_features_join(&join, f, i) == PTL_OK; i++)
        fault_mix_text(p, join.id);
    for (size_t i = 0; ptl_features_monster_group(&group, f, i) == PTL_OK; i++)
        fault_mix_text(p, group.type);
    for (size_t i = 0; ptl_features_attempt(&attempt, f, i) == PTL_OK; i++)
        fault_mix_number(p, attempt.placed);
    for (size_t i = 0; ptl_features_predecessor(&before, f, i) == PTL_OK; i++)
        fault_mix_text(p, before.id);
}

static void mix_features(fault_place *p, const ptl_features *f)
{
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    ptl_city city = PTL_CITY_INIT;
    ptl_placed_special s = PTL_PLACED_SPECIAL_INIT;
    ptl_radio radio = PTL_RADIO_INIT;
    ptl_event event = PTL_EVENT_INIT;
    ptl_chunk_edge edge = PTL_CHUNK_EDGE_INIT;
    ptl_crossing c = PTL_CROSSING_INIT;
    fault_mix_number(p, ptl_features_describe(&info, f));
    fault_mix_text(p, info.content);
    mix_packed(p, f);
    for (size_t i = 0; ptl_features_city(&city, f, i) == PTL_OK; i++)
        fault_mix_text(p, city.name);
    for (size_t i = 0; ptl_features_special(&s, f, i) == PTL_OK; i++)
        fault_mix_text(p, s.id);
    for (size_t i = 0; ptl_features_radio(&radio, f, i) == PTL_OK; i++)
        fault_mix_text(p, radio.message);
    for (size_t i = 0; ptl_features_event(&event, f, i) == PTL_OK; i++)
        fault_mix_text(p, event.detail);
    for (size_t side = 0; ptl_features_edge(&edge, f, side) == PTL_OK; side++) {
        fault_mix_number(p, edge.saved + 2 * edge.foreign);
        for (size_t i = 0; ptl_features_crossing(&c, f, side, i) == PTL_OK; i++)
            fault_mix_text(p, c.kind);
    }
}

static ptl_status features_of_chunk(fault_place *p, ptl_error *err)
{
    ptl_features *f;
    ptl_status status = ptl_features_load(&f, p->world, (ptl_chunk_pos){0, 0}, err);
    if (status == PTL_OK)
        mix_features(p, f);
    ptl_features_free(f);
    return status;
}

/* ---- checks of content that keep what they have read ---- */

static void mix_remark(void *payload, const ptl_diagnostic *d)
{
    fault_mix_text(payload, d->message);
    fault_mix_number(payload, d->line);
}

/* Checks content that has mistakes, then again with another text for one of its files. */
static ptl_status check_twice(fault_place *p, ptl_error *err)
{
    static const char text[] = "[ { \"type\": \"overmap_location\", \"id\": 5 }, /* odd */ ]";
    char path[2 * FAULT_PATH_SIZE], file[3 * FAULT_PATH_SIZE];
    const char *directory = path;
    snprintf(path, sizeof path, "%s/invalid/region", p->content);
    snprintf(file, sizeof file, "%s/new.json", path);
    const ptl_file_text texts[] = {{file, text, sizeof text - 1}};
    ptl_import_options options = {.size = sizeof options,
                                  .directories = &directory,
                                  .directory_count = 1,
                                  .check = true,
                                  .lenient = true,
                                  .on_diagnostic = mix_remark,
                                  .payload = p,
                                  .should_stop = fault_stop_asked,
                                  .texts = texts};
    ptl_status status = ptl_sources_new(&options.sources, err);
    for (size_t i = 0; i < 3 && status == PTL_OK; i++) {
        options.text_count = i > 0;
        status = ptl_import(NULL, NULL, &options, err);
        fault_mix_number(p, status);
    }
    ptl_sources_free(options.sources);
    return status;
}

/* ---- places ---- */

static bool mix_place(void *payload, const ptl_place *place)
{
    fault_mix_text(payload, place->id);
    fault_mix_text(payload, place->kind);
    fault_mix_number(payload, (int64_t)place->start);
    return true;
}

static bool mix_path(void *payload, const char *path)
{
    fault_mix_text(payload, strrchr(path, '/'));
    return true;
}

static bool mix_drawn(void *payload, const ptl_drawn *drawn)
{
    fault_mix_text(payload, drawn->value);
    fault_mix_number(payload, (int64_t)(1000 * drawn->chance));
    return true;
}

/* Asks about all kinds of places in a text that is checked before. */
static ptl_status ask_places(fault_place *p, ptl_error *err)
{
    static const char text[] = "[ { \"type\": \"palette\", \"id\": \"p\", \"terrain\": { "
                               "\"#\": [ [ \"t\", 3 ], \"u\" ] } },"
                               "{ \"type\": \"mapgen\", \"nested_mapgen_id\": \"n\", "
                               "\"object\": { \"mapgensize\": [ 1, 1 ],"
                               "\"palettes\": [ { \"distribution\": [ [ \"p\", 1 ], [ \"p\", 1 "
                               "] ] } ], \"rows\": [ \"#\" ],"
                               "\"items\": { \"#\": { \"item\": \"\\u0067\" } } } } ]";
    char path[2 * FAULT_PATH_SIZE], file[3 * FAULT_PATH_SIZE];
    const char *directory = path;
    snprintf(path, sizeof path, "%s/valid/mapgen_conditions", p->content);
    snprintf(file, sizeof file, "%s/new.json", path);
    const ptl_file_text given = {file, text, sizeof text - 1};
    ptl_import_options options = {.size = sizeof options,
                                  .directories = &directory,
                                  .directory_count = 1,
                                  .check = true,
                                  .lenient = true,
                                  .should_stop = fault_stop_asked,
                                  .texts = &given,
                                  .text_count = 1};
    ptl_place_info info = PTL_PLACE_INFO_INIT;
    size_t length = 0;
    ptl_status status = ptl_sources_new(&options.sources, err);
    ptl_sources *s = options.sources;
    if (status == PTL_OK)
        status = ptl_import(NULL, NULL, &options, err);
    if (status == PTL_OK && ptl_sources_text(&length, s, file))
        fault_mix_number(p, (int64_t)length);
    if (status == PTL_OK)
        status = ptl_source_list(s, mix_path, p, err);
    if (status == PTL_OK)
        status = ptl_definition_list(s, NULL, NULL, file, mix_place, p, err);
    if (status == PTL_OK)
        status = ptl_reference_list(s, "palette", "p", mix_place, p, err);
    if (status == PTL_OK)
        status =
            ptl_place_find(&info, s, &given, (size_t)(strstr(text, "\"p\", 1") - text), err);
    if (status == PTL_OK) {
        fault_mix_text(p, info.id);
        status = ptl_drawn_list(s, &given, (size_t)(strstr(text, "\"#\" ]") - text) + 1,
                                mix_drawn, p, err);
    }
    ptl_sources_free(options.sources);
    return status;
}

const fault_scene fault_scenes_content[] = {
    {"places", FAULT_FILE_CONTENT, FAULT_OPEN_NOTHING, false, 5, ask_places, NULL},
    {"check_twice", FAULT_FILE_CONTENT, FAULT_OPEN_NOTHING, false, 5, check_twice, NULL},
    {"features", FAULT_FILE_WORLD, FAULT_OPEN_WORLD, false, 2, features_of_chunk, NULL},
    {"catalogue", FAULT_FILE_WORLD, FAULT_OPEN_READ, false, 2, catalogue_of_file, NULL},
    {"catalogue_past", FAULT_FILE_PAST, FAULT_OPEN_READ, false, 4, catalogue_of_world, NULL},
    {NULL, FAULT_FILE_NONE, FAULT_OPEN_NOTHING, false, 1, NULL, NULL}};
