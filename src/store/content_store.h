/*
 * The contract's part for importing: rows of a content's parts, written in one transaction
 * (store.h), whose promises hold for it: all of an import lasts or nothing of it, and who reads
 * meanwhile sees the content of before. Rows belong to the thread that opened them.
 *
 * A content is rows of texts and numbers, in the columns of schema/tables.md; which of them a
 * part has, and their order, stands in content_parts.c. Parents are written before what refers
 * to them. Who generates asks for a catalogue, which a backend that keeps these rows makes of
 * them by catalogue/catalogue_rows.h.
 */
#ifndef STORE_CONTENT_STORE_H
#define STORE_CONTENT_STORE_H

#include "portolan/query.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where a row belongs. */
typedef enum content_part {
    /* Parts of the source: packs, what became of types, remarks, kept objects. */
    CONTENT_PACKS,
    CONTENT_TYPE_COUNTS,
    CONTENT_UNKNOWN,
    CONTENT_ISSUES,
    CONTENT_FILES,
    CONTENT_OBJECTS,
    CONTENT_NAMES,
    /* Parts of the definitions. */
    CONTENT_TERRAINS,
    CONTENT_TERRAIN_FLAGS,
    CONTENT_TERRAIN_MAPGEN,
    CONTENT_OTERS,
    CONTENT_LOCATIONS,
    CONTENT_LOCATION_TERRAINS,
    CONTENT_LOCATION_FLAGS,
    CONTENT_CONNECTIONS,
    CONTENT_SUBTYPES,
    CONTENT_SUBTYPE_LOCATIONS,
    CONTENT_REGIONS,
    CONTENT_REGION_NUMBERS,
    CONTENT_REGION_LEVELS,
    CONTENT_REGION_BLOCKS,
    CONTENT_REGION_BUILDINGS,
    CONTENT_REGION_EXTRA_GROUPS,
    CONTENT_REGION_EXTRAS,
    CONTENT_REGION_FLAGS,
    CONTENT_MAP_EXTRAS,
    CONTENT_LAND_USE_CODES,
    CONTENT_ROTATABLE_SYMBOLS,
    CONTENT_OPTIONS,
    CONTENT_DIMENSIONS,
    CONTENT_GAMES,
    CONTENT_OTER_MIGRATIONS,
    CONTENT_SPECIAL_MIGRATIONS,
    CONTENT_VISIONS,
    CONTENT_MONSTERGROUPS,
    CONTENT_FIXED_CITIES,
    /* Parts of the definitions of specials, to the end. */
    CONTENT_SPECIALS,
    CONTENT_SPECIAL_FLAG,
    CONTENT_SPECIAL_LOCATION,
    CONTENT_SPECIAL_CONNECTION,
    CONTENT_SPECIAL_NESTED,
    CONTENT_SPECIAL_TILE,
    CONTENT_SPECIAL_TILE_LOCATION,
    CONTENT_SPECIAL_TILE_FLAG,
    CONTENT_SPECIAL_JOIN,
    CONTENT_SPECIAL_JOIN_LOCATION,
    CONTENT_SPECIAL_PIECE,
    CONTENT_SPECIAL_PIECE_LOCATION,
    CONTENT_SPECIAL_PIECE_SIDE,
    CONTENT_SPECIAL_PIECE_ALTERNATIVE,
    CONTENT_SPECIAL_PIECE_CONNECTION,
    CONTENT_SPECIAL_CHECK,
    CONTENT_SPECIAL_CHECK_LOCATION,
    CONTENT_SPECIAL_SHARED,
    CONTENT_SPECIAL_PHASE_RULE,
    CONTENT_SPECIAL_PHASE_RULE_PIECE,
    CONTENT_PARTS
} content_part;

/* What is cleared together: children go before their parents. */
typedef enum content_group {
    CONTENT_SOURCE,
    CONTENT_DEFINITIONS,
    CONTENT_SPECIAL_DEFINITIONS
} content_group;

enum { CONTENT_COLUMNS_MAX = 40 };

typedef struct content_value {
    ptl_value_type type;
    int64_t integer;
    double real;
    const void *data; /* borrowed until the row is added; a text ends with 0 */
    size_t size;      /* of a blob */
} content_value;

/* For who reads rows: columns are numbered from 0. 0, or "", where the value is of another
 * type, as NULL is. */
static inline bool value_is_null(const content_value *row, int column)
{
    return row[column].type == PTL_VALUE_NULL;
}

static inline int64_t value_int(const content_value *row, int column)
{
    return row[column].type == PTL_VALUE_INTEGER ? row[column].integer : 0;
}

