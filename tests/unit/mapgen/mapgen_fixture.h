/* Mapgen compiled of texts, with all that is remarked. */
#ifndef MAPGEN_FIXTURE_H
#define MAPGEN_FIXTURE_H

#include "mapgen/compile/library.h"
#include "json/reader.h"

#include <check.h>

typedef struct mapgen_fixture {
    id_pool *pool;
    arena *memory;
    json_reader *reader;
    mapgen_compiler *compiler;
    mapgen_library *library;
    mapgen_marks marks;
    int remarks, errors, last_code;
    size_t last_offset; /* of the last remark, in its text */
    char last[300];
    char undone[100]; /* what the last note was about: known and not carried out */
    char *text;       /* owned; of the last document */
} mapgen_fixture;

void fixture_begin(mapgen_fixture *f, bool references);
void fixture_end(mapgen_fixture *f);
/* Compiles a text; ' stands for ". NULL if it has an error or is no JSON. */
const mapgen_entry *fixture_entry(mapgen_fixture *f, const char *text);
const mapgen_palette *fixture_palette(mapgen_fixture *f, const char *text);
/* The same of text[0 .. size - 1] as it stands, which is entry or palette by its type. */
const mapgen_entry *fixture_compile(mapgen_fixture *f, const char *text, size_t size);
/* An object as JSON, until the next one; ' stands for ". */
json_document fixture_document(mapgen_fixture *f, const char *text);
/* The id's text. */
const char *fixture_text(const mapgen_fixture *f, uint32_t id);

#endif
