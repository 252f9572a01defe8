/*
 * What the tests of terrains, locations, connections, regions and the catalogue share: packs
 * made in a scratch folder, an import of them, and questions to the tables. In texts of packs
 * ' stands for ".
 */
#ifndef DEFINITION_FIXTURE_H
#define DEFINITION_FIXTURE_H

#include "unit/content/content_fixture.h"

typedef struct definition_fixture {
    char folder[64];
    ptl_store *store;
    import_run run;
    bytes remarks; /* the diagnostics, without the folder in front of their paths */
} definition_fixture;

extern definition_fixture fixture;
void fixture_setup(void); /* checked: in the child, as the store needs it */
void fixture_teardown(void);

/* A file, e.g. "0/a.json" in the pack "0". */
void fixture_put(const char *name, const char *text);
/* Imports the packs "0" .. count - 1. */
void fixture_import(int count, bool lenient);
/* fixture_put of "0/a.json", and the import of it. */
void fixture_import_text(const char *text, bool lenient);
/* The status and all remarks of the last import. */
void fixture_expect(ptl_status status, const char *remarks);
/* The rows of a query: columns joined by '|', rows by '\n'; NULL is "-". */
void fixture_expect_rows(const char *sql, int columns, const char *expected);
int64_t fixture_number(const char *sql);

/* Directories of real content, to be freed; NULL after a loud line where they are missing.
 * Where CI is set and ../shared is there, missing content fails. */
char *game_data(const char *below);   /* of Debian's cataclysm-dda-data */
char *shared_data(const char *below); /* of ../shared or $PORTOLAN_SHARED */

#endif
