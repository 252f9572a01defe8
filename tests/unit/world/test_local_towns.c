/* Names of towns on signs: the nearest of the nine chunks around, however the map is made and
 * whatever else is there, in any backend. */
#include "gen/pipeline.h"
#include "support/suite.h"
#include "unit/world/any_store.h"
#include "world/world.h"

#include <string.h>

static place p;
static ptl_world *world;

/* Each field has a sign; what `city` stands for is in the middle of its text. */
static const char SIGNS[] =
    "[{\"type\": \"terrain\", \"id\": \"t_grass\"}, "
    "{\"type\": \"mapgen\", \"om_terrain\": \"field\", \"object\": {\"fill_ter\": \"t_grass\", "
    "\"place_signs\": [{\"signage\": \"To <city>!\", \"x\": 3, \"y\": 4}]}}]";

static void begin(int backend)
{
    open_place(&p, backend);
    import_text(p.store, SIGNS, true);
    world = create(p.store, "w", 12);
}

static void end(void)
{
    ptl_world_close(world);
    close_place(&p);
}

typedef struct nearest_town {
    double least;
    char name[80];
} nearest_town;

static void consider(nearest_town *n, double dx, double dy, const char *name)
{
    if (dx * dx + dy * dy >= n->least)
        return;
    n->least = dx * dx + dy * dy;
    snprintf(n->name, sizeof n->name, "%s", name);
}

/* Of a chunk beside: as planned. */
static void consider_planned(nearest_town *n, ptl_omt at, ptl_chunk_pos pos)
{
    static city_site sites[CITY_SITES_MAX];
    static city_names names;
    const ptl_world_options options = world_row_options(&world->row);
    gen_config *config = NULL;
    size_t missing;
    OK(gen_config_for_towns(&config, world->cat, &options, &err));
    const size_t count = plan_cities(sites, config, pos, &missing);
    plan_city_names(&names, config, pos, count);
    for (size_t i = 0; i < count; i++)
        consider(n, (double)(sites[i].x + 180 * (int64_t)pos.x - at.x),
                 (double)(sites[i].y + 180 * (int64_t)pos.y - at.y), names.list[i]);
    gen_config_free(config);
}

/* What the sign must say: by the chunk's cities as clients read them, and plans beside it.
 * False: one of another chunk is the nearest. */
static bool expected_text(char *out, size_t size, ptl_omt at)
{
    ptl_features *features = NULL;
    ptl_features_info info = PTL_FEATURES_INFO_INIT;
    ptl_city city = PTL_CITY_INIT;
    nearest_town n = {1e30, "a town whose name is gone"};
    const ptl_chunk_pos pos = ptl_omt_chunk(at);
    OK(ptl_features_load(&features, world, pos, &err));
    OK(ptl_features_describe(&info, features));
    for (size_t i = 0; i < info.cities; i++) {
        OK(ptl_features_city(&city, features, i));
        consider(&n, (double)(city.x + 180 * (int64_t)pos.x - at.x),
                 (double)(city.y + 180 * (int64_t)pos.y - at.y), city.name);
    }
    ptl_features_free(features);
    const double own = n.least;
    for (int i = 0; i < 9; i++)
        if (i != 4)
            consider_planned(&n, at, (ptl_chunk_pos){pos.x + i % 3 - 1, pos.y + i / 3 - 1});
    snprintf(out, size, "To %s!", n.name);
    return n.least == own;
}

/* The text of the only sign; "" where the map has none. */
static void sign_text(char *out, size_t size, ptl_omt at)
{
    ptl_local_map *map = NULL;
    out[0] = '\0';
    OK(ptl_local_get(&map, world, at, NULL, &err));
    for (size_t i = 0; i < ptl_local_entity_count(map); i++) {
        ptl_local_entity e = PTL_LOCAL_ENTITY_INIT;
        OK(ptl_local_entity_at(&e, map, i));
        if (strcmp(e.kind, "sign") == 0 && strcmp(ptl_local_oter(map), "field") == 0)
            snprintf(out, size, "%s", e.text);
    }
    ptl_local_free(map);
}

/* Looks at each fifth field of the square; gives how many different texts there were. */
static int look_at_signs(int64_t x0, int64_t y0, int64_t side)
{
    char seen[40][100];
    int found = 0, different = 0, others = 0;
    for (int64_t i = 0; i < side * side; i += 5) {
        const ptl_omt at = {x0 + i % side, y0 + i / side, 0};
        char text[100], expected[100];
        sign_text(text, sizeof text, at);
        if (!text[0])
            continue;
        others += !expected_text(expected, sizeof expected, at);
        ck_assert_str_eq(text, expected);
        found++;
        int k = 0;
        while (k < different && strcmp(seen[k], text) != 0)
            k++;
        if (k == different && different < 40)
            memcpy(seen[different++], text, sizeof text);
    }
    ck_assert_int_gt(found, 100);
    ck_assert_int_gt(others, 10);
    return different;
}

START_TEST(signs_name_the_nearest_town)
{
    begin(_i);
    ck_assert_int_gt(look_at_signs(-40, -30, 70), 2); /* over the corner of four chunks */
    end();
}
END_TEST

/* Made in bulk, by threads, and asked without being stored: the same maps. */
START_TEST(all_ways_are_alike)
{
    static const ptl_local_area area = {-40, -30, 29, 39, 0, 0};
    ptl_local_digest_result asked = PTL_LOCAL_DIGEST_RESULT_INIT, stored = asked;
    ptl_local_generate_options o = PTL_LOCAL_GENERATE_OPTIONS_INIT;
    ptl_local_generate_report report = PTL_LOCAL_GENERATE_REPORT_INIT;
    const ptl_chunk_pos around[] = {{-1, -1}, {0, -1}, {-1, 0}, {0, 0},
                                    {1, 0},   {1, -1}, {-2, 0}, {-1, 1}};
    begin(_i);
    generate(world, around, 4, NULL);
    OK(ptl_local_digest_get(&asked, world, &area, &err));
    generate(world, around + 4, 4, NULL); /* what no map needs but for its signs */
    o.areas = &area;
    o.area_count = 1;
    o.jobs = 3;
    OK(ptl_local_generate(&report, world, &o, &err));
    OK(ptl_local_digest_get(&stored, world, &area, &err));
    ck_assert_uint_eq(stored.made, 0);
    ck_assert_str_eq(stored.hex, asked.hex);
    ck_assert_int_gt(look_at_signs(-40, -30, 70), 2);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("local_towns");
    TCase *tc = tcase_create("local_towns");
    tcase_set_timeout(tc, 120);
    tcase_add_loop_test(tc, signs_name_the_nearest_town, 0, BACKENDS);
    tcase_add_loop_test(tc, all_ways_are_alike, 0, BACKENDS);
    suite_add_tcase(suite, tc);
    return suite_run(suite);
}
