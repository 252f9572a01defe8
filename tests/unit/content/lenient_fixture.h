/*
 * Mistakes over our own pack, imported with the lenient option: the import succeeds, what is
 * wrong is a warning with its place, and every row of the pack is as it is without the mistake.
 */
#ifndef LENIENT_FIXTURE_H
#define LENIENT_FIXTURE_H

#include "unit/content/content_fixture.h"

typedef struct lenient_fixture {
    char folder[64];  /* of two databases */
    const char *base; /* a pack over our own; NULL: none */
    size_t warned;
} lenient_fixture;

/* Imports our own pack, and base, for comparison. */
void lenient_begin(lenient_fixture *f, const char *base);
void lenient_end(lenient_fixture *f); /* something must have been wrong */
/* A directory, or the text of one file. */
void lenient_expect(lenient_fixture *f, const char *content);
void lenient_expect_text(lenient_fixture *f, const char *text);

#endif
