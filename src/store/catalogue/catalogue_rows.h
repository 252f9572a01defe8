/*
 * A catalogue of a content's rows: for backends that keep contents as the rows that an import
 * wrote (content_store.h), whatever they keep them in. The backend says where rows come from;
 * what they mean, and what no import would have written (PTL_ERR_CORRUPT), is told here.
 */
#ifndef STORE_CATALOGUE_CATALOGUE_ROWS_H
#define STORE_CATALOGUE_CATALOGUE_ROWS_H

#include "model/catalogue.h"
#include "store/content_store.h"

/* An object that is kept as it stood, in the texts of its file (schema/format.md). Lent. */
typedef struct kept_object {
    int64_t file;      /* the same for objects of one file */
    const char *path;  /* the file's */
    int64_t size;      /* of the file's texts, bytes */
    const void *texts; /* compressed */
    size_t texts_size;
    int64_t start, length; /* of the object in the texts, bytes */
} kept_object;

/* Which: by what key they are called so, and of what type they are. */
typedef struct kept_query {
    const char *name, *key, *type;
} kept_query;

typedef ptl_status kept_object_visit(void *payload, const kept_object *object, ptl_error *err);

/* An oter as its content had it. Texts are lent until the next call. */
typedef struct past_oter {
    const char *id, *terrain;
    const char *name, *color; /* the terrain's */
    int64_t kind;             /* of the terrain: a terrain_kind */
    int64_t rotation, line, symbol, terrain_symbol;
} past_oter;

typedef void past_flag_fn(void *payload, const char *flag);

/* The oters that the store's chunks may have, with what earlier contents said of them. */
typedef struct past_source {
    /* All have numbers, from 1 to *size - 1. PTL_ERR_CORRUPT: who reads chunks is told of it,
     * and here nothing is known. */
    ptl_status (*begin)(size_t *size, void *payload, ptl_error *err);
    const char *(*name)(void *payload, uint32_t number);
    uint32_t (*number)(void *payload, const char *id); /* 0: there is none of this id */
    ptl_status (*find)(past_oter *out, bool *found, void *payload, const char *id,
                       ptl_error *err);
    /* Flags of the terrain of the oter that was found last. */
    ptl_status (*flags)(void *payload, const char *terrain, past_flag_fn *found, void *to,
                        ptl_error *err);
} past_source;

/* Where the rows of one content are; all that is asked is of one snapshot. */
typedef struct row_source {
    int64_t content_id;
    char digest[65]; /* hex */
    ptl_status (*count)(size_t *out, void *payload, content_part part, ptl_error *err);
    ptl_status (*visit)(void *payload, const content_query *query, content_row_visit *visit,
                        void *to, ptl_error *err);
    ptl_status (*kept)(void *payload, const kept_query *query, kept_object_visit *visit,
                       void *to, ptl_error *err);
    const past_source *past; /* NULL: only the content's own oters are wanted */
    void *payload;           /* of all */
} row_source;

/* *out is new. */
ptl_status catalogue_from_rows(catalogue **out, const row_source *rows, ptl_error *err);

#endif