static inline double value_real(const content_value *row, int column)
{
    const content_value *v = &row[column];
    return v->type == PTL_VALUE_REAL ? v->real : (double)value_int(row, column);
}

static inline const char *value_text(const content_value *row, int column)
{
    return row[column].type == PTL_VALUE_TEXT ? row[column].data : "";
}

/* ---- reading ---- */

/* Rows of a part: these columns, by the names of content_part_forms, in the order of those,
 * ascending: numbers by value, texts by their bytes. "" is any order; of remarks
 * (CONTENT_ISSUES) that in which they were written. */
typedef struct content_query {
    content_part part;
    const char *columns, *order; /* with ", " between them */
} content_query;

/* values: as many as there are columns, lent until it returns. */
typedef ptl_status content_row_visit(void *payload, const content_value *values,
                                     ptl_error *err);

/* Visits rows of the present content, and where a part has a content_id those of others, too;
 * nobody where there is none. */
ptl_status store_content_row_visit(ptl_store *store, const content_query *query,
                                   content_row_visit *visit, void *payload, ptl_error *err);
/* Likewise, of a content of before, of which the store has what a catalogue is made of; nobody
 * where it does not have that one any more. 0: the present one. */
ptl_status store_content_row_visit_of(ptl_store *store, int64_t content_id,
                                      const content_query *query, content_row_visit *visit,
                                      void *payload, ptl_error *err);

/* ---- writing ---- */

/* Rows on their way to one part. */
typedef struct content_rows content_rows;

/* Opens a part for writing; *out is new: content_rows_close, also after an error. */
ptl_status content_rows_open(content_rows **out, ptl_store *store, content_part part,
                             ptl_error *err);
void content_rows_close(content_rows *rows); /* NULL is fine */
/* Columns are numbered from 1; those that are not set are NULL. A text of NULL is NULL. */
void content_rows_null(content_rows *rows, int column);
void content_rows_int(content_rows *rows, int column, int64_t value);
void content_rows_real(content_rows *rows, int column, double value);
void content_rows_text(content_rows *rows, int column, const char *text);
void content_rows_blob(content_rows *rows, int column, const void *data, size_t size);
/* The row is written, and the next one begins. */
ptl_status content_rows_add(content_rows *rows, ptl_error *err);
/* Drops the rows: they are not written. */
void content_rows_drop(content_rows *rows);
/* Of the row that was added last. */
int64_t content_rows_number(const content_rows *rows);

/* What there was goes. Of CONTENT_SOURCE packs of other contents stay. */
ptl_status store_content_clear(ptl_store *store, content_group group, int64_t content_id,
                               ptl_error *err);

/* ---- contents ---- */

typedef struct content_row {
    int64_t id;
    const char *digest; /* hex */
    bool lenient;
    uint64_t files, objects, bytes;
    const char *imported_at; /* of a visit alone, as the next one: UTC, ISO 8601 */
    bool current;
} content_row;

/* What row points to lasts until it returns. files, objects and bytes are not told. */
typedef ptl_status content_visit(void *payload, const content_row *row, ptl_error *err);
/* All contents that the store knows of, by their numbers. */
ptl_status store_content_visit(ptl_store *store, content_visit *visit, void *payload,
                               ptl_error *err);

/* What the store knows of a content. */
typedef struct content_standing {
    int64_t id;   /* 0: the store never had it */
    bool current; /* the store has it now */
    bool older;   /* an older program wrote it, which did not know all parts */
} content_standing;

/* Finds the content with this digest, in hex. */
ptl_status store_content_find(content_standing *out, ptl_store *store, const char *hex,
                              ptl_error *err);
/* Makes the content's row, with row->id 0, which is set then, or takes the former one again:
 * chunks may refer to it. It is the current one from now on. */
ptl_status store_content_put(ptl_store *store, content_row *row, ptl_error *err);
/* Keeps the present content if a world, chunk or sweep was made with it: before anything of it
 * is changed. */
ptl_status store_content_keep(ptl_store *store, ptl_error *err);
/* At the end: checksums of what was written, and contents of before that nobody needs go. */
ptl_status store_content_seal(ptl_store *store, ptl_error *err);
/* Is what was imported what is kept? found gets each problem; it is no failure. */
typedef void content_problem_fn(void *payload, const char *table, const char *message);
ptl_status store_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                               ptl_error *err);
/* Generated chunks of all worlds that were made with another content. */
ptl_status store_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                     ptl_error *err);

#endif
