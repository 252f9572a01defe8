/*
 * What holds for every catalogue, whatever content or damaged file it was read from.
 * Specials are in test_catalogue_check_special.c.
 */
#include "store/store.h"
#include "unit/store/catalogue/test_catalogue.h"

#include <string.h>

catalogue *load_catalogue(void)
{
    ptl_error err = {0};
    catalogue *cat = NULL;
    ck_assert_msg(ops(fixture.store)->content->load(&cat, fixture.store, &err) == PTL_OK, "%s",
                  err.message);
    ck_assert_ptr_nonnull(cat);
    return cat;
}

void expect_load_failure(ptl_status status, const char *message)
{
    ptl_error err = {0};
    catalogue *cat = NULL;
    ck_assert_msg(ops(fixture.store)->content->load(&cat, fixture.store, &err) == status, "%s",
                  err.message);
    ck_assert_ptr_null(cat);
    ck_assert_msg(strstr(err.message, message) != NULL, "%s", err.message);
}

static void check_connection(const catalogue *cat, const cat_connection *c)
{
    static const uint16_t counts[] = {1, 4, 16};
    ck_assert(c->default_terrain == CAT_NONE || c->default_terrain < cat->terrain_count);
    ck_assert(c->subtype_count >= 1 && c->subtype_count <= CAT_SUBTYPES_MAX);
    size_t of_subtypes = 0;
    for (size_t t = 0; t < cat->terrain_count; t++) {
        bool found = false;
        for (size_t i = 0; i < c->subtype_count; i++)
            found = found || c->subtypes[i].terrain == t;
        ck_assert_int_eq(cat_terrain_in(c->terrains, (uint16_t)t), found);
        of_subtypes += found;
    }
    ck_assert_uint_gt(of_subtypes, 0);
    for (size_t i = 0; i < c->subtype_count; i++) {
        const cat_subtype *t = &c->subtypes[i];
        ck_assert_uint_lt(t->terrain, cat->terrain_count);
        ck_assert_uint_le(t->shape, PTL_TERRAIN_LINE);
        ck_assert_uint_eq(cat->terrains[t->terrain].count, counts[t->shape]);
        ck_assert(t->basic_cost >= 0 && t->basic_cost <= CAT_COST_MAX && t->weight >= 0);
        ck_assert(cat_terrain_in(t->allows, t->terrain));
        for (size_t k = 0; k < cat->terrain_count && t->in_place; k++)
            ck_assert_int_eq(cat_terrain_in(t->allows, (uint16_t)k), k == t->terrain);
    }
}

static void check_bin(const catalogue *cat, const cat_bin *bin)
{
    for (size_t i = 0; i < bin->count; i++) {
        ck_assert_uint_lt(bin->specials[i], cat->special_count);
        ck_assert_uint_gt(cat->specials[bin->specials[i]].omt_count, 0);
        ck_assert_uint_gt(bin->upto[i], i > 0 ? bin->upto[i - 1] : 0);
        ck_assert(i == 0 || bin->specials[i] > bin->specials[i - 1]);
        ck_assert_uint_le(bin->upto[i], INT32_MAX);
    }
}

static void check_texts(const cat_texts *texts)
{
    for (size_t i = 0; i < texts->count; i++) {
        ck_assert(texts->texts[i][0] != '\0');
        ck_assert(i == 0 || strcmp(texts->texts[i - 1], texts->texts[i]) < 0);
        ck_assert_uint_gt(texts->upto[i], i > 0 ? texts->upto[i - 1] : 0);
        ck_assert_uint_le(texts->upto[i], INT32_MAX);
    }
}

static void check_region(const catalogue *cat, const cat_region *r)
{
    ck_assert_uint_lt(r->default_ter, cat->oter_count);
    ck_assert(r->city.size >= -1 && r->city.size <= 16);
    ck_assert(r->city.spacing >= -1 && r->city.spacing <= 8);
    const int32_t percent[] = {r->city.shop_radius, r->city.shop_sigma, r->city.park_radius,
                               r->city.park_sigma};
    for (size_t i = 0; i < 4; i++)
        ck_assert(percent[i] >= 0 && percent[i] <= 1000000);
    ck_assert(r->trails.chance >= 0 && r->trails.random_point_size_scalar >= 1);
    ck_assert(r->trails.random_point_min >= 0 && r->trails.random_point_max <= 32400);
    check_bin(cat, &r->city.houses);
    check_bin(cat, &r->city.shops);
    check_bin(cat, &r->city.parks);
    check_bin(cat, &r->city.finales);
    check_bin(cat, &r->trails.trailheads);
    if (r->excluded)
        for (size_t i = cat->special_count; i % 64 != 0; i++)
            ck_assert(!(r->excluded[i / 64] >> (i % 64) & 1));
}

void check_catalogue(const catalogue *cat)
{
    for (size_t i = 0; i < cat->location_count; i++) {
        const cat_location *l = &cat->locations[i];
        ck_assert(i == 0 || strcmp(l[-1].id, l->id) < 0);
        ck_assert_ptr_nonnull(l->terrains);
    }
    for (size_t i = 0; i < cat->connection_count; i++) {
        const cat_connection *c = &cat->connections[i];
        ck_assert(i == 0 || strcmp(c[-1].id, c->id) < 0);
        ck_assert_uint_eq(catalogue_connection(cat, c->id), i);
        check_connection(cat, c);
    }
    for (size_t i = 0; i < cat->special_count; i++) {
        const cat_special *s = &cat->specials[i];
        ck_assert(i == 0 || strcmp(s[-1].id, s->id) < 0);
        ck_assert_uint_eq(catalogue_special(cat, s->id), i);
        check_special(cat, s);
    }
    for (size_t i = 0; i < cat->region_count; i++) {
        ck_assert(i == 0 || strcmp(cat->regions[i - 1].id, cat->regions[i].id) < 0);
        check_region(cat, &cat->regions[i]);
    }
    check_texts(&cat->town_names);
    check_texts(&cat->radio_texts);
}
