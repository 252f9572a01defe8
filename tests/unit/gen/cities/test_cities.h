/* What the tests of cities share: a town catalogue that a test may change, and chunks of it. */
#ifndef TEST_CITIES_H
#define TEST_CITIES_H

#include "gen/work/generator.h"
#include "support/land_catalogue.h"

#include <check.h>

/* ck_assert for the inner loops: that one writes to a file at each call. */
#define MUST(condition, ...)                                                                   \
    do {                                                                                       \
        if (!(condition))                                                                      \
            ck_abort_msg(__VA_ARGS__);                                                         \
    } while (0)

/* The town catalogue with one region, whose settings and buildings are the test's own. */
typedef struct town_fixture {
    catalogue cat;
    cat_region region;
    cat_special specials[32];
    ptl_world_options options;
    gen_config *config;
    generator *gen;
} town_fixture;

/* Region "dry", which has no rivers; change what you like, then town_open. */
void town_setup(town_fixture *f, uint64_t seed, int32_t city_size, int32_t city_spacing);
void town_open(town_fixture *f);
void town_close(town_fixture *f);
/* The chunk after the step "cities", or just before it. */
ptl_chunk *town_chunk(town_fixture *f, int32_t x, int32_t y, bool with_cities);
/* How many events of the kind the last chunk had. */
size_t town_events(const town_fixture *f, const char *kind);

TCase *cities_plan_case(void);
TCase *cities_chunk_case(void);
TCase *cities_hostile_case(void);
TCase *cities_normal_case(void);
TCase *cities_unique_case(void);
TCase *cities_fixed_case(void);

#endif
