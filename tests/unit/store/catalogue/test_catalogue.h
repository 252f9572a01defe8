/* What the tests of the catalogue share: loading one, and what holds for every catalogue. */
#ifndef TEST_CATALOGUE_H
#define TEST_CATALOGUE_H

#include "unit/content/definition_fixture.h"

#include "model/catalogue.h"

/* The fixture's content, which must load; checked. */
catalogue *load_catalogue(void);
/* Loading fails with this status, and a message that holds the text. */
void expect_load_failure(ptl_status status, const char *message);
/* Orders, ranges, lookups, shapes, turns and sums: what generation relies on. */
void check_catalogue(const catalogue *cat);
/* The part of it that concerns a special. */
void check_special(const catalogue *cat, const cat_special *s);

/* All rows about specials in the fixture's file are in its catalogue, and nothing else. */
void compare_with_tables(const catalogue *cat);
/* The sets of joins, pieces and checks against the file's locations: how many there are. */
size_t compare_sets(const catalogue *cat);

/* Content with something in each table, and its import, which allows any damage. */
void import_damage_content(void);
void damage_sql(const char *sql);
/* A change that must not load, and the message. */
typedef struct damage_case {
    const char *sql, *message;
    ptl_status status;
} damage_case;
void try_damage(const damage_case *cases, size_t count);

Suite *catalogue_features_suite(void);
Suite *catalogue_damage_suite(void);
Suite *catalogue_mutable_suite(void);
TCase *catalogue_damaged_specials(void);
Suite *catalogue_real_suite(void);

#endif
