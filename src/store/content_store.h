/*
 * The part of the store's contract that importing uses. All rows of a content are written in
 * one transaction, so by the promises of store.h an import lasts as a whole or not at all, and
 * readers see the earlier content until it is committed. A content_writer belongs to the thread
 * that made it.
 * A content consists of parts; each part is the rows of one table (schema/tables.md).
 * content_tables.h says which columns a part has, and in which order. A row is written before
 * the rows that refer to it. Generation does not read these rows: it asks for a catalogue,
 * which a backend makes from them by catalogue/catalogue_rows.h.
 */
#pragma once

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
    const void *data; /* borrowed until the row is added; a text ends with a NUL */
    size_t size;      /* bytes of a blob */
} content_value;

/* These functions read one value of a row; columns are numbered from 0. Where the value has
 * another type, for example NULL, they return 0 or "". */
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

/*
 * Says which columns of a part to visit, in the order of the part's content_form, and how to
 * sort the rows. Sorting is ascending: numbers by value, texts by their bytes. If `order` is ""
 * rows come in any order, except remarks (CONTENT_ISSUES), which come in the order in which
 * they were written.
 */
typedef struct content_query {
    content_part part;
    const char *columns, *order; /* names of columns, with ", " between them: those to visit,
                                    and those to sort by */
} content_query;

/* Is called with one row: as many values as the query has columns. They are borrowed until the
 * call returns. */
typedef ptl_status content_row_visit(void *payload, const content_value *values,
                                     ptl_error *err);

/* Reads a row into the struct of its part. `values` are the values of the columns that
 * content_row_columns lists; the struct borrows its texts from them. Returns false if a number
 * is missing or out of its range. */
bool content_row_read(void *row, const content_form *form, const content_value *values);
/* Bytes for the names of a part's columns, with ", " between them. */
enum { CONTENT_NAMES_MAX = 1000 };
/* Writes the names of those columns of a part that are needed to make a catalogue, in the order
 * of the part's fields. */
void content_row_columns(char out[CONTENT_NAMES_MAX], const content_form *form);

/* ---- writing ---- */

/* Writes rows of a content into its tables. After the first error the writer keeps that status
 * and writes nothing more. */
typedef struct content_writer content_writer;

/* Makes a new writer in *out. Call content_writer_free for it, also after an error. */
ptl_status content_writer_new(content_writer **out, ptl_store *store, int64_t content_id,
                              ptl_error *err);
void content_writer_free(content_writer *w); /* w may be NULL */
/* Adds a row, given as the struct of its part (content_fields.h). A text that is NULL becomes
 * SQL's NULL. */
void content_put(content_writer *w, content_part part, const void *row);
/* Returns the id of the row that was added last. */
int64_t content_put_number(const content_writer *w);
int64_t content_writer_id(const content_writer *w); /* id of the content that is written */
ptl_status content_writer_status(const content_writer *w);
/* Sets the writer's status to an error of the caller's. Nothing is written afterwards. */
void content_writer_fail(content_writer *w, ptl_status status);

typedef struct content_row {
    int64_t id;
    const char *digest; /* in hex */
    bool lenient;
    uint64_t files, objects, bytes;
    const char *imported_at; /* when it was imported, in UTC, as ISO 8601; this member and
                                `current` are set only when a content_visit is called */
    bool current;
} content_row;

/* Is called with one content, which is borrowed until the call returns. The members files,
 * objects and bytes are not set. */
typedef ptl_status content_visit(void *payload, const content_row *row, ptl_error *err);

/* Says whether the store has, or had, a given content. */
typedef struct content_standing {
    int64_t id;   /* 0: the store has never had the content */
    bool current; /* the content is the store's present one */
    bool older;   /* the content was written by an older program, which did not know all
                   * parts */
} content_standing;

typedef void content_problem_fn(void *payload, const char *table, const char *message);

/* The operations of an import. */
typedef struct import_operations {
    /* The rows of CONTENT_FILES get their texts as they are. False: they get them
     * compressed. */
    bool is_plain;
    /* Opens a part, so that rows can be added. *out is the backend's own object; end it by
     * part_close. */
    ptl_status (*part_open)(void **out, ptl_store *store, content_part part, ptl_error *err);
    void (*part_close)(void *part);
    ptl_status (*part_add)(int64_t *number, void *part, const content_value *values, int count,
                           ptl_error *err);
    /* Removes all rows of the present content; the rows in content_pack of other contents
     * stay. */
    ptl_status (*clear)(ptl_store *store, int64_t content_id, ptl_error *err);
    /* Finds the content whose digest is `hex`. */
    ptl_status (*find)(content_standing *out, ptl_store *store, const char *hex,
                       ptl_error *err);
    /*
     * Makes the content of `row` the present one. If row->id is 0 the content gets a new id,
     * which is set in row->id. Otherwise row->id is the id that the same content had before; it
     * is kept, since chunks may refer to it.
     */
    ptl_status (*put)(ptl_store *store, content_row *row, ptl_error *err);
    /* Keeps the present content as an earlier one if a world, chunk or sweep was made with it.
     * Call it before an import changes anything. */
    ptl_status (*keep)(ptl_store *store, ptl_error *err);
    /* Ends an import: writes the checksums of all parts, and removes earlier contents that no
     * world, chunk or sweep refers to. */
    ptl_status (*seal)(ptl_store *store, ptl_error *err);
    /* Compares the content's rows with the checksums that the import wrote. `found` is called
     * for each difference. Such a difference does not make the call fail. */
    ptl_status (*check)(ptl_store *store, content_problem_fn *found, void *payload,
                        ptl_error *err);
    /* Counts the generated chunks, in all worlds, that were made with another content than
     * content_id. */
    ptl_status (*count_stale)(uint64_t *out, ptl_store *store, int64_t content_id,
                              ptl_error *err);
} import_operations;
