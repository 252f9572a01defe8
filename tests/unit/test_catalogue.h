/* What the tests of the catalogue share: loading one, and what holds for every catalogue. */
#ifndef TEST_CATALOGUE_H
#define TEST_CATALOGUE_H

#include "definition_fixture.h"

#include "content/catalogue.h"

/* The fixture's content, which must load; checked. */
catalogue *load_catalogue(void);
/* Loading fails with this status, and a message that holds the text. */
void expect_load_failure(ptl_status status, const char *message);
/* Orders, ranges, lookups, shapes, turns and sums: what generation relies on. */
void check_catalogue(const catalogue *cat);

Suite *catalogue_features_suite(void);
Suite *catalogue_damage_suite(void);
Suite *catalogue_real_suite(void);

#endif
