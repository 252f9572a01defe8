/*
 * The contract's part for importing: rows of a content's parts, written in one transaction
 * (store.h), whose promises hold for it: all of an import lasts or nothing of it, and who reads
 * meanwhile sees the earlier content. Rows belong to the thread that opened them.
 *
 * A content is rows of texts and numbers, in the columns of schema/tables.md; which of them a
 * part has, and their order, stands in content_tables.h. Parents are written before what refers
 * to them. Who generates asks for a catalogue, which a backend that keeps these rows makes of
 * them by catalogue/catalogue_rows.h.
 */
#ifndef STORE_CONTENT_STORE_H
#define STORE_CONTENT_STORE_H

#include "portolan/query.h"
#include "store/content_fields.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

/* Rows of a part: these columns, by the names of content_forms, in the order of those,
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
/* Likewise, of an earlier content, of which the store has what a catalogue is made of; nobody
 * where it does not have that one any more. 0: the present one. */
ptl_status store_content_row_visit_of(ptl_store *store, int64_t content_id,
                                      const content_query *query, content_row_visit *visit,
                                      void *payload, ptl_error *err);

/* For who has the columns of what a catalogue is made of, in the order of the part's fields:
 * reads them into the part's struct, whose texts are lent. False where a number is missing or
 * out of its range. */
bool content_row_read(void *row, const content_form *form, const content_value *values);
/* These columns' names, with ", " between them. */
enum { CONTENT_NAMES_MAX = 1000 };
void content_row_columns(char out[CONTENT_NAMES_MAX], const content_form *form);

/* ---- writing ---- */

/* Rows of a content on their way to their parts. After a failure nothing more is written. */
typedef struct content_writer content_writer;

/* *out is new: content_writer_free, also after an error. */
ptl_status content_writer_new(content_writer **out, ptl_store *store, int64_t content_id,
                              ptl_error *err);
void content_writer_free(content_writer *w); /* NULL is fine */
/* All that there is goes; packs of other contents stay. */
void content_clear(content_writer *w);
/* Adds a row: the struct of the part (content_fields.h). A text of NULL is NULL. */
void content_put(content_writer *w, content_part part, const void *row);
int64_t content_put_number(const content_writer *w); /* of the row that was added last */
int64_t content_writer_id(const content_writer *w);  /* the content's */
ptl_status content_writer_status(const content_writer *w);
/* Ends the writing with a failure of the caller's. */
void content_writer_fail(content_writer *w, ptl_status status);

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
/* At the end: checksums of what was written, and earlier contents that nobody needs go. */
ptl_status store_content_seal(ptl_store *store, ptl_error *err);
/* Is what was imported what is kept? found gets each problem; it is no failure. */
typedef void content_problem_fn(void *payload, const char *table, const char *message);
ptl_status store_content_check(ptl_store *store, content_problem_fn *found, void *payload,
                               ptl_error *err);
/* Generated chunks of all worlds that were made with another content. */
ptl_status store_content_count_stale(uint64_t *out, ptl_store *store, int64_t content_id,
                                     ptl_error *err);

#endif
